// The data: what was found out about the columns, the target, and one row per column.

function showData() {
  const body = byId("data-body");
  const what = D.data_of === "training" ? `Training data: ${plural(D.data_rows, "row")}.` : D.data_of === "test" ? `Test data: ${plural(D.data_rows, "row")}. Give X_train and y_train to the report to see the training data.` : "The report got no data, and a fitted tree holds none. This is what the tree knows of the columns.";
  body.replaceChildren(...[alerts(), el("p", { class: "quiet" }, what), targetPart(), columnsPart()].filter(Boolean));
}

// --- what was found out ---

function alerts() {
  const found = D.findings;
  if (!found.length) return null;
  const item = (one) => el("li", { class: one.loud ? "loud" : null }, el("p", {}, one.text), one.remedy ? el("p", { class: "small" }, `${upperFirst(one.remedy)}.`) : null, one.advice ? el("p", { class: "small" }, "In Python: ", el("code", {}, one.advice)) : null);
  const [first, rest] = [found.slice(0, FIRST_ALERTS), found.slice(FIRST_ALERTS)];
  return el("div", { class: "alerts", id: "alerts" }, el("h3", {}, `${plural(found.length, "thing")} to know about the data`), el("ul", {}, first.map(item)), rest.length ? el("details", {}, el("summary", {}, `${count(rest.length)} more`), el("ul", {}, rest.map(item))) : null);
}

const FIRST_ALERTS = 6;

// --- the target ---

function targetPart() {
  const about = D.target_data;
  if (!about) return null;
  const heading = el("h3", {}, `The target: ${D.target}`);
  if (D.task === "regression") {
    if (!about.quantiles) return null;
    const [low, , median, , high] = about.quantiles;
    return el("div", { class: "target", id: "target" }, heading, about.bins ? barPlot(about.bins, [low, high], { label: `Distribution of ${D.target}`, height: 150, width: 420 }) : null, el("p", { class: "quiet small" }, `From ${short(low)} to ${short(high)}, median ${short(median)}.`));
  }
  const total = about.classes.reduce((a, b) => a + b, 0);
  const order = about.classes.map((_, j) => j).filter((j) => about.classes[j] > 0).sort((a, b) => about.classes[b] - about.classes[a] || a - b);
  const line = (j) => el("tr", {}, el("th", { scope: "row" }, swatch(j), levelWords(D.classes[j])), el("td", {}, count(about.classes[j])), el("td", {}, percent(about.classes[j] / total)), el("td", { class: "meter" }, meter(about.classes[j] / Math.max(...about.classes), D.colours[j])));
  const more = order.length - 12;
  return el("div", { class: "target", id: "target" }, heading, el("table", { class: "slim" }, el("tbody", {}, order.slice(0, 12).map(line))), more > 0 ? el("p", { class: "quiet small" }, `+${plural(more, "class", "classes")}`) : null);
}

// --- the columns ---

function columnsPart() {
  const used = columnsAsked(D.path.fitted);
  const associations = D.shown.some((j) => associationOf(j) !== null);
  const rare = D.data && D.shown.some((j, i) => D.columns[j].kind !== "numeric" && D.data[i].rare);
  const news = D.unseen_in_test && D.unseen_in_test.some(Boolean);
  const heads = ["Column", associations ? "Association" : null, "Kind", "Distinct", "Missing", "Values", rare ? "Rare levels" : null, news ? "New in test" : null];
  const order = associations ? D.shown.map((_, i) => i).sort((a, b) => (associationOf(D.shown[b]) ?? -1) - (associationOf(D.shown[a]) ?? -1) || a - b) : D.shown.map((_, i) => i);
  const rows = order.map((i) => {
    const j = D.shown[i];
    const column = D.columns[j];
    const about = D.data ? D.data[i] : null;
    const unseen = news ? D.unseen_in_test[i] : 0;
    const cell = (label, content, kind) => el("td", { class: [kind, content === "" ? "empty" : null].filter(Boolean).join(" ") || null, "data-label": label }, content);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, column.name, used.has(j) ? el("span", { class: "pill", title: "the tree asks for it" }, "used") : null),
      associations ? cell("Association", associationWords(j), "association") : null,
      cell("Kind", formOf(j) === "number" ? column.kind : formOf(j)),
      cell("Distinct", about ? count(about.distinct) : column.n ? count(column.n) : "", "number"),
      cell("Missing", about ? missingWords(about.missing) : "", "number"),
      cell("Values", about ? valueWords(j, about) : "", "wide"),
      rare ? cell("Rare levels", column.kind !== "numeric" ? rareWords(about) : "", "wide") : null,
      news ? cell("New in test", unseen ? plural(unseen, "row") : "", "number") : null,
    );
  });
  const notes = [];
  if (associations) notes.push(`Association: the share of the ${D.task === "regression" ? "variance" : "impurity"} of ${D.target} that the column explains by itself.`);
  if (D.data && D.shown.some((j) => D.columns[j].kind === "numeric")) notes.push("Below a histogram stand the lowest value, the median and the highest.");
  if (rare) notes.push(`Rare levels have fewer than ${D.rare} rows, too few to learn from.`);
  if (news) notes.push("New in test: rows with a level that training did not have.");
  const leftOut = leftOutPart();
  const parts = new Set(D.derived.map(([j]) => j));
  const hidden = D.n_columns - D.shown.filter((j) => !parts.has(j)).length;
  return el(
    "div",
    {},
    el("h3", {}, "The columns"),
    el("p", { class: "quiet small" }, notes.join(" ")),
    el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Columns" }, el("table", { class: "columns" }, el("thead", {}, el("tr", {}, heads.filter(Boolean).map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows))),
    hidden > 0 ? el("p", { class: "quiet" }, `+${plural(hidden, "column")}`) : "",
    leftOut,
  );
}

// The columns of the file that the tree was not given.
function leftOutPart() {
  const here = new Set(D.columns.map((one) => one.name));
  const out = D.left_out.filter((name) => !here.has(name));
  return out.length ? el("p", { class: "quiet" }, `Left out: ${out.map(levelWords).join(", ")}.`) : null;
}

const associationOf = (j) => (D.associations ? D.associations[D.shown.indexOf(j)] : null);

function associationWords(j) {
  const value = associationOf(j);
  if (value === null) return "";
  return el("span", { class: "association-bar" }, el("span", {}, percent(Math.max(0, value))), el("span", { class: "track" }, meter(value, "var(--accent)")));
}

const missingWords = (n) => (n ? `${count(n)} (${percent(n / D.data_rows)})` : "0");

function rareWords(about) {
  if (!about.rare) return "";
  const names = about.rare_names.map(levelWords).join(", ");
  return el("span", { title: names }, `${count(about.rare)} with ${plural(about.rare_rows, "row")}: `, el("span", { class: "quiet" }, `${about.rare_names.slice(0, 3).map(levelWords).join(", ")}${about.rare > 3 ? ", …" : ""}`));
}

function valueWords(j, about) {
  const column = D.columns[j];
  if (column.kind === "numeric") {
    if (!about.quantiles) return "";
    const [low, , median, , high] = about.quantiles;
    const dated = formOf(j) !== "number" && formOf(j) !== "duration";
    // More digits where few would make different numbers look the same.
    const digits = new Set([low, median, high].map((v) => short(v))).size < new Set([low, median, high]).size ? 6 : 4;
    const words = [low, median, high].map((v) => (dated ? writeCell(j, v).replace("T", " ") : cellNumber(D.columns[j], v, digits))).join(" … ");
    return el("div", { class: "values" }, histogram(about.bins), el("span", { title: "lowest … median … highest" }, words));
  }
  return levelHistogram(about);
}

function histogram(bins) {
  if (!bins) return "";
  const most = Math.max(...bins, 1);
  const bars = bins.map((n, i) => svg("rect", { x: i * 6, y: 30 - (28 * n) / most, width: 5, height: Math.max(n ? 1 : 0, (28 * n) / most) }));
  return svg("svg", { class: "histogram", width: bins.length * 6, height: 30, role: "img", "aria-label": "Histogram" }, bars);
}

// The most frequent levels as bars.
function levelHistogram(about) {
  const total = Math.max(1, D.data_rows);
  const shown = about.top.slice(0, 4);
  const most = Math.max(1, ...shown.map(([, n]) => n));
  const lines = shown.map(([level, n]) => el("span", { class: "level" }, el("span", { class: "name", title: level }, levelWords(level)), el("span", { class: "track" }, meter(n / most)), el("span", { class: "quiet" }, percent(n / total))));
  const more = about.distinct - shown.length;
  return el("div", { class: "levels" }, lines, more > 0 ? el("span", { class: "quiet small" }, `+${plural(more, "level")}`) : null);
}
