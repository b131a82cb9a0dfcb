// The fourth step: how good the tree is, beside the baseline and the tree as it was grown.

let judged = "";

entered.push((name) => name === "judge" && showJudgeStep(studio.state));

async function showJudgeStep(state) {
  if (step !== "judge") return;
  const box = byId("judge-body");
  if (!state.tree) return box.replaceChildren(el("p", { class: "quiet" }, "There is no tree yet."));
  const key = JSON.stringify([state.tree.number, state.job && state.job.state]);
  if (key === judged) return;
  judged = key;
  const found = await get("judge");
  if (!found || judged !== key) return;
  const comparison = await get("comparison", { quiet: true });
  box.replaceChildren(...[besideCard(state, found), differencesCard(found), comparisonCard(state, comparison), rowsCard(state)].filter(Boolean));
}

function besideCard(state, found) {
  if (!found.scores.length) return el("section", { class: "card" }, el("h2", {}, "Scores"), el("p", {}, "No rows were held out, so all scores below are of rows that the tree has seen. Hold out a fifth in the step Data, or compare on folds."));
  const edited = found.edits > 0;
  const mark = { 1: "better", 0: "", "-1": "worse" };
  const row = (one) => el("tr", { "data-measure": one.name }, el("th", { scope: "row" }, one.label), el("td", { class: "lead" }, one.own), edited ? el("td", {}, one.grown) : null, edited ? el("td", { class: mark[one.better] }, mark[one.better]) : null, el("td", { class: "quiet" }, one.baseline));
  const heads = ["Measure", edited ? `Your tree, ${plural(found.leaves[0], "leaf", "leaves")}` : "The tree", edited ? `As it was grown, ${plural(found.leaves[1], "leaf", "leaves")}` : null, edited ? "" : null, "Baseline"];
  const caution = edited ? el("p", { class: "quiet small" }, `You made ${plural(found.edits, "edit")} while looking at prices on these rows, so the scores may flatter a little. Compare on folds below, or score the tree on new rows.`) : null;
  return el("section", { class: "card", "aria-labelledby": "beside-heading" }, el("h2", { id: "beside-heading" }, `${plural(found.rows, "row")} that the tree has not seen`), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores" }, el("table", { class: "measures", id: "beside" }, el("thead", {}, el("tr", {}, heads.filter((text) => text !== null).map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, found.scores.map(row)))), caution);
}

// Two trees side by side, and the rows on which they differ.
function differencesCard(found) {
  if (!found.edits) return null;
  const { differences } = found;
  const picture = (which, words) => el("figure", { class: "side-tree" }, el("figcaption", {}, words), el("img", { src: `/api/ship?${query({ form: "svg", which, number: studio.state.tree.number })}`, alt: words, loading: "lazy" }));
  const parts = [el("h2", {}, "Beside the tree as it was grown"), el("div", { class: "halves" }, picture("own", "Your tree"), picture("grown", "As it was grown"))];
  if (differences) {
    const right = differences.own_right === null ? "" : ` Your tree is right in ${count(differences.own_right)} of them, the grown one in ${count(differences.grown_right)}.`;
    parts.push(el("p", { id: "differ" }, `They answer differently for ${plural(differences.count, "held-out row")}.${right}`));
    if (differences.rows.length) parts.push(el("div", { class: "scroll tall short", tabindex: 0, role: "region", "aria-label": "Rows on which they differ" }, el("table", { class: "rows" }, el("thead", {}, el("tr", {}, ["Row of the file", "Your tree", "As grown", "True"].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, differences.rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, typeof cell === "number" ? short(cell, 6) : cell))))))));
  }
  return el("section", { class: "card", "aria-label": "Two trees" }, parts);
}
