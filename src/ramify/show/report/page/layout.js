// The same tidy layout as ramify/show/layout.py, line by line.

class Contour {
  constructor(left, right, leftShift = 0, rightShift = 0) {
    this.left = left;
    this.right = right;
    this.leftShift = leftShift;
    this.rightShift = rightShift;
  }
  copy() {
    return new Contour([...this.left], [...this.right], this.leftShift, this.rightShift);
  }
  mirrored() {
    return new Contour(this.right.map((x) => -x), this.left.map((x) => -x), -this.rightShift, -this.leftShift);
  }
  move(by) {
    this.leftShift += by;
    this.rightShift += by;
    return this;
  }
  crown(left, right) {
    this.left.push(left - this.leftShift);
    this.right.push(right - this.rightShift);
    return this;
  }
  distance(other) {
    const shared = Math.min(this.right.length, other.left.length);
    let most = -Infinity;
    for (let i = 1; i <= shared; i++) {
      most = Math.max(most, this.right[this.right.length - i] - other.left[other.left.length - i]);
    }
    return this.rightShift - other.leftShift + most;
  }
  join(other) {
    if (this.left.length >= other.left.length) {
      const keep = this.right.length - other.right.length;
      const shift = other.rightShift - this.rightShift;
      for (let i = 0; i < other.right.length; i++) this.right[keep + i] = other.right[i] + shift;
      return this;
    }
    const keep = other.left.length - this.left.length;
    const shift = this.leftShift - other.leftShift;
    for (let i = 0; i < this.left.length; i++) other.left[keep + i] = this.left[i] + shift;
    return other;
  }
}

function push(contours, gap) {
  const places = [0];
  let merged = contours[0].copy();
  for (const contour of contours.slice(1)) {
    const place = merged.distance(contour) + gap;
    places.push(place);
    merged = merged.join(contour.copy().move(place));
  }
  return places;
}

function pack(contours, gap) {
  if (contours.length === 2) return [0, contours[0].distance(contours[1]) + gap];
  const left = push(contours, gap);
  const right = push(contours.map((one) => one.mirrored()).reverse(), gap);
  const last = right[right.length - 1];
  return left.map((one, i) => (one + last - right[right.length - 1 - i]) / 2);
}

function tidy(children, sizes, gap) {
  const offset = new Array(children.length).fill(0);
  const contours = new Array(children.length);
  for (let node = children.length - 1; node >= 0; node--) {
    const below = children[node].map((child) => contours[child]);
    const half = sizes[node] / 2;
    if (!below.length) {
      contours[node] = new Contour([-half], [half]);
      continue;
    }
    const places = pack(below, gap);
    const middle = (places[0] + places[places.length - 1]) / 2;
    let merged = below[0].move(places[0] - middle);
    children[node].forEach((child, i) => {
      offset[child] = places[i] - middle;
      if (i > 0) merged = merged.join(below[i].move(places[i] - middle));
    });
    contours[node] = merged.crown(-half, half);
  }
  children.forEach((below, node) => below.forEach((child) => (offset[child] += offset[node])));
  return offset;
}

function layout(children, widths, heights, sideways, gap, levelGap) {
  const [across, along] = sideways ? [heights, widths] : [widths, heights];
  const centre = tidy(children, across, gap);
  let starts = centre.map((c, i) => c - across[i] / 2);
  const first = starts.reduce((a, b) => Math.min(a, b), Infinity);
  starts = starts.map((start) => start - first);
  const depth = new Array(children.length).fill(0);
  children.forEach((below, node) => below.forEach((child) => (depth[child] = depth[node] + 1)));
  const thickness = [];
  depth.forEach((at, i) => (thickness[at] = Math.max(thickness[at] || 0, along[i])));
  const offset = [0];
  for (const size of thickness) offset.push(offset[offset.length - 1] + size + levelGap);
  const levels = depth.map((at) => offset[at]);
  const breadth = starts.reduce((most, start, i) => Math.max(most, start + across[i]), 0);
  const length = offset[offset.length - 1] - levelGap;
  return sideways
    ? { x: levels, y: starts, width: length, height: breadth }
    : { x: starts, y: levels, width: breadth, height: length };
}
