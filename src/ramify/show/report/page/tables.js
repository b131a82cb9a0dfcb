// Tables: importances, rules, and what was fitted.

function showImportances() {
  const { gain, unbiased } = D.importances;
  const order = gain.map((_, j) => j).filter((j) => gain[j] > 0 || (unbiased && unbiased[j] > 0)).sort((a, b) => gain[b] - gain[a] || a - b);
  const most = Math.max(...gain, ...(unbiased || [0]), 1e-12);
  const cells = (value, colour) => [el("td", {}, percent(value)), el("td", { class: "meter" }, meter(value / most, colour))];
  const rows = order.slice(0, 40).map((j) => el("tr", {}, el("th", { scope: "row" }, D.columns[j].name), cells(gain[j], "var(--accent)"), unbiased ? cells(unbiased[j], "var(--second)") : null));
  const more = order.length - rows.length;
  const unused = gain.length - order.length;
  const note = unbiased
    ? "By gain: each column's share of all that the fitted tree gains; columns with many values gain much by chance. Unbiased: what is left when the gain on shuffled targets is taken off; a column that says nothing has next to nothing."
    : "Each column's share of all that the fitted tree gains. Columns with many values gain much by chance; for what is beyond chance give X_train and y_train to the report, or call unbiased_importances first.";
  byId("importances-body").replaceChildren(
    el("p", { class: "quiet" }, note),
    el(
      "table",
      { class: "importances" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Column"), el("th", { scope: "col", colspan: 2 }, "By gain"), unbiased ? el("th", { scope: "col", colspan: 2 }, "Unbiased") : null)),
      el("tbody", {}, rows),
    ),
    el("p", { class: "quiet small" }, [more > 0 ? `+${plural(more, "column")} that gain less. ` : "", unused > 0 ? `${plural(unused, "column")} not used by the tree.` : ""].join("")),
  );
}

// --- rules ---

const rulesTable = { rules: [], by: null, down: true, text: "", page: 50 };

function startRules() {
  const search = el("input", { id: "search", type: "search", placeholder: "search conditions and predictions", "aria-label": "Search the rules", oninput: debounce((event) => ((rulesTable.text = event.target.value), fillRules()), 80) });
  const columns = [
    ["if", "conditions", "wide"],
    ["then", "label", ""],
    ["rows", "rows", "number"],
    ["of all rows", "coverage", "number"],
    D.task === "regression" ? ["± SD", "spread", "number"] : ["confidence", "confidence", "number"],
  ];
  const heads = columns.map(([name, key, kind]) => el("th", { scope: "col", class: kind, "data-key": key }, el("button", { type: "button", class: "sort", onclick: () => sortRules(key) }, name)));
  byId("rules-body").replaceChildren(
    el("div", { class: "bar" }, search, el("span", { id: "rules-count", class: "quiet", role: "status" })),
    el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Table of the rules" }, el("table", { class: "rules" }, el("thead", {}, el("tr", {}, heads)), el("tbody", { id: "rules-rows" }))),
    el("p", {}, el("button", { id: "rules-more", type: "button", onclick: () => ((rulesTable.page += 200), fillRules()) }, "Show more")),
  );
  remakeRules();
}

function remakeRules() {
  rulesTable.rules = makeRules();
  for (const rule of rulesTable.rules) rule.words = `${rule.conditions.join(" and ")} ${rule.label} ${rule.named}`.toLowerCase();
  rulesTable.page = 50;
  fillRules();
}

function sortRules(key) {
  rulesTable.down = rulesTable.by === key ? !rulesTable.down : key !== "conditions" && key !== "label";
  rulesTable.by = key;
  fillRules();
}

function sortedRules() {
  const terms = rulesTable.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rulesTable.rules.filter((rule) => terms.every((term) => rule.words.includes(term)));
  const { by, down } = rulesTable;
  if (!by) return found;
  const key = (rule) => (by === "conditions" ? rule.conditions.join(" ") : by === "label" && D.task === "regression" ? rule.value : by === "rows" ? rule.counted : rule[by]);
  return found.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    const order = typeof x === "string" ? x.localeCompare(y) : x - y;
    return (down ? -order : order) || a.leaf - b.leaf;
  });
}

function fillRules() {
  const found = sortedRules();
  const rows = found.slice(0, rulesTable.page).map((rule) => {
    const conditions = rule.conditions.length ? rule.conditions.map((text, i) => [i ? el("span", { class: "quiet" }, " and ") : null, text]) : "always";
    const last = D.task === "regression" ? short(rule.spread) : percent(rule.confidence);
    return el(
      "tr",
      {},
      el("td", {}, el("button", { type: "button", class: "link rule", title: "Show this leaf in the tree", onclick: () => showLeaf(rule.leaf), onpointerenter: (event) => (event.currentTarget.title = fullRule(rule.leaf)) }, conditions)),
      el("td", {}, D.task === "regression" ? null : swatch(rule.code), rule.label),
      el("td", { class: "number" }, amount(rule.counted)),
      el("td", { class: "number" }, percent(rule.coverage)),
      el("td", { class: "number" }, last),
    );
  });
  byId("rules-rows").replaceChildren(...rows);
  byId("rules-count").textContent = found.length === rulesTable.rules.length ? plural(found.length, "rule") : `${count(found.length)} of ${plural(rulesTable.rules.length, "rule")}`;
  byId("rules-more").hidden = found.length <= rulesTable.page;
  for (const head of document.querySelectorAll("#rules-body th[data-key]")) {
    head.setAttribute("aria-sort", head.dataset.key !== rulesTable.by ? "none" : rulesTable.down ? "descending" : "ascending");
  }
}

// The conditions of a leaf with as many levels as a screen holds.
const fullRule = (leaf) => ["Show this leaf in the tree", ...[...testsOf(leaf)].map(([column, test]) => testWords(column, test, TOOLTIP_LEVELS))].join("\n");

function showLeaf(leaf) {
  byId("tree").scrollIntoView({ block: "start" });
  showTab("node");
  select(leaf, { focus: true });
}

// --- what was fitted ---

function showFacts() {
  const pairs = el("dl", { class: "pairs wide" }, D.facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  const row = ([name, value, changed]) => el("tr", { class: changed ? "changed" : "" }, el("th", { scope: "row" }, name), el("td", {}, el("code", {}, value)), el("td", { class: "quiet" }, changed ? "set" : "default"));
  const order = [...D.parameters].sort((a, b) => Number(b[2]) - Number(a[2]));
  byId("facts-body").replaceChildren(
    pairs,
    el("details", {}, el("summary", {}, `${plural(D.parameters.length, "parameter")}, ${D.parameters.filter((one) => one[2]).length} not at the default`), el("table", { class: "parameters" }, el("tbody", {}, order.map(row)))),
  );
}
