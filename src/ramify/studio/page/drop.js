// Opening a table: dropped, chosen, or taken from the folder.

function openPart() {
  const input = el("input", { type: "file", id: "file-input", class: "unseen", tabindex: -1, "aria-label": "Choose a table", accept: ".csv,.tsv,.txt,.data,.arff,.parquet,.pq,.xlsx,.xlsm,.jsonl,.ndjson,.json,.gz", onchange: (event) => event.target.files.length && upload(event.target.files[0]) });
  const zone = el(
    "div",
    { class: "drop", id: "drop" },
    el("p", { class: "large" }, "Drop a table here"),
    el("p", {}, el("button", { type: "button", class: "primary", onclick: () => input.click() }, "Choose a file"), input),
    el("p", { class: "quiet small" }, "CSV, Excel, Parquet, JSON or ARFF. It stays on this machine."),
  );
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files.length) upload(event.dataTransfer.files[0]);
  });
  const list = el("div", { id: "folder" });
  showFolder(list);
  return el("div", { class: "opening" }, zone, list);
}

async function showFolder(list) {
  const files = await get("files", { quiet: true });
  if (!files || !files.length) return;
  const row = (file) => el("li", {}, el("button", { type: "button", class: "link", onclick: () => openFile(file.name) }, file.name), el("span", { class: "quiet small" }, ` ${bytes(file.size)}${file.saved ? ", saved session" : ""}`));
  const shown = files.slice(0, 12);
  const more = files.slice(12);
  list.replaceChildren(el("h3", {}, "In this folder"), el("ul", { class: "files" }, shown.map(row)), more.length ? el("details", {}, el("summary", {}, `${count(more.length)} more`), el("ul", { class: "files" }, more.map(row))) : "");
}

async function openFile(path) {
  if (await post("open", { path })) watchNow();
}

async function upload(file) {
  if (document.body.classList.contains("busy")) return say("Wait until what runs is done, or stop it.", "loud");
  say(`Reading ${file.name}`);
  let response;
  try {
    response = await fetch(`/api/upload?${query({ name: file.name })}`, { method: "PUT", body: file });
  } catch {
    return say("The file could not be sent to the server.", "loud");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) return say(answer.error || "The file could not be opened.", "loud");
  hush();
  take(answer.state);
  if (answer.result !== file.name) say(`There is another ${file.name} in the folder, so this one is kept as ${answer.result}.`);
  watchNow();
}
