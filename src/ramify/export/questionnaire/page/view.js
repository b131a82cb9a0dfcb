// The page: one question at a time, or the result. The focus goes to what is new.

const MANY = 16; // more choices than this are searched
const MOST_SHOWN = 40;

function show({ focus = true } = {}) {
  const done = asking.at === null;
  byId("ask").hidden = done;
  byId("result").hidden = !done;
  if (done) showResult();
  else showQuestion();
  byId("back").hidden = before() === null;
  byId("again").hidden = !asking.order.length;
  byId("so-far").hidden = done || !asking.order.length;
  byId("answers").replaceChildren(...asking.order.map((index) => el("li", {}, el("b", {}, Q.questions[index].words), ` ${answerWords(Q.questions[index], asking.answers.get(index))} `, changeButton(index))));
  if (!focus) return;
  const target = done ? byId("verdict") : byId("typed") || byId("question");
  target.focus();
  if (target.select && target.type === "text") target.select();
  window.scrollTo(0, 0);
}

function changeButton(index) {
  return el("button", { type: "button", class: "change", onclick: () => goTo(index) }, "Change", el("span", { class: "unseen" }, `: ${Q.questions[index].words}`));
}

function goTo(index) {
  asking.at = index;
  show();
}

// --- a question ---

function showQuestion() {
  const question = Q.questions[asking.at];
  const place = asking.order.indexOf(asking.at);
  byId("question").textContent = question.words;
  byId("progress").textContent = progressWords(place);
  complain("");
  const hint = hintWords(question);
  byId("hint").textContent = hint;
  byId("hint").hidden = !hint;
  const form = byId("form");
  const unknown = choiceButton({ cell: null, text: question.kind === "known" ? "It is not known" : "I do not know", quiet: question.kind !== "known" });
  if (question.kind === "levels") {
    const other = question.other === null ? null : choiceButton({ cell: question.other, text: "Something else", quiet: true });
    form.replaceChildren(...choices(question, el("div", { class: "actions" }, other, unknown)));
  } else if (question.kind === "known") form.replaceChildren(el("div", { class: "choices", role: "group", "aria-labelledby": "question" }, choiceButton({ cell: 0, text: "It is known" }), unknown));
  else form.replaceChildren(typedField(question), el("div", { class: "actions" }, el("button", { type: "submit", class: "main" }, "Next"), unknown));
}

function progressWords(place) {
  if (place >= 0) return `Question ${place + 1} of those you have answered`;
  const most = mostQuestions(walk(asking.answers).open, asking.answers);
  const number = `Question ${asking.order.length + 1}`;
  if (most === null) return number;
  return most > 1 ? `${number}, at most ${count(most - 1)} more if you know the answers` : `${number}, the last one`;
}

function hintWords(question) {
  const cuts = question.cuts.filter(Number.isFinite);
  const parts = [];
  if (question.kind === "duration") parts.push("Seconds, or hours, minutes and seconds as 01:30:00.");
  if (question.kind === "datetime" && question.form.zone) parts.push(`The time on the clock of ${question.form.zone}.`);
  if (question.kind !== "levels" && question.kind !== "known" && cuts.length) {
    const [low, high] = [cuts[0], cuts[cuts.length - 1]].map((cut) => cutWords(question, cut).text);
    parts.push(low === high ? `The limit that matters is ${low}.` : `The limits that matter lie from ${low} to ${high}.`);
  }
  return parts.join(" ");
}

function typedField(question) {
  const type = INPUT_TYPES[question.kind] || "text";
  const input = el("input", {
    id: "typed",
    type,
    step: type === "text" ? null : "any",
    inputmode: type !== "text" || question.kind === "duration" ? null : question.whole ? "numeric" : "decimal",
    "aria-labelledby": "question",
    "aria-describedby": "hint problem",
    oninput: () => complain(""),
  });
  if (question.kind === "datetime") input.step = 1;
  input.value = writeAnswer(question, asking.earlier.get(asking.at));
  const unit = question.form && question.form.unit;
  return el("div", { class: "typed" }, input, unit ? el("span", { class: "quiet" }, unit) : null);
}

function submit(event) {
  event.preventDefault();
  const input = byId("typed");
  if (!input) return;
  const question = Q.questions[asking.at];
  const bad = input.validity && input.validity.badInput;
  const { cell, problem } = bad ? { problem: HOW_TO_WRITE[question.kind] } : readAnswer(question, input.value);
  if (problem) {
    complain(problem);
    input.focus();
    return;
  }
  take(cell);
}

function complain(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
  const input = byId("typed");
  if (input) input.setAttribute("aria-invalid", String(Boolean(problem)));
}

function take(cell) {
  give(asking.at, cell);
  show();
}

function choiceButton({ cell, text, quiet = false }) {
  const chosen = asking.earlier.has(asking.at) && asking.earlier.get(asking.at) === cell;
  return el("button", { type: "button", class: quiet ? "choice quiet" : "choice", "aria-pressed": chosen ? "true" : null, onclick: () => take(cell) }, text);
}

// Few levels are buttons. Many are searched: the buttons are those whose names have what was typed.
function choices(question, others) {
  const offered = question.choices.map(([cell, name]) => ({ cell, text: name === "" ? "(empty)" : name }));
  const group = el("div", { class: "choices", role: "group", "aria-labelledby": "question" });
  if (offered.length <= MANY || (question.ordered && offered.length <= 2 * MANY)) {
    if (offered.length > 2 && offered.every((one) => Array.from(one.text).length <= 8)) group.classList.add("short");
    group.append(...offered.map(choiceButton));
    return [group, others];
  }
  const found = el("p", { class: "quiet small", role: "status" });
  const search = el("input", { id: "search", type: "text", "aria-label": "Search the answers", placeholder: "Type a part of the name" });
  const offer = () => {
    const wanted = search.value.trim().toLowerCase();
    const named = offered.filter((one) => one.text.toLowerCase().includes(wanted));
    // What is typed in full comes first, so that Enter takes it.
    named.sort((a, b) => (b.text.toLowerCase() === wanted) - (a.text.toLowerCase() === wanted));
    group.replaceChildren(...named.slice(0, MOST_SHOWN).map(choiceButton));
    found.textContent = named.length > MOST_SHOWN ? `${count(named.length)} answers, ${MOST_SHOWN} are shown: type more letters` : plural(named.length, "answer");
  };
  search.addEventListener("input", offer);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const named = group.querySelector("button");
    if (named) named.focus(); // a second Enter takes it: nothing is chosen by a slip
  });
  offer();
  return [el("div", { class: "typed" }, search), found, others, group];
}

// --- the result ---

function showResult() {
  const { now, name, sure, reasons: because, changes, none } = resultText();
  const head = el("h2", { id: "verdict", tabindex: "-1" }, el("span", { class: "quiet" }, `${Q.target}: `), name, CLASSIFY ? ` (${percent(now.shares[now.label])})` : ` ± ${short(now.spread, 3)}`);
  const parts = [head, ...sure.map((text) => el("p", {}, text))];
  if (CLASSIFY && Q.classes.length > 1) parts.splice(1, 0, shareTable(now));
  if (because.length) {
    const start = CLASSIFY ? `${levelWords(Q.classes[now.label])} ${percent(NODES[0].v[now.label])}` : short(NODES[0].v[0], 6);
    parts.push(el("h3", {}, "Why"), el("p", { class: "quiet small" }, `Before the first question: ${start}.`), el("ol", { class: "reasons" }, because.map(reasonItem)));
    parts.push(el("h3", {}, "What would change the answer"));
    if (changes.length) parts.push(el("ul", { class: "reasons plain" }, changes.map((one) => el("li", {}, el("b", {}, one.asked), ` ${one.to}: ${one.result}.`))));
    else parts.push(el("p", {}, none));
  } else parts.push(el("p", {}, "The tree asks nothing: every case has this answer."));
  parts.push(el("p", { class: "quiet small" }, "The tree was grown from these rows and fits them a little better than it will fit new cases. It says what goes together, not what causes what."));
  parts.push(el("div", { class: "actions" }, el("button", { type: "button", id: "copy", class: "main", onclick: copyText }, "Copy as text"), el("button", { type: "button", id: "print", onclick: () => window.print() }, "Print"), el("span", { id: "copied", class: "quiet small", role: "status" })));
  byId("result").replaceChildren(...parts);
}

function reasonItem(one) {
  return el("li", {}, el("b", {}, one.asked), ` ${one.answer}`, one.why ? el("span", { class: "quiet" }, `: ${one.why}`) : null, " ", el("span", { class: "after" }, `→ ${one.after}`), " ", changeButton(one.index));
}

const MOST_CLASSES = 6;
function shareTable(now) {
  const order = now.shares.map((_, j) => j).sort((a, b) => now.shares[b] - now.shares[a] || a - b);
  const shown = order.slice(0, MOST_CLASSES);
  if (!shown.includes(now.label)) shown[shown.length - 1] = now.label;
  const rows = shown.map((j) => {
    const bar = now.shares[j] > 0 ? el("span", { class: "bar" }) : null;
    if (bar) {
      bar.style.width = `${100 * now.shares[j]}%`;
      bar.style.background = Q.colours[j] || "var(--rival)";
    }
    return el("tr", { class: j === now.label ? "mine" : null }, el("th", { scope: "row" }, levelWords(Q.classes[j])), el("td", { class: "number" }, percent(now.shares[j])), el("td", { class: "meter", "aria-hidden": "true" }, bar));
  });
  const left = order.length > shown.length ? el("caption", { class: "below" }, `and ${plural(order.length - shown.length, "class", "classes")} more`) : null;
  return el("table", { class: "shares" }, left, el("tbody", {}, rows));
}

async function copyText() {
  const text = plainText();
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    // A page from a file may not be allowed to: then the text is selected and copied in the old way.
    const area = el("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    byId("copy").focus();
  }
  byId("copied").textContent = done ? "Copied." : "This browser does not let the page copy. Print it, or select the text.";
}

// --- the start ---

function startTheme() {
  const dark = () => (document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches);
  byId("theme").addEventListener("click", () => (document.documentElement.dataset.theme = dark() ? "light" : "dark"));
}

byId("form").addEventListener("submit", submit);
byId("back").addEventListener("click", () => goTo(before()));
byId("again").addEventListener("click", () => {
  startAgain();
  show();
});
startTheme();
proceed();
show({ focus: false });
// For tests.
window.ramifyQuestionnaire = { data: Q, asking, walk, predict, give, startAgain, readAnswer, writeAnswer, plainText, resultText, show, changesNow: () => changesOf(asking.order, asking.answers, predict(walk(asking.answers))).changes };
