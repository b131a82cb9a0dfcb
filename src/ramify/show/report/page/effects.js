// Partial dependence: the mean prediction if a column had one value in all rows.

const FIRST_EFFECTS = 6;

function showEffects() {
  const body = byId("effects-body");
  if (!D.effects || !D.effects.columns.length) {
    byId("effects").hidden = true;
    return;
  }
  const { columns, rows, of } = D.effects;
  const classify = D.task === "classification";
  const change = () => showEffects();
  const note = `Each plot sets one column to each of its values in ${plural(rows, `${of} row`)} and shows the mean ${classify ? `probability of ${quotedClass(effectClass())}` : "prediction"} of the fitted tree (partial dependence). The dashed line is the mean with the values as they are. Where columns depend on each other, some of these rows could not exist.`;
  const select = classify ? el("label", { class: "choice" }, "Class", el("select", { id: "effect-class", onchange: (event) => ((effects.class = Number(event.target.value)), change()) }, D.effects.classes.map((j) => el("option", { value: j, selected: j === effectClass() }, levelWords(D.classes[j]))))) : null;
  const shown = effects.all ? columns : columns.slice(0, FIRST_EFFECTS);
  const range = effectRange(columns);
  body.replaceChildren(
    el("p", { class: "quiet" }, note),
    select || "",
    el("div", { class: "plots" }, shown.map((one) => effectCard(one, range))),
    shown.length < columns.length ? el("p", {}, el("button", { type: "button", onclick: () => ((effects.all = true), change()) }, `Show ${plural(columns.length - shown.length, "more column")}`)) : "",
  );
}

const effects = { class: null, all: false };

function effectClass() {
  if (effects.class === null) effects.class = D.effects.classes.includes(1) ? 1 : D.effects.classes[0];
  return effects.class;
}

const effectPlace = () => (D.task === "classification" ? D.effects.classes.indexOf(effectClass()) : 0);
const meansOf = (one) => one.mean.map((values) => values[effectPlace()]);

// One range for all columns, so that a column that does little looks so.
function effectRange(columns) {
  const all = columns.flatMap((one) => [...meansOf(one), ...(one.missing ? [one.missing[effectPlace()]] : [])]);
  all.push(D.effects.mean[effectPlace()]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = 0.08 * (high - low) || Math.abs(high) * 0.1 || 1;
  if (D.task === "classification") return [Math.max(0, low - room), Math.min(1, high + room)];
  return [low - room, high + room];
}

function effectCard(one, range) {
  const column = D.columns[one.column];
  const classify = D.task === "classification";
  const yTicks = niceTicks(...range).map((v) => [v, classify ? `${short(100 * v, 3)} %` : short(v, 3)]);
  const label = `Partial dependence on ${column.name}`;
  const figure = column.kind === "numeric" ? stepsOf(one, range, yTicks, label) : levelBars(one, range, yTicks, label);
  const missing = one.missing ? `Missing: ${classify ? percentOne(one.missing[effectPlace()]) : short(one.missing[effectPlace()], 4)}. ` : "";
  const others = one.others ? `${plural(one.others, "rarer level")} not shown.` : "";
  return plotCard(column.name, figure, `${missing}${others}`);
}

// A tree's prediction changes only at its thresholds: the curve has steps.
function stepsOf(one, range, yTicks, label) {
  let [low, high] = one.range;
  if (low === high) [low, high] = [low - 1, high + 1];
  const written = formOf(one.column) === "number" || formOf(one.column) === "duration" ? (v) => cellNumber(D.columns[one.column], v, 3) : (v) => writeCell(one.column, v).replace("T", " ").slice(0, 10);
  const dated = ["date", "datetime"].includes(formOf(one.column));
  const xTicks = dated ? [low, high].map((v) => [v, written(v)]) : niceTicks(low, high).map((v) => [v, written(v)]);
  const { plot, px, py, box } = chartFrame({ x: [low, high], y: range, xTicks, yTicks, label, height: 210 });
  evenLine(plot, box, py);
  const means = meansOf(one);
  const inside = (v) => Math.max(low, Math.min(high, v));
  const points = [];
  means.forEach((mean, i) => {
    const from = i === 0 ? low : inside(one.cuts[i - 1]);
    const to = i === means.length - 1 ? high : inside(one.cuts[i]);
    points.push([px(from), py(mean)], [px(to), py(mean)]);
  });
  plot.append(svg("path", { class: "line effect", d: pathOf(points) }));
  for (const v of one.deciles || []) plot.append(svg("path", { class: "rug", d: `M${px(inside(v)).toFixed(1)} ${box.bottom}v-6` }));
  return plot;
}

const evenLine = (plot, box, py) => plot.append(svg("path", { class: "even", d: `M${box.left} ${py(D.effects.mean[effectPlace()]).toFixed(1)}H${box.right}` }));

function levelBars(one, range, yTicks, label) {
  const names = one.levels.map((code) => levelAt(one.column, code));
  const means = meansOf(one);
  const ticks = names.map((text, i) => [i, Array.from(text).length > 15 ? `${Array.from(text).slice(0, 14).join("")}…` : text]);
  const crowded = ticks.reduce((sum, [, text]) => sum + textWidth(text, "12px") + 10, 0) > 270;
  const { plot, px, py, box } = chartFrame({ x: [-0.5, names.length - 0.5], y: range, xTicks: ticks, yTicks, label, height: crowded ? 240 : 210, rotate: crowded });
  evenLine(plot, box, py);
  const width = Math.min(46, ((box.right - box.left) / names.length) * 0.7);
  const zero = py(D.effects.mean[effectPlace()]);
  means.forEach((mean, i) => {
    const y = py(mean);
    plot.append(svg("rect", { class: "column", x: (px(i) - width / 2).toFixed(1), y: Math.min(y, zero).toFixed(1), width: width.toFixed(1), height: Math.max(1.5, Math.abs(y - zero)).toFixed(1) }, svg("title", {}, `${names[i]}: ${D.task === "classification" ? percentOne(mean) : short(mean, 4)}`)));
  });
  return plot;
}

function levelAt(j, code) {
  const { levels, codes } = D.columns[j];
  const place = codes ? codes.indexOf(code) : code;
  return place < 0 ? `level ${code}` : levels[place] === "" ? "(empty)" : levels[place];
}
