// What an edit costs: on held-out rows if there are any, and on the rows that the tree was grown from.

function changeTone(change) {
  if (!change.change || change.p >= 0.05) return "even";
  return change.change < 0 ? "better" : "worse";
}

function sureness(change) {
  if (!change.change) return "no row is answered differently in sum";
  return change.p < 0.05 ? `sure, ${pValueWords(change.p)}` : `may be chance, ${pValueWords(change.p)}`;
}

function priceLine(label, change) {
  if (!change) return null;
  const spread = change.se === null ? "" : ` ± ${change.measure === "error" ? (100 * change.se).toFixed(2) : short(change.se, 2)}`;
  return el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, lossWords(change.before, change.measure)), el("td", {}, lossWords(change.after, change.measure)), el("td", { class: changeTone(change) }, `${changeInWords(change.change, change.measure).replace(" points", "")}${spread}`));
}

// The price as a box; `done` says whether the edit was made.
function priceBox(price, done) {
  const lead = price.validation_cost || price.validation || price.training_cost || price.training;
  const where = price.validation ? "on held-out rows" : "on training rows: none were held out";
  const measure = lead.measure === "error" ? "Error" : first(lead.measure);
  const rows = [priceLine("Held out", price.validation), priceLine("Cost, held out", price.validation_cost), priceLine("Training", price.training), priceLine("Cost, training", price.training_cost)];
  const leaves = price.leaves[0] === price.leaves[1] ? plural(price.leaves[1], "leaf", "leaves") : `${count(price.leaves[0])} → ${plural(price.leaves[1], "leaf", "leaves")}`;
  return el(
    "div",
    { class: `price ${changeTone(lead)} ${done ? "done" : "tried"}` },
    el("p", { class: "small quiet" }, done ? "What the last edit cost" : "What this would cost"),
    el("p", { class: "price-lead" }, el("b", { id: "price-change" }, `${measure} ${changeInWords(lead.change, lead.measure)}`), ` ${where}; ${sureness(lead)}`),
    el("table", { class: "slim" }, el("thead", { class: "unseen" }, el("tr", {}, ["Rows", "Before", "After", "Change"].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows.filter(Boolean))),
    el("p", { class: "small quiet" }, `${leaves}. ${plural(lead.better, "row")} better, ${count(lead.worse)} worse.`),
    price.passed_over.length ? el("p", { class: "small" }, `Left out below, as they divide nothing any more: ${price.passed_over.join("; ")}.`) : null,
    price.bound ? el("p", { class: "small" }, `With what is locked, the best tree has ${lossWords(price.bound.loss, "error")}${price.bound.proven ? ", which is proven" : ""}.`) : null,
  );
}

function showPrice(price, done) {
  const box = byId("price");
  if (box) box.replaceChildren(price ? priceBox(price, done) : el("p", { class: "price none quiet small" }, "The price of an edit stands here before you make it, and afterwards."));
}

// The price of the edit that made the tree that is on the page.
function showLastPrice() {
  const last = studio.lastPrice;
  showPrice(last && last.number === D.number ? last.price : null, true);
}

const tryEdit = lastOnly(async (request) => {
  const answer = await priceOf(request);
  if (answer && request.node === tree.selected) showPrice(answer.result, false);
});

// What a button would do is tried when the pointer moves on it, or keys reach it. A button that comes to lie under
// a resting pointer tries nothing.
function tried(request) {
  let asked = false;
  const run = () => {
    if (asked) return;
    asked = true;
    tryEdit(request());
  };
  return {
    onmousemove: (event) => (event.movementX || event.movementY) && run(),
    onfocus: run,
    onmouseleave: () => {
      if (asked) showLastPrice();
      asked = false;
    },
    onblur: () => (asked = false),
  };
}

const reasonNow = () => (byId("reason") && byId("reason").value.trim()) || null;

async function doEdit(request) {
  const answer = await edit({ ...request, reason: reasonNow() });
  if (!answer) showLastPrice();
  return answer;
}
