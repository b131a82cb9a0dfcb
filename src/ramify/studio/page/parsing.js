// How the file is read: signs, encoding and names, with the first rows as they then are.

const SIGNS = [["", "found"], [",", "comma"], [";", "semicolon"], ["\t", "tab"], ["|", "bar"]];
const DECIMALS = [["", "found per column"], [".", "1,234.5 (point)"], [",", "1.234,5 (comma)"]];
const ENCODINGS = ["", "utf-8", "windows-1252", "latin-1", "iso-8859-15", "utf-16", "cp850", "mac-roman", "gbk", "shift_jis"];

const previewKey = (state) => JSON.stringify([state.file, state.choices.parsing, state.table ? state.table.rows : 0]);
let previewOf = "";

async function showParsing(state) {
  const key = previewKey(state);
  if (!state.file || key === previewOf) return;
  previewOf = key;
  const found = await get("preview", { quiet: true });
  const box = byId("parsing");
  if (!box || !found || previewOf !== key) return;
  box.replaceChildren(...(found.text ? [parsingBar(state, found)] : [sheetBar(state)]), previewTable(found));
}

function labelled(label, control) {
  return el("label", { class: "field-line" }, el("span", {}, label), control);
}

function picker(id, options, value, onpick) {
  return el("select", { id, onchange: (event) => onpick(event.target.value) }, options.map(([one, words]) => el("option", { value: one, selected: one === value }, words)));
}

const parse = (changes) => choose({ parsing: { ...studio.state.choices.parsing, ...changes } });

function parsingBar(state, found) {
  const { delimiter, decimal, encoding, header } = state.choices.parsing;
  const sign = SIGNS.find(([one]) => one === found.delimiter);
  const signs = SIGNS.map(([one, words]) => [one, one === "" ? `found: ${sign ? sign[1] : found.delimiter}` : words]);
  const encodings = ENCODINGS.map((one) => [one, one === "" ? `found: ${found.encoding.replace("-sig", "")}` : one]);
  return el(
    "div",
    { class: "bar parsing", role: "group", "aria-label": "How the file is read" },
    labelled("Cells end with", picker("delimiter", signs, delimiter || "", (value) => parse({ delimiter: value || null }))),
    labelled("Numbers", picker("decimal", DECIMALS, decimal || "", (value) => parse({ decimal: value || null }))),
    labelled("Encoding", picker("encoding", encodings, encoding || "", (value) => parse({ encoding: value || null }))),
    labelled("First row", picker("header", [["yes", "has the names"], ["no", "is data"]], header ? "yes" : "no", (value) => parse({ header: value === "yes" }))),
  );
}

function sheetBar(state) {
  if (!/\.xls[xm]$/i.test(state.file)) return el("p", { class: "quiet small" }, "This format says by itself how it is read.");
  const input = el("input", { id: "sheet", type: "text", value: state.choices.parsing.sheet || "", placeholder: "the first one", onchange: (event) => parse({ sheet: event.target.value || null }) });
  const header = picker("header", [["yes", "has the names"], ["no", "is data"]], state.choices.parsing.header ? "yes" : "no", (value) => parse({ header: value === "yes" }));
  return el("div", { class: "bar parsing" }, labelled("Sheet", input), labelled("First row", header));
}

function previewTable(found) {
  const rows = found.rows.map((row) => el("tr", {}, found.names.map((_, j) => el("td", {}, row[j] === undefined ? "" : row[j]))));
  return el("div", { class: "scroll preview", tabindex: 0, role: "region", "aria-label": "The first rows" }, el("table", {}, el("thead", {}, el("tr", {}, found.names.map((name) => el("th", { scope: "col" }, name || "–")))), el("tbody", {}, rows)));
}
