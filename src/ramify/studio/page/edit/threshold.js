// A threshold to drag: the rows of the node along the column, and below them the gain of every threshold.

const CUT = { width: 340, left: 34, right: 10, top: 8, bars: 120, gap: 26, curve: 64, bottom: 6 };

function thresholdPart(node, data, columnAt) {
  if (!data.bins) return el("p", { class: "quiet" }, `All rows here have the same ${data.column}, or none.`);
  const start = numberOf(data.start);
  const end = start + data.width * data.bins.length;
  const x = (value) => CUT.left + ((CUT.width - CUT.left - CUT.right) * (value - start)) / (end - start);
  const height = CUT.top + CUT.bars + CUT.gap + (hasCurve(data) ? CUT.curve : 0) + CUT.bottom;
  const plot = svg("svg", { class: "dist cut-plot", id: "cut-plot", viewBox: `0 0 ${CUT.width} ${height}` });
  const bottom = CUT.top + CUT.bars;
  const most = Math.max(...data.bins.map(sumOf), 1e-9);
  const wide = ((CUT.width - CUT.left - CUT.right) * data.width) / (end - start);
  plot.append(svg("g", { "aria-hidden": "true" }, data.bins.map((counts, i) => standing(counts, x(start + i * data.width) + 0.4, wide - 0.8, bottom, CUT.bars / most, null))));
  plot.append(svg("path", { class: "base", d: `M${CUT.left} ${bottom}H${CUT.width - CUT.right}` }));
  plot.append(svg("text", { x: CUT.left - 5, y: CUT.top + 9, "text-anchor": "end" }, short(most, 2)), svg("text", { x: CUT.left, y: bottom + 19 }, thresholdWords(columnAt, start)), svg("text", { x: CUT.width - CUT.right, y: bottom + 19, "text-anchor": "end" }, thresholdWords(columnAt, end)));
  if (hasCurve(data)) plot.append(gainCurve(data, x, start, end, height));
  let at = startThreshold(data, start, end);
  const line = svg("path", { class: "threshold", d: "" });
  const knob = svg("circle", { class: "knob", r: 7 });
  const grip = svg("g", { class: "cut-grip", id: "cut-grip", tabindex: 0, role: "slider", "aria-label": `Threshold of ${data.column}`, "aria-valuemin": start, "aria-valuemax": end }, svg("rect", { class: "reach", y: 0, width: 28, height }), line, knob);
  plot.append(grip);
  const input = el("input", { type: "text", id: "cut-value", inputmode: "decimal", "aria-label": `Threshold of ${data.column}`, size: 9 });
  const step = stepOf(data, start, end);
  const place = (value) => {
    at = Math.max(start, Math.min(end, value));
    const where = x(at).toFixed(1);
    line.setAttribute("d", `M${where} 0V${height}`);
    knob.setAttribute("cx", where);
    knob.setAttribute("cy", bottom);
    grip.firstChild.setAttribute("x", (x(at) - 14).toFixed(1));
    grip.setAttribute("aria-valuenow", at);
    grip.setAttribute("aria-valuetext", thresholdWords(columnAt, at));
    input.value = thresholdWords(columnAt, at);
  };
  const request = () => ({ action: "split", node, arguments: { condition: thresholdOf(data, at), below: belowNow() } });
  const rounded = () => ({ ...request(), arguments: { ...request().arguments, snap: "round" } });
  const tryLater = perFrame(() => tryEdit(request()));
  const draw = (value) => {
    place(value); // at once: Enter takes what was reached
    tryLater();
  };
  const snapped = (value) => Number((Math.round(value / step) * step).toPrecision(12));
  let dragging = false;
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    dragging = true;
    plot.setPointerCapture(event.pointerId);
    grip.focus({ preventScroll: true });
    draw(snapped(valueAt(event)));
    event.preventDefault();
  });
  const valueAt = (event) => {
    const box = plot.getBoundingClientRect();
    return start + ((((event.clientX - box.left) * CUT.width) / box.width - CUT.left) / (CUT.width - CUT.left - CUT.right)) * (end - start);
  };
  plot.addEventListener("pointermove", (event) => dragging && draw(snapped(valueAt(event))));
  plot.addEventListener("pointerup", (event) => {
    if (!dragging) return;
    dragging = false;
    place(Math.max(start, Math.min(end, snapped(valueAt(event)))));
    doEdit(request());
  });
  plot.addEventListener("pointercancel", () => (dragging = false));
  grip.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: 10 * step, PageDown: -10 * step };
    if (event.key in moves) draw(snapped(at + moves[event.key]));
    else if (event.key === "Enter") doEdit(request());
    else if (event.key === "Escape") {
      place(startThreshold(data, start, end));
      showLastPrice();
    } else return;
    event.preventDefault();
  });
  const typed = () => {
    const value = parseCell(columnAt, input.value.trim().replace(/(?<=\d),(?=\d{3})/g, ""));
    input.classList.toggle("odd", !Number.isFinite(value));
    return Number.isFinite(value) ? value : null;
  };
  const takeTyped = () => {
    const value = typed();
    if (value === null) return;
    at = value; // also outside of the plot
    doEdit(request());
  };
  input.addEventListener("keydown", (event) => event.key === "Enter" && takeTyped());
  place(at);
  return el(
    "div",
    { class: "threshold-part" },
    plot,
    el("div", { class: "bar" }, el("span", {}, "≤"), input, el("button", { type: "button", id: "cut-take", onclick: takeTyped }, "Set"), el("button", { type: "button", id: "cut-round", title: "The roundest number that sends no row elsewhere", ...tried(rounded), onclick: () => doEdit(rounded()) }, "Round")),
    el("p", { class: "quiet small" }, "Drag the line: the price shows before you let go. Arrow keys move it, Enter takes it."),
  );
}

// Where the line stands at first: at the threshold of the node, or at the best one.
function startThreshold(data, start, end) {
  if (data.threshold !== null && Number.isFinite(data.threshold)) return data.threshold;
  if (data.best !== null && data.best !== undefined) return data.best;
  return (start + end) / 2;
}

function stepOf(data, start, end) {
  if (formOf(columnPlace(data.column)) === "date") return 1;
  const fine = (end - start) / 200;
  const unit = 10 ** Math.floor(Math.log10(fine));
  const nice = [1, 2, 5, 10].map((times) => times * unit).find((one) => one >= fine);
  return data.whole ? Math.max(1, Math.round(nice)) : nice;
}

function thresholdOf(data, value) {
  const condition = { column: data.column, threshold: value };
  if (data.own && data.missing_to !== null) condition.missing = data.missing_to;
  return condition;
}

const columnPlace = (name) => D.columns.findIndex((one) => one.name === name);
const thresholdWords = (j, value) => (formOf(j) !== "number" && formOf(j) !== "duration" ? writeCell(j, value).replace("T", " ") : cellNumber(D.columns[j], value, 5).replaceAll(",", ""));

const hasCurve = (data) => Boolean(data.curve) && data.curve.threshold.length > 1;

function gainCurve(data, x, start, end, height) {
  const { threshold: thresholds, gain: gains } = data.curve;
  const top = CUT.top + CUT.bars + CUT.gap;
  const [low, high] = [Math.min(...gains, 0), Math.max(...gains, 1e-300)];
  const y = (gain) => top + (CUT.curve - 4) * (1 - (gain - low) / (high - low || 1));
  const inside = thresholds.map((value, i) => [value, gains[i]]).filter(([value]) => value >= start && value <= end);
  if (!inside.length) return svg("g", {});
  const best = inside.reduce((one, other) => (other[1] > one[1] ? other : one));
  const group = svg("g", { class: "gain-curve", "aria-hidden": "true" });
  group.append(svg("path", { class: "line validated", d: inside.map(([value, gain], i) => `${i ? "L" : "M"}${x(value).toFixed(1)} ${y(gain).toFixed(1)}`).join("") }));
  group.append(svg("circle", { class: "dot validated", cx: x(best[0]), cy: y(best[1]), r: 3.5 }), svg("path", { class: "base", d: `M${CUT.left} ${height - CUT.bottom}H${CUT.width - CUT.right}` }), svg("text", { x: CUT.left - 5, y: top + 10, "text-anchor": "end" }, "gain"));
  return group;
}
