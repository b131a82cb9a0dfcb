// The drawn tree: which nodes are open, where they stand, and how keys walk through it.

const MOST_BRANCHES = 12;
// While the path of a row is shown that was folded away, `saved` holds the nodes that were open.
// `form` is how cards look, `gaps` what is between them; `minis` is the reader's wish for distributions on cards.
const tree = { open: new Set(), saved: null, wide: new Set(), places: [], at: new Map(), selected: 0, sideways: false, path: null, form: { shape: "wide", minis: false }, gaps: null, minis: null };

// Open nodes by falling weight while there is room.
function openHeaviest(most) {
  tree.open = new Set();
  tree.saved = null;
  const waiting = [0];
  let drawn = 1;
  while (waiting.length) {
    let best = 0;
    for (let i = 1; i < waiting.length; i++) if (N.weight[waiting[i]] > N.weight[waiting[best]]) best = i;
    const [node] = waiting.splice(best, 1);
    if (isLeaf(node)) continue;
    const shown = branchesShown(node).shown;
    if (drawn + shown.length > most && drawn > 1) continue;
    drawn += shown.length;
    tree.open.add(node);
    waiting.push(...shown);
  }
}

// If there are very many branches, the heaviest are drawn, and the others as one stub that can be opened.
function branchesShown(node) {
  const all = childrenOf(node);
  if (all.length <= MOST_BRANCHES || tree.wide.has(node)) return { shown: all, others: [] };
  const order = [...all].sort((a, b) => N.weight[b] - N.weight[a] || a - b);
  const shown = order.slice(0, MOST_BRANCHES - 1).sort((a, b) => a - b);
  return { shown, others: order.slice(MOST_BRANCHES - 1).sort((a, b) => a - b) };
}

function collectPlaces() {
  const places = [{ node: 0, parent: -1, depth: 1, children: [] }];
  for (let i = 0; i < places.length; i++) {
    const place = places[i];
    const { node } = place;
    if (node < 0) continue;
    place.hidden = 0;
    if (isLeaf(node)) continue;
    if (!tree.open.has(node)) {
      place.hidden = model.leavesBelow[node];
      continue;
    }
    const { shown, others } = branchesShown(node);
    for (const child of shown) {
      place.children.push(places.length);
      places.push({ node: child, parent: i, depth: place.depth + 1, children: [] });
    }
    if (others.length) {
      place.children.push(places.length);
      const hidden = others.reduce((sum, child) => sum + model.leavesBelow[child], 0);
      places.push({ node: -1, parent: i, parentNode: node, depth: place.depth + 1, branches: others, children: [], hidden });
    }
  }
  return places;
}

// Where the cards stand, for a direction of growth.
const leastGaps = (sideways) => (sideways ? [8, 50] : [14, 38]);
function arrange(places, cards, sideways, [gap, levelGap] = leastGaps(sideways)) {
  return layout(
    places.map((place) => place.children),
    cards.map((card) => card.width),
    cards.map((card) => card.height),
    sideways,
    gap,
    levelGap,
  );
}

function drawTree() {
  const places = collectPlaces();
  const cards = places.map((place) => makeCard(place));
  const placed = arrange(places, cards, tree.sideways, tree.gaps || leastGaps(tree.sideways));
  tree.places = places;
  tree.at = new Map(places.map((place, i) => [place.node, i]));
  if (!tree.at.has(tree.selected)) tree.selected = nearestShown(tree.selected);
  Object.assign(view, { width: placed.width, height: placed.height });
  const branches = svg("g", { class: "branches", "aria-hidden": "true" });
  const nodes = svg("g", { role: "presentation" });
  places.forEach((place, i) => {
    Object.assign(place, { x: placed.x[i], y: placed.y[i], width: cards[i].width, height: cards[i].height });
    if (place.parent >= 0) branches.append(branchPath(place, places[place.parent]));
    nodes.append(nodeElement(place, cards[i], i));
  });
  world.replaceChildren(branches, nodes);
  markSelected();
}

function nearestShown(node) {
  while (node > 0 && !tree.at.has(node)) node = N.parent[node];
  return Math.max(0, node);
}

function branchPath(place, parent) {
  const rows = place.node >= 0 ? rowsOf(place.node) : place.branches.reduce((sum, node) => sum + rowsOf(node), 0);
  const [x0, y0, x1, y1] = tree.sideways
    ? [parent.x + parent.width, parent.y + parent.height / 2, place.x, place.y + place.height / 2]
    : [parent.x + parent.width / 2, parent.y + parent.height, place.x + place.width / 2, place.y];
  const [xm, ym] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const curve = tree.sideways ? `C${xm} ${y0} ${xm} ${y1} ${x1} ${y1}` : `C${x0} ${ym} ${x1} ${ym} ${x1} ${y1}`;
  const share = place.node >= 0 && tree.path ? tree.path.get(place.node) : undefined;
  const style = share === undefined ? "" : " way";
  return svg("path", { d: `M${x0} ${y0}${curve}`, class: `branch${style}`, "stroke-width": Math.max(1, (14 * rows) / Math.max(1, rowsOf(0))).toFixed(2) });
}

function nodeElement(place, card, at) {
  const { node } = place;
  const group = drawCard(place, card, place.x, place.y);
  const siblings = place.parent >= 0 ? tree.places[place.parent].children : [0];
  fill(group, {
    role: "treeitem",
    tabindex: node === tree.selected ? 0 : -1,
    "aria-level": place.depth,
    "aria-setsize": siblings.length,
    "aria-posinset": place.parent >= 0 ? siblings.indexOf(at) + 1 : 1,
    "aria-expanded": node < 0 || isLeaf(node) ? null : String(tree.open.has(node)),
    "aria-label": cardWords(card),
    "aria-description": node < 0 ? null : fullWords(node, 5).join(", "),
  }, []);
  if (node >= 0 && !isLeaf(node)) group.append(handle(place));
  if (node >= 0 && tree.path) group.classList.add(tree.path.has(node) ? "way" : "off");
  return group;
}

// The small sign that folds and unfolds a node.
function handle(place) {
  const [x, y] = tree.sideways ? [place.width + 3, place.height / 2] : [place.width / 2, place.height + 3];
  const open = tree.open.has(place.node);
  return svg(
    "g",
    { class: "handle", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, "aria-hidden": "true" },
    svg("circle", { r: 14, class: "reach" }),
    svg("circle", { r: 7.5 }),
    svg("path", { d: open ? "M-3.5 0h7" : "M-3.5 0h7M0 -3.5v7" }),
  );
}

function toggle(node) {
  if (isLeaf(node)) return;
  if (tree.open.has(node)) tree.open.delete(node);
  else tree.open.add(node);
  redrawInPlace(node);
}

// Open the nodes on the path of a row and, if some were folded, fold the others; null: as before.
function showWay(way) {
  if (way === null) {
    if (tree.saved) tree.open = tree.saved;
    tree.saved = null;
  } else if (tree.saved || !way.every((node) => tree.open.has(node))) {
    if (!tree.saved) tree.saved = tree.open;
    tree.open = new Set(way);
    refit([tree.sideways]);
    return;
  }
  redrawInPlace(0);
}

// Draw again, with one node staying in its place.
function redrawInPlace(node) {
  const { x, y } = tree.places[tree.at.get(node)];
  drawTree();
  const now = tree.places[tree.at.get(node)];
  view.x += (x - now.x) * view.k;
  view.y += (y - now.y) * view.k;
  showView();
}

function openBranches(place) {
  tree.wide.add(place.parentNode);
  drawTree();
}

function markSelected() {
  for (const group of world.querySelectorAll(".node")) {
    const chosen = Number(group.dataset.node) === tree.selected;
    group.classList.toggle("selected", chosen);
    group.setAttribute("tabindex", chosen ? 0 : -1);
    group.setAttribute("aria-selected", String(chosen));
  }
}

function elementOf(node) {
  return world.querySelector(`.node[data-node="${node}"]`);
}

// Select a node and show its details; it is made visible if it is folded away.
function select(node, { focus = false, show = true } = {}) {
  let closed = false;
  for (let up = N.parent[node]; up >= 0; up = N.parent[up]) {
    if (!tree.open.has(up)) closed = true;
    tree.open.add(up);
    const { others } = branchesShown(up);
    if (others.some((other) => other === node || isBelow(node, other))) {
      tree.wide.add(up);
      closed = true;
    }
  }
  tree.selected = node;
  if (closed || !tree.at.has(node)) drawTree();
  markSelected();
  const place = tree.places[tree.at.get(node)];
  if (show) reveal(place.x, place.y, place.width, place.height);
  if (focus) elementOf(node).focus({ preventScroll: true });
  showDetails(node);
}

function isBelow(node, top) {
  while (node > top) node = N.parent[node];
  return node === top;
}
