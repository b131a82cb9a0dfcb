// The canvas: panning, zooming and fitting what is drawn on it.

const view = { x: 0, y: 0, k: 1, width: 0, height: 0 };
const canvas = byId("canvas");
const world = byId("world");

function showView() {
  world.setAttribute("transform", `translate(${view.x.toFixed(2)} ${view.y.toFixed(2)}) scale(${view.k.toFixed(4)})`);
}

function canvasSize() {
  const box = canvas.getBoundingClientRect();
  return { width: Math.max(50, box.width), height: Math.max(50, box.height) };
}

// The smallest scale at which cards can be read; a phone is held closer.
const readable = () => (canvasSize().width < 600 ? 0.66 : 0.74);

// The part of the canvas that a drawing may fill: without margins, above the legend.
function room() {
  const size = canvasSize();
  return { width: size.width - 32, height: size.height - 32 - byId("legend").offsetHeight };
}

// Show all if that is readable; otherwise the root and its surroundings in a readable size.
function fitView({ all = false, sideways = false, root = [0, 0] } = {}) {
  const { width, height } = room();
  const k = Math.min(LARGEST, width / view.width, height / view.height);
  view.k = all || k > 0.85 * readable() ? k : readable();
  // In the direction of growth the root comes first; across, it stands in the middle of the window.
  view.x = 16 + startOf(width, view.width, sideways ? 0 : width / 2 - root[0] * view.k);
  view.y = 16 + startOf(height, view.height, sideways ? height / 2 - root[1] * view.k : 0);
  showView();
}

// Where a drawing starts: centred if it fits, otherwise with no empty room beside it.
function startOf(space, length, wanted) {
  const left = space - length * view.k;
  return left >= 0 ? left / 2 : Math.min(0, Math.max(left, wanted));
}

function zoomBy(factor, cx, cy) {
  const size = canvasSize();
  const x = cx === undefined ? size.width / 2 : cx;
  const y = cy === undefined ? size.height / 2 : cy;
  const k = Math.max(0.05, Math.min(3, view.k * factor));
  view.x = x - (x - view.x) * (k / view.k);
  view.y = y - (y - view.y) * (k / view.k);
  view.k = k;
  showView();
}

// Bring a box of the drawing into view, with as little movement as possible.
function reveal(x, y, width, height) {
  const size = canvasSize();
  const move = (at, length, room, offset) => {
    const start = at * view.k + offset;
    const end = start + length * view.k;
    if (start < 12) return 12 - start;
    return end > room - 12 ? Math.max(12 - start, room - 12 - end) : 0;
  };
  view.x += move(x, width, size.width, view.x);
  view.y += move(y, height, size.height - 24, view.y);
  showView();
}

function startCanvas() {
  const pointers = new Map();
  let moved = false;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const apart = () => {
    const [a, b] = [...pointers.values()];
    return [Math.hypot(a[0] - b[0], a[1] - b[1]), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, at(event));
    moved = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const now = at(event);
    const before = pointers.get(event.pointerId);
    if (!moved && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4) return;
    if (!moved) {
      moved = true;
      canvas.setPointerCapture(event.pointerId);
      canvas.classList.add("dragging");
    }
    const two = pointers.size === 2 ? apart() : null;
    pointers.set(event.pointerId, now);
    if (two) {
      const [distance, x, y] = apart();
      zoomBy(distance / Math.max(1, two[0]), x, y);
    } else {
      view.x += now[0] - before[0];
      view.y += now[1] - before[1];
      showView();
    }
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    if (!pointers.size) canvas.classList.remove("dragging");
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  // The end of a drag is not a click.
  canvas.addEventListener("click", (event) => moved && event.stopPropagation(), true);
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY * 0.004), ...at(event));
    },
    { passive: false },
  );
  byId("zoom-in").addEventListener("click", () => zoomBy(1.25));
  byId("zoom-out").addEventListener("click", () => zoomBy(0.8));
}
