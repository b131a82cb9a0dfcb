// Comparing on the same folds: what was set or locked is kept, and the rest grows again in every fold.

function comparisonCard(state, found) {
  const run = () => post("compare", { folds: 10 }).then((done) => done && watchNow());
  const parts = [el("h2", { id: "folds-heading" }, "On the same folds"), el("p", { class: "quiet small" }, "Ten times, a tenth of the rows is left out. The learner grows a new tree from the others. Your tree keeps what you set or locked, and grows the rest again. Both are scored on the rows that were left out."), el("p", {}, el("button", { type: "button", id: "compare", onclick: run }, found ? "Compare again" : "Compare"))];
  if (found) {
    const cell = (score, [mean, spread]) => (mean === null ? "–" : score === "n_leaves" ? short(mean, 3) : scored(score, mean, spread));
    const row = (one) => el("tr", {}, el("th", { scope: "row" }, first(one.name)), found.scores.map((score) => el("td", {}, cell(score, one.scores[score]))));
    parts.push(el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores on folds" }, el("table", { class: "measures", id: "comparison" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Tree"), found.scores.map((score) => el("th", { scope: "col" }, SCORE_WORDS[score] || score)))), el("tbody", {}, found.rows.map(row)))));
    if (found.p !== null) parts.push(el("p", {}, found.p < 0.05 ? `The difference between your tree and the learner is sure (${pValueWords(found.p)}).` : `Between your tree and the learner there is no sure difference (${pValueWords(found.p)}).`));
  }
  return el("section", { class: "card", "aria-labelledby": "folds-heading" }, parts);
}

const SCORE_WORDS = { accuracy: "Accuracy", balanced_accuracy: "Balanced accuracy", roc_auc: "ROC AUC", n_leaves: "Leaves", r2: "R²", rmse: "RMSE", cost: "Mean cost" };

function scored(score, mean, spread) {
  const inPercent = score === "accuracy" || score === "balanced_accuracy";
  const words = (value) => (inPercent ? (100 * value).toFixed(1) : short(value, 3));
  return `${words(mean)}${inPercent ? " %" : ""} ± ${words(spread)}`;
}
