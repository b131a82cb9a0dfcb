// A search for an optimal tree: its error and the bound while it runs.

function showSearch(job) {
  const box = byId("search-part");
  if (!box) return;
  if (!job || !job.moments.length) {
    if (job && job.state === "running") box.replaceChildren();
    return;
  }
  const [, error, bound] = job.moments[job.moments.length - 1];
  const gap = error - bound;
  const words = gap <= 1e-12 ? "Proven: no tree of this form has less error." : `The error is ${lossWords(error, "error")}; it is proven that no tree gets below ${lossWords(bound, "error")}.`;
  box.replaceChildren(el("section", { class: "card", "aria-label": "The search" }, el("h2", {}, "The search"), el("p", {}, words), searchPlot(job.moments), el("p", { class: "quiet small" }, job.state === "running" ? "Stop keeps the best tree found so far." : "")));
}

function searchPlot(moments) {
  const [width, height] = [720, 150];
  const last = Math.max(moments[moments.length - 1][0], 0.1);
  const most = Math.max(...moments.map(([, error]) => error)) * 1.05 || 1;
  const x = (seconds) => 44 + ((width - 60) * seconds) / last;
  const y = (value) => 10 + (height - 34) * (1 - Math.max(0, value) / most);
  const steps = (at) => moments.map((moment, i) => `${i ? `H${x(moment[0]).toFixed(1)}V` : `M${x(moment[0]).toFixed(1)} `}${y(moment[at]).toFixed(1)}`).join("") + `H${x(last).toFixed(1)}`;
  return svg(
    "svg",
    { class: "search-plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Error and bound over time" },
    svg("path", { class: "axis", d: `M44 ${height - 24}H${width - 16}` }),
    svg("path", { class: "line training", d: steps(1) }),
    svg("path", { class: "line validated", d: steps(2) }),
    svg("text", { x: 40, y: y(most) + 10, "text-anchor": "end" }, lossWords(most, "error")),
    svg("text", { x: 40, y: height - 22, "text-anchor": "end" }, "0"),
    svg("text", { x: width - 16, y: height - 6, "text-anchor": "end" }, `${last.toFixed(1)} s`),
    svg("text", { x: 60, y: height - 6 }, "upper line: error of the best tree; lower line: what is proven"),
  );
}
