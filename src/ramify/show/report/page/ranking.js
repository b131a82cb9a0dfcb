// Curves of the probabilities of held-out rows, and a threshold that can be moved.
// Rows come as groups of equal probability, the highest first: [probability, weight of the class, weight of others].

const chosen = { class: D.positive, threshold: null, wrong: null, missed: null };

// Sums from the highest probability down: what is right and wrong if all so far are called this class.
function cumulated(groups) {
  let [right, wrong] = [0, 0];
  return groups.map(([p, own, others]) => ({ p, right: (right += own), wrong: (wrong += others) }));
}

const groupsNow = (held) => held.ranked[D.places[chosen.class]] || [];

function classSelect(id, words, change) {
  const classes = D.classes.map((_, j) => j).filter((j) => D.places.filter((place) => place === D.places[j]).length === 1);
  const options = classes.map((j) => el("option", { value: j, selected: j === chosen.class }, levelWords(D.classes[j])));
  return el("label", { class: "choice" }, words, el("select", { id, onchange: (event) => ((chosen.class = Number(event.target.value)), change()) }, options));
}

function curveCards(held) {
  const groups = groupsNow(held);
  const sums = cumulated(groups);
  const { right: own, wrong: others } = sums[sums.length - 1] || { right: 0, wrong: 0 };
  const name = quotedClass(chosen.class);
  const change = () => ((chosen.threshold = null), showScores());
  const heading = el("div", { class: "bar" }, el("h3", {}, `How well the probabilities of ${name} rank the rows`), CLASSES > 2 ? classSelect("curve-class", "Class", change) : null);
  if (!(own > 0) || !(others > 0)) return el("div", {}, heading, el("p", { class: "quiet" }, `There are no curves: ${own > 0 ? "all" : "none"} of the rows are ${name}.`));
  const pooled = D.held.folds > 1 ? el("p", { class: "quiet small" }, "The curves take the rows of all parts together, so their areas differ a little from the means above.") : null;
  return el("div", {}, heading, pooled, el("div", { class: "plots", id: "curves" }, rocCard(sums, own, others), precisionCard(sums, own, others), liftCard(sums, own, others), calibrationCard(groups)));
}

const UNIT = [0, 1];
const SHARE_TICKS = [0, 0.25, 0.5, 0.75, 1].map((v) => [v, `${100 * v} %`]);

function shareFrame(label, xLabel, yLabel) {
  return chartFrame({ x: UNIT, y: UNIT, xTicks: SHARE_TICKS, yTicks: SHARE_TICKS, label, xLabel, yLabel });
}

function areaUnder(points) {
  let area = 0;
  for (let i = 1; i < points.length; i++) area += ((points[i][0] - points[i - 1][0]) * (points[i][1] + points[i - 1][1])) / 2;
  return area;
}

function rocCard(sums, own, others) {
  const points = [[0, 0], ...sums.map((one) => [one.wrong / others, one.right / own])];
  const { plot, px, py } = shareFrame("ROC curve", "false alarms: share of other rows", "recall");
  plot.append(svg("path", { class: "even", d: pathOf([[px(0), py(0)], [px(1), py(1)]]) }), svg("path", { class: "line roc", "data-area": areaUnder(points).toFixed(4), d: pathOf(points.map(([x, y]) => [px(x), py(y)])) }));
  if (CLASSES === 2) plot.append(svg("circle", { class: "here", id: "here-roc", r: 5 }));
  plotPlaces.roc = (right, wrong) => [px(wrong / others), py(right / own)];
  return plotCard(`ROC curve: area ${areaUnder(points).toFixed(3)}`, plot, "The dashed line is guessing (area 0.5).");
}

function precisionCard(sums, own, others) {
  const points = sums.filter((one) => one.right + one.wrong > 0).map((one) => [one.right / own, one.right / (one.right + one.wrong)]);
  const { plot, px, py } = shareFrame("Precision-recall curve", "recall", "precision");
  const rate = own / (own + others);
  let [before, area] = [0, 0];
  for (const [recall, precision] of points) {
    area += (recall - before) * precision;
    before = recall;
  }
  plot.append(svg("path", { class: "even", d: pathOf([[px(0), py(rate)], [px(1), py(rate)]]) }), svg("path", { class: "line pr", "data-area": area.toFixed(4), d: pathOf([[0, points[0][1]], ...points].map(([x, y]) => [px(x), py(y)])) }));
  if (CLASSES === 2) plot.append(svg("circle", { class: "here", id: "here-pr", r: 5 }));
  plotPlaces.pr = (right, wrong) => (right + wrong > 0 ? [px(right / own), py(right / (right + wrong))] : [px(0), py(points[0][1])]);
  return plotCard(`Precision and recall: area ${area.toFixed(3)}`, plot, `The dashed line is guessing: ${percent(rate)} of the rows are ${quotedClass(chosen.class)}.`);
}

function liftCard(sums, own, others) {
  const total = own + others;
  const points = sums.filter((one) => one.right + one.wrong > 0).map((one) => [(one.right + one.wrong) / total, one.right / (one.right + one.wrong) / (own / total)]);
  const high = Math.max(1.2, ...points.map(([, lift]) => lift)) * 1.05;
  const { plot, px, py } = chartFrame({ x: UNIT, y: [0, high], xTicks: SHARE_TICKS, yTicks: niceTicks(0, high).map((v) => [v, `${short(v, 2)} ×`]), label: "Lift curve", xLabel: "share of rows, most probable first", yLabel: "lift" });
  plot.append(svg("path", { class: "even", d: pathOf([[px(0), py(1)], [px(1), py(1)]]) }), svg("path", { class: "line lift", d: pathOf([[0, points[0][1]], ...points].map(([x, y]) => [px(x), py(y)])) }));
  const tenth = points.find(([share]) => share >= 0.1) || points[points.length - 1];
  return plotCard("Lift", plot, `In the ${percent(tenth[0])} of rows with the highest probability there are ${short(tenth[1], 2)} times as many ${quotedClass(chosen.class)} as in all rows.`);
}

// Groups joined into at most ten parts of about equal weight.
function calibrationParts(groups) {
  const total = groups.reduce((sum, [, own, others]) => sum + own + others, 0);
  const parts = [];
  let part = { weight: 0, own: 0, p: 0 };
  for (const [p, own, others] of groups) {
    part.weight += own + others;
    part.own += own;
    part.p += p * (own + others);
    if (part.weight >= total / 10 - 1e-9) {
      parts.push(part);
      part = { weight: 0, own: 0, p: 0 };
    }
  }
  if (part.weight > 0) parts.push(part);
  return parts.map((one) => ({ p: one.p / one.weight, share: one.own / one.weight, weight: one.weight / total }));
}

function calibrationCard(groups) {
  const parts = calibrationParts(groups);
  const { plot, px, py } = shareFrame("Calibration curve", "probability that the tree says", "share in the rows");
  plot.append(svg("path", { class: "even", d: pathOf([[px(0), py(0)], [px(1), py(1)]]) }), svg("path", { class: "line calibration", d: pathOf(parts.map((one) => [px(one.p), py(one.share)])) }));
  for (const one of parts) plot.append(svg("circle", { class: "part", cx: px(one.p).toFixed(1), cy: py(one.share).toFixed(1), r: (2.5 + 8 * Math.sqrt(one.weight)).toFixed(1) }, svg("title", {}, `says ${percent(one.p)}, is ${percent(one.share)}; ${percent(one.weight)} of the rows`)));
  const off = parts.reduce((sum, one) => sum + one.weight * Math.abs(one.p - one.share), 0);
  return plotCard("Calibration", plot, `On the dashed line a probability of 70 % comes true in 70 % of the rows. Here probabilities are off by ${(100 * off).toFixed(1)} points on average.`);
}

// --- the threshold, for two classes ---

const plotPlaces = {};

// The costs of the two mistakes, and the threshold at which the tree changes its answer.
function startCosts() {
  const [k, o] = [chosen.class, 1 - chosen.class];
  chosen.wrong = D.costs ? D.costs[o][k] - D.costs[o][o] : 1;
  chosen.missed = D.costs ? D.costs[k][o] - D.costs[k][k] : 1;
  chosen.threshold = chosen.wrong / (chosen.wrong + chosen.missed) || 0.5;
}

function thresholdCard(held) {
  if (chosen.threshold === null) startCosts();
  const name = quotedClass(chosen.class);
  const change = () => ((chosen.threshold = null), showScores());
  const slide = el("input", { id: "threshold", type: "range", min: 0, max: 100, step: 0.1, value: (100 * chosen.threshold).toFixed(1), oninput: (event) => ((chosen.threshold = Number(event.target.value) / 100), moveThreshold()) });
  const price = (id, words, key) => el("label", { class: "choice" }, words, el("input", { id, type: "number", min: 0, step: "any", value: chosen[key], oninput: (event) => ((chosen[key] = Math.max(0, Number(event.target.value) || 0)), moveThreshold()) }));
  return el(
    "div",
    { class: "threshold-card" },
    el("div", { class: "bar" }, el("h3", {}, "Confusion matrix"), classSelect("positive", "Look for", change)),
    el("label", { class: "slide", for: "threshold" }, el("span", { id: "threshold-words" }), slide),
    el("div", { class: "threshold-parts" }, el("div", { id: "threshold-matrix" }), el("dl", { class: "pairs", id: "threshold-figures", "aria-live": "polite" })),
    el("div", { class: "costs" }, price("cost-wrong", `Cost of a wrong ${name}`, "wrong"), price("cost-missed", `Cost of a missed ${name}`, "missed"), el("button", { id: "cheapest", type: "button", onclick: () => cheapest(held) }, "Cheapest threshold"), el("button", { id: "threshold-back", type: "button", onclick: () => (startCosts(), showScores()) }, "As the tree decides")),
  );
}

// What is right and wrong if the class is said above a threshold. Equals go to the first class, as in predict.
function atThreshold(groups, threshold) {
  const found = { right: 0, wrong: 0, missed: 0, rest: 0 };
  for (const [p, own, others] of groups) {
    const said = p > threshold || (p === threshold && chosen.class === 0);
    found[said ? "right" : "missed"] += own;
    found[said ? "wrong" : "rest"] += others;
  }
  return found;
}

const costOf = ({ wrong, missed, right, rest }) => (chosen.wrong * wrong + chosen.missed * missed) / (right + wrong + missed + rest);

function moveThreshold() {
  const groups = groupsNow(heldNow());
  const found = atThreshold(groups, chosen.threshold);
  const { right, wrong, missed, rest } = found;
  const name = quotedClass(chosen.class);
  const total = right + wrong + missed + rest;
  const slide = byId("threshold");
  slide.value = (100 * chosen.threshold).toFixed(1);
  const shown = `${short(Number((100 * chosen.threshold).toFixed(1)), 3)} %`;
  slide.setAttribute("aria-valuetext", shown);
  byId("threshold-words").textContent = `Say ${name} above ${shown}`;
  const own = [right, missed];
  const others = [wrong, rest];
  const cells = chosen.class === 0 ? [own, others] : [[rest, wrong], [missed, right]];
  byId("threshold-matrix").replaceChildren(confusion(placeLabels, cells), el("p", { class: "quiet small" }, "A row is a true class, a column a predicted one.", partsNote(cells.flat(), D.held.weighted)));
  const precision = right + wrong > 0 ? right / (right + wrong) : null;
  const recall = right + missed > 0 ? right / (right + missed) : null;
  const f1 = right > 0 ? (2 * right) / (2 * right + wrong + missed) : 0;
  const always = Math.min(chosen.wrong * (wrong + rest), chosen.missed * (right + missed)) / total;
  const pairs = [
    ["Precision", precision === null ? "–" : `${percentOne(precision)} of those called ${name} are`],
    ["Recall", recall === null ? "–" : `${percentOne(recall)} of all ${name} are called so`],
    ["F1", f1.toFixed(3)],
    ["Accuracy", percentOne((right + rest) / total)],
    ["Cost per row", `${short(costOf(found), 3)} (baseline ${short(always, 3)}: the same answer for every row)`],
  ];
  byId("threshold-figures").replaceChildren(...pairs.flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]));
  for (const [key, id] of [["roc", "here-roc"], ["pr", "here-pr"]]) {
    if (!byId(id)) continue;
    const [x, y] = plotPlaces[key](right, wrong);
    byId(id).setAttribute("cx", x.toFixed(1));
    byId(id).setAttribute("cy", y.toFixed(1));
  }
}

const percentOne = (share) => `${(100 * share).toFixed(1)} %`;

function cheapest(held) {
  const groups = groupsNow(held);
  const values = groups.map(([p]) => p);
  const between = [1, ...values.slice(1).map((p, i) => (p + values[i]) / 2), 0].map((t) => Number(t.toFixed(3)));
  // Of equally cheap thresholds the one nearest to that of the costs.
  const fair = chosen.wrong / (chosen.wrong + chosen.missed) || 0.5;
  const price = (t) => costOf(atThreshold(groups, t));
  const least = Math.min(...between.map(price));
  chosen.threshold = between.filter((t) => price(t) <= least + 1e-12).sort((a, b) => Math.abs(a - fair) - Math.abs(b - fair))[0];
  moveThreshold();
}
