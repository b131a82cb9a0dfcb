// How the rows at a node are distributed: over the column that it splits on, with the threshold or the branches
// drawn in, and in a regression over the target. A bar has a segment per class, or the colour of its mean.

const DIST = D.distributions;
const distributionOf = (node) => (DIST ? DIST.nodes[node] : undefined);
const hasMini = (node) => !isLeaf(node) && !!distributionOf(node) && !!(distributionOf(node).bins || distributionOf(node).levels);

// What a bar stands for: its rows, and its segments [rows, colour] from below.
const sumOf = (counts) => (D.task === "regression" ? counts[0] : counts.reduce((a, b) => a + b, 0));
const groupColour = (g) => (g < DIST.classes.length ? D.colours[DIST.classes[g]] : D.other_colour);
const groupName = (g) => (g < DIST.classes.length ? levelWords(D.classes[DIST.classes[g]]) : "other classes");

function segments(counts) {
  if (D.task === "regression") return [[counts[0], counts[1] === null ? D.other_colour : valueColour(numberOf(counts[1]))]];
  return counts.map((n, g) => [n, groupColour(g)]);
}

function barWords(what, counts) {
  const rows = amountOf(sumOf(counts), "row");
  if (D.task === "regression") return counts[1] === null ? `${what}: ${rows}` : `${what}: ${rows}, mean ${short(numberOf(counts[1]))}`;
  const parts = counts.map((n, g) => (n > 0 ? `${groupName(g)} ${amount(n)}` : "")).filter(Boolean);
  return `${what}: ${rows}${parts.length ? ` (${parts.join(", ")})` : ""}`;
}

// A standing bar of segments, from `bottom` upwards.
function standing(counts, x, width, bottom, perRow, title) {
  const bar = svg("g", {});
  if (title) bar.append(svg("title", {}, title));
  let y = bottom;
  for (const [n, colour] of segments(counts)) {
    if (!(n > 0)) continue;
    const height = Math.max(0.6, n * perRow);
    y -= height;
    bar.append(svg("rect", { x: x.toFixed(1), y: y.toFixed(1), width: Math.max(0.8, width).toFixed(1), height: height.toFixed(1), fill: colour }));
  }
  return bar;
}

// The place of the threshold among the bins, or null.
function thresholdPlace(node, own) {
  const at = N.kind[node] === 1 ? (N.thr[node] - numberOf(own.start)) / own.width : NaN;
  return Number.isFinite(at) && at >= -0.01 && at <= own.bins.length + 0.01 ? Math.round(at) : null;
}

// --- on a card ---

function miniature(node, name, x, y, width, height) {
  const own = distributionOf(node);
  const group = svg("g", { class: "mini", transform: `translate(${x} ${y})`, "aria-hidden": "true" });
  group.append(svg("path", { class: "cut", d: `M0 0h${width.toFixed(1)}` }), svg("text", { class: "pale", x: 0, y: 12 }, name));
  const [top, bottom] = [20, height];
  // Bars of a set stand together by branch, with a gap between branches.
  const bars = own.bins ? own.bins.map((counts) => [counts, 0]) : [...own.levels, ...own.more].sort((a, b) => a[1] - b[1]).map(([, branch, counts]) => [counts, branch]);
  const gaps = bars.map(([, branch], i) => (i && branch !== bars[i - 1][1] ? 1 : 0));
  const step = Math.min(22, width / (bars.length + gaps.reduce((a, b) => a + b, 0)));
  const most = Math.max(...bars.map(([counts]) => sumOf(counts)), 1e-9);
  let at = 0;
  bars.forEach(([counts], i) => {
    at += gaps[i] * step;
    if (gaps[i]) group.append(svg("path", { class: "threshold", d: `M${(at - step / 2).toFixed(1)} ${top - 3}V${bottom}` }));
    group.append(standing(counts, at + 0.5, step - 1, bottom, (bottom - top) / most));
    at += step;
  });
  const cut = own.bins ? thresholdPlace(node, own) : null;
  if (cut !== null) group.append(svg("path", { class: "threshold", d: `M${(cut * step).toFixed(1)} ${top - 3}V${bottom}` }));
  group.append(svg("path", { class: "base", d: `M0 ${bottom}h${at.toFixed(1)}` }));
  return group;
}

// --- in the panel ---

function distributionPart(node) {
  const parts = [];
  const own = distributionOf(node);
  if (!isLeaf(node)) {
    const name = D.columns[N.attr[node]].name;
    if (!DIST) parts.push(el("p", { class: "quiet small" }, `How ${name} is distributed here is not in this file, because it was made without data. Give X_train and y_train to report(), or write the report with "ramify fit --report".`));
    else if (!own) parts.push(el("p", { class: "quiet small" }, `This file shows the distributions of the heaviest nodes; this node is not among them, or no row of the ${D.data_of} data comes here.`));
    else if (own.bins) parts.push(numbersFigure(node, own));
    else if (own.levels) parts.push(levelsFigure(node, own));
  }
  if (own && own.target) parts.push(targetFigure(node, own));
  return parts;
}

const rowsHere = (own) => `${amountOf(own.rows, "row")}, ${D.data_of} data`;

const PLOT = { width: 320, height: 148, left: 30, right: 8, top: 24, bottom: 24 };

function plotFrame(label, most) {
  const plot = svg("svg", { class: "dist", viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": label });
  plot.append(svg("path", { class: "base", d: `M${PLOT.left} ${PLOT.height - PLOT.bottom}H${PLOT.width - PLOT.right}` }));
  plot.append(svg("text", { x: PLOT.left - 5, y: PLOT.top + 4, "text-anchor": "end" }, most >= 1e4 ? short(most, 2) : amount(most)));
  plot.append(svg("text", { x: PLOT.left - 5, y: PLOT.height - PLOT.bottom + 2, "text-anchor": "end" }, "0"));
  return plot;
}

// Texts below an axis: [x, text, class]; those that would touch one before them are left out.
function axisTexts(plot, texts) {
  const taken = [];
  for (const [x, text, style] of texts) {
    const half = textWidth(text, style === "at" ? "600 12px" : "12px") / 2;
    const middle = Math.max(half, Math.min(PLOT.width - half, x));
    if (taken.some(([a, b]) => middle - half < b + 5 && middle + half > a - 5)) continue;
    taken.push([middle - half, middle + half]);
    plot.append(svg("text", { x: middle.toFixed(1), y: PLOT.height - 6, "text-anchor": "middle", class: style }, text));
  }
}

function numbersFigure(node, own) {
  const column = D.columns[N.attr[node]];
  const n = own.bins.length;
  const gap = own.missing ? 62 : 0;
  const right = PLOT.width - PLOT.right - gap;
  const bottom = PLOT.height - PLOT.bottom;
  const step = (right - PLOT.left) / n;
  const most = Math.max(...own.bins.map(sumOf), own.missing ? sumOf(own.missing) : 0, 1e-9);
  const perRow = (bottom - PLOT.top) / most;
  const cut = thresholdPlace(node, own);
  const start = numberOf(own.start);
  const edge = (i) => (own.ends ? (i === 0 ? own.ends[0] : i === n ? own.ends[1] : "") : cellNumber(column, start + i * own.width, 4));
  const sides = cut === null ? "" : `; the threshold is ${N.text[node]}`;
  const plot = plotFrame(`Histogram of ${column.name} at this node, ${rowsHere(own)}${sides}`, most);
  own.bins.forEach((counts, i) => {
    const range = own.ends ? `bar ${i + 1} of ${n}` : `${edge(i)} to ${edge(i + 1)}`;
    plot.append(standing(counts, PLOT.left + i * step + 0.5, step - 1, bottom, perRow, barWords(range, counts)));
  });
  const texts = [];
  if (cut !== null) {
    const x = PLOT.left + cut * step;
    plot.append(svg("path", { class: "threshold", d: `M${x.toFixed(1)} ${PLOT.top - 8}V${bottom + 4}` }));
    plot.append(svg("text", { class: "at", x: Math.max(PLOT.left + 4, x - 7).toFixed(1), y: 11, "text-anchor": "end" }, x > 60 ? `← ${N.strict[node] ? "<" : "≤"}` : ""));
    plot.append(svg("text", { class: "at", x: (x + 7).toFixed(1), y: 11 }, `${N.strict[node] ? "≥" : ">"} →`));
    texts.push([x, N.text[node], "at"]);
  }
  texts.push([PLOT.left, edge(0), ""], [right, edge(n), ""]);
  if (own.missing) {
    plot.append(standing(own.missing, PLOT.width - 30, 14, bottom, perRow, barWords("missing", own.missing)));
    texts.unshift([PLOT.width - 23, "missing", ""]);
  }
  axisTexts(plot, texts);
  const tails = own.tails ? own.tails[0] + own.tails[1] : 0;
  const note = tails ? `; the outermost bars hold ${plural(tails, "row")} from farther out` : "";
  return el("figure", { class: "distribution" }, el("figcaption", {}, `${column.name} here (${rowsHere(own)})${note}`), plot, colourKey());
}

// A lying bar: as long as its rows are many, with a segment per class.
function lying(counts, most) {
  const total = sumOf(counts);
  const pieces = segments(counts).filter(([n]) => n > 0).map(([n, colour]) => el("span", { style: `width:${((100 * n) / total).toFixed(2)}%;background:${colour}` }));
  return el("span", { class: "lying", style: `width:${Math.max(1, (100 * total) / most).toFixed(1)}%` }, pieces);
}

function levelsFigure(node, own) {
  const column = D.columns[N.attr[node]];
  const rows = [...own.levels.map(([place, branch, counts]) => [levelWords(column.levels[place]), branch, counts, column.levels[place]])];
  for (const [n, branch, counts] of own.more) rows.push([`+${plural(n, "level")}`, branch, counts, ""]);
  rows.sort((a, b) => a[1] - b[1]);
  if (own.missing) rows.push(["missing", -1, own.missing, ""]);
  if (own.unseen) rows.push(["not in training", -1, own.unseen, ""]);
  const most = Math.max(...rows.map(([, , counts]) => sumOf(counts)), 1e-9);
  const body = [];
  let last = null;
  for (const [name, branch, counts, full] of rows) {
    if (branch !== last) body.push(el("tr", { class: "branch-head" }, el("th", { scope: "rowgroup", colspan: 3 }, branch < 0 ? "No level" : branchWords(node, branch))));
    last = branch;
    const value = D.task === "regression" && counts[1] !== null ? `${amount(counts[0])} · ${short(numberOf(counts[1]))}` : amount(sumOf(counts));
    body.push(el("tr", { title: barWords(full || name, counts) }, el("th", { scope: "row" }, name), el("td", { class: "run" }, lying(counts, most)), el("td", {}, value)));
  }
  const what = D.task === "regression" ? `rows and mean ${D.target || "target"} of each level` : "rows of each level";
  return el("figure", { class: "distribution" }, el("table", { class: "slim level-bars" }, el("caption", {}, `${column.name} here: ${what} (${rowsHere(own)})`), el("tbody", {}, body)), colourKey());
}

const branchWords = (node, branch) => `Branch ${branch + 1}: ${headOf(N.first[node] + branch)}`;

function colourKey() {
  if (D.task !== "regression" || !colourRange) return null;
  const steps = [0, 0.25, 0.5, 0.75, 1].map(scaleColour).join(", ");
  return el("p", { class: "key quiet small" }, `Colour: mean ${D.target || "target"}, ${rangeWords()[0]} `, el("span", { class: "scale", style: `background:linear-gradient(to right, ${steps})`, "aria-hidden": "true" }), ` ${rangeWords()[1]}`);
}

// The target here, in front of a line for all rows.
function targetFigure(node, own) {
  const [low, high] = DIST.target.map(numberOf);
  const n = own.target.length;
  const bottom = PLOT.height - PLOT.bottom;
  const step = (PLOT.width - PLOT.right - PLOT.left) / n;
  const most = Math.max(...own.target, 1e-9);
  const perRow = (bottom - PLOT.top) / most;
  const plot = plotFrame(`Histogram of ${D.target || "the target"} at this node, ${rowsHere(own)}, mean ${short(meanOf(node))}`, most);
  own.target.forEach((rows, i) => {
    const [from, to] = [low + ((high - low) * i) / n, low + ((high - low) * (i + 1)) / n];
    const bar = svg("rect", { x: (PLOT.left + i * step + 0.5).toFixed(1), y: (bottom - rows * perRow).toFixed(1), width: (step - 1).toFixed(1), height: (rows * perRow).toFixed(1), fill: valueColour((from + to) / 2) }, svg("title", {}, `${short(from)} to ${short(to)}: ${amountOf(rows, "row")}`));
    plot.append(bar);
  });
  const all = distributionOf(0);
  if (node > 0 && all && all.target) {
    const top = Math.max(...all.target, 1e-9);
    const points = all.target.map((rows, i) => `${(PLOT.left + (i + 0.5) * step).toFixed(1)} ${(bottom - ((bottom - PLOT.top) * rows) / top).toFixed(1)}`);
    plot.append(svg("path", { class: "all", d: `M${points.join("L")}` }, svg("title", {}, "all rows, to another scale")));
  }
  const x = PLOT.left + (Math.max(0, Math.min(1, (meanOf(node) - low) / (high - low || 1)))) * (n * step);
  plot.append(svg("path", { class: "mean", d: `M${x.toFixed(1)} ${PLOT.top - 8}V${bottom + 4}` }), svg("text", { class: "at", x: Math.min(x + 5, PLOT.width - 90).toFixed(1), y: 12 }, `mean ${short(meanOf(node))}`));
  axisTexts(plot, [[PLOT.left, short(low), ""], [PLOT.width - PLOT.right, short(high), ""], [PLOT.left + (n * step) / 2, short((low + high) / 2), ""]]);
  const line = node > 0 ? "; the line is all rows, to another scale" : "";
  return el("figure", { class: "distribution" }, el("figcaption", {}, `${D.target || "Target"} here (${rowsHere(own)})${line}`), plot);
}
