// How a drawing fills its window: which nodes are open, how cards look, and what is between them.

const LARGEST = 1.5;
const SMALL = 25; // nodes

// The form of the cards, the direction and the scale at which the open nodes fill the window best.
function bestForm(directions) {
  const { width, height } = room();
  const places = collectPlaces();
  const tries = (minis) => {
    let best = null;
    for (const shape of ["wide", "narrow"]) {
      const form = { shape, minis };
      const cards = places.map((place) => makeCard(place, form));
      for (const sideways of directions) {
        const placed = arrange(places, cards, sideways);
        const scale = Math.min(LARGEST, width / placed.width, height / placed.height);
        // Downwards and wide are the ways that readers know; the others must be clearly larger, where that helps.
        const easy = scale >= 0.9;
        const worth = Math.min(1.2, scale) * (sideways ? 1 : easy ? 1.15 : 1.05) * (shape === "wide" && easy ? 1.06 : 1);
        if (!best || worth > best.worth) best = { form, sideways, scale, worth, placed, places, cards };
      }
    }
    return best;
  };
  if (tree.minis !== null) return tries(tree.minis);
  // By themselves, distributions are on the cards of small trees, which have room for them.
  const whole = places.every((place) => !place.hidden);
  const rich = DIST && whole ? tries(true) : null;
  return rich && rich.scale >= 0.92 ? rich : tries(false);
}

// Room that is left goes between the cards.
function spread({ sideways, scale, placed, places, cards }) {
  const { width, height } = room();
  let [gap, levelGap] = leastGaps(sideways);
  if (scale < 0.85 * readable()) return [gap, levelGap];
  const [along, across] = sideways ? [width / scale - placed.width, height / scale - placed.height] : [height / scale - placed.height, width / scale - placed.width];
  const levels = Math.max(...places.map((place) => place.depth));
  const leaves = places.filter((place) => !place.children.length).length;
  if (levels > 1 && along > 0) levelGap += Math.min(sideways ? 70 : 52, along / (levels - 1));
  const wider = leaves > 1 && across > 0 ? Math.min(sideways ? 34 : 44, across / (leaves - 1)) : 0;
  for (const part of [1, 0.6, 0.3]) {
    const tried = arrange(places, cards, sideways, [gap + part * wider, levelGap]);
    if ((sideways ? tried.height * scale <= height : tried.width * scale <= width) && wider > 0) return [gap + part * wider, levelGap];
  }
  return [gap, levelGap];
}

// Draw the open nodes so that they fill the window; with `all`, however small that makes them.
function refit(directions, all = false) {
  draw(bestForm(directions), all);
}

function draw(best, all) {
  tree.form = best.form;
  tree.sideways = best.sideways;
  tree.gaps = spread(best);
  byId("minis").setAttribute("aria-pressed", String(tree.form.minis));
  drawTree();
  fitAll(all);
}

function fitAll(all) {
  const root = tree.places[0];
  fitView({ all, sideways: tree.sideways, root: [root.x + root.width / 2, root.y + root.height / 2] });
}

function redrawWith(most) {
  openHeaviest(Math.min(most, 1500));
  refit([tree.sideways]);
  showDetails(tree.selected);
}

// Open as many nodes as the window shows in a readable size: at first in the direction that shows them
// larger, later in the one that the reader knows.
function openReadable(directions) {
  let best = null;
  const tries = canvasSize().width < 600 ? [15, 11, 9, 7, 5] : [61, 45, 33, 25, 19, 15];
  const firstTry = tries[0];
  for (const most of tries) {
    openHeaviest(most);
    best = bestForm(directions);
    // A small tree is shown whole, if that is not too small to read.
    const small = most === firstTry && best.places.length <= SMALL && best.places.every((place) => !place.hidden);
    if (best.scale > (small ? 0.88 : 1) * readable()) break;
  }
  draw(best, false);
}
