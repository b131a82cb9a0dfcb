// The start of the parts that show a tree, in the report and in the studio. `gone` ends what they do with the window;
// the page has the function `opened`, which takes the parts that others use.

const gone = new AbortController();

const tabNames = () => [...document.querySelectorAll(".side [role=tab]")].map((tab) => tab.id.slice(4));

function showTab(name) {
  for (const one of tabNames()) {
    const chosen = one === name;
    byId(`tab-${one}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${one}`).tabIndex = chosen ? 0 : -1;
    byId(`panel-${one}`).hidden = !chosen;
  }
}

function startTabs() {
  tabNames().forEach((name, i, all) => {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => showTab(name));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = all[(i + (event.key === "ArrowRight" ? 1 : all.length - 1)) % all.length];
      showTab(other);
      byId(`tab-${other}`).focus();
    });
  });
}

function afterResize() {
  drawCurve();
  refit([false, true]);
}

countLeaves();
showFigures();
showLegend();
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
  if (gone.signal.aborted) return;
  showScores();
  showEffects();
  showImportances();
  startRules();
  showData();
  showFacts();
  parts.ready = true;
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
  if (!gone.signal.aborted) afterResize();
}, 150), { signal: gone.signal });
opened(parts);
