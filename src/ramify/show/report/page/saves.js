// What a reader can take away: the drawing as SVG or PNG, the rules and the rows of a node as CSV, and print.

const fileName = (part) => `${(D.title || "tree").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "tree"}-${part}`;

function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  byId("saved").textContent = `Saved ${name}`;
}

// --- the drawing ---

// The rules of the page's style for what is drawn, and the colours of the theme that is shown.
function drawingStyle() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const own = rules.filter((rule) => rule.selectorText && /\.(node|branch|mini)\b/.test(rule.selectorText) && !/hover|focus|selected|handle|\.off|\.distribution/.test(rule.selectorText));
  return own.map((rule) => rule.cssText).join("\n");
}

function resolved(text) {
  const style = getComputedStyle(document.documentElement);
  return text.replace(/var\(--([\w-]+)\)/g, (_, name) => style.getPropertyValue(`--${name}`).trim().replaceAll('"', "'"));
}

// The drawing as shown, whole, with its legend; without what only works on the page.
function drawingSvg() {
  const drawn = world.cloneNode(true);
  drawn.removeAttribute("transform");
  for (const one of drawn.querySelectorAll(".handle")) one.remove();
  for (const one of drawn.querySelectorAll(".node")) {
    one.classList.remove("selected");
    for (const name of [...one.getAttributeNames()].filter((key) => key.startsWith("aria-") || key === "role" || key === "tabindex" || key.startsWith("data-"))) one.removeAttribute(name);
    one.prepend(svg("title", {}, ""));
  }
  for (const one of drawn.querySelectorAll("[role], [aria-hidden]")) ["role", "aria-hidden"].forEach((name) => one.removeAttribute(name));
  world.querySelectorAll(".node").forEach((one, i) => (drawn.querySelectorAll(".node")[i].firstChild.textContent = one.getAttribute("aria-description") || one.getAttribute("aria-label")));
  const legend = drawnLegend();
  const [width, height] = [Math.ceil(Math.max(view.width, legend.width)) + 32, Math.ceil(view.height) + 62];
  drawn.setAttribute("transform", "translate(16 16)");
  legend.group.setAttribute("transform", `translate(16 ${height - 16})`);
  const picture = svg("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` }, svg("title", {}, D.title), svg("style", {}, drawingStyle()), svg("rect", { width, height, fill: "var(--paper)" }), drawn, legend.group);
  return { text: resolved(new XMLSerializer().serializeToString(picture)), width, height };
}

function drawnLegend() {
  const group = svg("g", { class: "node" });
  let x = 0;
  const word = (text, before = 0) => {
    group.append(svg("text", { x: x + before, y: 0, class: "pale" }, text));
    x += before + textWidth(text, "11.5px") + 16;
  };
  if (D.task === "regression") {
    if (!colourRange) return { group, width: 0 };
    word(`${D.target || "prediction"}: ${rangeWords()[0]}`);
    for (let i = 0; i < 24; i++) group.append(svg("rect", { x: x - 8 + i * 4, y: -9, width: 4.2, height: 10, fill: scaleColour(i / 23) }));
    x += 96;
    word(rangeWords()[1]);
    return { group, width: x };
  }
  D.classes.forEach((label, j) => {
    if (D.colours[j] === D.other_colour) return;
    group.append(svg("rect", { x, y: -9, width: 10, height: 10, rx: 2, fill: D.colours[j] }));
    word(levelWords(label), 15);
  });
  return { group, width: x };
}

function saveSvg() {
  save(`${fileName("tree")}.svg`, new Blob([drawingSvg().text], { type: "image/svg+xml" }));
}

// As sharp as print needs, unless that would be larger than browsers can draw.
function savePng() {
  const { text, width, height } = drawingSvg();
  const scale = Math.min(3, 12000 / width, 12000 / height, Math.sqrt(6e7 / (width * height)));
  const image = new Image();
  image.onload = () => {
    const sheet = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    sheet.getContext("2d").drawImage(image, 0, 0, sheet.width, sheet.height);
    sheet.toBlob((blob) => save(`${fileName("tree")}.png`, blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

// --- tables ---

// Cells with commas, quotes or line ends stand in quotes; a sign at the front tells spreadsheets that it is UTF-8.
function csv(rows) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return new Blob(["\ufeff", rows.map((row) => row.map(cell).join(",")).join("\r\n"), "\r\n"], { type: "text/csv;charset=utf-8" });
}

function rulesTableRows() {
  const last = D.task === "regression" ? ["standard deviation"] : ["confidence"];
  const rows = makeRules().map((rule) => {
    const words = [...testsOf(rule.leaf)].map(([column, test]) => testWords(column, test, Infinity)).join(" and ");
    const answered = D.task === "regression" ? [rule.value, rule.spread] : [D.classes[rule.code], rule.confidence];
    return [model.number[rule.leaf], words || "always", answered[0], rule.counted, rule.coverage, answered[1]];
  });
  return [["leaf", "if", "then", "rows", "share of all rows", ...last], ...rows];
}

function saveRules() {
  save(`${fileName("rules")}.csv`, csv(rulesTableRows()));
}

// The rows of the file that come to a node, in whole or in part, by their places in the file.
function rowsAt(node) {
  const { cells, index } = D.rows;
  const wanted = [];
  for (let up = node; up >= 0; up = N.parent[up]) wanted.unshift(up);
  const row = D.columns.map(() => null);
  return index.map((_, i) => i).filter((i) => {
    D.shown.forEach((j, k) => {
      const cell = cells[k][i];
      row[j] = D.columns[j].kind === "numeric" && cell !== null ? numberOf(cell) : cell;
    });
    for (let depth = 0; depth + 1 < wanted.length; depth++) {
      const taken = branchOf(wanted[depth], row);
      if (taken !== null && taken >= 0 && N.first[wanted[depth]] + taken !== wanted[depth + 1]) return false;
    }
    return true;
  });
}

function cellText(j, cell, text) {
  if (text !== undefined) return text;
  if (cell === null) return "";
  const column = D.columns[j];
  if (column.kind === "numeric") return cell;
  if (cell < 0) return "";
  const place = column.codes ? column.codes.indexOf(cell) : cell;
  return place < 0 ? `(level ${cell})` : column.levels[place];
}

function saveRows(node) {
  const { cells, index, target, texts } = D.rows;
  const head = ["row", ...D.shown.map((j) => D.columns[j].name), D.target || "target"];
  const rows = rowsAt(node).map((i) => {
    const truth = D.task === "regression" ? numberOf(target[i]) : target[i] < 0 ? "" : D.classes[target[i]];
    return [index[i], ...D.shown.map((j, k) => cellText(j, cells[k][i], texts[k] ? texts[k][i] : undefined)), truth];
  });
  save(`${fileName(`node-${model.number[node]}`)}.csv`, csv([head, ...rows]));
}

function savePart(node) {
  if (!D.rows) return null;
  const found = rowsAt(node).length;
  const { index, total } = D.rows;
  const some = index.length < total ? ` This file holds ${count(index.length)} of the ${plural(total, "row")} of the ${D.data_of} data, evenly spaced.` : "";
  return el("p", { class: "small quiet save-rows" }, el("button", { type: "button", id: "save-rows", disabled: found === 0, onclick: () => saveRows(node) }, `Save ${plural(found, "row")} of this node (CSV)`), some);
}

// --- print ---

// On paper the drawing is as wide as the page, whatever the window shows.
function startPrint() {
  window.addEventListener("beforeprint", () => {
    world.removeAttribute("transform");
    canvas.setAttribute("viewBox", `-8 -8 ${Math.ceil(view.width + 16)} ${Math.ceil(view.height + 16)}`);
    document.documentElement.style.setProperty("--drawn", `${Math.ceil(view.width + 16)} / ${Math.ceil(view.height + 16)}`);
  }, { signal: gone.signal });
  window.addEventListener("afterprint", () => {
    canvas.removeAttribute("viewBox");
    showView();
  }, { signal: gone.signal });
}

function startSaves() {
  const menu = byId("save-menu");
  for (const [id, run] of [["save-svg", saveSvg], ["save-png", savePng], ["save-rules", saveRules], ["print", () => window.print()]]) {
    byId(id).addEventListener("click", () => {
      menu.open = false;
      run();
    });
  }
  document.addEventListener("click", (event) => !menu.contains(event.target) && (menu.open = false), { signal: gone.signal });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  startPrint();
}
