// What the tree says in words: the same words as ramify/tree/words.py and ramify/tree/conditions.py.

// A p-value from its logarithm.
function pWords(logp) {
  const p = Math.exp(logp);
  return p < 0.001 ? "p < 0.001" : `p = ${p < 0.1 ? Number(p.toPrecision(2)) : p.toFixed(2)}`;
}

function labelShare(label, share) {
  const text = levelWords(label);
  return /^-*\d/.test(text) ? `class ${text} ${share}` : `${text} ${share}`;
}

// The most levels in a tooltip; their names are not shortened.
const TOOLTIP_LEVELS = 40;

// "name in {a, b, +3} or missing"; `first` are the first levels of a set of `n`.
function setAnswer(first, n, missing, most) {
  if (missing && n === 0) return "is missing";
  const words = most >= TOOLTIP_LEVELS ? quoted : levelWords;
  let text;
  if (n === 1 && first.length === 1) text = `= ${words(first[0])}`;
  else {
    const parts = first.slice(0, most).map((level) => words(level));
    if (parts.length < n) parts.push(`+${n - parts.length}`);
    text = `in {${parts.join(", ")}}`;
  }
  return missing ? text + " or missing" : text;
}

function debounce(run, wait) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), wait);
  };
}
