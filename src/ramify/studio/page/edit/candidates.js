// What else could be asked at a node: the best split of every column.

const FIRST_CANDIDATES = 8;

function candidatesPart(node, found, onpick) {
  const { candidates } = found;
  if (!candidates.length) return el("p", { class: "quiet" }, "No column can split these rows.");
  const most = Math.max(...candidates.map((one) => one.gain || 0), 1e-300);
  const measured = candidates.some((one) => one.validation);
  const row = (one, i) =>
    el(
      "tr",
      { class: one.current ? "mine" : null, "data-column": one.column },
      el("th", { scope: "row" }, el("button", { type: "button", class: "link", title: `Look at ${one.column}`, onclick: () => onpick(one.column) }, one.words), el("span", { class: "small quiet branch-rows" }, `${one.rows.map(count).join(" | ")} rows`)),
      el("td", { title: `gain ${short(one.gain)}` }, closely(Math.max(0, one.gain) / most)),
      measured ? el("td", { class: one.validation ? changeTone(one.validation) : "" }, one.validation ? changeInWords(one.validation.change, one.validation.measure).replace(" points", "") : "") : null,
      el("td", {}, one.p === null ? "" : pValueWords(one.p).replace("p ", "")),
      el("td", {}, one.current ? el("span", { class: "quiet" }, "asked") : el("button", { type: "button", class: "take", "aria-label": `Take ${one.words}`, ...tried(() => request(one)), onclick: () => doEdit(request(one)) }, "Take")),
    );
  const request = (one) => ({ action: "split", node, arguments: { condition: one.condition, below: belowNow() } });
  const body = el("tbody", {}, candidates.slice(0, FIRST_CANDIDATES).map(row));
  const more = candidates.length - FIRST_CANDIDATES;
  if (more > 0) body.append(el("tr", {}, el("td", { colspan: 5, class: "all" }, el("button", { type: "button", class: "link quiet", onclick: () => body.lastChild.replaceWith(...candidates.slice(FIRST_CANDIDATES).map(row)) }, `+${plural(more, "column")}`))));
  const heads = ["What could be asked", "Gain", measured ? "Held out" : null, "p", ""];
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What could be asked" }, el("table", { class: "slim candidates", id: "candidates" }, el("thead", {}, el("tr", {}, heads.filter((text) => text !== null).map((text) => el("th", { scope: "col" }, text)))), body));
}
