// Runs the script of a questionnaire in node, with elements that do nothing, and answers its questions for rows.
// Reads {page, rows, texts, reads}: per row and question a text to type, the code of a level, or null ("I do not
// know"); how many rows tell their texts; and texts to read, each with its question.

const fs = require("node:fs");

const { page, rows = [], texts = 0, reads = [] } = JSON.parse(fs.readFileSync(0, "utf-8"));
const inside = (start) => {
  const from = page.indexOf(start) + start.length;
  return page.slice(from, page.indexOf("</script>", from));
};
const data = inside('<script type="application/json" id="questionnaire-data">');
const script = inside("<script>");

const nothing = () => {};
const element = () => new Proxy(nothing, { get: (_, name) => (name === "textContent" ? data : name === "value" ? "" : name === Symbol.toPrimitive ? () => "" : element()), set: () => true, apply: () => element() });
globalThis.window = { matchMedia: () => ({ matches: false }), scrollTo: nothing };
globalThis.document = { getElementById: element, createElement: element, documentElement: { dataset: {} }, body: element() };
new Function(script)();

const page_ = window.ramifyQuestionnaire;
const { asking, data: Q } = page_;
const readCell = (index, given) => {
  const question = Q.questions[index];
  if (given === null) return null;
  if (question.kind === "levels") {
    if (given !== question.other && !question.choices.some(([code]) => code === given)) throw new Error(`${question.name} has no answer ${given}`);
    return given;
  }
  if (question.kind === "known") return 0;
  const { cell, problem } = page_.readAnswer(question, given);
  if (problem) throw new Error(`${question.name}: ${given}: ${problem}`);
  return cell;
};
const found = rows.map((row, i) => {
  page_.startAgain();
  const asked = [];
  while (asking.at !== null) {
    if (asked.includes(asking.at)) throw new Error(`question ${asking.at} was asked twice`);
    asked.push(asking.at);
    page_.give(asking.at, readCell(asking.at, row[asking.at]));
  }
  const way = page_.walk(asking.answers);
  if (i < 3) page_.show();
  const told = i < texts ? { text: page_.plainText(), changes: page_.changesNow() } : {};
  return { ...page_.predict(way), ...told, leaves: way.leaves, asked };
});
const read = reads.map(([index, text]) => page_.readAnswer(Q.questions[index], text));
process.stdout.write(JSON.stringify({ rows: found, reads: read }));
