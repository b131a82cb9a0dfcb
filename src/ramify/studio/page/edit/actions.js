// What else can be done with a node: take the runner-up, collapse, grow again, forbid, lock, label.

function actionsPart(node, candidates) {
  const inner = !isLeaf(node);
  const mark = markOf(node);
  const locked = Boolean(mark && mark.locked);
  const act = (action, given = {}) => doEdit({ action, node, arguments: given });
  const button = (id, words, run, more = {}) => el("button", { type: "button", id, onclick: run, ...more }, words);
  const list = [runnerUpButton(node, candidates)];
  if (inner) list.push(button("collapse", "Make it a leaf", () => act("collapse"), tried(() => ({ action: "collapse", node, arguments: {} }))));
  list.push(regrowMenu(node));
  if (inner) list.push(button("forbid", `Forbid ${levelWords(D.columns[N.attr[node]].name)} here`, () => act("exclude", { column: D.columns[N.attr[node]].name }), { title: "From this node on, no split may use the column; the part below grows again" }));
  list.push(button("lock", locked ? "Unlock" : "Lock", () => act(locked ? "unlock" : "lock"), { "aria-pressed": String(locked), title: "What is locked, no edit and no pruning changes" }));
  return el("div", { class: "actions", role: "group", "aria-label": "What can be done" }, list, labelPart(node, act));
}

// The best split by another column: the winner is what one wants to avoid. Until the candidates are known, it waits.
function runnerUpButton(node, candidates) {
  const inner = !isLeaf(node);
  const runnerUp = candidates && candidates.candidates.find((one) => !inner || one.column !== D.columns[N.attr[node]].name);
  const words = runnerUp ? runnerUp.words : candidates ? "no other column can split these rows" : "";
  const request = () => splitBy(node, runnerUp);
  return el("button", { type: "button", id: inner ? "take-runner-up" : "split-leaf", title: words, disabled: !runnerUp, onclick: () => doEdit(request()), ...(runnerUp ? tried(request) : {}) }, inner ? "Take the runner-up" : "Split it");
}

const splitBy = (node, candidate) => ({ action: "split", node, arguments: { condition: candidate.condition, below: belowNow() } });

function regrowMenu(node) {
  const ways = [["greedy", "Split by split"], ["pruned", "Split by split, and cut back"], ["optimal", "The best tree, proven (depth 2)"], ["leaves", "The best tree of at most 5 leaves (a minute at most)"]];
  const menu = el("details", { class: "menu", id: "regrow-menu" });
  const grow = (by) => {
    menu.open = false;
    const given = { optimal: { by, max_depth: 2 }, leaves: { by: "optimal", search: { max_leaves: 5, time_limit: 60 } } };
    return doEdit({ action: "regrow", node, arguments: given[by] || { by } });
  };
  menu.append(el("summary", {}, "Grow again"), el("div", {}, ways.map(([by, words]) => el("button", { type: "button", id: `regrow-${by}`, onclick: () => grow(by) }, words))));
  return menu;
}

// What a leaf predicts, whatever its rows say.
function labelPart(node, act) {
  if (!isLeaf(node)) return null;
  if (D.task === "regression") {
    const input = el("input", { type: "number", step: "any", id: "label", value: N.pred[node], "aria-label": "What the leaf predicts" });
    return el("span", { class: "label-part" }, "Predicts ", input, el("button", { type: "button", onclick: () => act("label", { value: Number(input.value) }) }, "Set"));
  }
  const now = D.classes[labelOf(node)];
  const mark = markOf(node);
  const clear = mark && mark.labelled ? el("button", { type: "button", onclick: () => act("clear_label") }, "Let its rows decide") : null;
  return el("span", { class: "label-part" }, clear, el("label", {}, "Predicts ", picker("label", D.classes.map((name) => [name, name]), now, (value) => act("label", { value }))));
}

const markOf = (node) => (D.by_hand ? D.by_hand[String(node)] : undefined);
