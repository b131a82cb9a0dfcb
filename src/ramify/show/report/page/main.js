// The report as a page of its own: what it does before and after the tree is drawn.

byId("main").hidden = false;
startTheme();
showSubtitle();
// For tests.
const opened = (parts) => (window.ramifyReport = parts);

function showSubtitle() {
  const what = D.facts.find(([name]) => name === "Estimator")[1];
  byId("subtitle").textContent = `${what}: ${D.task} of ${D.target}`;
}
