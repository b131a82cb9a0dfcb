// What would change the answer: for each question the nearest other answer that does, all others as they are.

const MOST_CHANGES = 3;
// So many nodes are looked at: about a second. Only the answers of large trees whose rows are divided need more; then
// the nearest have been tried.
const MOST_STEPS = 3e6;

// What an answer in place of the given one leads to: {sure, words}; null if the result stays the same.
// It is not sure if the tree would ask more questions first, and not all of their answers lead elsewhere.
function outcome(answers, now, effort) {
  const found = walk(answers);
  effort.left -= found.passed.length + found.leaves.length;
  if (!found.open.length) {
    const after = predict(found);
    return differs(after, now) ? { sure: true, words: resultWords(after) } : null;
  }
  const ends = [...found.leaves.map(([at]) => at), ...reachable(found.open.map(([at]) => at), answers)];
  effort.left -= ends.length;
  const others = ends.filter((at) => differs(leafResult(at), now));
  if (!others.length) return null;
  const sure = others.length === ends.length && !found.divided && !hasUnknown(answers);
  return { sure, words: sure ? severalWords(others) : "" };
}

const hasUnknown = (answers) => [...answers.values()].some((cell) => cell === null || cell === UNSEEN);
const leafResult = (at) => (CLASSIFY ? { label: NODES[at].label } : { value: NODES[at].v[0] });

function differs(one, other) {
  if (CLASSIFY) return one.label !== other.label;
  return Math.abs(one.value - other.value) > 1e-9 * Math.max(1, Math.abs(other.value));
}

const resultWords = (one) => (CLASSIFY ? levelWords(Q.classes[one.label]) : short(one.value, 6));

function severalWords(ends) {
  if (CLASSIFY) return someNames([...new Set(ends.map((at) => Q.classes[NODES[at].label]))]);
  const values = ends.map((at) => NODES[at].v[0]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? short(low, 6) : `between ${short(low, 6)} and ${short(high, 6)}`;
}

// All changes that one other answer makes, the nearest first; those that are not sure only if no other is.
function changesOf(order, answers, now) {
  const effort = { left: MOST_STEPS };
  const found = order.flatMap((index) => {
    const question = Q.questions[index];
    const sides = candidates(question, answers.get(index)).sort((a, b) => a.distance - b.distance);
    const options = [];
    for (const one of sides) {
      if (effort.left < 0) break;
      const led = outcome(new Map(answers).set(index, one.cell), now, effort);
      if (led) options.push({ ...one, index, ...led });
    }
    options.sort((a, b) => b.sure - a.sure || a.distance - b.distance);
    return options.length ? [together(question, options)] : [];
  });
  found.sort((a, b) => b.sure - a.sure || a.distance - b.distance);
  const sure = found.filter((one) => one.sure);
  return { changes: (sure.length ? sure : found).slice(0, MOST_CHANGES), all: effort.left >= 0 };
}

// Other answers that lead to the same result are named with the nearest: levels that are as near, ranges beside it.
function together(question, options) {
  const [first] = options;
  const same = options.filter((one) => one.sure === first.sure && one.words === first.words);
  if (question.kind === "levels") return question.ordered ? first : { ...first, to: someNames(same.filter((one) => one.distance === first.distance).map((one) => one.to)) };
  if (first.lower === undefined) return first;
  let { lower, upper } = first;
  for (const one of [...same].sort((a, b) => a.lower - b.lower)) if (one.lower === upper) upper = one.upper;
  for (const one of [...same].sort((a, b) => b.upper - a.upper)) if (one.upper === lower) lower = one.lower;
  return { ...first, to: rangeWords(question, lower === -Infinity ? null : lower, upper === Infinity ? null : upper) };
}

// Other answers to a question, each with how far it is from the given one.
function candidates(question, cell) {
  const known = cell !== null && cell !== UNSEEN;
  if (question.kind === "known") return [cell === null ? { cell: 0, to: "known", distance: 1 } : { cell: null, to: "not known", distance: 1 }];
  if (question.kind === "levels") {
    const place = new Map(question.choices.map(([code], i) => [code, i]));
    const far = (code) => (question.ordered && known ? Math.abs(place.get(code) - place.get(cell)) / Math.max(1, question.choices.length - 1) : 1);
    return question.choices.filter(([code]) => code !== cell && code >= 0).map(([code, name]) => ({ cell: code, to: name === "" ? "(empty)" : name, distance: far(code) }));
  }
  const ranges = rangesOf(question, cell);
  return question.parts.some((part) => part !== null) ? [...ranges, ...daysNear(question, cell)] : ranges;
}

// The ranges between neighbouring limits of the tree, each with one number inside.
function rangesOf(question, cell) {
  const cuts = question.cuts.filter(Number.isFinite);
  if (!cuts.length) return [];
  const known = cell !== null;
  const scale = cuts[cuts.length - 1] - cuts[0] || Math.abs(cuts[0]) || 1;
  return [...cuts, Infinity].flatMap((upper, i) => {
    const lower = i ? cuts[i - 1] : -Infinity;
    if (known && cell > lower && cell <= upper) return [];
    const above = !known || cell <= lower; // this range lies above the answer
    const nearest = above && lower !== -Infinity ? justAbove(question, lower, upper) : atMost(question, upper);
    const distance = known ? Math.abs(nearest - cell) / scale : 1;
    // A date whose parts count is named itself: not every date of the range has its month.
    return [question.parts.some((part) => part !== null) ? { cell: nearest, distance } : { cell: nearest, lower, upper, distance }];
  });
}

// Dates are whole days.
const atMost = (question, cut) => (question.kind === "date" ? Math.floor(cut) : cut);
function justAbove(question, cut, upper) {
  if (question.kind === "date") return Math.floor(cut) + 1;
  const bits = new BigInt64Array(new Float64Array([cut === 0 ? 0 : cut]).buffer);
  bits[0] += cut >= 0 ? 1n : -1n;
  return Math.min(new Float64Array(bits.buffer)[0], upper);
}

// The days of a year around a date, and the hours of two days around a time: the month or the hour may decide.
function daysNear(question, cell) {
  if (cell === null) return [];
  const day = question.kind === "date" ? 1 : DAY;
  const steps = Array.from({ length: 366 }, (_, i) => (i + 1) * day);
  if (question.kind === "datetime") steps.unshift(...Array.from({ length: 48 }, (_, i) => (i + 1) * 3600));
  return steps.flatMap((step) => [cell - step, cell + step].map((near) => ({ cell: near, distance: step / (366 * day) })));
}
