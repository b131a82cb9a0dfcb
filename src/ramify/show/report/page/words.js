// Words and elements: the same words as ramify/tree/words.py and ramify/tree/conditions.py.

const D = JSON.parse(document.getElementById("report-data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

// An element with attributes and children; texts are never read as markup.
function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

const thousands = new Intl.NumberFormat("en-US");
const count = (n) => thousands.format(n);
const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many || one + "s"}`;

function percent(share) {
  if (!Number.isFinite(share)) return "? %";
  if (share >= 0.995 && share < 1) return ">99 %";
  if (share > 0 && share < 0.005) return "<1 %";
  return `${Math.round(share * 100)} %`;
}

// A number rounded to significant digits. The part before the point is kept whole, and large
// numbers are whole.
function short(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "?";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e4 && Math.abs(value) < 1e15) return count(Math.round(value));
  if (Math.abs(value) < 1e15 && Number.isInteger(2 * value)) return String(value);
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return String(Number(value.toPrecision(Math.min(17, Math.max(digits, whole <= 15 ? whole + 1 : 1)))));
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

function labelShare(label, share) {
  const text = levelWords(label);
  return /^-*\d/.test(text) ? `class ${text} ${share}` : `${text} ${share}`;
}

// The most levels in a tooltip; their names are not shortened.
const TOOLTIP_LEVELS = 40;

// "name in {a, b, +3} or missing"; `first` are the first levels of a set of `n`.
function setAnswer(first, n, missing, most) {
  if (missing && n === 0) return "is missing";
  const words = most >= TOOLTIP_LEVELS ? quoted : levelWords;
  let text;
  if (n === 1 && first.length === 1) text = `= ${words(first[0])}`;
  else {
    const parts = first.slice(0, most).map((level) => words(level));
    if (parts.length < n) parts.push(`+${n - parts.length}`);
    text = `in {${parts.join(", ")}}`;
  }
  return missing ? text + " or missing" : text;
}

function debounce(run, wait) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), wait);
  };
}
