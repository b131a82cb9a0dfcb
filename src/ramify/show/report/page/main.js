// The start of the page, and what its parts share.

function showTab(name) {
  for (const one of ["node", "explain"]) {
    const chosen = one === name;
    byId(`tab-${one}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${one}`).tabIndex = chosen ? 0 : -1;
    byId(`panel-${one}`).hidden = !chosen;
  }
}

function startTabs() {
  for (const name of ["node", "explain"]) {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => showTab(name));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = name === "node" ? "explain" : "node";
      showTab(other);
      byId(`tab-${other}`).focus();
    });
  }
}

function startTheme() {
  const dark = () => (document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
  });
}

function showSubtitle() {
  const what = D.facts.find(([name]) => name === "Estimator")[1];
  byId("subtitle").textContent = `${what}: ${D.task} of ${D.target}`;
}

function afterResize() {
  drawCurve();
  refit([false, true]);
}

byId("main").hidden = false;
countLeaves();
showFigures();
showSubtitle();
showLegend();
startTheme();
startTabs();
startCanvas();
startTree();
openReadable([false, true]);
startCurve();
startSaves();
byId("parts-note").hidden = !DIVIDED || D.weighted;
startExplain();
showDetails(0);
// What is further down the page can wait until the tree is drawn.
setTimeout(() => {
  showScores();
  showEffects();
  showImportances();
  startRules();
  showData();
  showFacts();
  window.ramifyReport.ready = true;
}, 0);
model.listeners.push(() => {
  showFigures();
  openReadable([tree.sideways]);
  showDetails(tree.selected);
  explainRow();
  showScores();
});
model.listeners.push(debounce(remakeRules, 120));
let windowWidth = window.innerWidth;
window.addEventListener("resize", debounce(() => {
  if (window.innerWidth === windowWidth) return;
  windowWidth = window.innerWidth;
  afterResize();
}, 150));
// For tests.
window.ramifyReport = { data: D, model, tree, view, predictRow, makeRules, setStep, layout, tidy, leavesNow, select, drawingSvg, rulesTableRows, rowsAt, short, amount, contributionsOf, counterfactuals };
