// The report as a page of its own: what it does before and after the tree is drawn.

byId("main").hidden = false;
startTheme();
// For tests.
const opened = (parts) => (window.ramifyReport = parts);
