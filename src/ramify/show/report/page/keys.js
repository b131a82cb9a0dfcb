// What keys, clicks and the pointer do in the drawing.

// Arrow keys walk in the directions of the drawing: to the parent, the children and the neighbours.
function walk(key) {
  const place = tree.places[tree.at.get(tree.selected)];
  const [down, up, next, before] = tree.sideways
    ? ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]
    : ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"];
  const node = tree.selected;
  if (key === up) return N.parent[node] >= 0 ? N.parent[node] : node;
  if (key === down) {
    if (isLeaf(node)) return node;
    if (!tree.open.has(node)) toggle(node);
    const children = tree.places[tree.at.get(node)].children;
    return tree.places[children[0]].node;
  }
  if (key === "Home") return 0;
  const row = tree.places.filter((other) => other.depth === place.depth && other.node >= 0);
  const at = row.indexOf(place) + (key === next ? 1 : key === before ? -1 : 0);
  return row[Math.max(0, Math.min(row.length - 1, at))].node;
}

function startTree() {
  canvas.addEventListener("click", (event) => {
    const group = event.target.closest(".node");
    if (!group) return;
    const node = Number(group.dataset.node);
    if (node < 0) openBranches(tree.places[[...group.parentNode.children].indexOf(group)]);
    else if (event.target.closest(".handle")) toggle(node);
    else select(node, { focus: true, show: false });
  });
  canvas.addEventListener("dblclick", (event) => {
    const group = event.target.closest(".node");
    if (group && Number(group.dataset.node) >= 0 && !event.target.closest(".handle")) toggle(Number(group.dataset.node));
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow") || event.key === "Home") select(walk(event.key), { focus: true });
    else if (event.key === " " || event.key === "Enter") {
      toggle(tree.selected);
      elementOf(tree.selected).focus({ preventScroll: true });
    } else if (event.key === "+" || event.key === "=") zoomBy(1.25);
    else if (event.key === "-") zoomBy(0.8);
    else if (event.key === "0") refit([tree.sideways], true);
    else return;
    event.preventDefault();
  });
  hoverTips();
  byId("fit").addEventListener("click", () => refit([tree.sideways], true));
  byId("turn").addEventListener("click", () => refit([!tree.sideways]));
  const minis = byId("minis");
  minis.hidden = !DIST || !Object.keys(DIST.nodes).some((node) => DIST.nodes[node].bins || DIST.nodes[node].levels);
  minis.addEventListener("click", () => {
    tree.minis = !tree.form.minis;
    refit([tree.sideways]);
  });
  byId("less").addEventListener("click", () => redrawWith(Math.max(3, Math.floor(tree.places.length / 2))));
  byId("more").addEventListener("click", () => redrawWith(tree.places.length * 2 + 2));
}

function hoverTips() {
  const tip = byId("tip");
  canvas.addEventListener("pointermove", (event) => {
    const group = event.target.closest && event.target.closest(".node");
    const node = group ? Number(group.dataset.node) : -1;
    tip.hidden = node < 0 || event.buttons !== 0 || event.pointerType === "touch";
    if (tip.hidden) return;
    if (tip.dataset.node !== String(node)) {
      tip.dataset.node = String(node);
      tip.replaceChildren(...fullWords(node).map((line, i) => el("div", { class: i === 0 ? "bold" : "" }, line)));
    }
    const frame = canvas.getBoundingClientRect();
    const left = Math.min(event.clientX - frame.left + 14, frame.width - tip.offsetWidth - 6);
    const top = event.clientY - frame.top + 16;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${top + tip.offsetHeight > frame.height - 4 ? Math.max(4, top - tip.offsetHeight - 28) : top}px`;
  });
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
}
