// The fifth step: taking the tree away.

let shipped = "";

entered.push((name) => name === "ship" && showShipStep(studio.state));

async function showShipStep(state) {
  if (step !== "ship") return;
  const box = byId("step-ship");
  if (!state.tree) return box.replaceChildren(el("p", { class: "quiet" }, "There is no tree yet."));
  const key = String(state.tree.number);
  if (key === shipped) return;
  const forms = await get("forms");
  if (!forms) return;
  shipped = key;
  const card = (form) => el("li", { class: "form card" }, el("h3", {}, form.label), el("p", { class: "quiet small" }, form.words), form.missing ? el("p", { class: "small" }, el("code", {}, form.missing)) : form.name === "png" ? el("button", { type: "button", onclick: shipPng }, "Save") : el("a", { class: "button", href: `/api/ship?${query({ form: form.name })}`, "data-form": form.name, download: "", onclick: (event) => shipForm(event, form) }, "Save"));
  const png = { name: "png", label: "Picture (PNG)", words: "As the tree is drawn in the step Tree." };
  box.replaceChildren(el("ul", { class: "forms" }, [...forms.slice(0, 11), png, ...forms.slice(11)].map(card)));
}

// What cannot be written is said here, and not saved as a file.
async function shipForm(event, form) {
  event.preventDefault();
  const path = `/api/ship?${query({ form: form.name })}`;
  const response = await fetch(path).catch(() => null);
  if (!response) return say("The server does not answer.", "loud");
  if (!response.ok) return say(`${form.label}: ${(await response.json().catch(() => ({}))).error || "this did not work"}`, "loud");
  const name = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") || "");
  keep(name ? name[1] : form.name, await response.blob());
  return null;
}

function keep(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say(`Saved ${name}`);
}

async function shipPng() {
  goTo("tree");
  await openPresent();
  byId("save-png").click();
}
