// Answers and branches in plain words.

const MOST_NAMES = 5;

function joined(words, last = "or") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;
}

// Some names of a list, and how many others there are.
function someNames(names, last = "or") {
  const shown = names.slice(0, MOST_NAMES).map(levelWords);
  return names.length > MOST_NAMES ? joined([...shown, `${count(names.length - MOST_NAMES)} others`], last) : joined(shown, last);
}

function choiceWords(question, cell) {
  const choice = question.choices.find(([code]) => code === cell);
  if (choice) return choice[1] === "" ? "(empty)" : choice[1];
  return "something else";
}

// An answer as it was given.
function answerWords(question, cell) {
  if (question.kind === "known") return cell === null ? "not known" : "known";
  if (cell === null) return "not known";
  if (question.kind === "levels") return choiceWords(question, cell);
  if (question.kind === "number") return withUnit(question, cellNumber(question, cell, 15));
  return writeAnswer(question, cell).replace("T", " ");
}

function withUnit(question, text) {
  const unit = question.form && question.form.unit;
  if (!unit) return text;
  return /^[$£€¥]$/.test(unit) ? `${unit}${text}` : `${text} ${unit}`;
}

// A limit of the tree in words; `node` says how the library writes it if it is a date or a time.
function cutWords(question, cut) {
  if (question.kind === "number") return { text: withUnit(question, cellNumber(question, cut, 9)), strict: false };
  const node = NODES.find((one) => one.kids && Q.questions[one.q] === question && one.t === cut);
  return { text: node.bound, strict: node.strict };
}

// "more than 30 and at most 45"; null is no limit.
function rangeWords(question, lower, upper) {
  const time = question.kind !== "number" && question.kind !== "duration";
  const parts = [];
  if (lower !== null) {
    const { text, strict } = cutWords(question, lower);
    parts.push(strict ? `${text} or later` : time ? `after ${text}` : `more than ${text}`);
  }
  if (upper !== null) {
    const { text, strict } = cutWords(question, upper);
    parts.push(strict ? `before ${text}` : time ? `${text} or earlier` : `at most ${text}`);
  }
  return parts.join(" and ");
}

// What a branch of a node stands for.
function branchWords(at, branch) {
  const node = NODES[at];
  const question = Q.questions[node.q];
  if (node.t !== undefined) {
    if (node.t === Infinity) return branch === 0 ? "known" : "not known";
    return branch === 0 ? rangeWords(question, null, node.t) : rangeWords(question, node.t, null);
  }
  const names = namesOf(node, question, (code) => node.to.get(code) === branch);
  return names.length ? someNames(names) : "not known";
}

// The names of the levels that pass a test; of a part of a date, those of the part.
function namesOf(node, question, passes) {
  if (question.kind !== "levels") return node.names.filter((_, code) => passes(code));
  return question.choices.filter(([code]) => passes(code)).map(([, name]) => name);
}

// Why an answer counted as it did, from the nodes that asked for it.
function meaning(index, cell, passed) {
  const question = Q.questions[index];
  const nodes = passed.filter(([at]) => NODES[at].q === index);
  if (cell === null || cell === UNSEEN) {
    const ways = [...new Set(nodes.filter(([, , branch]) => branch >= 0).map(([at, , branch]) => branchWords(at, branch)))];
    const before = cell === UNSEEN ? "the tree has not seen this answer; " : "";
    if (question.kind === "known") return "";
    if (!ways.length) return `${before}every answer counts, as often as among the training rows`;
    return `${before}counts like ${joined(ways.slice(0, 2), "and")}`;
  }
  if (question.kind === "levels") return alike(question, cell, nodes);
  const parts = [];
  const cuts = nodes.filter(([at]) => NODES[at].t !== undefined && Number.isFinite(NODES[at].t));
  const above = cuts.filter(([, , branch]) => branch === 1).map(([at]) => NODES[at].t);
  const below = cuts.filter(([, , branch]) => branch === 0).map(([at]) => NODES[at].t);
  if (cuts.length) parts.push(rangeWords(question, above.length ? Math.max(...above) : null, below.length ? Math.min(...below) : null));
  for (const [at, , branch] of nodes) if (NODES[at].t === undefined && branch >= 0) parts.push(`${question.parts[NODES[at].part]}: ${branchWords(at, branch)}`);
  return joined([...new Set(parts)], "and");
}

// The levels that the tree treats as the one that was chosen.
function alike(question, cell, nodes) {
  const same = (code) => code !== cell && nodes.every(([at, , branch]) => branch >= 0 && NODES[at].to.get(code) === branch);
  const names = question.choices.filter(([code]) => code >= 0 && same(code)).map(([, name]) => name);
  return names.length ? `counts like ${someNames(names, "and")}` : "";
}
