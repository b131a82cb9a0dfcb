// The tree: its nodes, the nested trees it can be cut back to, and its predictions.
// At step s the nodes with retired <= s are leaves; D.path.fitted is the step of the fitted tree.

const N = D.nodes;
const SIZE = N.parent.length;
const CLASSES = D.classes.length;
for (const name of ["thr", "prop", "weight"]) N[name] = N[name].map(numberOf);
if (N.pred) N.pred = N.pred.map(numberOf);

// Squared errors are shown by their roots, in the unit of the target.
if (D.path.measure === "mean squared error") {
  D.path.measure = "root mean squared error";
  const root = (values) => values.map((value) => (value === null ? null : Math.sqrt(value)));
  D.path.se = D.path.se.map((se, i) => (se === null || !(D.path.error[i] > 0) ? null : se / (2 * Math.sqrt(D.path.error[i]))));
  D.path.training = root(D.path.training);
  D.path.error = root(D.path.error);
  if (D.test) D.test.error = root(D.test.error);
}

const model = { step: D.path.fitted, leavesBelow: [], number: [], listeners: [] };
const isLeaf = (node, step = model.step) => N.retired[node] <= step;
const childrenOf = (node) => Array.from({ length: N.n[node] }, (_, i) => N.first[node] + i);
const WIDTH = D.task === "classification" ? CLASSES : 3;

// Weights of the classes, or sums of w, w y and w y². If there are many classes, the file has those that occur.
function valuesOf(node) {
  if (WIDTH <= 8) return N.value[node].map(numberOf);
  const values = new Array(WIDTH).fill(0);
  for (let i = 0; i < N.value[node].length; i += 2) values[N.value[node][i]] = numberOf(N.value[node][i + 1]);
  return values;
}

// Leaves below every node, and the numbers of the nodes in a tree of this size.
function countLeaves() {
  const below = new Array(SIZE).fill(0);
  let number = 0;
  const there = new Array(SIZE).fill(false);
  there[0] = true;
  for (let node = 0; node < SIZE; node++) {
    if (!there[node]) continue;
    model.number[node] = number++;
    if (!isLeaf(node)) for (const child of childrenOf(node)) there[child] = true;
  }
  for (let node = SIZE - 1; node >= 0; node--) {
    if (isLeaf(node)) below[node] = 1;
    else for (const child of childrenOf(node)) below[node] += below[child];
  }
  model.leavesBelow = below;
}

// Listeners draw again what depends on the size of the tree.
function setStep(step) {
  step = Math.max(0, Math.min(D.path.leaves.length - 1, step));
  if (step === model.step) return;
  model.step = step;
  countLeaves();
  model.listeners.forEach((listener) => listener());
}

// The columns that the tree of a step asks about.
function columnsAsked(step) {
  const asked = new Set();
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    if (isLeaf(node, step)) continue;
    asked.add(N.attr[node]);
    stack.push(...childrenOf(node));
  }
  return asked;
}

function leavesNow() {
  const found = [];
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    if (isLeaf(node)) found.push(node);
    else stack.push(...childrenOf(node).reverse());
  }
  return found;
}

// --- what a node says ---

// The class of largest share, or of least expected cost; the first of equals.
function decide(shares) {
  let best = 0;
  let bestValue = 0;
  for (let j = 0; j < shares.length; j++) {
    let value = shares[j];
    if (D.costs) {
      value = 0;
      for (let t = 0; t < shares.length; t++) value -= shares[t] * D.costs[t][j];
    }
    if (j === 0 || value > bestValue) {
      best = j;
      bestValue = value;
    }
  }
  return best;
}

function sharesOf(node) {
  const weight = N.weight[node];
  return valuesOf(node).map((value) => (weight > 0 ? value / weight : 1 / CLASSES));
}

function meanOf(node) {
  const [w, wy] = valuesOf(node);
  return wy / w;
}

function spreadOf(node) {
  return N.sd[node];
}

// Rows that a missing value divides count in parts, so that the rows of the branches add up to those of the node.
// Where rows have weights, these say nothing of parts: then every row counts once wherever a part of it comes.
const rowsOf = (node) => (D.weighted ? N.rows[node] : N.weight[node]);
const isParted = (node) => Math.abs(N.weight[node] - N.rows[node]) > 1e-9 * Math.max(1, N.rows[node]);
const shareOf = (node) => N.weight[node] / N.weight[0];
// Whether any row of the tree is divided.
const DIVIDED = N.first.some((first, node) => first >= 0 && childrenOf(node).reduce((sum, child) => sum + N.rows[child], 0) > N.rows[node]);

// A label that was set by hand wins at its leaf.
const labelOf = (node) => (N.label && isLeaf(node) && N.label[node] >= 0 ? N.label[node] : decide(sharesOf(node)));

function headOf(node) {
  if (D.task === "regression") return `${short(N.pred[node])} ± ${short(spreadOf(node))}`;
  const label = labelOf(node);
  return labelShare(D.classes[label], percent(sharesOf(node)[label]));
}

// --- conditions ---

// The branch of every named level at a node, or -1. Runs are decoded when they are first needed: a
// length in base 36 of digits and small letters, then a branch in capitals, or "-".
const decoded = new Map();
function branchOfLevels(node) {
  if (decoded.has(node)) return decoded.get(node);
  const text = N.sets[node];
  let found = null;
  if (typeof text === "string") {
    found = new Int32Array(D.columns[N.attr[node]].levels.length).fill(-1);
    const parted = text.endsWith("."); // branches may have two capitals
    let at = 0;
    let length = 0;
    let branch = 0;
    const close = (b) => {
      const end = at + (length || 1);
      if (b >= 0) found.fill(b, at, end);
      at = end;
      length = 0;
      branch = 0;
    };
    let none = false;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c >= 97) length = length * 36 + c - 87;
      else if (c >= 65) {
        branch = branch * 26 + c - 65;
        if (!parted) close(branch);
      } else if (c >= 48) length = length * 36 + c - 48;
      else if (c === 45) {
        if (parted) none = true;
        else close(-1);
      } else {
        close(none ? -1 : branch);
        none = false;
      }
    }
  }
  decoded.set(node, found);
  return found;
}

// The names of the levels of a branch, at most a given number.
function levelsOf(node, branch, most) {
  const of = branchOfLevels(node);
  const names = [];
  if (!of) return names;
  const levels = D.columns[N.attr[node]].levels;
  for (let i = 0; i < of.length && names.length < most; i++) if (of[i] === branch) names.push(levels[i]);
  return names;
}

// The condition of a branch, without the name of the attribute.
function answer(node, branch, most = 5) {
  const missing = N.miss[node] === branch;
  if (N.kind[node] === 1) {
    if (N.thr[node] === Infinity && N.miss[node] === 1) return branch ? "is missing" : "is known";
    const column = D.columns[N.attr[node]];
    const bound = column.kind === "ordinal" ? levelWords(N.text[node]) : N.text[node];
    const sign = N.strict[node] ? ["<", "≥"][branch] : ["≤", ">"][branch];
    return `${sign} ${bound}${missing ? " or missing" : ""}`;
  }
  const n = N.counts[node] ? N.counts[node][branch] : 0;
  return setAnswer(levelsOf(node, branch, most), n, missing, most);
}

// The condition of the branch that leads to a node: [name, answer].
function conditionOf(node, most = 5) {
  const parent = N.parent[node];
  if (parent < 0) return [D.target || "target", ""];
  return [D.columns[N.attr[parent]].name, answer(parent, node - N.first[parent], most)];
}

// --- prediction ---

// The branch that a row takes: -1 if it spreads over all, null if the file does not say.
// A row has per column a number, the place of a level, null (missing) or -2 (not in training).
function branchOf(node, row) {
  const column = N.attr[node];
  const cell = row[column];
  if (cell === null) return N.miss[node];
  if (D.columns[column].kind === "numeric") {
    if (Number.isNaN(cell)) return N.miss[node];
    return N.kind[node] === 1 ? (cell <= N.thr[node] ? 0 : 1) : N.miss[node];
  }
  if (cell >= 0) {
    if (N.kind[node] === 1) return cell <= N.thr[node] ? 0 : 1;
    const of = branchOfLevels(node);
    if (!of) return null;
    const codes = D.columns[column].codes;
    const place = codes ? codes.indexOf(cell) : cell;
    if (place < 0) return null;
    if (of[place] >= 0) return of[place];
  }
  if (cell === -1 || D.unseen === "missing") return N.miss[node];
  return heaviestBranch(node);
}

function heaviestBranch(node) {
  const first = N.first[node];
  let best = 0;
  for (let b = 1; b < N.n[node]; b++) if (N.prop[first + b] > N.prop[first + best]) best = b;
  return best;
}

// All nodes that a row visits with its share there, its leaves, and the prediction.
function predictRow(row) {
  const visited = new Map();
  const leaves = [];
  const stack = [[0, 1]];
  let unsure = false;
  while (stack.length) {
    const [node, share] = stack.pop();
    visited.set(node, share);
    if (isLeaf(node)) {
      leaves.push([node, share]);
      continue;
    }
    let taken = branchOf(node, row);
    if (taken === null) {
      unsure = true;
      taken = -1;
    }
    const first = N.first[node];
    if (taken >= 0) stack.push([first + taken, share]);
    else {
      for (let b = N.n[node] - 1; b >= 0; b--) {
        const part = share * N.prop[first + b];
        if (part > 0) stack.push([first + b, part]);
      }
    }
  }
  const result = { visited, leaves, unsure };
  if (D.task === "regression") {
    result.value = leaves.length === 1 ? N.pred[leaves[0][0]] : leaves.reduce((sum, [leaf, share]) => sum + share * N.pred[leaf], 0);
    return result;
  }
  const shares = new Array(CLASSES).fill(0);
  for (const [leaf, share] of leaves) sharesOf(leaf).forEach((value, j) => (shares[j] += share * value));
  result.shares = shares;
  result.label = leaves.length === 1 ? labelOf(leaves[0][0]) : decide(shares);
  return result;
}
