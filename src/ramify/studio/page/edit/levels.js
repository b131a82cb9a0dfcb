// Levels as chips, in the branch that they take. They are dragged to another branch, or clicked.

function levelsPart(node, data) {
  if (data.ordered) return orderedLevels(node, data);
  const branches = Math.max(2, data.branches);
  const placed = data.levels.map((level) => ({ ...level, branch: level.branch < 0 ? 0 : level.branch }));
  const request = (code, to) => {
    if (data.own) return { action: "move_levels", node, arguments: { codes: [code], to_branch: to, below: belowNow() } };
    const codes = Array.from({ length: branches }, () => []);
    for (const level of placed) codes[level.code === code ? to : level.branch].push(level.code);
    return { action: "split", node, arguments: { condition: { column: data.column, codes }, below: belowNow() } };
  };
  const mine = (code) => placed.find((level) => level.code === code);
  const alone = (level) => placed.filter((other) => other.branch === level.branch).length === 1;
  const most = Math.max(...placed.map((level) => sumOf(level.counts)), 1);
  let held = null;
  const chip = (level) => {
    const to = (level.branch + 1) % branches;
    const only = alone(level);
    const words = `${level.name}: ${barWords("", level.counts).replace(/^: /, "")}`;
    const one = el(
      "button",
      { type: "button", class: "chip", draggable: only ? null : "true", disabled: only, "data-level": level.name, title: only ? `${words}. A branch needs one level at least.` : words, "aria-label": `${words}. Move to branch ${to + 1}`, onclick: () => doEdit(request(level.code, to)), ...tried(() => request(level.code, to)) },
      el("span", { class: "chip-bar", style: `width:${Math.max(3, (34 * sumOf(level.counts)) / most).toFixed(0)}px` }, segments(level.counts).filter(([n]) => n > 0).map(([n, colour]) => el("span", { style: `flex:${n};background:${colour}` }))),
      levelWords(level.name === "" ? "(empty)" : level.name),
    );
    one.addEventListener("dragstart", (event) => {
      held = level.code;
      event.dataTransfer.setData("text/plain", level.name);
      event.dataTransfer.effectAllowed = "move";
    });
    one.addEventListener("dragend", () => {
      held = null;
      showLastPrice();
    });
    return one;
  };
  const group = (branch) => {
    const own = placed.filter((level) => level.branch === branch);
    const box = el("div", { class: "branch-group", role: "group", "aria-label": `Branch ${branch + 1}`, "data-branch": branch }, el("p", { class: "small quiet" }, `Branch ${branch + 1}`), el("div", { class: "chips" }, own.map(chip)));
    box.addEventListener("dragover", (event) => {
      if (held === null || mine(held).branch === branch) return;
      event.preventDefault();
      if (!box.classList.contains("over")) tryEdit(request(held, branch));
      box.classList.add("over");
    });
    box.addEventListener("dragleave", () => box.classList.remove("over"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      box.classList.remove("over");
      if (held !== null && mine(held).branch !== branch) doEdit(request(held, branch));
    });
    return box;
  };
  return el("div", { class: "levels-part", id: "levels-part" }, Array.from({ length: branches }, (_, branch) => group(branch)), data.own ? null : el("p", {}, el("button", { type: "button", id: "levels-take", onclick: () => doEdit(request(-1, 0)) }, `Ask for ${data.column} like this`)), data.more ? el("p", { class: "quiet small" }, `+${plural(data.more, "level")} of few rows, which stay where they are.`) : null, el("p", { class: "quiet small" }, "Drag a level to the other branch, or click it. The price shows before you let go."));
}

// Levels with an order are cut like numbers, between two neighbours.
function orderedLevels(node, data) {
  const request = (i) => ({ action: "split", node, arguments: { condition: { column: data.column, at_most: data.levels[i].code }, below: belowNow() } });
  const rows = data.levels.map((level, i) => el("li", {}, el("span", {}, levelWords(level.name)), el("span", { class: "quiet small" }, ` ${amountOf(sumOf(level.counts), "row")}`), i + 1 < data.levels.length ? el("button", { type: "button", class: level.branch === 0 && data.levels[i + 1].branch === 1 ? "cut here" : "cut", "aria-label": `Cut after ${level.name}`, ...tried(() => request(i)), onclick: () => doEdit(request(i)) }, level.branch === 0 && data.levels[i + 1].branch === 1 ? "the cut is here" : "cut here") : null));
  return el("ol", { class: "ordered", id: "levels-part" }, rows);
}
