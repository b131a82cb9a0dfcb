// Colours by value: in a regression, dark is low and light is high. The scale is viridis without its ends: even
// steps of lightness, so that everyone can tell them apart, on white and on black.

const SCALE = [[72, 36, 117], [65, 68, 135], [53, 95, 141], [42, 120, 142], [33, 145, 140], [34, 168, 132], [68, 191, 112], [122, 209, 81], [189, 223, 38]];

function scaleColour(share) {
  const at = Math.max(0, Math.min(1, share)) * (SCALE.length - 1);
  const i = Math.min(SCALE.length - 2, Math.floor(at));
  const mix = SCALE[i].map((low, c) => Math.round(low + (SCALE[i + 1][c] - low) * (at - i)));
  return `rgb(${mix.join(", ")})`;
}

// The values at the ends of the scale: 2.5 % of the rows are in leaves beyond either. They are those of the fitted
// tree, whatever size is shown.
const colourRange = (() => {
  if (D.task !== "regression") return null;
  const leaves = [];
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    if (!isLeaf(node, D.path.fitted)) stack.push(...childrenOf(node));
    else if (Number.isFinite(N.pred[node])) leaves.push(node);
  }
  if (!leaves.length) return null;
  leaves.sort((a, b) => N.pred[a] - N.pred[b]);
  const least = 0.025 * leaves.reduce((sum, leaf) => sum + N.weight[leaf], 0);
  const end = (order) => {
    let weight = 0;
    return N.pred[order.find((leaf) => (weight += N.weight[leaf]) >= least)];
  };
  return [end(leaves), end([...leaves].reverse()), N.pred[leaves[0]], N.pred[leaves[leaves.length - 1]]];
})();

// The ends in words.
function rangeWords() {
  const [low, high, least, most] = colourRange;
  return [`${least < low ? "≤ " : ""}${short(low)}`, `${most > high ? "≥ " : ""}${short(high)}`];
}

function valueColour(value) {
  if (!colourRange || !Number.isFinite(value)) return D.other_colour;
  const [low, high] = colourRange;
  return scaleColour(high > low ? (value - low) / (high - low) : 0.5);
}

// The colour of what a node predicts.
const nodeColour = (node) => (D.task === "regression" ? valueColour(N.pred[node]) : D.colours[labelOf(node)]);

function showLegend() {
  const legend = byId("legend");
  if (D.task === "regression") {
    if (!colourRange) return;
    const [low, high] = rangeWords();
    const steps = [0, 0.25, 0.5, 0.75, 1].map(scaleColour).join(", ");
    legend.append(el("span", {}, `${D.target || "prediction"}: ${low} `, el("span", { class: "scale", style: `background:linear-gradient(to right, ${steps})`, "aria-hidden": "true" }), ` ${high}`));
    return;
  }
  const named = D.classes.map((_, j) => j).filter((j) => D.colours[j] !== D.other_colour);
  legend.append(...named.map((j) => el("span", {}, swatch(j), levelWords(D.classes[j]))));
  if (named.length < CLASSES) legend.append(el("span", {}, el("span", { class: "swatch", style: `background:${D.other_colour}` }), `+${CLASSES - named.length} classes`));
}
