// What the page and its tests use of the tree, and what else is shown of the node that is selected.

const parts = { data: D, model, tree, view, predictRow, makeRules, setStep, layout, tidy, leavesNow, select, drawingSvg, rulesTableRows, rowsAt, short, amount, contributionsOf, counterfactuals };
const detailListeners = [];
