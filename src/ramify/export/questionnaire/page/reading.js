// What was typed becomes an answer: {cell}, or {problem} in words. Nothing that could mean two numbers is guessed.

const HOW_TO_WRITE = {
  number: "Please write a number, such as 12 or 12.5.",
  date: "Please give a day, such as 2024-02-29.",
  datetime: "Please give a day and a time, such as 2024-02-29 09:30.",
  time: "Please give a time, such as 09:30.",
  duration: "Please write a length of time, such as 90 (seconds), 01:30:00 or 2 days 01:30:00.",
};

function readAnswer(question, text) {
  const typed = text.trim();
  const { kind } = question;
  if (typed === "") return { problem: HOW_TO_WRITE[kind] };
  if (kind === "number") return readNumber(question, typed);
  const value = kind === "duration" ? readDuration(typed) : parseTime(question.form, typed);
  return Number.isNaN(value) ? { problem: HOW_TO_WRITE[kind] } : { cell: value };
}

// Signs between digits: the last of two different ones is the decimal sign, and so is a sign that stands alone
// unless exactly three digits follow a comma, or a point where decimals are written with a comma.
function readNumber(question, typed) {
  const form = question.form || {};
  let text = typed.replace(/[\s\u00a0\u202f'’_]/g, "").replace("−", "-");
  if (form.unit) text = text.replace(form.unit, "");
  const problem = { problem: HOW_TO_WRITE.number };
  const infinite = text.match(/^([+-]?)inf(inity)?$/i);
  if (infinite) return { cell: infinite[1] === "-" ? -Infinity : Infinity };
  if (!/^[+-]?[\d.,]*\d[\d.,]*(e[+-]?\d+)?$/i.test(text)) return problem;
  const commas = text.split(",").length - 1;
  const points = text.split(".").length - 1;
  const grouped = (sign) => new RegExp(`^[+-]?\\d{1,3}(\\${sign}\\d{3})+(?!\\d)`).test(text);
  if (commas && points) {
    const decimal = text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".";
    const other = decimal === "," ? "." : ",";
    if (text.split(decimal).length > 2 || !grouped(other)) return problem;
    text = text.replaceAll(other, "").replace(decimal, ".");
  } else if (commas + points > 1) {
    const sign = commas ? "," : ".";
    if (!grouped(sign)) return problem;
    text = text.replaceAll(sign, "");
  } else if (commas + points === 1) {
    const sign = commas ? "," : ".";
    const doubtful = sign === "," || form.decimal === "," || form.thousands === ".";
    if (doubtful && grouped(sign) && !/^[+-]?0/.test(text) && !/e/i.test(text)) {
      const plain = text.replace(sign, "");
      return { problem: `“${typed}” could be ${plain} or ${text.replace(sign, ".")}0: please write one of these.` };
    }
    text = text.replace(",", ".");
  }
  const value = Number(text);
  return Number.isNaN(value) ? problem : { cell: value };
}

// Seconds; "01:30:00" and "2 days 01:30:00" as Form.show writes them.
function readDuration(typed) {
  if (/^[+-]?\d+(\.\d+)?$/.test(typed)) return Number(typed);
  const found = typed.match(/^(-)?(?:([\d,]+) days?)?\s*(?:(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?)?$/);
  if (!found || (found[2] === undefined && found[3] === undefined)) return NaN;
  const [days, hours, minutes, seconds] = [(found[2] || "0").replaceAll(",", ""), ...found.slice(3)].map((x) => Number(x || 0));
  const length = days * DAY + hours * 3600 + minutes * 60 + seconds;
  return found[1] ? -length : length;
}

// An answer as its input takes it.
function writeAnswer(question, cell) {
  if (cell === null || cell === undefined) return "";
  if (INPUT_TYPES[question.kind]) return writeTime(question.form, cell);
  return question.kind === "duration" ? durationWords(cell) : String(cell);
}

function durationWords(seconds) {
  const size = Math.abs(seconds);
  const days = Math.floor(size / DAY);
  const rest = size - days * DAY;
  const two = (n) => String(n).padStart(2, "0");
  const clock = `${two(Math.floor(rest / 3600))}:${two(Math.floor((rest % 3600) / 60))}:${two(Math.round((rest % 60) * 1000) / 1000)}`;
  return `${seconds < 0 ? "-" : ""}${days ? `${plural(days, "day")} ` : ""}${clock}`;
}
