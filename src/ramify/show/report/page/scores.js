// Errors: the confusion matrix of the tree that is shown, or predicted numbers against true ones.

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

function showScores() {
  const body = byId("scores-body");
  if (D.task === "regression") {
    body.replaceChildren(...regressionScores());
    return;
  }
  let matrix = D.test && D.test.matrices[model.step];
  let note;
  if (matrix) note = `Test data, ${plural(D.test.rows, "row")} that the tree was not fitted on; the tree with ${plural(D.path.leaves[model.step], "leaf", "leaves")}.`;
  else if (D.test) {
    matrix = D.test.matrices[D.path.fitted];
    note = `Test data, ${plural(D.test.rows, "row")}; the fitted tree with ${plural(D.path.leaves[D.path.fitted], "leaf", "leaves")}.`;
  } else {
    matrix = trainingMatrix();
    note = `Training data, as counted in the leaves of the tree with ${plural(D.path.leaves[model.step], "leaf", "leaves")}. Rows that were not seen do worse: give X_test and y_test to the report (ramify fit: --test FILE).`;
  }
  if (D.test && D.test.unknown) note += ` ${plural(D.test.unknown, "row")} with a class that training did not have count as errors and are not in the table.`;
  const cells = placeLabels.map((_, t) => matrix.slice(t * PLACES, (t + 1) * PLACES));
  const words = "Rows are the true class, columns what was predicted; a stronger colour is a larger share of the row.";
  body.replaceChildren(el("p", { class: D.test ? "quiet" : "notice" }, note), el("h3", {}, "Confusion matrix"), el("p", { class: "quiet small" }, words), confusion(placeLabels, cells));
}

function confusion(labels, cells) {
  const sums = cells.map((one) => one.reduce((a, b) => a + b, 0));
  const columns = labels.map((_, p) => cells.reduce((sum, one) => sum + one[p], 0));
  const cell = (value, t, p) => {
    const share = sums[t] > 0 ? value / sums[t] : 0;
    const tone = t === p ? "right" : "wrong";
    const title = `${labels[t]} predicted as ${labels[p]}: ${short(value, 6)} (${percent(share)} of its rows)`;
    return el("td", { class: tone, style: `--share:${(share * 60).toFixed(0)}%`, title }, value ? short(value) : "·");
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

function regressionScores() {
  const list = el("dl", { class: "pairs wide" });
  const add = (name, value) => list.append(el("dt", {}, name), el("dd", {}, value));
  if (!D.test) {
    const total = valuesOf(0);
    const spread = spreadOf(0) ** 2;
    const inside = leavesNow().reduce((sum, leaf) => sum + valuesOf(leaf)[0] * (spreadOf(leaf) ** 2 + (meanOf(leaf) - N.pred[leaf]) ** 2), 0) / total[0];
    add("Root mean squared error", short(Math.sqrt(inside), 5));
    add("R²", spread > 0 ? (1 - inside / spread).toFixed(3) : "–");
    const note = `Training data, from the leaves of the tree with ${plural(D.path.leaves[model.step], "leaf", "leaves")}. Rows that were not seen do worse: give X_test and y_test to the report (ramify fit: --test FILE).`;
    return [el("p", { class: "notice" }, note), list];
  }
  const step = D.test.figures[model.step] ? model.step : D.path.fitted;
  const [rmse, mae, r2] = D.test.figures[step];
  add("Root mean squared error", short(rmse, 5));
  add("Mean absolute error", short(mae, 5));
  add("R²", r2 === null ? "–" : r2.toFixed(3));
  const size = (s) => `${s === D.path.fitted ? "the fitted tree" : "the tree"} with ${plural(D.path.leaves[s], "leaf", "leaves")}`;
  const note = `Test data, ${plural(D.test.rows, "row")} that the tree was not fitted on; ${size(step)}.`;
  const points = step === D.path.fitted ? null : el("p", { class: "quiet small" }, `The points are those of ${size(D.path.fitted)}.`);
  return [el("p", { class: "quiet" }, note), list, scatter(D.test.points), points].filter(Boolean);
}

function scatter(points) {
  const all = points.flat();
  let [low, high] = [Math.min(...all), Math.max(...all)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const ticks = [low, (low + high) / 2, high].map((v) => [v, short(v, 3)]);
  const widest = Math.max(...ticks.map(([, text]) => textWidth(text, "12px")));
  const [width, height, left, right, top, bottom] = [460, 340, widest + 14, widest / 2 + 8, 24, 44];
  const x = (v) => left + ((v - low) / (high - low)) * (width - left - right);
  const y = (v) => height - bottom - ((v - low) / (high - low)) * (height - top - bottom);
  const plot = svg("svg", { class: "scatter", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "True against predicted values of test rows" });
  plot.append(svg("path", { class: "even", d: `M${x(low)} ${y(low)}L${x(high)} ${y(high)}` }));
  for (const [p, t] of points) plot.append(svg("circle", { cx: x(p).toFixed(1), cy: y(t).toFixed(1), r: 3 }));
  for (const [v, text] of ticks) {
    plot.append(svg("text", { x: x(v), y: height - bottom + 18, "text-anchor": "middle" }, text), svg("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, text));
  }
  plot.append(svg("text", { x: width - right, y: height - 6, "text-anchor": "end" }, "predicted"), svg("text", { x: left - 6, y: 10, "text-anchor": "end" }, "true"));
  return plot;
}
