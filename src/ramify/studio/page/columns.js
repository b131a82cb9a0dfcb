// The columns of the table: what they hold, and what they are for.

function columnTable(state) {
  const { columns } = state.table;
  const shares = columns.some((one) => one.association !== null && one.association !== undefined);
  const heads = ["Column", "For", "Read as", "Values", "Distinct", "Missing", shares ? "Explains alone" : null];
  return el(
    "div",
    { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Columns" },
    el("table", { class: "columns", id: "columns" }, el("thead", {}, el("tr", {}, heads.filter(Boolean).map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, columns.map((one) => columnRow(state, one, shares)))),
  );
}

function columnRow(state, one, shares) {
  const off = one.role === "ignore" || one.left_out;
  const role = one.left_out ? "ignore" : one.role;
  const roles = Object.entries(ROLES).filter(([name]) => name !== "weight" || one.kind === "numeric" || one.role === "weight");
  const roleOf = picker(null, roles, role, (value) => setRole(one, value));
  roleOf.setAttribute("aria-label", `What ${one.name} is for`);
  const kinds = Object.entries(KINDS).filter(([name]) => name !== "date" || kindOf(one) === "date" || one.asked_kind === "date");
  const kind = picker(null, kinds, kindOf(one), (value) => setKind(one, value));
  kind.setAttribute("aria-label", `What ${one.name} is read as`);
  const why = one.left_out ? `left out: ${one.why}` : one.read_as || "";
  return el(
    "tr",
    { class: off ? "off" : one.role === "target" ? "target" : null, "data-column": one.name },
    el("th", { scope: "row" }, el("span", { class: "name" }, one.name), why ? el("span", { class: "quiet small why" }, why) : null),
    el("td", {}, roleOf),
    el("td", {}, kind),
    el("td", { class: "wide" }, one.bins ? smallBars(one.bins) : null, el("span", { class: "quiet small" }, (one.examples || []).map(levelWords).join(one.bins ? " … " : ", "))),
    el("td", { class: "number" }, one.distinct === undefined ? "" : count(one.distinct)),
    el("td", { class: "number" }, one.missing ? percent(one.missing) : ""),
    shares ? el("td", { class: "association" }, one.association === null || one.association === undefined ? "" : el("span", { class: "association-bar" }, el("span", {}, percent(Math.max(0, one.association))), el("span", { class: "track" }, share(one.association)))) : null,
  );
}

const share = (part) => el("span", { class: "bar", style: `width:${(100 * Math.max(0, Math.min(1, part))).toFixed(1)}%;background:var(--accent)` });

function smallBars(bins) {
  const most = Math.max(...bins, 1);
  return svg("svg", { class: "histogram", width: bins.length * 5, height: 24, "aria-hidden": "true" }, bins.map((n, i) => svg("rect", { x: i * 5, y: 24 - (23 * n) / most, width: 4, height: Math.max(n ? 1 : 0, (23 * n) / most) })));
}

function kindOf(one) {
  if (one.asked_kind) return one.asked_kind;
  if (["date", "datetime", "time", "duration"].includes(one.kind)) return "date";
  return one.kind === "numeric" ? "number" : "category";
}

function setRole(one, value) {
  const { roles, target } = studio.state.choices;
  if (value === "target") return choose({ target: one.name, positive: null, roles: without(roles, one.name) });
  const changes = { roles: { ...roles, [one.name]: value } };
  if (value === "weight") for (const [name, role] of Object.entries(roles)) if (role === "weight" && name !== one.name) changes.roles[name] = "ignore";
  if (one.name === target) changes.target = null;
  return choose(changes);
}

function setKind(one, value) {
  return choose({ kinds: { ...studio.state.choices.kinds, [one.name]: value } });
}

function without(object, name) {
  const copy = { ...object };
  delete copy[name];
  return copy;
}
