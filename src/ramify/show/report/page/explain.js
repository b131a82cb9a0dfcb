// Explain a row: its values, typed or picked, its path, and the prediction.

const MOST_INPUTS = 60;
const row = D.columns.map(() => null);
const inputs = [];
const fields = [];
const wrong = new Map(); // per column what is wrong with what was typed
let picked = null; // the example that was picked, until a value is changed

// Month, weekday, day and hour are filled in from the date that they are parts of.
const ORIGIN = new Map(D.derived.filter(([, source]) => source >= 0).map(([j, source]) => [j, source]));
const originOf = (j) => (ORIGIN.has(j) ? ORIGIN.get(j) : j);

// The columns that the largest tree asks about come first.
function askedFirst() {
  const used = new Map();
  for (let node = 0; node < SIZE; node++) if (N.attr[node] >= 0) used.set(N.attr[node], Math.max(used.get(N.attr[node]) || 0, N.weight[node]));
  const order = D.columns.map((_, j) => j).filter((j) => used.has(j));
  order.sort((a, b) => used.get(b) - used.get(a) || a - b);
  return [...new Set(order.map(originOf))];
}

function startExplain() {
  const panel = byId("panel-explain");
  const asked = askedFirst();
  const form = el("form", { class: "explain", autocomplete: "off", onsubmit: (event) => event.preventDefault() });
  if (!asked.length) {
    panel.append(el("p", { class: "quiet" }, "The tree is a single leaf: every row gets the same prediction."));
    return;
  }
  if (D.examples) form.append(examplePicker());
  for (const j of asked.slice(0, MOST_INPUTS)) form.append((fields[j] = field(j)));
  if (asked.length > MOST_INPUTS) form.append(el("p", { class: "quiet small" }, `+${asked.length - MOST_INPUTS} columns that weigh less; they count as missing.`));
  form.append(el("p", {}, el("button", { type: "button", onclick: clearRow }, "Clear")));
  panel.append(el("div", { id: "answer", "aria-live": "polite" }), form, el("div", { id: "way" }));
  explainRow();
}

function examplePicker() {
  const what = D.examples_of === "test" ? "test" : "training";
  const options = D.examples.map((_, i) => el("option", { value: i }, `example ${i + 1} (${what} data): ${truthWords(i)}`));
  const pick = (event) => event.target.value !== "" && setRow(exampleRow(Number(event.target.value)), Number(event.target.value));
  return el("label", { class: "field" }, "Take a row", el("select", { id: "example", onchange: pick }, el("option", { value: "" }, "pick one"), options));
}

// The true answer of an example.
function truthWords(i) {
  const truth = D.truths[i];
  if (D.task === "regression") return short(numberOf(truth), 6);
  return truth < 0 ? "a class that training did not have" : levelWords(D.classes[truth]);
}

function exampleRow(i) {
  const cells = D.columns.map(() => null);
  D.shown.forEach((j, k) => (cells[j] = D.examples[i][k]));
  return cells;
}

function field(j) {
  const column = D.columns[j];
  const name = `value-${j}`;
  let input;
  if (column.kind === "numeric") {
    const type = INPUT_TYPES[formOf(j)] || "text";
    input = el("input", { id: name, type, step: type === "text" ? null : "any", inputmode: type === "text" ? "decimal" : null, placeholder: formOf(j) === "duration" ? "missing; seconds" : "missing", oninput: (event) => readNumber(j, event.target) });
  } else if (column.levels.length <= 40 && !column.codes) {
    const options = column.levels.map((level, code) => el("option", { value: code }, level === "" ? "(empty)" : level));
    const others = column.kind === "nominal" ? el("option", { value: -2 }, "(a level that training did not have)") : null;
    input = el("select", { id: name, onchange: (event) => setCell(j, event.target.value === "" ? null : Number(event.target.value)) }, el("option", { value: "" }, "missing"), options, others);
  } else {
    // If there are very many levels, the first ones that match the typed text are offered.
    const list = el("datalist", { id: `levels-${j}` });
    input = el("input", { id: name, type: "text", list: `levels-${j}`, placeholder: `missing; ${count(column.n)} levels`, oninput: (event) => readLevel(j, event.target, list) });
    offer(j, "", list);
    inputs[j] = input;
    return el("label", { class: "field", for: name }, column.name, input, list);
  }
  inputs[j] = input;
  return el("label", { class: "field", for: name }, column.name, input);
}

function offer(j, text, list) {
  const start = text.toLowerCase();
  const found = [];
  const levels = D.columns[j].levels;
  for (let i = 0; i < levels.length && found.length < 60; i++) if (levels[i].toLowerCase().includes(start)) found.push(el("option", { value: levels[i] }));
  list.replaceChildren(...found);
}

function readLevel(j, input, list) {
  const text = input.value;
  offer(j, text, list);
  const { levels, codes, n } = D.columns[j];
  const place = levels.indexOf(text);
  let cell = null;
  if (place >= 0) cell = codes ? codes[place] : place;
  else if (text !== "") cell = -2;
  input.classList.toggle("odd", cell === -2);
  input.title = cell !== -2 ? "" : levels.length < n ? "not among the levels that this file names" : "training did not have this level";
  setCell(j, cell);
}

function readNumber(j, input) {
  const text = input.value.trim();
  let value = null;
  let problem = "";
  if (input.validity && input.validity.badInput) problem = `${D.columns[j].name}: this is no ${formOf(j)}`;
  else if (text !== "") {
    value = parseCell(j, text);
    if (Number.isNaN(value)) problem = `${D.columns[j].name}: “${text}” is no ${formOf(j)}`;
  }
  input.classList.toggle("odd", problem !== "");
  input.setAttribute("aria-invalid", String(problem !== ""));
  if (problem) wrong.set(j, problem);
  else wrong.delete(j);
  setCell(j, problem ? null : value);
}

// --- how cells are written: numbers, dates and times ---

const formOf = (j) => (D.columns[j].form ? D.columns[j].form.kind : "number");

// The number of a typed cell; NaN if it cannot be read.
function parseCell(j, text) {
  if (INPUT_TYPES[formOf(j)]) return parseTime(D.columns[j].form, text);
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return Number(text.replace(",", "."));
}

// A number as the input of its column takes it.
const writeCell = (j, value) => (INPUT_TYPES[formOf(j)] ? writeTime(D.columns[j].form, value) : String(value));

function setCell(j, value) {
  row[j] = value;
  for (const [own, source, part] of D.derived) if (source === j) row[own] = partOfTime(D.columns[j].form, value, part);
  picked = null;
  explainRow();
}

function clearRow() {
  setRow(D.columns.map(() => null));
  if (byId("example")) byId("example").value = "";
}

function setRow(cells, example = null) {
  picked = example;
  wrong.clear();
  cells.forEach((cell, j) => {
    row[j] = D.columns[j].kind === "numeric" ? (cell === null ? null : numberOf(cell)) : cell;
    const input = inputs[j];
    if (!input) return;
    input.classList.remove("odd");
    input.removeAttribute("aria-invalid");
    const { kind, levels, codes } = D.columns[j];
    if (cell === null) input.value = "";
    else if (kind === "numeric") input.value = writeCell(j, numberOf(cell));
    else if (input.tagName === "SELECT") input.value = String(cell);
    else input.value = cell < 0 ? "(not in training)" : levels[codes ? codes.indexOf(cell) : cell] || `(level ${cell})`;
  });
  explainRow();
}

// A tree of this size may ask about fewer columns than the largest one.
function askNow() {
  const asked = new Set([...columnsAsked(model.step)].map(originOf));
  fields.forEach((one, j) => (one.hidden = !asked.has(j)));
}

function explainRow() {
  const box = byId("answer");
  if (!box) return;
  askNow();
  const asked = new Set([...columnsAsked(model.step)].map(originOf));
  const problems = [...wrong].filter(([j]) => asked.has(j)).map(([, problem]) => problem);
  if (problems.length) {
    // No answer stands beside cells that it is not about.
    if (tree.path) {
      tree.path = null;
      showWay(null);
    }
    box.replaceChildren(el("p", { class: "notice", id: "wrong-input", role: "alert" }, `${problems.join("; ")}. Correct it, or leave it empty: then it counts as missing.`));
    byId("way").replaceChildren();
    return;
  }
  const found = predictRow(row);
  const known = row.some((cell) => cell !== null);
  const heaviest = found.leaves.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  const before = tree.path;
  tree.path = known ? found.visited : null;
  const way = [];
  for (let at = N.parent[heaviest]; at >= 0; at = N.parent[at]) way.push(at);
  if (tree.path || before) showWay(known ? way : null);
  box.replaceChildren(...answerWords(found, known, heaviest));
  byId("way").replaceChildren(...(known ? [...wayWords(found, heaviest), ...contributionParts(found), ...changeParts(found)] : []));
}

function answerWords(found, known, heaviest) {
  const parts = [];
  const mixed = found.leaves.length > 1 ? `mixed from ${found.leaves.length} leaves` : `leaf ${model.number[heaviest]}`;
  if (D.task === "regression") parts.push(el("p", { class: "verdict" }, el("b", { id: "verdict" }, short(found.value, 6)), ` ${mixed}`));
  else {
    parts.push(el("p", { class: "verdict" }, swatch(found.label), el("b", { id: "verdict" }, D.classes[found.label]), ` ${percent(found.shares[found.label])}, ${mixed}`));
    const order = found.shares.map((_, j) => j).filter((j) => found.shares[j] > 0).sort((a, b) => found.shares[b] - found.shares[a] || a - b).slice(0, 6);
    const rows = order.map((j) => el("tr", {}, el("th", { scope: "row" }, swatch(j), D.classes[j]), el("td", {}, percent(found.shares[j])), el("td", { class: "meter" }, meter(found.shares[j], D.colours[j]))));
    parts.push(el("table", { class: "slim" }, el("tbody", {}, rows)));
  }
  if (picked !== null) {
    const right = D.task === "regression" ? "" : D.truths[picked] === found.label ? ": right" : ": wrong";
    parts.push(el("p", { id: "truth" }, "In the data it is ", el("b", {}, truthWords(picked)), right));
  }
  if (found.unsure) parts.push(el("p", { class: "notice" }, "This file does not hold all sets of levels of so large a tree: at some nodes the row was spread over all branches."));
  if (!known) parts.push(el("p", { class: "quiet" }, "Fill in some values: the way of the row is marked in the tree. What is left out counts as missing."));
  return parts;
}

// The conditions on the way to the leaf with the largest share.
function wayWords(found, leaf) {
  const steps = [];
  for (let at = leaf; N.parent[at] >= 0; at = N.parent[at]) {
    const [name, text] = conditionOf(at, 3);
    const part = found.visited.get(at) / found.visited.get(N.parent[at]);
    const note = part < 1 ? el("span", { class: "quiet" }, ` ${percent(part)} of the row goes this way`) : null;
    steps.unshift(el("li", {}, el("button", { type: "button", class: "link", title: conditionOf(at, TOOLTIP_LEVELS).join(" "), onclick: () => select(at) }, `${name} ${text}`), note));
  }
  return [el("h3", {}, "Its way"), el("ol", { class: "conditions" }, steps)];
}
