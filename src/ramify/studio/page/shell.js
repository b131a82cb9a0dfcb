// The frame of the page: steps, messages, what runs, undo and redo.

let step = "data";

function startShell() {
  byId("steps").append(...STEPS.map(([name, label], i) => el("button", { type: "button", id: `go-${name}`, onclick: () => goTo(name) }, el("span", { class: "number", "aria-hidden": "true" }, String(i + 1)), label)));
  byId("undo").addEventListener("click", () => post("undo"));
  byId("redo").addEventListener("click", () => post("redo"));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea, select")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) byId("undo").click();
    else if (key === "y" || (key === "z" && event.shiftKey)) byId("redo").click();
    else return;
    event.preventDefault();
  });
  window.addEventListener("hashchange", () => {
    const wanted = location.hash.slice(1);
    if (STEPS.some(([name]) => name === wanted) && wanted !== step) goTo(wanted);
  });
}

function goTo(name) {
  step = name;
  for (const [one] of STEPS) {
    byId(`step-${one}`).hidden = one !== name;
    if (one === name) byId(`go-${one}`).setAttribute("aria-current", "step");
    else byId(`go-${one}`).removeAttribute("aria-current");
  }
  if (location.hash.slice(1) !== name) history.replaceState(null, "", `#${name}`);
  window.scrollTo({ top: 0, behavior: "instant" });
  entered.forEach((run) => run(name));
}

// What is run when a step is entered.
const entered = [];

function showFrame(state) {
  const table = state.table;
  const size = table ? `: ${plural(table.rows, "row")}, ${plural(table.columns.length, "column")}` : "";
  byId("file-line").textContent = state.file ? `${state.file}${size}` : "No table is open";
  document.title = state.file ? `${state.file} · Ramify Studio` : "Ramify Studio";
  const tree = state.tree;
  byId("undo").disabled = !tree || !tree.history.length;
  byId("redo").disabled = !tree || !tree.undone.length;
  byId("go-grow").disabled = !table;
  for (const name of ["tree", "judge", "ship"]) byId(`go-${name}`).disabled = !tree;
}

// --- messages ---

let quietAgain = 0;

function say(text, kind = "") {
  const box = byId("message");
  box.className = `message ${kind}`;
  box.replaceChildren(el("p", {}, text), el("button", { type: "button", "aria-label": "Close this message", onclick: hush }, "×"));
  box.hidden = false;
  clearTimeout(quietAgain);
  quietAgain = setTimeout(hush, kind === "loud" ? 20000 : 6000);
}

function hush() {
  byId("message").hidden = true;
}

// --- what runs ---

let shownJob = "";

function showJob(job) {
  const box = byId("job");
  const key = JSON.stringify(job);
  if (key === shownJob) return;
  const before = shownJob ? JSON.parse(shownJob) : null;
  shownJob = key;
  const running = job && job.state === "running";
  box.hidden = !running;
  document.body.classList.toggle("busy", Boolean(running));
  if (running) {
    const bar = el("progress", job.part === null ? { "aria-label": job.what } : { max: 1, value: job.part, "aria-label": job.what });
    const stop = el("button", { type: "button", id: "stop", disabled: job.stopping, onclick: () => ask("POST", "/api/stop", {}) }, job.stopping ? "Stopping" : "Stop");
    box.replaceChildren(el("span", { class: "what" }, first(job.what)), bar, el("span", { class: "quiet" }, `${job.words}${job.words ? ", " : ""}${job.seconds.toFixed(1)} s`), stop);
    showSearch(job);
  } else if (job && before && before.state === "running") {
    if (job.state === "failed") say(job.error, "loud");
    if (job.state === "stopped") say(`Stopped: ${job.what}. What was there before is kept.`);
    showSearch(job);
  }
}
