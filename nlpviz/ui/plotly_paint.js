// The colours of a figure and how its points move. Part of plotly_view.js, which says what a `view` is.

// -------------------------------------------------------------------------------------------------- colours

function pageColour(view, name) {
  return getComputedStyle(view.root).getPropertyValue(name).trim();
}

function onDarkPage(view) {
  const [red, green, blue] = channels(pageColour(view, "--st-background-color")) ?? [255, 255, 255];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

// Return a copy of the figure in the colours of the page.
function inColoursOfThePage(view) {
  const { onDark, ofThePage } = view.payload;
  const own = Object.entries(ofThePage).map(([from, name]) => [from, pageColour(view, name)]);
  return recoloured(shownFigure(view), [...Object.entries(onDarkPage(view) ? onDark : {}), ...own]);
}

// --------------------------------------------------------------------------------------------------- motion

const MOVE_MS = 400;
const MOVE_LIMIT = 5000; // more points than this jump

const MARKED = ["scatter", "scattergl", "scatter3d"]; // the traces that may be points

// Return where each point of the scatter traces lies, by panel and id (by its number where it has none).
function placesOf(traces) {
  const places = new Map();
  traces.forEach((trace, number) => {
    if (!MARKED.includes(trace.type ?? "scatter") || !trace.mode?.includes("markers")) return;
    const [xs, ys, zs] = [trace.x, trace.y, trace.z].map(numbersOf);
    const ids = trace.customdata?.shape ? [] : numbersOf(trace.customdata);
    for (let index = 0; index < ys.length; index += 1) {
      const id = idOf(ids[index]);
      let key = `${trace.scene ?? trace.xaxis ?? "x"} ${id ?? `${number}:${index}`}`;
      while (places.has(key)) key += " again"; // a point drawn twice, to stand out
      places.set(key, { id, trace: number, index, x: xs[index] ?? index, y: ys[index], z: zs[index] });
    }
  });
  return places;
}

// Points move when the same ones lie elsewhere, they are not too many, and the person has nothing against it.
function mayMove(from, view) {
  if (!from?.size || from.size > MOVE_LIMIT || from.size !== view.places.size || !wantsMotion()) return false;
  if (isSolid(view) || view.drawn.data.some((trace) => trace.mode !== "markers")) return false;
  let moved = false;
  for (const [key, place] of view.places) {
    const old = from.get(key);
    if (!old) return false;
    moved ||= old.x !== place.x || old.y !== place.y;
  }
  return moved;
}

const wantsMotion = () => !matchMedia("(prefers-reduced-motion: reduce)").matches && !document.hidden;

function move(view, from) {
  return view.drawn.data.some((trace) => trace.type === "scattergl") ? moveData(view, from) : moveMarks(view, from);
}

// Call `step` with an eased share from 0 to 1 over MOVE_MS, until it returns false or a newer drawing begins.
async function glide(view, step) {
  const { turn } = view;
  const start = performance.now();
  for (let share = 0; share < 1; ) {
    const now = await new Promise(requestAnimationFrame);
    share = Math.min(Math.max((now - start) / MOVE_MS, 0), 1);
    const eased = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
    if (turn !== view.turn || (await step(eased)) === false) return;
  }
}

// WebGL knows no transitions: hand Plotly interpolated coordinates, frame by frame.
async function moveData(view, from) {
  const { data, layout } = view.drawn;
  const moving = data.flatMap((trace, number) => (trace.mode?.includes("markers") ? [number] : []));
  const axes = ["x", "y"];
  const at = (share) => {
    const coordinates = Object.fromEntries(axes.map((axis) => [axis, data.map(() => [])]));
    for (const [key, place] of view.places) {
      const old = from.get(key);
      for (const axis of axes) coordinates[axis][place.trace][place.index] = old[axis] + share * (place[axis] - old[axis]);
    }
    return coordinates;
  };
  const of = (coordinates, number) => Object.fromEntries(axes.map((axis) => [axis, coordinates[axis][number]]));
  const start = at(0);
  const first = data.map((trace, number) => (moving.includes(number) ? { ...trace, ...of(start, number) } : trace));
  await window.Plotly.react(view.plot, first, layout, configOf(view));
  const lists = (coordinates) => axes.map((axis) => [axis, moving.map((number) => coordinates[axis][number])]);
  await glide(view, (share) => window.Plotly.restyle(view.plot, Object.fromEntries(lists(at(share))), moving));
}

// SVG: let Plotly draw the new picture, then slide its marks there from where they stood. Far cheaper than
// drawing anew for each frame, and what is left at the end is exactly what Plotly drew.
async function moveMarks(view, from) {
  const before = marksOf(view.plot, from);
  await window.Plotly.react(view.plot, view.drawn.data, view.drawn.layout, configOf(view));
  const marks = [];
  for (const [key, mark] of marksOf(view.plot, view.places)) {
    if (before.has(key)) marks.push({ ...mark, from: before.get(key) });
  }
  const slide = (share) => {
    for (const { node, x, y, from: old } of marks) {
      node.setAttribute("transform", `translate(${old.x + share * (x - old.x)},${old.y + share * (y - old.y)})`);
    }
    return marks[0]?.node.getAttribute("transform");
  };
  let written = slide(0);
  await glide(view, (share) => {
    if (!marks.length || marks[0].node.getAttribute("transform") !== written) return false; // zoomed meanwhile
    written = slide(share);
    return true;
  });
}

// Return the SVG mark of each point and where it stands, by the key of the point's place.
function marksOf(plot, places) {
  const keys = new Map([...places].map(([key, { trace, index }]) => [`${trace}:${index}`, key]));
  const marks = new Map();
  for (const group of plot.querySelectorAll(".scatterlayer > .trace")) {
    for (const node of group.querySelectorAll("path.point")) {
      // __data__ is what Plotly's d3 bound to the mark
      const key = keys.get(`${group.__data__?.[0]?.trace?.index}:${node.__data__?.i}`);
      const [, x, y] = /^translate\(([^,]+),([^)]+)\)$/.exec(node.getAttribute("transform")) ?? [];
      if (key !== undefined && x !== undefined) marks.set(key, { node, x: Number(x), y: Number(y) });
    }
  }
  return marks;
}
