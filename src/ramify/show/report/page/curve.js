// The pruning path as a curve. Dragging to another size draws the tree again.

const curve = { box: null, x: null };

function series() {
  const { training, error } = D.path;
  const known = (values) => values && values.some((value) => value !== null);
  return [
    { name: "training", values: training, style: "training" },
    known(error) ? { name: "cross-validated, ± 1 SE", values: error, band: D.path.se, style: "validated" } : null,
    D.test && known(D.test.error) ? { name: `test (${plural(D.test.rows, "row")})`, values: D.test.error, style: "tested" } : null,
  ].filter(Boolean);
}

function drawCurve() {
  const plot = byId("curve");
  const width = Math.max(280, plot.clientWidth);
  const { place } = D.path; // the leaves; beyond the whole tree one more for every expansion that only trees of folds have
  const all = series();
  const keys = legendPlaces(all, width);
  const top0 = keys[keys.length - 1][1] + 22;
  const height = 180 + top0;
  const box = { left: 64, right: width - 14, top: top0, bottom: height - 34 };
  const values = all.flatMap((one) => one.values.flatMap((v, i) => (v === null ? [] : [v + ((one.band && one.band[i]) || 0)])));
  const [low, top] = valueRange(all, values);
  const most = Math.log(Math.max(2, ...place));
  curve.x = (n) => box.left + (Math.log(n) / most) * (box.right - box.left);
  const y = (v) => box.bottom - ((v - low) / (top - low)) * (box.bottom - box.top);
  plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
  plot.style.height = `${height}px`;
  plot.replaceChildren(axes(box, [low, top], Math.max(2, ...place), y));
  all.forEach((one, k) => {
    const points = place.map((n, i) => [curve.x(n), one.values[i], one.band ? one.band[i] : null]).filter((p) => p[1] !== null);
    if (one.band) {
      const up = points.map(([x, v, se]) => `${x.toFixed(1)} ${y(v + (se || 0)).toFixed(1)}`);
      const down = points.map(([x, v, se]) => `${x.toFixed(1)} ${y(Math.max(low, v - (se || 0))).toFixed(1)}`).reverse();
      plot.append(svg("path", { class: `band ${one.style}`, d: `M${[...up, ...down].join("L")}Z` }));
    }
    plot.append(svg("path", { class: `line ${one.style}`, d: `M${points.map(([x, v]) => `${x.toFixed(1)} ${y(v).toFixed(1)}`).join("L")}` }));
    const legend = svg("g", { transform: `translate(${keys[k].join(" ")})` });
    legend.append(svg("path", { class: `line ${one.style}`, d: "M0 0h18" }), svg("text", { x: 24, y: 4 }, one.name));
    plot.append(legend);
  });
  const fittedX = curve.x(place[D.path.fitted]);
  plot.append(svg("path", { class: "fitted", d: `M${fittedX} ${box.top}V${box.bottom}` }));
  const x = curve.x(place[model.step]);
  const grip = svg("g", { class: "grip", transform: `translate(${x.toFixed(1)} 0)` }, svg("path", { d: `M0 ${box.top - 6}V${box.bottom}` }), svg("circle", { cy: box.top - 6, r: 8 }));
  for (const one of all) {
    const v = one.values[model.step];
    if (v !== null) grip.append(svg("circle", { class: `dot ${one.style}`, cy: y(v), r: 4.5 }));
  }
  plot.append(grip);
  curve.box = box;
}

// The legend: side by side, or one below the other where there is no room.
function legendPlaces(all, width) {
  let [x, y] = [64, 12];
  return all.map((one) => {
    const needed = textWidth(one.name, "12px") + 24;
    if (x > 64 && x + needed > width - 4) [x, y] = [64, y + 18];
    const place = [x, y];
    x += needed + 22;
    return place;
  });
}

// The axis begins at zero, unless all errors are so alike that the curve would be flat.
function valueRange(all, highest) {
  const top = Math.max(...highest, 1e-12);
  const lowest = Math.min(...all.flatMap((one) => one.values.filter((v) => v !== null)));
  if (lowest < 0.6 * top) return [0, niceTop(top)];
  let unit = niceTop(Math.max(top - lowest, 0.01 * top) / 4);
  const low = () => Math.floor(lowest / unit) * unit;
  while (low() + 4 * unit < top) unit = niceTop(unit * 1.01);
  return [low(), low() + 4 * unit];
}

function niceTop(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 8, 10].map((m) => m * unit).find((m) => m >= value * 1.02) || value;
}

function axes(box, [low, top], most, y) {
  const group = svg("g", { class: "axes" });
  for (let i = 0; i <= 4; i++) {
    const v = low + ((top - low) * i) / 4;
    group.append(svg("path", { d: `M${box.left} ${y(v)}H${box.right}` }));
    const shown = D.path.measure.startsWith("share") ? `${short(v * 100, 3)} %` : short(v, 3);
    group.append(svg("text", { x: box.left - 8, y: y(v) + 4, "text-anchor": "end" }, shown));
  }
  const ticks = [];
  for (let unit = 1; unit <= most; unit *= 10) for (const m of [1, 2, 5]) if (m * unit <= most) ticks.push(m * unit);
  for (const n of ticks) group.append(svg("text", { x: curve.x(n), y: box.bottom + 18, "text-anchor": "middle" }, count(n)));
  group.append(svg("text", { x: box.right, y: box.bottom + 32, "text-anchor": "end" }, D.path.place[0] > D.path.leaves[0] ? `leaves; beyond ${count(D.path.leaves[0])} of the trees of the folds` : "leaves"));
  return group;
}

function sizeWords() {
  const { leaves, place, fitted, error, training, measure } = D.path;
  const fittedWords = model.step === fitted ? "as fitted" : `fitted: ${plural(leaves[fitted], "leaf", "leaves")}`;
  byId("size-now").textContent = `${plural(leaves[model.step], "leaf", "leaves")}, ${fittedWords}`;
  byId("as-fitted").hidden = model.step === fitted;
  const slider = byId("slider");
  slider.value = String(leaves.length - 1 - model.step);
  slider.setAttribute("aria-valuetext", plural(leaves[model.step], "leaf", "leaves"));
  const beyond = place[model.step] - leaves[model.step];
  const size = `${plural(leaves[model.step], "leaf", "leaves")}${beyond > 0 ? `, the whole tree (trees of the folds with ${plural(D.path.key[model.step], "expansion")})` : ""}`;
  const parts = [`${size}: training ${errorWords(training[model.step])}`];
  if (error[model.step] !== null) parts.push(`cross-validated ${errorWords(error[model.step])} ± ${errorWords(D.path.se[model.step])}`);
  if (D.test && D.test.error[model.step] !== null) parts.push(`test ${errorWords(D.test.error[model.step])}`);
  byId("size-note").textContent = `Drag to another size; the tree above is cut back to it. Error: ${measure}. ${parts.join(", ")}.`;
}

function errorWords(value) {
  if (value === null || value === undefined) return "unknown";
  return D.path.measure.startsWith("share") ? `${(value * 100).toFixed(value < 0.1 ? 2 : 1)}\u00a0%` : short(value, 4);
}

function startCurve() {
  const plot = byId("curve");
  const { leaves, place } = D.path;
  if (leaves.length < 2) {
    byId("size").hidden = true;
    sizeWords();
    return;
  }
  const slider = byId("slider");
  slider.max = String(leaves.length - 1);
  slider.addEventListener("input", () => setStep(leaves.length - 1 - Number(slider.value)));
  const pick = (event) => {
    const box = plot.getBoundingClientRect();
    const at = ((event.clientX - box.left) * plot.viewBox.baseVal.width) / box.width;
    let best = 0;
    place.forEach((n, i) => {
      if (Math.abs(curve.x(n) - at) < Math.abs(curve.x(place[best]) - at)) best = i;
    });
    setStep(best);
  };
  plot.addEventListener("pointerdown", (event) => {
    plot.setPointerCapture(event.pointerId);
    pick(event);
  });
  plot.addEventListener("pointermove", (event) => event.buttons && pick(event));
  byId("as-fitted").addEventListener("click", () => setStep(D.path.fitted));
  model.listeners.push(sizeWords, drawCurve);
  sizeWords();
  drawCurve();
}
