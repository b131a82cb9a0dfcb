// The leaves as if/then rules, one condition per attribute of a path; the same as in ramify/tree/rules.py.

const noTest = { lower: null, upper: null, levels: null, n: 0, missing: true, known: true };

// What the path says of the attribute of a node once a branch is taken.
function branchTest(node, branch, above) {
  const test = { ...above, missing: above.missing && N.miss[node] === branch };
  if (N.kind[node] === 1) {
    const value = N.thr[node];
    if (value === Infinity && N.miss[node] === 1) {
      if (branch) test.known = false;
      return test;
    }
    if (branch === 0 && (above.upper === null || value < above.upper)) {
      test.upper = value;
      test.upperText = N.text[node];
      test.upperSign = N.strict[node] ? "<" : "≤";
    }
    if (branch === 1 && (above.lower === null || value > above.lower)) {
      test.lower = value;
      test.lowerText = N.text[node];
      test.lowerSign = N.strict[node] ? "≥" : ">";
    }
    return test;
  }
  const of = branchOfLevels(node);
  test.n = N.counts[node][branch];
  test.levels = [];
  if (of) {
    if (above.levels) test.levels = above.levels.filter((i) => of[i] === branch);
    else of.forEach((b, i) => b === branch && test.levels.push(i));
    // Levels that the file does not name are only counted.
    const all = !D.columns[N.attr[node]].codes;
    if (all) test.n = test.levels.length;
  }
  test.known = test.n > 0 || !test.missing;
  return test;
}

// The levels that a test allows, and their number, including those that the file does not name.
function levelsAllowed(test) {
  if (test.lower === null && test.upper === null) return [test.levels, test.n];
  const places = test.levels.filter((i) => (test.lower === null || i > test.lower) && (test.upper === null || i <= test.upper));
  return [places, places.length];
}

function testWords(column, test, most = 5) {
  const { name, kind, levels } = D.columns[column];
  if (!test.known) return `${name} is missing`;
  const words = (text) => (kind === "ordinal" ? levelWords(text) : text);
  const suffix = test.missing ? " or missing" : "";
  if (test.levels !== null) {
    const [places, n] = levelsAllowed(test);
    return `${name} ${setAnswer(places.slice(0, most + 1).map((i) => levels[i]), n, test.missing, most)}`;
  }
  if (test.lower === null && test.upper === null) return `${name} is known${suffix}`;
  if (test.lower === null) return `${name} ${test.upperSign} ${words(test.upperText)}${suffix}`;
  if (test.upper === null) return `${name} ${test.lowerSign} ${words(test.lowerText)}${suffix}`;
  const from = test.lowerSign === ">" ? "<" : "≤";
  return `${words(test.lowerText)} ${from} ${name} ${test.upperSign} ${words(test.upperText)}${suffix}`;
}

// The tests on the way to a node, by attribute in the order of the path.
function testsOf(node) {
  const path = [];
  for (let at = node; N.parent[at] >= 0; at = N.parent[at]) path.unshift(at);
  const tests = new Map();
  for (const at of path) {
    const parent = N.parent[at];
    const column = N.attr[parent];
    tests.set(column, branchTest(parent, at - N.first[parent], tests.get(column) || noTest));
  }
  return tests;
}

// One rule per leaf. The walk hands the merged tests down, so that a deep tree costs little.
function makeRules() {
  const rules = [];
  const stack = [[0, new Map()]];
  while (stack.length) {
    const [node, tests] = stack.pop();
    if (isLeaf(node)) {
      rules.push(ruleOf(node, tests));
      continue;
    }
    const column = N.attr[node];
    for (let b = N.n[node] - 1; b >= 0; b--) {
      const next = new Map(tests);
      next.set(column, branchTest(node, b, tests.get(column) || noTest));
      stack.push([N.first[node] + b, next]);
    }
  }
  return rules;
}

// A search also finds levels that a shortened condition does not name.
const SEARCHED_LEVELS = 300;
function searchWords(tests) {
  const names = ([column, test]) => (test.levels === null ? [] : levelsAllowed(test)[0].slice(0, SEARCHED_LEVELS).map((i) => D.columns[column].levels[i]));
  return [...tests].flatMap(names).join(" ");
}

function ruleOf(leaf, tests) {
  const conditions = [...tests].map(([column, test]) => testWords(column, test));
  const rule = { leaf, conditions, named: searchWords(tests), rows: N.rows[leaf], counted: rowsOf(leaf), coverage: N.weight[leaf] / N.weight[0] };
  if (D.task === "regression") return { ...rule, value: N.pred[leaf], spread: spreadOf(leaf), label: short(N.pred[leaf]) };
  const label = labelOf(leaf);
  return { ...rule, code: label, label: levelWords(D.classes[label]), confidence: sharesOf(leaf)[label] };
}
