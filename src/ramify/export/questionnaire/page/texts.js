// The result in plain words: what is shown, copied and printed.

// The result with all that is said of it.
function resultText() {
  const found = walk(asking.answers);
  const now = predict(found);
  const name = CLASSIFY ? Q.classes[now.label] : short(now.value, 6);
  return { found, now, name, sure: surety(found, now), reasons: reasons(found, now), ...changeTexts(now) };
}

const rowsOf = (n) => amountOf(n, "training row");

function surety(found, now) {
  const groups = [...found.leaves].sort((a, b) => b[1] - a[1]).map(([at]) => NODES[at].n);
  const alone = groups.length === 1;
  const mixed = groups.length > MOST_NAMES ? `${count(groups.length)} groups of training rows, of which the one that counts most has ${amountOf(groups[0], "row")}` : `${count(groups.length)} groups of ${joined(groups.map(amount), "and")} training rows`;
  const texts = [];
  if (CLASSIFY) {
    const share = percent(now.shares[now.label]);
    const usual = percent(NODES[0].v[now.label]);
    const whole = alone ? `Of the ${rowsOf(groups[0])} with such answers, ${share} are ${levelWords(Q.classes[now.label])}` : `The probability is ${share}, mixed from ${mixed}`;
    texts.push(`${whole}; of all ${rowsOf(NODES[0].n)}, ${usual}.`);
    if (now.shares[now.label] < Math.max(...now.shares)) texts.push("Another answer is more probable, but this one costs least by the costs of wrong answers that the tree was given.");
    if (Q.weighted) texts.push("The percentages count rows by their weights.");
  } else {
    texts.push(`This comes from ${alone ? `the ${rowsOf(groups[0])} with such answers` : mixed}; they vary by ± ${short(now.spread, 3)} (standard deviation). For all ${rowsOf(NODES[0].n)} it would be ${short(NODES[0].v[0], 6)} ± ${short(NODES[0].sd, 3)}.`);
  }
  const least = found.leaves.reduce((sum, [at, share]) => sum + share * NODES[at].n, 0);
  if (least < 20) texts.push("These are few rows: the answer is unsure.");
  return texts;
}

// Each question with its answer, why it counted, and what the answer would have been after it.
function reasons(found, now) {
  const soFar = new Map();
  return asking.order.map((index) => {
    const cell = asking.answers.get(index);
    soFar.set(index, cell);
    const partly = walk(soFar);
    const values = mix([...partly.leaves, ...partly.open]);
    const question = Q.questions[index];
    const after = CLASSIFY ? `${levelWords(Q.classes[now.label])} ${percent(values[now.label])}` : short(values[0], 6);
    return { index, asked: question.words, answer: answerWords(question, cell), why: meaning(index, cell, found.passed), after };
  });
}

function changeTexts(now) {
  const { changes, all } = changesOf(asking.order, asking.answers, now);
  const none = all ? "No other answer to a single question changes the result." : "The tree is too large to try all other answers; those that were tried do not change the result.";
  if (!changes.length) return { none, changes };
  const told = changes.map((one) => {
    const question = Q.questions[one.index];
    return { asked: question.words, to: one.to ?? answerWords(question, one.cell), result: one.sure ? `the answer would be ${one.words}` : "the answer could be another one, by the questions that follow" };
  });
  return { none: "", changes: told };
}

// All of it as plain text.
function plainText() {
  const { now, name, sure, reasons: because, changes, none } = resultText();
  const lines = [Q.title, "", `${Q.target}: ${name}${CLASSIFY ? ` (${percent(now.shares[now.label])})` : ` ± ${short(now.spread, 3)}`}`, ...sure, ""];
  if (because.length) lines.push("Answers and reasons");
  because.forEach((one, i) => lines.push(`${i + 1}. ${one.asked} ${one.answer}${one.why ? ` (${one.why})` : ""}; then ${one.after}`));
  if (because.length) lines.push("", "What would change the answer", ...(changes.length ? changes.map((one) => `- ${one.asked} ${one.to}: ${one.result}`) : [none]));
  return `${lines.join("\n")}\n`;
}
