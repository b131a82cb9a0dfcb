// Scores: the measures with their baselines, and the confusion matrix of the tree that is shown.

// Rows and columns of the matrix: the classes; if many, the frequent ones and one for all others.
const PLACES = Math.max(-1, ...D.places) + 1;
const placeLabels = Array.from({ length: PLACES }, (_, place) => {
  const own = D.classes.filter((_, j) => D.places[j] === place);
  return own.length === 1 ? levelWords(own[0]) : `+${own.length} classes`;
});

// The matrix of the training rows, as the leaves count them.
function trainingMatrix() {
  const matrix = new Array(PLACES * PLACES).fill(0);
  for (const leaf of leavesNow()) {
    const label = D.places[labelOf(leaf)];
    valuesOf(leaf).forEach((value, truth) => (matrix[D.places[truth] * PLACES + label] += value));
  }
  return matrix;
}

const ADVICE = "Rows that were not seen do worse. Give test rows or held-out scores to the report (ramify fit does; in Python X_test and y_test, or held_out).";

function showScores() {
  const body = byId("scores-body");
  const held = heldNow();
  const parts = [sourceNote(held), measuresTable(held)];
  if (D.task === "regression") parts.push(...regressionPlots(held));
  else if (CLASSES === 2 && held && held.ranked) parts.push(thresholdCard(held), curveCards(held));
  else parts.push(el("h3", {}, "Confusion matrix"), ...matrixParts(held), held && held.ranked ? curveCards(held) : null);
  body.replaceChildren(...parts.filter(Boolean));
  if (byId("threshold")) moveThreshold();
}

// Where the figures come from.
function sourceNote(held) {
  if (!held) return el("p", { class: "notice" }, `Training rows, as counted in the leaves of the tree with ${leavesWords(model.step)}. ${ADVICE}`);
  const which = `${held.step === D.path.fitted ? "the fitted tree" : "the tree"} with ${leavesWords(held.step)}`;
  let words = `${upperFirst(D.held.how)}: ${plural(D.held.rows, "row")} that the tree had not seen; ${which}.`;
  if (D.held.folds > 1) words = `${upperFirst(D.held.how)}: every one of ${plural(D.held.rows, "row")} is predicted by a tree that did not see it; for ${which}. ± is the standard deviation over the parts.`;
  if (!held.own) words += " There are no figures for the size that is shown.";
  if (D.held.unknown) words += ` ${plural(D.held.unknown, "row")} with a class that training did not have count as errors; they are not in the tables and curves.`;
  return el("p", { class: "quiet" }, words);
}

const upperFirst = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

const MEANINGS = {
  accuracy: "share of rows that are right",
  balanced_accuracy: "mean of the recalls of the classes",
  roc_auc: "chance that a row of the class gets a higher probability than a row of another",
  pr_auc: "mean precision over all recalls",
  log_loss: "surprise at the true class; lower is better",
  brier: "squared error of the probabilities; lower is better",
  f1: "harmonic mean of precision and recall",
  cost: "by the costs of answers; lower is better",
  r2: "share of the variance that is explained",
  rmse: "root of the mean squared error; lower is better",
  mae: "mean absolute error; lower is better",
};

function measuresTable(held) {
  if (!SCORES.length) return trainingOnly();
  const also = D.also ? new Map(D.also.scores.map((one) => [one.name, one])) : null;
  const rows = SCORES.map((one, i) => {
    const other = also && also.get(one.name);
    return el(
      "tr",
      { "data-measure": one.name },
      el("th", { scope: "row" }, one.label, el("span", { class: "quiet small meaning" }, MEANINGS[one.name] || "")),
      held ? el("td", { class: "lead" }, scoreWithSpread(one.name, held.means[i], held.spreads[i])) : null,
      also ? el("td", {}, other ? scoreWithSpread(one.name, other.mean, other.spread) : "–") : null,
      el("td", { title: one.guess || null }, scoreWords(one.name, one.baseline)),
      el("td", { class: "quiet" }, scoreWords(one.name, trainingScore(one.name))),
    );
  });
  const heads = ["Measure", held ? D.held.short : null, also ? D.also.short : null, "Baseline", "Training"].filter(Boolean);
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Measures" }, el("table", { class: "measures", id: "measures" }, el("caption", {}, baselineNote()), el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows)));
}

// What the baselines answer; they look at no column.
function baselineNote() {
  if (D.task === "regression") return "Baseline: the mean for every row, whatever its columns say.";
  return `Baseline: always ${quotedClass(labelOf(0))} with the same probabilities, whatever the columns say.`;
}

function trainingOnly() {
  const list = el("dl", { class: "pairs wide" });
  const add = (name, value) => list.append(el("dt", {}, name), el("dd", {}, value));
  if (D.task === "regression") {
    const { rmse, r2 } = trainingFigures();
    add("R² on training rows", r2 === null ? "–" : r2.toFixed(3));
    add("RMSE on training rows", short(rmse, 5));
  } else if (trainingScore("accuracy") !== null) {
    add("Accuracy on training rows", scoreWords("accuracy", trainingScore("accuracy")));
    add(upperFirst(baselineWords()), scoreWords("accuracy", 1 - D.path.training[D.path.leaves.length - 1]));
  } else add(`${upperFirst(D.path.measure)} on training rows`, short(D.path.training[model.step], 4));
  return list;
}

// --- the confusion matrix ---

const isWhole = (value) => Math.abs(value - Math.round(value)) < 1e-6;

function matrixParts(held) {
  const matrix = held && held.matrix ? held.matrix : trainingMatrix();
  const cells = placeLabels.map((_, t) => matrix.slice(t * PLACES, (t + 1) * PLACES));
  const words = "A row of the table is a true class, a column a predicted one. A stronger colour is a larger share of the row.";
  return [el("p", { class: "quiet small" }, words, held && held.matrix ? partsNote(matrix, D.held.weighted) : partsNote(matrix, null)), confusion(placeLabels, cells)];
}

// Why cells are no whole numbers.
function partsNote(matrix, weighted) {
  if (matrix.every(isWhole)) return "";
  if (weighted) return " The cells are sums of the weights of rows.";
  return " The cells are sums of parts of rows: a row with a missing value goes down several branches, with a part of it in each.";
}

const cellWords = (value) => (isWhole(value) ? count(Math.round(value)) : value < 10 ? value.toFixed(1).replace(/^0\.0$/, "<0.1") : short(value, 4));

function confusion(labels, cells) {
  const sums = cells.map((one) => one.reduce((a, b) => a + b, 0));
  const columns = labels.map((_, p) => cells.reduce((sum, one) => sum + one[p], 0));
  const cell = (value, t, p) => {
    const share = sums[t] > 0 ? value / sums[t] : 0;
    const tone = t === p ? "right" : "wrong";
    const title = `${labels[t]} predicted as ${labels[p]}: ${short(value, 6)} (${percent(share)} of its rows)`;
    return el("td", { class: tone, style: `--share:${(share * 60).toFixed(0)}%`, title }, value ? cellWords(value) : "·");
  };
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion matrix" },
    el(
      "table",
      { class: labels.length > 8 ? "confusion many" : "confusion" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "true \\ predicted"), labels.map((label) => el("th", { scope: "col" }, el("span", {}, label))), el("th", { scope: "col" }, "recall"))),
      el(
        "tbody",
        {},
        cells.map((one, t) => el("tr", {}, el("th", { scope: "row" }, labels[t]), one.map((value, p) => cell(value, t, p)), el("td", { class: "quiet" }, sums[t] > 0 ? percent(one[t] / sums[t]) : "–"))),
        el("tr", {}, el("th", { scope: "row" }, "precision"), columns.map((sum, p) => el("td", { class: "quiet" }, sum > 0 ? percent(cells[p][p] / sum) : "–")), el("td", {})),
      ),
    ),
  );
}

// --- regression ---

function regressionPlots(held) {
  if (!held) return [];
  const cards = [];
  // A large file has the points of the fitted tree alone.
  const fitted = D.held.steps[D.path.fitted];
  const points = held.points || (fitted && fitted.points);
  if (points) {
    const some = points.length < D.held.rows ? `${count(points.length)} of ${plural(D.held.rows, "row")}. ` : "";
    const other = held.points ? "" : ` The points are those of the fitted tree with ${leavesWords(D.path.fitted)}.`;
    cards.push(plotCard("Predicted against true", scatter(points), `${some}On the line a prediction is right.${other}`));
  }
  if (held.residuals) {
    const { bins, low, high } = held.residuals;
    const edges = held.residuals.beyond ? ` ${plural(held.residuals.beyond, "row")} further out are counted in the first and last bar.` : "";
    cards.push(plotCard("Residuals: true minus predicted", barPlot(bins, [low, high], { label: "Distribution of the residuals", xLabel: "true − predicted", mark: 0 }), `Half of the rows are off by at most ${short(held.residuals.median, 3)}, nine in ten by at most ${short(held.residuals.p90, 3)}.${edges}`));
  }
  return [el("div", { class: "plots" }, cards)];
}

function scatter(points) {
  const all = points.flat();
  let [low, high] = [Math.min(...all), Math.max(...all)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const { plot, px, py } = chartFrame({ x: [low, high], y: [low, high], label: "True against predicted values of held-out rows", xLabel: "predicted", yLabel: "true", width: 420, height: 320 });
  plot.classList.add("scatter");
  plot.append(svg("path", { class: "even", d: `M${px(low)} ${py(low)}L${px(high)} ${py(high)}` }));
  for (const [p, t] of points) plot.append(svg("circle", { cx: px(p).toFixed(1), cy: py(t).toFixed(1), r: 3 }));
  return plot;
}
