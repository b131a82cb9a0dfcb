// The conversation: which questions were asked, what was answered, and which comes next.
// Invariant: `order` has the questions that the way through the tree needs, in the order in which they were asked,
// and `answers` an answer for each of them.

const asking = { order: [], answers: new Map(), earlier: new Map(), at: null };

// What comes now: the question that is weightiest, or null for the result.
function proceed() {
  asking.at = weightiest(walk(asking.answers).open);
}

function give(index, cell) {
  asking.answers.set(index, cell);
  asking.earlier.set(index, cell);
  if (!asking.order.includes(index)) asking.order.push(index);
  dropNeedless();
  proceed();
}

// After a change the way may be another: what it does not need no longer counts, but is offered if it is asked again.
function dropNeedless() {
  const needed = new Set(walk(asking.answers).passed.map(([at]) => NODES[at].q));
  asking.order = asking.order.filter((index) => needed.has(index));
  for (const index of [...asking.answers.keys()]) if (!needed.has(index)) asking.answers.delete(index);
}

// The question before the one that is shown; null at the first.
function before() {
  const place = asking.at === null ? asking.order.length : asking.order.indexOf(asking.at);
  return asking.order[(place < 0 ? asking.order.length : place) - 1] ?? null;
}

function startAgain() {
  asking.order = [];
  asking.answers = new Map();
  asking.earlier = new Map();
  proceed();
}
