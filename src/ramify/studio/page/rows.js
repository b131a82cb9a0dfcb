// The rows behind a number: those of a node, or of a cell of the confusion matrix; as a table and as CSV.

function rowsCard(state) {
  const box = el("div", { id: "rows-part" });
  const target = state.table.target;
  if (!target || !target.names || target.names.length < 2 || target.names.length > 20) return null;
  const names = target.names.map((name) => [name, name]);
  const truth = picker("cell-true", names, target.positive, () => {});
  const answer = picker("cell-predicted", names, target.names.find((name) => name !== target.positive), () => {});
  const of = picker("cell-of", [...(state.tree.held_out ? [["test", "held-out rows"]] : []), ["training", "training rows"]], state.tree.held_out ? "test" : "training", () => {});
  const show = () => showRows(box, { of: of.value, true: truth.value, predicted: answer.value });
  return el("section", { class: "card", "aria-labelledby": "cell-heading" }, el("h2", { id: "cell-heading" }, "The rows of a cell"), el("div", { class: "bar" }, labelled("Which rows", of), labelled("True", truth), labelled("Predicted", answer), el("button", { type: "button", id: "show-cell", onclick: show }, "Show")), box);
}

async function showRows(box, which) {
  const found = await get(`rows?${query(which)}`);
  if (!found) return;
  const shown = found.rows.length < found.count ? `, the first ${count(found.rows.length)}` : "";
  const cell = (value) => el("td", {}, value === null ? "" : typeof value === "number" ? String(value) : value);
  box.replaceChildren(
    el("p", {}, `${plural(found.count, "row")}${shown}. `, el("a", { href: `/api/rows.csv?${query(which)}`, download: "" }, "Save all as CSV")),
    found.count ? el("div", { class: "scroll tall short", tabindex: 0, role: "region", "aria-label": "Rows" }, el("table", { class: "rows" }, el("thead", {}, el("tr", {}, found.names.map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, found.rows.map((row) => el("tr", {}, row.map(cell)))))) : "",
  );
}
