// The third step: the tree of the report, with what changes it. It is opened again after every edit.

let wantsTree = false; // go to the tree when it is grown
let openNumber = -1; // of the tree that is on the page
let openedHidden = false;
let fetching = 0;

entered.push((name) => (name === "tree" || name === "judge") && openPresent());

function showTreeStep(state, before) {
  if (!state.tree) {
    closeTree();
    byId("tree-empty").replaceChildren(el("p", { class: "quiet" }, "There is no tree yet."));
    return;
  }
  const notes = state.tree.current ? [] : ["The table or its settings have changed since this tree was grown. Grow it again to see the change."];
  byId("tree-empty").replaceChildren(...[...notes, ...treeNotes(state)].map((text) => el("p", { class: "notice" }, text)));
  const grown = !before || !before.tree || before.tree.number !== state.tree.number;
  if (wantsTree && grown && !(state.job && state.job.state === "running")) {
    wantsTree = false;
    goTo("tree");
  } else if (step === "tree" || step === "judge") openPresent();
  if (studio.parts) studio.parts.showHistory(state);
}

function treeNotes(state) {
  const notes = [...state.notes];
  if (state.tree.stopped) notes.unshift("The search was stopped. This is the best tree that it had found.");
  if (state.tree.proof) notes.push(first(`${state.tree.proof}.`));
  return notes;
}

// Fetch the tree and open it, if another one is on the page.
async function openPresent() {
  const { tree } = studio.state;
  if (!tree) return;
  const stale = openNumber !== tree.number || (openedHidden && step === "tree");
  if (!stale) return;
  const mine = ++fetching;
  const data = await get("tree");
  if (!data || mine !== fetching) return;
  openData(data);
}

function closeTree() {
  if (!studio.parts) return;
  studio.parts.close();
  studio.parts = null;
  openNumber = -1;
  byId("tree-slot").replaceChildren();
  byId("judge-slot").replaceChildren();
}

function openData(data) {
  const view = studio.parts ? studio.parts.keepView() : null;
  if (studio.parts) studio.parts.close();
  const copy = byId("tree-parts").content.cloneNode(true);
  const aside = copy.querySelector(".side");
  aside.querySelector(".tabs").append(el("button", { id: "tab-change", role: "tab", "aria-controls": "panel-change", "aria-selected": "false", tabindex: -1, type: "button" }, "Change"));
  aside.append(el("div", { id: "panel-change", role: "tabpanel", "aria-labelledby": "tab-change", hidden: true }));
  const scores = copy.querySelector("#scores");
  copy.querySelector("#tree").append(el("div", { id: "history", class: "card" }));
  byId("tree-slot").replaceChildren(copy);
  byId("judge-slot").replaceChildren(scores);
  openNumber = data.number;
  openedHidden = step !== "tree";
  openTree(data, (parts) => (studio.parts = parts));
  studio.parts.restoreView(view);
  studio.parts.showHistory(studio.state);
}

// Edits: the price is shown beside the tree that it made.
async function edit(request) {
  const answer = await post("edit", request);
  if (answer) studio.lastPrice = { number: studio.state.tree.number, price: answer.result };
  return answer;
}

const priceOf = (request, signal) => ask("POST", "/api/price", { ...request, version: studio.state.version }, { quiet: true, signal });
