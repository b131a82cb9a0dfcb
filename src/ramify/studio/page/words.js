// Words of the studio.

const STEPS = [["data", "Data"], ["grow", "Grow"], ["tree", "Tree"], ["judge", "Judge"], ["ship", "Ship"]];
const KINDS = { number: "Number", category: "Category", date: "Date" };
const ROLES = { use: "Use", ignore: "Ignore", target: "Target", weight: "Weight" };
const LEARNERS = {
  greedy: ["Usual", "split by split, each column judged beyond chance"],
  optimal: ["Optimal", "the best tree of a depth, with a proof"],
  cart: ["CART", "Breiman and others 1984"],
  c45: ["C4.5", "Quinlan 1993"],
  ctree: ["Conditional inference", "splits by tests of independence"],
  chaid: ["CHAID", "chi-square tests, several branches"],
};

function bytes(size) {
  if (size < 1000) return plural(size, "byte");
  for (const [unit, sign] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) if (size >= unit) return `${short(size / unit, 3)} ${sign}`;
  return "";
}

const first = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

// A share or a loss with the digits that matter.
function lossWords(value, measure) {
  if (value === null || value === undefined) return "–";
  return measure === "error" ? `${(100 * value).toFixed(2)} %` : short(value, 4);
}

function changeInWords(value, measure) {
  if (value === null || value === undefined) return "–";
  const sign = value > 0 ? "+" : value < 0 ? "−" : "±";
  const size = Math.abs(value);
  return measure === "error" ? `${sign}${(100 * size).toFixed(2)} points` : `${sign}${short(size, 3)}`;
}

const pValueWords = (p) => (p === null || p === undefined ? "" : p < 0.001 ? "p < 0.001" : `p = ${p < 0.1 ? Number(p.toPrecision(2)) : p.toFixed(2)}`);
