// The code of what was clicked: the command line and the script, at all times.

let codeOpen = false;
let codeOf = -1;

function startCode() {
  byId("code-toggle").addEventListener("click", () => {
    codeOpen = !codeOpen;
    byId("code").hidden = !codeOpen;
    byId("code-toggle").setAttribute("aria-expanded", String(codeOpen));
    codeOf = -1;
    showCode(studio.state);
  });
}

async function showCode(state) {
  if (!codeOpen || state.version === codeOf) return;
  codeOf = state.version;
  const found = await get("code", { quiet: true });
  if (!found || codeOf !== state.version) return;
  const block = (label, text, id) => el("div", { class: "code-block" }, el("div", { class: "bar" }, el("h3", {}, label), el("span", { class: "spring" }), el("button", { type: "button", onclick: () => copyText(text) }, "Copy")), el("pre", { id, tabindex: 0, role: "region", "aria-label": label }, el("code", {}, text)));
  if (!found.script) return byId("code").replaceChildren(el("p", { class: "quiet" }, "Open a table first."));
  byId("code").replaceChildren(el("p", { class: "quiet small" }, "Both do what you clicked, and run as they are in the folder of the table."), ...found.notes.map((text) => el("p", { class: "notice" }, text)), block("Command line", found.command, "code-command"), block("Python", found.script, "code-script"));
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("The browser does not let this page copy; select the text and copy it.", "loud");
  }
}
