// The way of the answers through the tree: the same steps, and the same sums in the same order, as `predict`.
// An answer is a number, the code of a level, null ("I do not know") or UNSEEN; a question without one is not in
// the map.

const Q = JSON.parse(document.getElementById("questionnaire-data").textContent);
const UNSEEN = -2;
const NODES = Q.nodes;
const CLASSIFY = Q.task === "classification";
for (const node of NODES) {
  node.v = node.v.map(numberOf);
  if (node.kids) node.p = node.p.map(numberOf);
  if (node.t !== undefined) node.t = numberOf(node.t);
  if (node.to) node.to = new Map(node.to.flatMap((codes, branch) => codes.map((code) => [code, branch])));
}
for (const question of Q.questions) question.cuts = (question.cuts || []).map(numberOf);

// What a node looks at: undefined if its question has no answer yet.
function cellOf(node, answers) {
  const given = answers.get(node.q);
  const question = Q.questions[node.q];
  const part = question.parts[node.part];
  if (given === undefined || given === null || part === null) return given;
  return question.kind === "levels" ? given : partOfTime(question.form, given, part);
}

// The branch that a cell takes; -1 if it goes down all of them in proportion.
function branchOf(node, cell) {
  if (cell === null) return node.miss;
  if (node.t !== undefined) return cell <= node.t ? 0 : 1;
  return node.to.get(cell) ?? node.unknown;
}

// From the root down: the leaves that are reached, each with its share; the nodes that wait for an answer; and the
// nodes that were passed, with the branch taken.
function walk(answers) {
  const found = { leaves: [], open: [], passed: [], divided: false };
  const stack = [[0, 1]];
  while (stack.length) {
    const [at, share] = stack.pop();
    const node = NODES[at];
    if (!node.kids) {
      found.leaves.push([at, share]);
      continue;
    }
    const cell = cellOf(node, answers);
    if (cell === undefined) {
      found.open.push([at, share]);
      continue;
    }
    const branch = branchOf(node, cell);
    found.passed.push([at, share, branch]);
    if (branch >= 0) {
      stack.push([node.kids[branch], share]);
      continue;
    }
    found.divided = true;
    for (let b = node.kids.length - 1; b >= 0; b--) {
      const part = share * node.p[b];
      if (part > 0) stack.push([node.kids[b], part]);
    }
  }
  return found;
}

// The question that most of the case waits for, the first of equals; null if none is left.
function weightiest(open) {
  const waits = new Map();
  for (const [at, share] of open) waits.set(NODES[at].q, (waits.get(NODES[at].q) || 0) + share);
  let best = null;
  for (const [question, share] of waits) if (best === null || share > waits.get(best)) best = question;
  return best;
}

// The class of largest share, or of least expected cost; the first of equals.
function decide(shares) {
  let scores = shares;
  if (Q.costs) {
    scores = shares.map(() => 0);
    shares.forEach((share, truth) => (scores = scores.map((score, j) => score - share * Q.costs[truth][j])));
  }
  return scores.indexOf(Math.max(...scores));
}

// The answer of nodes with their shares of a case.
function mix(ends) {
  const mixed = new Array(NODES[0].v.length).fill(0);
  for (const [at, share] of ends) NODES[at].v.forEach((value, j) => (mixed[j] += share * value));
  return mixed;
}

// The prediction, once no question is open.
function predict(found) {
  const values = mix(found.leaves);
  if (!CLASSIFY) return { value: values[0], spread: spreadOf(found.leaves, values[0]) };
  const label = found.divided ? decide(values) : NODES[found.leaves[0][0]].label;
  return { shares: values, label };
}

// The standard deviation of a mixture of leaves.
function spreadOf(leaves, mean) {
  if (leaves.length === 1) return NODES[leaves[0][0]].sd;
  return Math.sqrt(leaves.reduce((sum, [at, share]) => sum + share * (NODES[at].sd ** 2 + (NODES[at].v[0] - mean) ** 2), 0));
}

// The leaves that a case may still reach from a node: an answer that is not there yet may be any.
function reachable(from, answers) {
  const found = [];
  const stack = [...from];
  while (stack.length) {
    const at = stack.pop();
    const node = NODES[at];
    if (!node.kids) {
      found.push(at);
      continue;
    }
    const cell = cellOf(node, answers);
    const branch = cell === undefined ? -1 : branchOf(node, cell);
    if (branch >= 0) stack.push(node.kids[branch]);
    else stack.push(...node.kids);
  }
  return found;
}

// The most questions that may follow, this one included, if each is answered; null if the tree is too large to look.
function mostQuestions(open, answers) {
  let most = 0;
  let steps = 0;
  const together = open.length > 1 ? new Set() : null; // all branches go on: their questions add up
  const stack = open.map(([at]) => [at, new Set()]);
  while (stack.length) {
    if (++steps > 50000) return null;
    const [at, before] = stack.pop();
    const node = NODES[at];
    if (!node.kids) {
      most = Math.max(most, before.size);
      continue;
    }
    const cell = cellOf(node, answers);
    const branch = cell === undefined ? -1 : branchOf(node, cell);
    let asked = before;
    if (cell === undefined && !asked.has(node.q)) asked = new Set(asked).add(node.q);
    if (together && cell === undefined) together.add(node.q);
    for (const kid of branch >= 0 ? [node.kids[branch]] : node.kids) stack.push([kid, asked]);
  }
  return together ? together.size : most;
}
