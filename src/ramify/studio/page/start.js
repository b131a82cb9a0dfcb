// The start of the page.

studio.listeners.push(showFrame, showDataStep, showParsing, showGrowStep, showTreeStep, showJudgeStep, showShipStep, showCode);
startTheme();
startShell();
startCode();
(async () => {
  const state = await get("state");
  if (!state) return;
  take(state);
  showJob(state.job);
  const wanted = location.hash.slice(1);
  goTo(STEPS.some(([name]) => name === wanted) && (wanted === "data" || state.table) ? wanted : state.tree && state.tree.history.length ? "tree" : "data");
  watch();
})();
// For tests.
window.ramifyStudio = studio;
