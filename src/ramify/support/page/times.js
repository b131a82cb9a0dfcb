// Dates and times: how text becomes the numbers of ramify/tables/forms.py, and back. A form is {kind, zone}.

const INPUT_TYPES = { date: "date", datetime: "datetime-local", time: "time" };
const DAY = 86400;

// The number of a written date or time; NaN if it cannot be read. Dates count days from 1970, times seconds.
function parseTime(form, text) {
  if (form.kind === "date") return /^-?\d{4,}-\d\d-\d\d$/.test(text) ? secondsOf(`${text}T00:00:00`) / DAY : NaN;
  if (form.kind === "datetime") {
    const found = text.match(/^(\d{4,}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/);
    if (!found || (found[3] && !form.zone)) return NaN;
    const local = secondsOf(`${found[1]}T${found[2]}`);
    if (found[3]) return found[3] === "Z" ? local : local - zoneOffset(found[3], local);
    // On the clock of the column's zone. A second look is right where the clock is about to change.
    return local - zoneOffset(form.zone, local - zoneOffset(form.zone, local));
  }
  const parts = text.match(/^(\d\d?):(\d\d)(?::(\d\d(?:\.\d+)?))?$/);
  return parts ? parts[1] * 3600 + parts[2] * 60 + Number(parts[3] || 0) : NaN;
}

// Seconds from 1970; NaN for a day that no month has, which browsers would move to the next month.
function secondsOf(text) {
  const seconds = Date.parse(`${text}Z`) / 1000;
  return Number.isFinite(seconds) && new Date(seconds * 1000).getUTCDate() === Number(text.match(/-(\d\d)T/)[1]) ? seconds : NaN;
}

// A date or time as its input takes it.
function writeTime(form, value) {
  const far = form.kind === "date" ? 1e8 : 8.64e12;
  if (!Number.isFinite(value) || Math.abs(value) > far) return String(value);
  if (form.kind === "date") return new Date(Math.floor(value) * DAY * 1000).toISOString().slice(0, 10);
  if (form.kind === "datetime") return new Date((value + zoneOffset(form.zone, value)) * 1000).toISOString().slice(0, 19);
  return new Date(value * 1000).toISOString().slice(11, 19);
}

// Seconds to add to UTC for the clock of a time zone.
const clocks = new Map();
function zoneOffset(zone, seconds) {
  if (!zone || zone === "UTC" || !Number.isFinite(seconds)) return 0;
  const fixed = zone.match(/^([+-])(\d\d):(\d\d)$/);
  if (fixed) return (fixed[1] === "-" ? -1 : 1) * (fixed[2] * 3600 + fixed[3] * 60);
  try {
    if (!clocks.has(zone)) clocks.set(zone, new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" }));
    const at = Object.fromEntries(clocks.get(zone).formatToParts(new Date(seconds * 1000)).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute, at.second) / 1000 - Math.floor(seconds);
  } catch {
    return 0;
  }
}

// A part of a date as the place of its level; the same as ramify/tables/parts.py.
function partOfTime(form, value, part) {
  if (value === null || !Number.isFinite(value)) return null;
  const local = form.kind === "date" ? Math.floor(value) * DAY : value + zoneOffset(form.zone, value);
  const days = Math.floor(local / DAY);
  if (part === "weekday") return (((days + 3) % 7) + 7) % 7;
  if (part === "hour") return Math.floor((local - days * DAY) / 3600);
  const date = new Date(days * DAY * 1000);
  return part === "month" ? date.getUTCMonth() : date.getUTCDate() - 1;
}
