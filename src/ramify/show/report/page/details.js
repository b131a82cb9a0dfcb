// What is known of the selected node: its rows, its table, and what nearly won.

function showDetails(node) {
  const panel = byId("panel-node");
  const parts = [pathWords(node), nodeFigures(node)];
  parts.push(D.task === "classification" ? classTable(node) : null, ...distributionPart(node));
  if (!isLeaf(node)) parts.push(splitTable(node), rivals(node));
  else if (N.first[node] >= 0) parts.push(el("p", { class: "quiet" }, "A leaf of this size of the tree: its split was pruned."));
  parts.push(savePart(node));
  panel.replaceChildren(...parts.filter(Boolean));
  detailListeners.forEach((listener) => listener(node));
}

function pathWords(node) {
  const conditions = [...testsOf(node)];
  const heading = el("h3", {}, node === 0 ? "The root" : `${isLeaf(node) ? "Leaf" : "Node"} ${model.number[node]}`);
  if (!conditions.length) return el("div", {}, heading, el("p", { class: "quiet" }, "All training rows."));
  return el("div", {}, heading, el("ul", { class: "conditions" }, conditions.map(([column, test]) => el("li", { title: testWords(column, test, TOOLTIP_LEVELS) }, testWords(column, test)))));
}

function nodeFigures(node) {
  const list = el("dl", { class: "pairs" });
  const add = (name, value) => list.append(el("dt", {}, name), el("dd", {}, value));
  add("Rows", `${amount(rowsOf(node))} (${percent(shareOf(node))}${node > 0 ? " of all" : ""})`);
  if (isParted(node)) {
    if (D.weighted) add("Weight", short(N.weight[node], 6));
    else add("Counted", `the sum of the parts of ${plural(N.rows[node], "row")}: a row with a missing value is divided among branches`);
  }
  if (D.task === "regression") {
    add("Prediction", short(N.pred[node], 6));
    if (short(meanOf(node), 6) !== short(N.pred[node], 6)) add("Mean", short(meanOf(node), 6));
    add("Standard deviation", short(spreadOf(node), 5));
  } else add("Prediction", `${D.classes[labelOf(node)]} (${percent(sharesOf(node)[labelOf(node)])})`);
  if (N.hand && N.hand[node]) add(N.hand[node].startsWith("chosen") ? "Answer" : "By hand", N.hand[node]);
  const logp = N.logp[node];
  // Not at a node that is shown as a leaf because the tree is cut there.
  if (N.n[node] === 0 && logp !== null) add("Smallest p-value", `${Math.exp(numberOf(logp)).toPrecision(3)}: the tests end here`);
  if (!isLeaf(node)) {
    add("Split on", D.columns[N.attr[node]].name);
    add("Gain", short(numberOf(N.gain[node]), 4));
    if (logp !== null) add("p-value", numberOf(logp) < -700 ? "< 1e-300" : Math.exp(numberOf(logp)).toPrecision(3));
    add("Missing values", N.miss[node] < 0 ? "go down all branches, in proportion" : `go to “${answer(node, N.miss[node], 3)}”`);
  }
  return list;
}

const FIRST_CLASSES = 6;
function classTable(node) {
  const shares = sharesOf(node);
  const values = valuesOf(node);
  const order = shares.map((_, j) => j).filter((j) => values[j] > 0).sort((a, b) => values[b] - values[a] || a - b);
  const row = (j) => el("tr", {}, el("th", { scope: "row" }, swatch(j), D.classes[j]), el("td", {}, amount(values[j])), el("td", {}, percent(shares[j])), el("td", { class: "meter" }, meter(shares[j], D.colours[j])));
  const body = el("tbody", {}, order.slice(0, FIRST_CLASSES).map(row));
  const others = order.slice(FIRST_CLASSES);
  if (others.length) {
    // Many classes would push the split and what nearly won out of sight.
    const unfold = () => body.lastChild.replaceWith(...others.map(row));
    body.append(el("tr", {}, el("td", { colspan: 4, class: "all" }, el("button", { type: "button", class: "link quiet", onclick: unfold }, `+${plural(others.length, "class", "classes")}: ${percent(others.reduce((sum, j) => sum + shares[j], 0))}`))));
  }
  return el("table", { class: "slim" }, el("caption", {}, "Classes here"), body);
}

const swatch = (j) => el("span", { class: "swatch", style: `background:${D.colours[j]}`, "aria-hidden": "true" });

function meter(share, colour) {
  return el("span", { class: "bar", style: `width:${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%;background:${colour || "var(--accent)"}` });
}

// The contingency table of the split: branches by classes, or the target's mean per branch.
function splitTable(node) {
  const children = childrenOf(node);
  const shown = children.slice(0, 40);
  const branch = (child) => el("th", { scope: "row" }, el("button", { type: "button", class: "link", title: answer(node, child - N.first[node], TOOLTIP_LEVELS), onclick: () => select(child) }, answer(node, child - N.first[node], 3)));
  const name = D.columns[N.attr[node]].name;
  let head;
  let rows;
  if (D.task === "regression") {
    head = ["Rows", "Mean", "± SD"];
    rows = shown.map((child) => [branch(child), amount(rowsOf(child)), short(meanOf(child)), short(spreadOf(child))]);
  } else {
    const values = valuesOf(node);
    const classes = values.map((_, j) => j).sort((a, b) => values[b] - values[a] || a - b).slice(0, 8).sort((a, b) => a - b);
    head = classes.map((j) => wordsOfHead(levelWords(D.classes[j]), swatch(j)));
    rows = shown.map((child) => {
      const own = valuesOf(child);
      return [branch(child), ...classes.map((j) => amount(own[j]))];
    });
    if (values.length > classes.length) {
      head.push("others");
      rows.forEach((row, i) => {
        const own = valuesOf(shown[i]);
        row.push(amount(own.reduce((sum, x, j) => sum + (classes.includes(j) ? 0 : x), 0)));
      });
    }
  }
  const more = children.length - shown.length;
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of the split" },
    el(
      "table",
      { class: "slim split" },
      el("caption", {}, D.task === "regression" ? "The split" : "Contingency table of the split"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, wordsOfHead(name, null, 9)), head.map((cell) => el("th", { scope: "col" }, cell)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row[0], row.slice(1).map((cell) => el("td", {}, cell)))), more > 0 ? el("tr", {}, el("td", { class: "quiet" }, `+${more} branches`)) : null),
    ),
  );
}

// A long name breaks between words, and inside a word only if the word is very long.
function wordsOfHead(text, before = null, most = 14) {
  const pieces = [""];
  for (const word of text.split(/(?<=[-_/. ])/)) {
    const last = pieces.length - 1;
    if (!pieces[last] || pieces[last].length + word.length <= most) pieces[last] += word;
    else pieces.push(word);
  }
  return pieces.map((piece, i) => [el("span", { class: piece.length > 16 ? "" : "whole" }, i ? null : before, piece), el("wbr")]);
}

// How close it was. A tenth of a percent matters here, and only equals get 100 %.
const closely = (part) => (part === 1 ? "100 %" : `${Math.min(99.9, 100 * part).toFixed(1)} %`);

function rivals(node) {
  const own = numberOf(N.gain[node]);
  const found = N.rivals[node];
  if (!found) {
    const why = N.rivals.some(Boolean) ? "no other column could split these rows, or the file does not say it of a node as light as this" : "this tree has no record of it; optimal trees are found as a whole, not split by split";
    return el("p", { class: "quiet small" }, `What nearly won: ${why}.`);
  }
  const row = (text, gain, mine) => {
    const part = own > 0 ? gain / own : 0;
    return el("tr", { class: mine ? "mine" : "" }, el("th", { scope: "row" }, text), el("td", { title: `gain ${short(gain)}` }, own > 0 ? closely(part) : short(gain)), el("td", { class: "meter" }, meter(part, mine ? "var(--accent)" : "var(--rival)")));
  };
  const winner = `${D.columns[N.attr[node]].name} ${answer(node, 0, 3)}`;
  return el(
    "table",
    { class: "slim rivals" },
    el("caption", {}, "What nearly won, by its part of the gain"),
    el("tbody", {}, row(winner, own, true), found.map(([text, gain]) => row(text, numberOf(gain), false))),
  );
}
