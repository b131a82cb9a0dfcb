// The tab in which a node is changed; and what keeps the view while the tree changes.

const change = { column: null, below: "keep", asked: 0 };
const belowNow = () => change.below;

function showChange(node) {
  const panel = byId("panel-change");
  if (!panel) return;
  if (model.step !== D.path.fitted) {
    panel.replaceChildren(el("p", { class: "quiet" }, "The tree is shown cut back. Go back to the whole tree to change it."), el("p", {}, el("button", { type: "button", onclick: () => setStep(D.path.fitted) }, "Back to the whole tree")));
    return;
  }
  const inner = !isLeaf(node);
  const names = D.columns.map((one) => one.name);
  if (change.node !== node) change.column = null;
  change.node = node;
  const column = change.column || (inner ? D.columns[N.attr[node]].name : "");
  const mark = markOf(node);
  const below = [["keep", "stays where it still divides its rows"], ["drop", "becomes leaves"], ["regrow", "grows again"]];
  panel.replaceChildren(
    ...[
      el("h3", {}, `${node === 0 ? "The root" : inner ? "Node" : "Leaf"} ${node === 0 ? "" : model.number[node]}`),
      el("p", { id: "asked-here" }, inner ? `Asks: ${D.columns[N.attr[node]].name} ${answer(node, 0, 3)}` : `Predicts ${D.task === "regression" ? short(N.pred[node]) : D.classes[labelOf(node)]}`),
      mark && (mark.words || mark.locked) ? el("p", { class: "small", id: "mark" }, first([mark.locked ? "locked" : "", mark.words].filter(Boolean).join(", ")), ".") : null,
      el("div", { id: "price", "aria-live": "polite" }),
      el("label", { class: "reason" }, el("span", { class: "small quiet" }, "Why (kept in the model)"), el("input", { type: "text", id: "reason", value: studio.reason || "", placeholder: "for the record", oninput: (event) => (studio.reason = event.target.value) })),
      el("div", { id: "actions" }, actionsPart(node, null)),
      el("div", { class: "bar" }, labelled("Column", picker("change-column", [["", "choose a column"], ...names.map((name) => [name, name])], column, (value) => pickColumn(node, value)))),
      el("div", { id: "column-part" }),
      inner ? labelled("What is below", picker("below", below, change.below, (value) => (change.below = value))) : null,
      missingPart(node),
      el("h4", {}, "What could be asked"),
      el("div", { id: "candidates-part" }, el("p", { class: "quiet small" }, "…")),
      el("p", { class: "small" }, el("button", { type: "button", class: "link", onclick: () => showNodeRows(node) }, "See its rows")),
      el("div", { id: "node-rows" }),
    ].filter(Boolean),
  );
  showLastPrice();
  if (column) showColumn(node, column);
  showCandidates(node);
}

const showNodeRows = (node) => showRows(byId("node-rows"), { of: "training", node });

// Where rows without a value go.
function missingPart(node) {
  if (isLeaf(node)) return null;
  const options = [["-1", "down all branches, in parts"], ...childrenOf(node).slice(0, 12).map((_, branch) => [String(branch), `to “${answer(node, branch, 2).replace(" or missing", "")}”`])];
  return labelled("Missing values go", picker("missing-to", options, String(N.miss[node]), (value) => doEdit({ action: "send_missing", node, arguments: { branch: value === "-1" ? null : Number(value) } })));
}

async function showCandidates(node) {
  const found = await get(`candidates?node=${node}`, { quiet: true });
  const box = byId("candidates-part");
  if (!found || !box || tree.selected !== node || found.version < D.version) return;
  box.replaceChildren(candidatesPart(node, found, (column) => pickColumn(node, column)));
  const known = runnerUpButton(node, found);
  byId(known.id).replaceWith(known);
}

function pickColumn(node, column) {
  change.column = column;
  byId("change-column").value = column;
  if (column) showColumn(node, column);
  else byId("column-part").replaceChildren();
}

async function showColumn(node, column) {
  const mine = ++change.asked;
  const data = await get(`node?${query({ node, column })}`, { quiet: true });
  const box = byId("column-part");
  if (!data || !box || mine !== change.asked) return;
  const parts = data.kind === "numeric" ? thresholdPart(node, data, columnPlace(column)) : levelsPart(node, data);
  box.replaceChildren(parts);
  const again = change.focus && byId(change.focus);
  if (again && !again.matches("button")) again.focus({ preventScroll: true });
  change.focus = "";
}

// --- the view, from one tree to the next ---

function wayTo(node) {
  const path = [];
  for (let at = node; N.parent[at] >= 0; at = N.parent[at]) path.unshift(at - N.first[N.parent[at]]);
  return path.join(".");
}

const pathsNow = () => N.parent.map((_, node) => wayTo(node));

function keepView() {
  const paths = pathsNow();
  const chosenTab = [...document.querySelectorAll(".side [role=tab]")].find((tab) => tab.getAttribute("aria-selected") === "true");
  return { known: new Set(paths), open: new Set([...tree.open].map((node) => paths[node])), selected: paths[tree.selected], view: { ...view }, sideways: tree.sideways, form: tree.form, gaps: tree.gaps, tab: chosenTab ? chosenTab.id.slice(4) : "node", change: { ...change }, side: document.querySelector(".side").scrollTop, height: byId("panel-change").offsetHeight, focus: document.activeElement ? document.activeElement.id : "" };
}

// The node at the end of a path, or the last one on the way.
function nodeAt(path) {
  let node = 0;
  for (const branch of path === "" ? [] : path.split(".").map(Number)) {
    if (isLeaf(node) || branch >= N.n[node]) break;
    node = N.first[node] + branch;
  }
  return node;
}

// Show the tree as the one before it was shown; what is new in it is open.
function restoreView(kept) {
  if (!kept) {
    showTab("change");
    return;
  }
  const paths = pathsNow();
  tree.open = new Set();
  paths.forEach((path, node) => {
    if (!isLeaf(node) && (kept.open.has(path) || !kept.known.has(path) || (!kept.open.has(path) && !wasInner(kept, path)))) tree.open.add(node);
  });
  Object.assign(tree, { sideways: kept.sideways, form: kept.form, gaps: kept.gaps });
  Object.assign(change, kept.change);
  drawTree();
  Object.assign(view, { x: kept.view.x, y: kept.view.y, k: kept.view.k });
  showView();
  change.node = nodeAt(kept.selected);
  select(nodeAt(kept.selected), { show: false });
  showTab(kept.tab);
  // What comes later has its place already, so that nothing jumps under the pointer.
  byId("panel-change").style.minHeight = `${kept.height}px`;
  change.focus = kept.focus;
  document.querySelector(".side").scrollTop = kept.side;
}

// Whether a node of the former tree had branches.
const wasInner = (kept, path) => kept.known.has(path === "" ? "0" : `${path}.0`);

// --- what was done ---

function showHistory(state) {
  const box = byId("history");
  if (!box || !state.tree) return;
  const { history, undone, branches } = state.tree;
  const lead = (price) => price.validation_cost || price.validation || price.training_cost || price.training;
  const done = history.map((one, i) => el("li", {}, el("span", { class: "edit-words" }, one.words), one.reason ? el("span", { class: "quiet" }, ` “${one.reason}”`) : null, el("span", { class: `edit-price ${changeTone(lead(one.price))}` }, changeInWords(lead(one.price).change, lead(one.price).measure)), el("button", { type: "button", class: "link small", onclick: () => post("undo", { to: i }) }, "back to before this")));
  const gone = undone.map((one) => el("li", { class: "undone" }, one.words));
  const other = (branch, i) => el("li", {}, el("span", { class: "quiet" }, branch.join(", then ")), " ", el("button", { type: "button", class: "link small", onclick: () => post("branch", { index: i }) }, "go there"));
  box.replaceChildren(
    ...[
      el("h3", {}, history.length ? plural(history.length, "edit") : "No edits yet"),
      history.length || undone.length ? el("ol", { id: "edits" }, done, gone) : el("p", { class: "quiet small" }, "Choose a node and open the tab Change. Every edit says what it costs, and can be taken back."),
      branches.length ? el("h4", {}, "Other ways that you tried") : null,
      branches.length ? el("ul", { id: "branches", class: "plain" }, branches.map(other)) : null,
    ].filter(Boolean),
  );
}

Object.assign(parts, { keepView, restoreView, showHistory, showChange, nodeAt, close: () => gone.abort() });
detailListeners.push(showChange);
