// Numbers and levels in words: the same words as ramify/tree/words.py.

// JSON has no infinities and no NaN.
const numberOf = (x) => (x === null ? NaN : x === "inf" ? Infinity : x === "-inf" ? -Infinity : x);

const thousands = new Intl.NumberFormat("en-US");
const count = (n) => thousands.format(n);
const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many || one + "s"}`;

function percent(share) {
  if (!Number.isFinite(share)) return "? %";
  if (share >= 0.995 && share < 1) return ">99 %";
  if (share > 0 && share < 0.005) return "<1 %";
  return `${Math.round(share * 100)} %`;
}

const UNITS = [[1e12, "T"], [1e9, "B"], [1e6, "M"]];

// A number rounded to significant digits: 0.2947, 17.25, 1,411, 12.25 M. Of numbers below a million the part
// before the point is kept whole.
function short(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "?";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const size = Math.abs(value);
  if (size >= 1e15) return String(Number(value.toPrecision(digits)));
  for (const [unit, sign] of UNITS) if (size >= 0.9999995 * unit) return `${trimmed(value / unit, digits)}\u00a0${sign}`;
  if (size >= 1000) return trimmed(value, digits);
  if (Number.isInteger(2 * value)) return String(value);
  const whole = Math.max(0, Math.floor(Math.log10(size)) + 1);
  return String(Number(value.toPrecision(Math.max(digits, whole + 1))));
}

function trimmed(value, digits) {
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.max(0, digits - whole) });
}

// How many rows: whole numbers in full, and sums of parts of rows to a tenth.
function amount(value) {
  if (!Number.isFinite(value)) return "?";
  const whole = Math.round(value);
  if (Math.abs(value - whole) < 1e-6 * Math.max(1, value)) return count(whole);
  return value < 0.1 ? "<0.1" : value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}
const amountOf = (value, one, many) => `${amount(value)} ${amount(value) === "1" ? one : many || one + "s"}`;

// A number of a column; years have no commas.
function cellNumber(column, value, digits = 4) {
  if (column.years && value >= 1000 && value < 3000) return String(Number(value.toPrecision(6)));
  return short(value, digits);
}

// A level in a set: shortened in the middle where it is long, quoted where it would be misread.
function levelWords(text) {
  const letters = Array.from(text);
  if (letters.length <= 28) return quoted(text);
  return quoted(letters.slice(0, 14).join("").trimEnd() + "…" + letters.slice(letters.length - 13).join("").trimStart());
}

function quoted(text) {
  if (text === "" || text !== text.trim() || /[,{}"]/.test(text)) text = `"${text.replaceAll('"', '\\"')}"`;
  return text;
}
