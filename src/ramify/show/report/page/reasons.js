// Reasons of a prediction: what each column adds to it, and what would change it.

// What each column adds: at every condition the expected answer changes from that of the node to that of the branch.
function contributionsOf(found, label) {
  const answerOf = (node) => (D.task === "regression" ? N.pred[node] : sharesOf(node)[label]);
  const added = new Map();
  for (const [node, share] of found.visited) {
    const parent = N.parent[node];
    if (parent < 0) continue;
    added.set(N.attr[parent], (added.get(N.attr[parent]) || 0) + share * (answerOf(node) - answerOf(parent)));
  }
  return { bias: answerOf(0), added };
}

function contributionParts(found) {
  const classify = D.task === "classification";
  const { bias, added } = contributionsOf(found, found.label);
  if (!added.size) return [];
  const order = [...added].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const most = Math.max(...order.map(([, value]) => Math.abs(value)), 1e-12);
  const words = (value) => (classify ? `${(100 * value).toFixed(1)} %` : short(value, 4));
  const change = (value) => `${value < 0 ? "−" : "+"}${classify ? (100 * Math.abs(value)).toFixed(1) : short(Math.abs(value), 4)}`;
  const line = ([j, value]) =>
    el("tr", { "data-column": j }, el("th", { scope: "row" }, `${D.columns[j].name} ${givenWords(j, row[j])}`), el("td", {}, change(value)), el("td", { class: "meter" }, meter(Math.abs(value) / most, value < 0 ? "var(--second)" : "var(--accent)")));
  const about = classify ? `the probability of ${quotedClass(found.label)}, in points` : "the prediction";
  return [
    el("h3", {}, "What each column adds"),
    el(
      "table",
      { class: "slim contributions" },
      el("caption", {}, `To ${about}; from all training rows to this one`),
      el("tbody", {}, el("tr", {}, el("th", { scope: "row" }, "all rows"), el("td", {}, words(bias)), el("td", {})), order.map(line), el("tr", { class: "mine" }, el("th", { scope: "row" }, "this row"), el("td", {}, words(classify ? found.shares[found.label] : found.value)), el("td", {}))),
    ),
  ];
}

// A cell in words.
function givenWords(j, cell) {
  if (cell === null || Number.isNaN(cell)) return "missing";
  const { kind, levels, codes } = D.columns[j];
  if (kind === "numeric") return formOf(j) === "number" || formOf(j) === "duration" ? `= ${cellNumber(D.columns[j], cell, 6)}` : `= ${writeCell(j, cell).replace("T", " ")}`;
  if (cell < 0) return "not in training";
  const place = codes ? codes.indexOf(cell) : cell;
  return `= ${place < 0 || levels[place] === undefined ? `level ${cell}` : levelWords(levels[place])}`;
}

// --- what would change the answer ---

// How far apart numbers of a column usually are: the middle half of the data, or of the thresholds.
const scales = new Map();
function scaleOf(j) {
  if (scales.has(j)) return scales.get(j);
  const place = D.shown.indexOf(j);
  const about = D.data && place >= 0 ? D.data[place] : null;
  let scale = 0;
  if (about && about.quantiles) scale = about.quantiles[3] - about.quantiles[1] || about.quantiles[4] - about.quantiles[0];
  if (!(scale > 0)) {
    const cuts = N.attr.flatMap((attr, node) => (attr === j && Number.isFinite(N.thr[node]) ? [N.thr[node]] : []));
    scale = Math.max(...cuts) - Math.min(...cuts) || Math.abs(cuts[0]) || 1;
  }
  scales.set(j, scale);
  return scale;
}

// The nearest cell that passes the test of a leaf: [cell, distance]; null if none is known.
function nearestCell(j, test, cell) {
  const { kind, levels, codes } = D.columns[j];
  if (!test.known) return null;
  const known = cell !== null && !Number.isNaN(cell) && cell !== -2;
  if (kind === "numeric") {
    const inside = (v) => (test.lower === null || v > test.lower) && (test.upper === null || v <= test.upper);
    if (known && inside(cell)) return [cell, 0];
    let next = test.upper;
    if (test.lower !== null && (!known || cell <= test.lower)) next = justAbove(test.lower, test.upper);
    if (next === null) return null;
    return [next, known ? Math.abs(next - cell) / scaleOf(j) : 1];
  }
  let places;
  if (test.levels !== null) places = levelsAllowed(test)[0];
  else {
    const from = test.lower === null ? 0 : Math.floor(test.lower) + 1;
    const to = test.upper === null ? levels.length - 1 : Math.floor(test.upper);
    places = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  }
  const cells = places.map((place) => (codes ? codes[place] : place));
  if (known && cells.includes(cell)) return [cell, 0];
  if (!cells.length) return null;
  if (kind === "nominal" || !known) return [cells[0], 1];
  const near = cells.reduce((best, one) => (Math.abs(one - cell) < Math.abs(best - cell) ? one : best));
  return [near, Math.abs(near - cell) / Math.max(1, levels.length - 1)];
}

// The smallest number that is clearly above a bound.
function justAbove(lower, upper) {
  const step = Math.max(Math.abs(lower) * 1e-9, 1e-9);
  return upper !== null && lower + step > upper ? upper : lower + step;
}

// The nearest rows with another answer: fewest changed columns first, then the smallest change.
function counterfactuals(found) {
  const classify = D.task === "classification";
  const best = new Map();
  for (const leaf of leavesNow()) {
    const outcome = classify ? labelOf(leaf) : N.pred[leaf] > found.value ? "more" : "less";
    if (classify ? outcome === found.label : Math.abs(N.pred[leaf] - found.value) <= 1e-9 * Math.max(1, Math.abs(found.value))) continue;
    const tests = testsOf(leaf);
    for (const all of [false, true]) {
      const changed = changesTo(leaf, tests, all);
      if (!changed) continue;
      const reaches = (cells) => {
        const after = predictRow(cells);
        return classify ? after.label === outcome : outcome === "more" ? after.value > found.value : after.value < found.value;
      };
      if (!reaches(changed.row)) continue;
      takeBack(changed, reaches);
      const after = predictRow(changed.row);
      const other = best.get(outcome);
      if (!other || changed.columns.length < other.columns.length || (changed.columns.length === other.columns.length && changed.distance < other.distance - 1e-12)) best.set(outcome, { ...changed, outcome, leaf, tests, after });
      break;
    }
  }
  return [...best.values()].sort((a, b) => a.columns.length - b.columns.length || a.distance - b.distance);
}

// The row changed so that it reaches a leaf; missing cells are filled in only if `all`.
function changesTo(leaf, tests, all) {
  const changed = { row: row.slice(), columns: [], far: new Map(), distance: 0 };
  for (const [j, test] of tests) {
    const missing = row[j] === null || Number.isNaN(row[j]);
    if (missing && (test.missing || !all)) continue;
    const next = nearestCell(j, test, row[j]);
    if (!next) return null;
    if (next[0] === row[j]) continue;
    changed.row[j] = next[0];
    changed.columns.push(j);
    changed.far.set(j, next[1]);
  }
  changed.distance = [...changed.far.values()].reduce((a, b) => a + b, 0);
  return changed.columns.length ? changed : null;
}

// Take back what is not needed, the largest change first: a row with missing cells is in several leaves.
function takeBack(changed, reaches) {
  for (const j of [...changed.columns].sort((a, b) => changed.far.get(b) - changed.far.get(a))) {
    if (changed.columns.length === 1) return;
    const without = changed.row.slice();
    without[j] = row[j];
    if (!reaches(without)) continue;
    changed.row = without;
    changed.columns = changed.columns.filter((other) => other !== j);
    changed.distance -= changed.far.get(j);
  }
}

const MOST_CHANGES = 3;
function changeParts(found) {
  const nearest = counterfactuals(found).slice(0, MOST_CHANGES);
  if (!nearest.length) return [];
  const item = (one) => {
    const answer = D.task === "regression" ? `${short(one.after.value, 6)} (${one.outcome})` : quotedClass(one.outcome);
    // A date and its month are not changed apart from each other.
    const free = one.columns.every((j) => !D.derived.some(([own, source]) => own === j || source === j));
    const steps = one.columns.map((j) => el("li", {}, changeWords(j, one)));
    return el("div", { class: "change" }, el("p", {}, el("b", {}, answer), one.columns.length > 1 ? ` with ${one.columns.length} changes` : "", " ", free ? el("button", { type: "button", class: "small", onclick: () => setRow(one.row) }, "Try it") : null), el("ul", { class: "conditions" }, steps));
  };
  return [el("h3", {}, "What would change the answer"), el("div", { id: "changes" }, nearest.map(item)), el("p", { class: "quiet small" }, "The nearest such row: fewest changed columns, then the smallest change. It says what the tree would answer, not what causes it.")];
}

// "age: 40 → <= 16".
function changeWords(j, one) {
  const test = one.tests.get(j);
  const { name, kind, levels } = D.columns[j];
  const before = givenWords(j, row[j]).replace(/^= /, "");
  const to = one.row[j];
  let after = givenWords(j, to).replace(/^= /, "");
  if (kind === "numeric") {
    const upper = test.upper !== null && to === test.upper;
    const side = upper ? { upper: test.upper, upperText: test.upperText, upperSign: test.upperSign } : { lower: test.lower, lowerText: test.lowerText, lowerSign: test.lowerSign };
    after = testWords(j, { ...noTest, ...side, missing: false }).slice(name.length + 1);
  } else if (kind === "nominal" && test.levels !== null) {
    const [places, n] = levelsAllowed(test);
    const names = places.slice(0, 3).map((place) => levelWords(levels[place]));
    if (n > names.length) names.push(`${count(n - names.length)} more`);
    after = names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names[names.length - 1]}` : names[0];
  }
  return `${name}: ${before} → ${after}`;
}
