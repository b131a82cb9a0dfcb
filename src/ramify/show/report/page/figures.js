// The figures that lead: the score on rows that the tree has not seen, its baseline, then the rest.

const SHARES = new Set(["accuracy", "balanced_accuracy"]);
const SCORES = D.held ? D.held.scores : D.training ? D.training.scores : [];

// Scores as ramify/learning/measures/words.py writes them: "78.8 % ± 1.3", "0.781 ± 0.05".
function scoreNumber(value, digits = 0) {
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  let decimals = size < 3 ? Math.max(0, (digits || (size >= -1 ? 3 : 2)) - 1 - size) : 0;
  if (!digits && (size === -1 || size === 0)) decimals = 3;
  if (decimals > 6) return String(Number(value.toPrecision(digits || 3)));
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: decimals }).format(value);
}

const unknown = (value) => value === null || value === undefined || !Number.isFinite(value);

function scoreWords(name, value) {
  if (unknown(value)) return "–";
  return SHARES.has(name) ? `${(100 * value).toFixed(1)} %` : scoreNumber(value);
}

function scoreWithSpread(name, value, spread) {
  if (unknown(value) || unknown(spread)) return scoreWords(name, value);
  return `${scoreWords(name, value)} ± ${SHARES.has(name) ? (100 * spread).toFixed(1) : scoreNumber(spread, 2)}`;
}

// What is known of the tree of a size on held-out rows: that of the fitted tree where no other is.
function heldNow() {
  if (!D.held) return null;
  const own = D.held.steps[model.step];
  const step = own ? model.step : D.path.fitted;
  return { step, own: Boolean(own), ...D.held.steps[step] };
}

const leavesWords = (step) => plural(D.path.leaves[step], "leaf", "leaves");

// A score on training rows: that of the predictions of the fitted tree, as the terminal has it. For
// other sizes, it is said from the leaves if they can tell; rows in parts make it a little different.
function trainingScore(name) {
  const known = D.training && model.step === D.path.fitted ? D.training.scores.find((one) => one.name === name) : null;
  if (known && known.mean !== null) return known.mean;
  const error = D.path.training[model.step];
  if (name === "accuracy" && D.path.measure.startsWith("share")) return 1 - error;
  if (name === "cost" && D.path.measure === "mean cost") return error;
  if (name === "r2") return trainingFigures().r2;
  if (name === "rmse") return trainingFigures().rmse;
  return null;
}

// Errors of a regression on training rows, as the leaves tell them.
function trainingFigures() {
  const total = valuesOf(0)[0];
  const spread = spreadOf(0) ** 2;
  const inside = leavesNow().reduce((sum, leaf) => sum + valuesOf(leaf)[0] * (spreadOf(leaf) ** 2 + (meanOf(leaf) - N.pred[leaf]) ** 2), 0) / total;
  return { rmse: Math.sqrt(inside), r2: spread > 0 ? 1 - inside / spread : null };
}

function showFigures() {
  const figures = [];
  const held = heldNow();
  const first = SCORES.length ? SCORES[0].name : D.task === "regression" ? "r2" : D.costs ? "cost" : "accuracy";
  const label = SCORES.length ? SCORES[0].label : { r2: "R²", cost: "cost per row", accuracy: "accuracy" }[first];
  if (held) {
    const where = held.own ? D.held.how : `${D.held.how}; of the fitted tree, ${leavesWords(held.step)}`;
    figures.push([scoreWithSpread(first, held.means[0], held.spreads[0]), `${label}, ${where}`, "lead"]);
    figures.push([scoreWords(first, D.held.scores[0].baseline), baselineWords()]);
    const second = D.held.scores.findIndex((one) => one.name === (D.task === "regression" ? "rmse" : "roc_auc"));
    if (second > 0 && held.means[second] !== null) figures.push([scoreWithSpread(D.held.scores[second].name, held.means[second], held.spreads[second]), `${D.held.scores[second].label} (baseline ${scoreWords(D.held.scores[second].name, D.held.scores[second].baseline)})`]);
  } else if (D.path.error[model.step] !== null) {
    figures.push([`${errorWords(D.path.error[model.step])} ± ${errorWords(D.path.se[model.step])}`, `${errorName()}, cross-validated to choose the size`, "lead"]);
    figures.push([errorWords(D.path.training[D.path.leaves.length - 1]), baselineWords()]);
  }
  figures.push([count(D.path.leaves[model.step]), D.path.leaves[model.step] === 1 ? "leaf" : "leaves"]);
  figures.push([count(N.rows[0]), "training rows"], [count(D.n_columns), D.n_columns === 1 ? "column" : "columns"]);
  const training = held || D.path.error[model.step] === null ? trainingScore(first) : null;
  if (training !== null) figures.push([scoreWords(first, training), `${label} on training rows`]);
  else figures.push([errorWords(D.path.training[model.step]), `${errorName()} on training rows`]);
  byId("figures").replaceChildren(...figures.map(([number, words, kind]) => el("li", { class: kind || null }, el("b", {}, number), el("span", {}, words))));
}

const errorName = () => ({ "share of rows that are wrong": "error", "root mean squared error": "RMSE" })[D.path.measure] || D.path.measure;

// What a guess gets that does not look at the row.
function baselineWords() {
  if (D.task === "regression") return "baseline: the mean for every row";
  return `baseline: always ${quotedClass(labelOf(0))}`;
}

const quotedClass = (j) => `“${levelWords(D.classes[j])}”`;
