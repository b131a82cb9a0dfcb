// Cards of nodes: what they say, how large they are, and how they are drawn.

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const PAD = 11;
const LINE = 17;
const MINI = 48; // the height of a distribution on a card, with its name
// Wide cards have the rows beside the prediction, narrow ones below it.
const FORMS = { wide: { widest: 210, stacked: false }, narrow: { widest: 138, stacked: true } };
const pen = document.createElement("canvas").getContext("2d");
const measured = new Map();

function textWidth(text, style = "13px") {
  const key = style + text;
  if (!measured.has(key)) {
    pen.font = `${style} ${FONT}`;
    measured.set(key, pen.measureText(text).width);
  }
  return measured.get(key);
}

// A text without its middle, if it is too wide.
function fitText(text, width, style = "13px") {
  if (textWidth(text, style) <= width) return text;
  const letters = Array.from(text);
  let keep = letters.length;
  let made = text;
  while (keep > 4 && textWidth(made, style) > width) {
    keep = Math.min(keep - 1, Math.ceil(keep * 0.95));
    const half = Math.floor(keep / 2);
    made = letters.slice(0, half).join("").trimEnd() + "…" + letters.slice(letters.length - half + 1).join("").trimStart();
  }
  return made;
}

// A place in the drawing: a node, or the stub of several branches {branches, parentNode}.
function makeCard(place, form = tree.form) {
  const { widest, stacked } = FORMS[form.shape];
  const card = place.node >= 0 ? nodeCard(place, widest) : stubCard(place, widest);
  const two = card.answer && textWidth(card.name, "600 13px") + 5 + textWidth(card.answer) > widest;
  card.lines = two ? [[card.name, ""], ["", card.answer]] : [[card.name, card.answer]];
  card.stacked = stacked && card.head !== "";
  card.asks = place.node >= 0 && !isLeaf(place.node) ? fitText(D.columns[N.attr[place.node]].name, 170, "11.5px") : "";
  card.mini = form.minis && place.node >= 0 && tree.open.has(place.node) && hasMini(place.node);
  const texts = card.lines.map(([bold, plain]) => textWidth(bold + " ", "600 13px") + textWidth(plain));
  const [head, size] = [textWidth(card.head, "600 13px") + (card.dot ? 15 : 0), textWidth(card.size, "11.5px")];
  texts.push(...(card.stacked ? [head, size] : [head + 14 + size]));
  if (card.note) texts.push(textWidth(card.note, "11.5px"));
  card.width = Math.max(card.mini ? Math.max(120, textWidth(card.asks, "11.5px")) : 96, ...texts) + 2 * PAD;
  const lines = card.lines.length + 1 + (card.note ? 1 : 0) + (card.stacked ? 1 : 0);
  card.height = lines * LINE + (place.node >= 0 ? 11 : 0) + 13 + (card.mini ? MINI : 0);
  return card;
}

function nodeCard(place, widest) {
  const { node } = place;
  let [name, text] = conditionOf(node, 5);
  for (let most = 4; most > 0 && textWidth(text) > widest; most--) text = conditionOf(node, most)[1];
  const notes = [];
  if (D.weighted && isParted(node)) notes.push(`weight ${short(N.weight[node])}`);
  if (!isLeaf(node) && N.logp[node] !== null) notes.push(pWords(numberOf(N.logp[node])));
  if (place.hidden) notes.push(`+${plural(place.hidden, "leaf", "leaves")}`);
  return {
    name: fitText(name, widest, "600 13px"),
    answer: fitText(text, widest),
    head: fitText(headOf(node), widest, "600 13px"),
    size: `${amountOf(rowsOf(node), "row")}${node > 0 ? ` · ${percent(shareOf(node))}` : ""}`,
    note: notes.join(" · "),
    dot: D.task === "regression",
  };
}

function stubCard(place, widest) {
  const rows = place.branches.reduce((sum, node) => sum + rowsOf(node), 0);
  return {
    name: fitText(D.columns[N.attr[place.parentNode]].name, widest, "600 13px"),
    answer: `+${plural(place.branches.length, "branch", "branches")}`,
    head: "",
    size: amountOf(rows, "row"),
    note: `+${plural(place.hidden, "leaf", "leaves")}`,
  };
}

// Everything in words, for a tooltip and for readers who cannot see the drawing.
function fullWords(node, most = TOOLTIP_LEVELS) {
  const [name, text] = conditionOf(node, most);
  const lines = [`${name} ${text}`.trim(), `${amountOf(rowsOf(node), "row")} (${percent(shareOf(node))} of all)`];
  if (D.task === "regression") {
    lines.push(`mean ${short(meanOf(node))}, standard deviation ${short(spreadOf(node))}`);
    return lines;
  }
  const shares = sharesOf(node);
  const order = shares.map((_, j) => j).filter((j) => shares[j] > 0).sort((a, b) => shares[b] - shares[a] || a - b);
  for (const j of order.slice(0, 8)) lines.push(`${D.classes[j]}: ${amount(valuesOf(node)[j])} (${percent(shares[j])})`);
  if (order.length > 8) lines.push(`+${order.length - 8} classes`);
  return lines;
}

// What a card shows, line by line: its name for readers who cannot see it.
function cardWords(card) {
  return [...card.lines.map(([bold, plain]) => `${bold} ${plain}`.trim()), card.head, card.size, card.note, card.mini ? card.asks : ""].filter(Boolean).join(", ");
}

function drawCard(place, card, x, y) {
  const { node } = place;
  const leaf = node >= 0 && isLeaf(node);
  const folded = node >= 0 && place.hidden > 0;
  const kind = node < 0 ? "stub" : leaf ? "leaf" : folded ? "folded" : "inner";
  const group = svg("g", { class: `node ${kind}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, "data-node": node });
  group.append(svg("rect", { class: "box", width: card.width, height: card.height, rx: 7 }));
  if (leaf) group.append(svg("path", { d: `M6 0a6 6 0 0 0 -6 6v${card.height - 12}a6 6 0 0 0 6 6z`, fill: nodeColour(node) }));
  let line = 21;
  for (const [bold, plain] of card.lines) {
    const text = svg("text", { x: PAD, y: line });
    if (bold) text.append(svg("tspan", { class: "bold" }, bold), " ");
    text.append(plain);
    group.append(text, " ");
    line += LINE;
  }
  if (card.dot) group.append(svg("rect", { x: PAD, y: line - 9.5, width: 10, height: 10, rx: 2, fill: nodeColour(node) }));
  if (card.head) group.append(svg("text", { x: PAD + (card.dot ? 15 : 0), y: line, class: "bold" }, card.head), " ");
  if (card.stacked) group.append(svg("text", { x: PAD, y: (line += LINE), class: "pale" }, card.size), " ");
  else group.append(svg("text", { x: card.width - PAD, y: line, class: "pale", "text-anchor": "end" }, card.size), " ");
  if (node >= 0) {
    group.append(nodeBar(node, PAD, line + 7, card.width - 2 * PAD, 6));
    line += 11;
  }
  if (card.note) group.append(svg("text", { x: PAD, y: (line += LINE), class: "pale" }, card.note), " ");
  if (card.mini) group.append(miniature(node, card.asks, PAD, line + 6, card.width - 2 * PAD, MINI - 4));
  return group;
}

// The shares of the classes, or the mean and its spread.
function nodeBar(node, x, y, width, height) {
  const bar = svg("g", { "aria-hidden": "true" });
  const piece = (at, length, fillWith, extra = 0) =>
    svg("rect", { x: (x + at).toFixed(1), y: y - extra, width: Math.max(0, length).toFixed(2), height: height + 2 * extra, fill: fillWith });
  if (D.task === "regression") {
    const [low, range] = D.range;
    bar.append(piece(0, width, "var(--track)"));
    if (!(range > 0)) return bar;
    const at = (value) => Math.max(0, Math.min(1, (value - low) / range)) * width;
    const mean = meanOf(node);
    const spread = spreadOf(node);
    bar.append(piece(at(mean - spread), Math.max(1, at(mean + spread) - at(mean - spread)), "var(--band)"));
    bar.append(piece(Math.min(at(mean), width - 2.5), 2.5, "var(--ink)", 1.5));
    return bar;
  }
  let start = 0;
  sharesOf(node).forEach((share, j) => {
    if (share > 0) bar.append(piece(start * width, share * width, D.colours[j]));
    start += share;
  });
  return bar;
}
