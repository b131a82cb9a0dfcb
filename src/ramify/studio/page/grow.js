// The second step: which learner, how large, what it must keep to.

let shownSettings = "";

function showGrowStep(state) {
  const box = byId("step-grow");
  if (!state.table) return box.replaceChildren();
  const key = JSON.stringify([state.settings, state.table.learners, state.table.used, state.table.target, state.tree && [state.tree.number, state.tree.leaves], state.choices]);
  if (key === shownSettings) return;
  shownSettings = key;
  const kept = keepFocus(box);
  const search = byId("search-part");
  box.replaceChildren(
    el("div", { class: "halves" }, learnerCard(state), limitsCard(state)),
    dialCard(state),
    search || el("div", { id: "search-part" }),
    el("section", { class: "card", "aria-labelledby": "rules-of-columns" }, el("h2", { id: "rules-of-columns" }, "What the tree must keep to"), constraintsPart(state)),
  );
  kept();
}

function learnerCard(state) {
  const { settings } = state;
  const option = (name) => el("label", { class: "choice" }, el("input", { type: "radio", name: "learner", value: name, checked: settings.learner === name, onchange: () => setUp({ learner: name }) }), el("span", {}, el("b", {}, LEARNERS[name][0]), el("span", { class: "quiet small" }, ` ${LEARNERS[name][1]}`)));
  return el(
    "section",
    { class: "card", "aria-labelledby": "learner-heading" },
    el("h2", { id: "learner-heading" }, "How the tree is grown"),
    el("div", { role: "radiogroup", "aria-labelledby": "learner-heading" }, state.table.learners.map(option)),
    el("p", {}, el("button", { type: "button", class: "primary", id: "grow", disabled: !state.table.target, onclick: growNow }, state.tree ? "Grow again" : "Grow the tree"), " ", el("span", { class: "quiet small" }, state.tree && state.tree.history.length ? "Your edits of the present tree will be gone." : `from ${state.choices.hold_out ? "four fifths of " : ""}${plural(state.table.usable_rows || 0, "row")}`)),
  );
}

async function growNow() {
  if (await post("grow")) {
    wantsTree = true;
    watchNow();
  }
}

// --- limits ---

const numberOrNull = (text) => (text.trim() === "" ? null : Number(text));

function limitsCard(state) {
  const { settings } = state;
  const set = (name, value) => {
    const limits = { ...settings.limits };
    if (value === null) delete limits[name];
    else limits[name] = Math.round(value);
    return setUp({ limits });
  };
  const limit = (name, label, placeholder, least) => labelled(label, el("input", { id: name, type: "number", min: least, step: 1, value: settings.limits[name] === undefined ? "" : settings.limits[name], placeholder, onchange: (event) => set(name, numberOrNull(event.target.value)) }));
  return el(
    "section",
    { class: "card", "aria-labelledby": "limits-heading" },
    el("h2", { id: "limits-heading" }, "Limits"),
    limit("max_depth", "Questions on the way to a leaf, at most", settings.learner === "optimal" ? "3" : "any number", 1),
    limit("max_leaves", "Leaves, at most", "any number", 1),
    limit("min_samples_leaf", "Rows in every leaf, at least", "usual", 1),
    labelled("Time limit in seconds", el("input", { id: "time_limit", type: "number", min: 1, step: "any", value: settings.time_limit === null ? "" : settings.time_limit, placeholder: settings.learner === "optimal" ? "60" : "none", onchange: (event) => setUp({ time_limit: numberOrNull(event.target.value) }) })),
    costsPart(state),
  );
}

// What a wrong answer costs: of two classes, a miss against a false alarm.
function costsPart(state) {
  const { table, settings } = state;
  if (table.task !== "classification" || !table.target || !table.target.names.length) return null;
  const { names, positive } = table.target;
  const set = (name, value) => setUp({ costs: { ...settings.costs, [name]: value === null || !(value >= 0) ? 1 : value } });
  const cost = (name, label) => labelled(label, el("input", { type: "number", min: 0, step: "any", id: `cost-${names.indexOf(name)}`, value: settings.costs[name] === undefined ? 1 : settings.costs[name], onchange: (event) => set(name, numberOrNull(event.target.value)) }));
  const balanced = el("label", { class: "check" }, el("input", { type: "checkbox", id: "balanced", checked: settings.balanced, onchange: (event) => setUp({ balanced: event.target.checked }) }), " All classes count the same, however rare");
  if (names.length !== 2) {
    if (names.length > 12) return balanced;
    return el("div", {}, el("details", { open: Object.keys(settings.costs).length > 0 }, el("summary", {}, "What a wrong answer costs"), names.map((name) => cost(name, `where ${levelWords(name)} is true`))), balanced);
  }
  const other = names.find((name) => name !== positive);
  return el("div", {}, el("h3", {}, "What a wrong answer costs"), cost(positive, `A miss: ${levelWords(positive)} is true, and the tree says ${levelWords(other)}`), cost(other, `A false alarm: ${levelWords(other)} is true, and the tree says ${levelWords(positive)}`), balanced);
}

// --- the dial ---

function dialCard(state) {
  const { tree } = state;
  if (!tree || tree.path.leaves.length < 2) return null;
  const { leaves, error, training } = tree.path;
  const order = leaves.map((_, i) => i).sort((a, b) => leaves[a] - leaves[b]);
  const now = order.findIndex((i) => leaves[i] === (state.settings.leaves || tree.grown_leaves));
  const words = el("output", { id: "dial-words" });
  const tell = (place) => {
    const i = order[place];
    const validated = error[i] === null ? null : error[i];
    words.textContent = `${plural(leaves[i], "leaf", "leaves")}${validated === null ? "" : `, error ${lossWords(validated, "error")} in cross-validation`}${validated === null && training[i] !== null ? `, error ${state.table.task === "classification" ? lossWords(training[i], "error") : short(training[i], 4)} on training rows` : ""}`;
  };
  const slider = el("input", { type: "range", id: "dial", min: 0, max: order.length - 1, step: 1, value: Math.max(0, now), "aria-label": "From readable to accurate", oninput: (event) => tell(Number(event.target.value)), onchange: (event) => turnDial(leaves[order[Number(event.target.value)]]) });
  tell(Math.max(0, now));
  return el("section", { class: "card", "aria-labelledby": "dial-heading" }, el("h2", { id: "dial-heading" }, "From readable to accurate"), el("div", { class: "dial" }, el("span", { class: "quiet" }, "readable"), slider, el("span", { class: "quiet" }, "accurate")), el("p", {}, words), el("p", { class: "quiet small" }, `The tree is cut back to another size; it is not grown again.${tree.history.length ? " Your edits will be gone." : ""}`));
}

const turnDial = (leaves) => post("dial", { leaves });

// --- constraints ---

function constraintsPart(state) {
  const { settings, table } = state;
  const columns = table.used || [];
  const numbers = new Set(table.numbers || []);
  const set = (name, sign) => {
    const monotone = { ...settings.monotone };
    if (sign === 0) delete monotone[name];
    else monotone[name] = sign;
    return setUp({ monotone });
  };
  const what = table.task === "regression" ? state.choices.target : table.target && table.target.positive ? `the chance of ${levelWords(table.target.positive)}` : "the prediction";
  const signs = [[0, "–", "free"], [1, "↑", "never falls"], [-1, "↓", "never rises"]];
  const can = table.task === "regression" || (table.target && table.target.names.length === 2);
  const row = (name) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, el("span", { class: "segments", role: "group", "aria-label": `${name}: direction` }, signs.map(([sign, mark, words]) => el("button", { type: "button", "aria-pressed": String((settings.monotone[name] || 0) === sign), title: words, "aria-label": `${name}: ${words}`, onclick: () => set(name, sign) }, mark)))));
  const directed = columns.filter((name) => numbers.has(name));
  const shown = directed.slice(0, 60);
  return el(
    "div",
    { class: "halves" },
    el("div", {}, el("h3", {}, "Direction"), can ? [el("p", { class: "quiet small" }, `With the column, ${monotoneWords(state, what)} never falls (↑) or never rises (↓).`), el("div", { class: "scroll tall short" }, el("table", { class: "slim constraints" }, el("tbody", {}, shown.map(row))))] : el("p", { class: "quiet small" }, "Directions are for two classes or for numbers.")),
    el("div", {}, el("h3", {}, "Never together"), el("p", { class: "quiet small" }, "Two columns that no path of the tree asks about together."), apartList(state, columns)),
  );
}

// The direction is that of the second class in sorted order; people think of the positive one.
function monotoneWords(state, what) {
  const { target, task } = state.table;
  if (task === "regression" || !target || target.names.length !== 2) return what;
  return `the chance of ${levelWords(target.names[1])}`;
}

function apartList(state, columns) {
  const pairs = state.settings.never_together;
  const options = [["", "column"], ...columns.map((name) => [name, name])];
  const one = picker("apart-one", options, "", () => {});
  const other = picker("apart-other", options, "", () => {});
  one.setAttribute("aria-label", "First column");
  other.setAttribute("aria-label", "Second column");
  const add = () => one.value && other.value && one.value !== other.value && setUp({ never_together: [...pairs, [one.value, other.value]] });
  return el("div", {}, el("ul", { class: "plain" }, pairs.map((pair, i) => el("li", {}, `${pair[0]} and ${pair[1]} `, el("button", { type: "button", class: "link", "aria-label": `${pair[0]} and ${pair[1]} may meet again`, onclick: () => setUp({ never_together: pairs.filter((_, k) => k !== i) }) }, "remove")))), el("div", { class: "bar" }, one, el("span", {}, "and"), other, el("button", { type: "button", onclick: add }, "Add")));
}
