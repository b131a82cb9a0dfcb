// The first step: a table, how it is read, what its columns are for, and what is odd about it.

let shownTable = "";

function showDataStep(state) {
  const box = byId("step-data");
  if (!state.table) {
    previewOf = "";
    shownTable = "";
    const reading = state.job && state.job.state === "running";
    if (state.file && !reading && state.job && state.job.state === "failed") return showUnread(state, box);
    const notes = state.notes.map((text) => el("p", { class: "notice" }, text));
    if (!box.querySelector("#drop") || notes.length) box.replaceChildren(...notes, openPart());
    box.classList.toggle("waiting", Boolean(reading));
    return;
  }
  const key = JSON.stringify([state.file, state.table, state.choices, state.problem, state.notes, state.tree && [state.tree.number, state.tree.history.length > 0]]);
  if (key === shownTable) return;
  shownTable = key;
  const kept = keepFocus(box);
  if (!byId("parsing")) {
    previewOf = "";
    box.replaceChildren(
      el("section", { class: "card", "aria-labelledby": "read-heading" }, el("div", { class: "bar" }, el("h2", { id: "read-heading" }, "The file"), el("span", { class: "spring" }), el("button", { type: "button", id: "open-other", onclick: openOther }, "Open another")), el("div", { id: "parsing" })),
      el("div", { id: "data-problem" }),
      el("div", { class: "halves", id: "target-part" }),
      el("div", { id: "first-tree" }),
      el("section", { class: "card", "aria-labelledby": "columns-heading" }, el("h2", { id: "columns-heading" }, "The columns"), el("div", { id: "columns-part" })),
    );
  }
  byId("data-problem").replaceChildren(...(state.problem ? [el("p", { class: "notice", role: "alert" }, first(plainProblem(state.problem)))] : []), ...state.notes.map((text) => el("p", { class: "notice" }, text)));
  byId("target-part").replaceChildren(targetCard(state), findingsCard(state));
  showFirstTree(state);
  const place = byId("columns-part").querySelector(".scroll");
  const top = place ? place.scrollTop : 0;
  byId("columns-part").replaceChildren(columnTable(state));
  byId("columns-part").querySelector(".scroll").scrollTop = top;
  kept();
}

// A file that cannot be read as it is: other signs may help.
function showUnread(state, box) {
  const key = JSON.stringify([state.file, state.choices.parsing, state.job.error]);
  if (key === shownTable) return;
  shownTable = key;
  previewOf = "";
  box.replaceChildren(el("section", { class: "card", "aria-labelledby": "read-heading" }, el("div", { class: "bar" }, el("h2", { id: "read-heading" }, "The file"), el("span", { class: "spring" }), el("button", { type: "button", onclick: openOther }, "Open another")), el("p", { class: "notice", role: "alert" }, plainProblem(first(state.job.error))), el("div", { id: "parsing" })));
}

// The words of the command line that the page has controls for.
const plainProblem = (text) => text.replace(/; --[\w-]+ .*$/, "").replace(/--task regression/g, "a number as the target").replace(/--target/g, "target");

// What had the focus has it again when the part is drawn anew.
function keepFocus(box) {
  const active = document.activeElement;
  const label = active && box.contains(active) ? active.getAttribute("aria-label") || active.id : "";
  return () => {
    if (!label) return;
    const again = [...box.querySelectorAll("select, input, button")].find((one) => one.getAttribute("aria-label") === label || one.id === label);
    if (again) again.focus({ preventScroll: true });
  };
}

// A picture of the tree that is there, as soon as there is one.
function showFirstTree(state) {
  const { tree } = state;
  const picture = tree ? el("img", { src: `/api/ship?${query({ form: "svg", number: tree.number })}`, alt: `A tree for ${state.choices.target} with ${plural(tree.leaves, "leaf", "leaves")}` }) : null;
  byId("first-tree").replaceChildren(...(tree && !tree.history.length ? [el("section", { class: "card first-tree", "aria-labelledby": "first-heading" }, el("div", { class: "bar" }, el("h2", { id: "first-heading" }, "A first tree"), el("span", { class: "pill" }, plural(tree.leaves, "leaf", "leaves")), el("span", { class: "spring" }), el("button", { type: "button", onclick: () => goTo("tree") }, "Look at it and change it")), picture)] : []));
}

function openOther() {
  const box = byId("step-data");
  box.replaceChildren(el("p", {}, el("button", { type: "button", onclick: () => ((shownTable = ""), showDataStep(studio.state)) }, `Back to ${studio.state.file}`)), openPart());
}

// --- the target ---

function targetCard(state) {
  const { choices, table } = state;
  const names = table.columns.map((one) => one.name);
  const pick = picker("target", [["", "choose a column"], ...names.map((name) => [name, name])], choices.target || "", (value) => value && setRole({ name: value }, "target"));
  const parts = [el("h2", {}, "What is predicted"), el("div", { class: "bar" }, labelled("Target", pick), taskField(state))];
  if (table.target) parts.push(table.task === "regression" ? numberTarget(table.target) : classTarget(state, table.target));
  parts.push(
    el("label", { class: "check" }, el("input", { type: "checkbox", id: "hold-out", checked: choices.hold_out, onchange: (event) => choose({ hold_out: event.target.checked }) }), " Hold out a fifth of the rows: the tree does not see them, and they say how good it is"),
    el("ul", { class: "quiet small plain" }, table.notes.map((text) => el("li", {}, first(text.replace(/; --.*$/, ""))))),
    el("p", {}, el("button", { type: "button", class: "primary", id: "to-grow", disabled: !table.target, onclick: () => goTo(studio.state.tree ? "tree" : "grow") }, state.tree ? "See the tree" : "Grow a tree"), state.tree ? [" ", el("button", { type: "button", onclick: () => goTo("grow") }, "Settings of the tree")] : null),
  );
  return el("section", { class: "card", "aria-label": "The target" }, parts);
}

function taskField(state) {
  const words = { auto: state.table.task === "regression" ? "a number (found)" : "classes (found)", classification: "classes", regression: "a number" };
  return labelled("It is", picker("task", Object.entries(words), state.choices.task, (value) => choose({ task: value })));
}

function classTarget(state, target) {
  const most = Math.max(...target.classes.map(([, n]) => n), 1);
  const total = target.classes.reduce((sum, [, n]) => sum + n, 0);
  const rows = target.classes.map(([name, n]) => el("tr", {}, el("th", { scope: "row" }, levelWords(name)), el("td", {}, count(n)), el("td", {}, percent(n / total)), el("td", { class: "meter" }, share(n / most))));
  const more = target.n_classes - target.classes.length;
  const positive = target.n_classes === 2 ? labelled("Positive class", picker("positive", target.names.map((name) => [name, name]), target.positive, (value) => choose({ positive: value }))) : null;
  return el("div", { id: "target-distribution" }, el("table", { class: "slim" }, el("tbody", {}, rows)), more > 0 ? el("p", { class: "quiet small" }, `+${plural(more, "class", "classes")}`) : null, positive);
}

function numberTarget(target) {
  return el("div", { id: "target-distribution", class: "values" }, target.bins ? smallBars(target.bins) : null, el("span", {}, `from ${short(target.low)} to ${short(target.high)}, median ${short(target.median)}`));
}

// --- findings ---

function findingsCard(state) {
  const { findings } = state.table;
  const remedies = findings.flatMap((one) => (one.loud ? one.remedies : []));
  const item = (one) => el("li", { class: one.loud ? "loud" : null }, el("p", {}, one.text), one.done ? el("p", { class: "small quiet" }, first(`${one.done.replace(/--class-weight balanced.*$/, "")}.`)) : null, one.remedies.length ? el("p", { class: "remedies" }, one.remedies.map((remedy) => el("button", { type: "button", class: "remedy", onclick: () => remedyDo([remedy]) }, remedy.label))) : null);
  const [firsts, rest] = [findings.slice(0, 6), findings.slice(6)];
  const all = remedies.length > 1 ? el("p", {}, el("button", { type: "button", id: "accept-all", onclick: () => remedyDo(remedies) }, `Accept all ${count(remedies.length)} for the loud ones`)) : null;
  return el("section", { class: "card findings", "aria-label": "Findings" }, el("h2", {}, findings.length ? `${plural(findings.length, "thing")} to know about the data` : "Nothing odd was found"), findings.length ? el("ul", {}, firsts.map(item)) : el("p", { class: "quiet" }, "No identifiers, leaks, copies or numbers in disguise."), rest.length ? el("details", {}, el("summary", {}, `${count(rest.length)} more`), el("ul", {}, rest.map(item))) : null, all);
}

async function remedyDo(remedies) {
  const { choices } = studio.state;
  const changes = {};
  for (const { change } of remedies) {
    if (change.role) changes.roles = { ...(changes.roles || choices.roles), [change.role[0]]: change.role[1] };
    if (change.kind) changes.kinds = { ...(changes.kinds || choices.kinds), [change.kind[0]]: change.kind[1] };
    if (change.min_level_count !== undefined) changes.min_level_count = change.min_level_count;
    if (change.task) changes.task = change.task;
    if (change.balanced) await setUp({ balanced: true });
  }
  if (remedies.some(({ change }) => change.balanced)) say("The classes count the same in the next tree.");
  if (Object.keys(changes).length) await choose(changes);
}
