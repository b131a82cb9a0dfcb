// Small plots: a frame with axes, and what is drawn into it.

// Round numbers between two bounds, about `n` of them.
function niceTicks(low, high, n = 4) {
  const raw = (high - low) / n;
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * unit).find((m) => m >= raw * 0.999) || raw;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(i === 0 ? 0 : Number((i * step).toPrecision(12)));
  return ticks;
}

// A frame: its svg, and the places of values. `x` and `y` are [low, high]; ticks are values or [value, text].
function chartFrame({ x, y, xTicks, yTicks, xLabel, yLabel, label, width = 330, height = 250, grid = true, rotate = false }) {
  const texts = (ticks, range) => (ticks || niceTicks(...range)).map((tick) => (Array.isArray(tick) ? tick : [tick, short(tick, 3)]));
  const [across, up] = [texts(xTicks, x), texts(yTicks, y)];
  const left = 12 + Math.max(...up.map(([, text]) => textWidth(text, "12px")), 0);
  const lowest = rotate ? 14 + Math.min(90, Math.max(...across.map(([, text]) => textWidth(text, "12px")), 0)) * 0.75 : 20;
  const right = rotate ? 10 : 10 + Math.max(0, ...across.slice(-1).map(([, text]) => textWidth(text, "12px") / 2 - 4));
  const box = { left, right: width - right, top: yLabel ? 26 : 10, bottom: height - lowest - (xLabel ? 18 : 0) };
  const px = (v) => box.left + ((v - x[0]) / (x[1] - x[0] || 1)) * (box.right - box.left);
  const py = (v) => box.bottom - ((v - y[0]) / (y[1] - y[0] || 1)) * (box.bottom - box.top);
  const plot = svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const [v, text] of up) {
    if (grid) plot.append(svg("path", { class: "grid", d: `M${box.left} ${py(v).toFixed(1)}H${box.right}` }));
    plot.append(svg("text", { x: box.left - 6, y: (py(v) + 4).toFixed(1), "text-anchor": "end" }, text));
  }
  for (const [v, text] of across) {
    const at = [px(v).toFixed(1), box.bottom + 16];
    plot.append(rotate ? svg("text", { x: at[0], y: at[1] - 4, "text-anchor": "end", transform: `rotate(-40 ${at[0]} ${at[1] - 4})` }, text) : svg("text", { x: at[0], y: at[1], "text-anchor": "middle" }, text));
  }
  if (xLabel) plot.append(svg("text", { class: "axis", x: box.right, y: height - 4, "text-anchor": "end" }, xLabel));
  if (yLabel) plot.append(svg("text", { class: "axis", x: 2, y: 12 }, yLabel));
  plot.append(svg("path", { class: "foot", d: `M${box.left} ${box.bottom}H${box.right}` }));
  return { plot, px, py, box };
}

const pathOf = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

// Bars that share the range of the axis.
function barPlot(bins, [low, high], { label, xLabel, mark = null, width = 330, height = 190 }) {
  const most = Math.max(...bins, 1);
  const frame = chartFrame({ x: [low, high], y: [0, most], label, xLabel, yLabel: "rows", width, height });
  bins.forEach((n, i) => {
    const [from, to] = [low + ((high - low) * i) / bins.length, low + ((high - low) * (i + 1)) / bins.length];
    if (n) frame.plot.append(svg("rect", { class: "column", x: (frame.px(from) + 0.5).toFixed(1), y: frame.py(n).toFixed(1), width: Math.max(0.5, frame.px(to) - frame.px(from) - 1).toFixed(1), height: (frame.box.bottom - frame.py(n)).toFixed(1) }));
  });
  if (mark !== null) frame.plot.append(svg("path", { class: "even", d: `M${frame.px(mark).toFixed(1)} ${frame.box.top}V${frame.box.bottom}` }));
  return frame.plot;
}

// A plot with a heading above and words below.
function plotCard(heading, figure, words) {
  return el("figure", { class: "plot-card" }, el("figcaption", {}, el("b", {}, heading)), figure, words ? el("p", { class: "quiet small" }, words) : null);
}
