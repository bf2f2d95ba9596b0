// Playing what a figure shows at each epoch. Part of plotly_view.js, which says what a `view` is.
// The frames come with the figure, each as what is different from it (nlpviz/figures/frames.py).

const LISTS = ["annotations", "shapes"]; // of a layout: what a frame may change without redrawing its points
const SLOW_MS = 60; // a cloud that takes longer to be moved jumps
const RESTS_MS = 600; // a page that has run nothing for so long is at rest
const MARGIN = 40; // pixels of a figure that must be seen for its controls to be there
const PACE_MS = 1000; // from one frame to the next; the points move for MOVE_MS of it

// Return the figure that the person looks at: the one that came, or it with what its frame changes.
function shownFigure(view) {
  const { figure, playback } = view.payload;
  const frame = frameOf(view);
  if (!frame?.data.length) return figure;
  view.merged ??= new Map();
  if (!view.merged.has(frame)) view.merged.set(frame, merged(figure, playback, frame));
  return view.merged.get(frame);
}

// Return what says in words what the person looks at.
const shownWords = (view) => frameOf(view) ?? view.payload;

const frameOf = (view) => view.payload.playback?.frames.find(({ value }) => value === view.frame);

// ------------------------------------------------------------------------------------------------- controls

// Put the controls under a figure that can be played, and what they say in order.
function offerPlayer(view) {
  const { playback } = view.payload;
  if (!playback || playback.follows) {
    view.player?.root.remove();
    view.player = undefined;
    return;
  }
  view.player ??= newPlayer(view);
  view.player.keep(playback.clock);
  const { slider, button, said } = view.player;
  const at = playback.frames.findIndex(({ value }) => value === (view.frame ?? playback.shown));
  slider.max = String(playback.frames.length - 1);
  slider.value = String(at);
  const label = playback.frames[at]?.label ?? "";
  slider.setAttribute("aria-valuetext", label);
  said.textContent = label;
  button.lastChild.textContent = view.playing ? "Stop" : (playback.verb ?? "Play training");
  slider.setAttribute("aria-label", playback.noun ?? "Epoch");
  for (const one of view.player.steps) one.hidden = !playback.stepped;
  button.dataset.playing = String(Boolean(view.playing));
}

function newPlayer(view) {
  const root = element("div", "nlpviz-player");
  const button = element("button", "", { type: "button" });
  const icon = element("span", "nlpviz-player-icon", { "aria-hidden": "true" });
  button.append(icon, document.createElement("span"));
  const slider = element("input", "", { type: "range", min: "0", step: "1" });
  const said = element("output", "");
  const steps = [["‹", -1, "Previous step"], ["›", 1, "Next step"]].map(([sign, by, name]) => {
    const one = element("button", "", { type: "button", "aria-label": name });
    one.textContent = sign;
    one.addEventListener("click", () => {
      view.playing = undefined;
      const at = Number(slider.value) + by;
      if (at >= 0 && at <= Number(slider.max)) goTo(view, at).then(() => tell(view));
    });
    return one;
  });
  root.append(button, ...steps, slider, said);
  const place = element("div", "nlpviz-player-place");
  place.append(root);
  view.failure.after(place);
  button.addEventListener("click", () => (view.playing ? stop(view) : play(view)));
  slider.addEventListener("input", () => {
    view.playing = undefined;
    goTo(view, Number(slider.value));
  });
  slider.addEventListener("change", () => tell(view));
  return { root: place, button, slider, said, steps, keep: keepInSight(place, root, view.plot) };
}

// Controls stay in sight as long as anything is that they move, their figure or what goes by its clock: where their own
// place is out of sight, they float at the foot of the window, over a tour's bar where there is one. Return what takes the
// clock's name.
function keepInSight(place, root, plot) {
  let clock;
  const inSight = (node) => {
    const { top, bottom, height } = node.getBoundingClientRect();
    return height > 0 && bottom > MARGIN && top < innerHeight - 2 * MARGIN;
  };
  const put = () => {
    if (!place.isConnected) return removeEventListener("scroll", put, true);
    const moved = clock ? [plot, ...document.querySelectorAll(`[data-clock="${clock}"]`)] : [plot];
    const foot = document.querySelector("[data-testid=stBottom]")?.offsetHeight ?? 0;
    const { bottom } = place.getBoundingClientRect();
    const floats = (bottom < MARGIN || bottom > innerHeight - foot) && moved.some(inSight);
    place.style.height = floats ? `${place.offsetHeight}px` : "";
    root.classList.toggle("nlpviz-player-afloat", floats);
    const { left, width } = place.getBoundingClientRect();
    Object.assign(root.style, floats ? { left: `${left}px`, width: `${width}px`, bottom: `${foot}px` } : { left: "", width: "", bottom: "" });
  };
  new IntersectionObserver(put).observe(place);
  new ResizeObserver(put).observe(place);
  addEventListener("scroll", put, { capture: true, passive: true }); // of whatever part of the page scrolls
  return (name) => {
    clock = name;
    put();
  };
}

// Show one frame after the other at an even pace: from the first one, or on from where it was stopped.
async function play(view) {
  const turn = (view.playing = {});
  const last = () => (view.payload.playback?.frames.length ?? 0) - 1;
  const start = performance.now();
  const from = view.stopped ? Number(view.player.slider.value) + 1 : 0;
  view.stopped = false;
  // another control may lead to another view, which starts from the frame that is seen now
  const left = ({ target }) => !view.player.root.contains(target) && target.closest("a, button, input, label") && stop(view);
  document.addEventListener("pointerdown", left, true);
  for (let number = from; number <= last() && view.playing === turn; number += 1) {
    await goTo(view, number);
    const due = start + (number - from + 1) * (view.payload.playback?.pace ?? PACE_MS) - performance.now();
    if (number < last()) await new Promise((resolve) => setTimeout(resolve, Math.max(due, 0)));
  }
  document.removeEventListener("pointerdown", left, true);
  if (view.playing !== turn) return;
  view.playing = undefined;
  offerPlayer(view);
  tell(view);
}

function stop(view) {
  view.playing = undefined;
  view.stopped = Number(view.player.slider.value) < Number(view.player.slider.max);
  offerPlayer(view);
  tell(view);
}

async function goTo(view, number) {
  const { frames, clock, follows } = view.payload.playback;
  view.frame = frames[number].value;
  if (clock && !follows) setClock(clock, view.frame);
  describe(view);
  await draw(view, view.payload, loadPlotly(view.payload.plotly), true).catch((error) => fail(view, error));
}

// Let the page know which frame is shown, if it wants to: one at a time, for a run that is interrupted forgets what it was
// told. What it does not answer before it rests, another control has interrupted: it hears once more.
function tell(view) {
  if (!view.payload.playback?.heard || view.frame === undefined) return;
  view.wanted = view.frame;
  view.telling ??= telling(view).finally(() => {
    view.telling = undefined;
  });
}

async function telling(view) {
  for (let tries = 2; view.wanted !== undefined && tries && view.root.isConnected; ) {
    const value = (view.told = view.wanted);
    view.times = (view.times ?? 0) + 1; // the same words would not be heard twice
    view.answered = value === view.base;
    view.setTriggerValue("frame", { value, time: view.times });
    for (let rested = 0; !view.answered && rested < RESTS_MS && view.root.isConnected; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      rested = document.querySelector("[data-test-script-state=running]") ? 0 : rested + 50;
    }
    if (view.wanted !== value) tries = 2;
    else if (view.answered) view.wanted = undefined;
    else tries -= 1;
  }
  view.wanted = undefined;
}

// Of several figures with one clock that one sets it that has the controls; the others go where it goes.
function keepTime(view) {
  const { clock, follows, frames, shown } = view.payload.playback ?? {};
  if (!follows) {
    view.deaf?.();
    view.deaf = undefined;
    delete view.root.dataset.clock;
    if (clock) setClock(clock, view.frame ?? shown);
    return;
  }
  view.root.dataset.clock = clock;
  const there = (moment) => frames.some(({ value }) => value === moment);
  if (there(momentOf(clock))) view.frame = momentOf(clock);
  view.deaf?.();
  view.deaf = onClock(clock, (moment) => {
    const number = frames.findIndex(({ value }) => value === moment);
    if (number >= 0 && moment !== (view.frame ?? shown)) goTo(view, number);
  });
}

// Other data came: what was chosen here stays, unless the page itself has gone to another frame. What the page heard
// is no such frame: until it answers, a person may have gone on.
function keepFrame(view, data) {
  const { playback } = data;
  view.merged = undefined;
  const answers = view.told !== undefined && view.told === playback?.shown;
  const elsewhere = view.base !== playback?.shown && !answers;
  view.base = playback?.shown;
  view.answered ||= answers || elsewhere;
  if (!elsewhere) return;
  view.told = view.wanted = undefined;
  view.frame = view.playing = undefined;
  view.stopped = false;
}

// --------------------------------------------------------------------------------------------------- motion

// Plotly takes 0.4 s to draw 2,000 marks anew. A frame has the same points in the same traces: it is enough to put
// each where it goes, and to hand Plotly's own record of it the new numbers, for hovering and zooming.
function maySlide(view, from) {
  if (!from || from.size !== view.places.size) return false;
  const { frames } = view.payload.playback;
  if (frames.some(({ layout }) => Object.keys(layout).some((key) => !LISTS.includes(key)))) return false;
  if (view.drawn.data.some(({ type }) => !["scatter", "scatter3d"].includes(type ?? "scatter"))) return false;
  for (const [key, place] of view.places) {
    const old = from.get(key);
    if (old?.trace !== place.trace || old.index !== place.index) return false;
  }
  return true;
}

async function slide(view, from) {
  const solid = isSolid(view);
  await relabel(view);
  const marks = solid ? [] : marksToMove(view);
  noteNumbers(view);
  const put = (share) => {
    if (solid) return moveInSpace(view, from, share);
    for (const { node, x, y, to, label } of marks) {
      const [across, down] = [share * (to.x - x), share * (to.y - y)];
      node.setAttribute("transform", `translate(${x + across},${y + down})`);
      label?.node.setAttribute("x", String(label.x + across));
      label?.node.setAttribute("y", String(label.y + down));
    }
    return marks[0]?.node.getAttribute("transform");
  };
  if (!wantsMotion() || from.size > MOVE_LIMIT) return put(1);
  let written = put(0);
  return glide(view, (share) => {
    if (solid && view.slow) return put(1), false;
    if (marks.length && marks[0].node.getAttribute("transform") !== written) return false; // zoomed meanwhile
    written = put(share);
    return true;
  });
}

// Return the mark of each point, where it stands and where it goes, in pixels of its panel, in its new colour.
function marksToMove(view) {
  const layout = view.plot._fullLayout;
  const colours = view.drawn.data.map(coloursOf);
  return [...marksOf(view.plot, view.places)].map(([key, mark]) => {
    const { trace, index, x, y } = view.places.get(key);
    const { xaxis = "x", yaxis = "y" } = view.drawn.data[trace];
    const to = { x: axisOf(layout, xaxis).c2p(x), y: axisOf(layout, yaxis).c2p(y) };
    Object.assign(mark.node.__data__, { x, y }); // what Plotly hovers and zooms by
    if (colours[trace]) mark.node.style.fill = colours[trace](index);
    return { ...mark, to, label: labelOf(mark.node, index) };
  });
}

// Return the words that a trace writes beside a mark, and where they are, in the same pixels; undefined if it writes none.
function labelOf(mark, index) {
  const node = mark.closest(".trace")?.querySelectorAll(".textpoint text")[index];
  return node && { node, x: Number(node.getAttribute("x")), y: Number(node.getAttribute("y")) };
}

const axisOf = (layout, name) => layout[`${name[0]}axis${name.slice(1)}`];

// Return what gives each point of a trace its colour, where the colours are numbers on a scale.
function coloursOf({ marker }) {
  const { color, colorscale, cmin, cmax } = marker ?? {};
  const values = color && typeof color !== "string" ? numbersOf(color) : [];
  if (typeof values[0] !== "number" || !Array.isArray(colorscale) || cmin === undefined) return undefined;
  const stops = colorscale.map(([share, name]) => [share, channels(name)]);
  return (index) => {
    const share = Math.min(Math.max((values[index] - cmin) / (cmax - cmin), 0), 1);
    const after = Math.max(stops.findIndex(([stop]) => stop >= share), 1);
    const [[low, from], [high, to]] = [stops[after - 1], stops[after]];
    const mixed = from.map((channel, number) => channel + ((share - low) / (high - low)) * (to[number] - channel));
    return `rgb(${mixed.slice(0, 3).join()})`;
  };
}

// Let Plotly's data and its full data hold what is drawn now.
function noteNumbers(view) {
  view.drawn.data.forEach((trace, number) => {
    const numbers = Object.fromEntries(
      ["x", "y", "z", "text", "hovertext"].filter((key) => trace[key]).map((key) => [key, numbersOf(trace[key])]),
    );
    Object.assign(view.plot.data[number], trace, numbers);
    Object.assign(view.plot._fullData[number], numbers);
    const colour = trace.marker?.color;
    if (colour && typeof colour !== "string") view.plot._fullData[number].marker.color = numbersOf(colour);
  });
}

// Draw the headings, labels and segments of the frame. Plotly would draw all points anew for another text, but not for
// another opacity: it reads the text on the way.
function relabel(view) {
  const { plot, drawn } = view;
  const { frames } = view.payload.playback;
  const nudged = LISTS.flatMap((key) => {
    const most = Math.max(...frames.map(({ layout }) => layout[key]?.length ?? 0));
    const marks = [...(drawn.layout[key] ?? [])];
    while (marks.length < most) marks.push({ visible: false });
    plot.layout[key] = marks.map((mark) => ({ ...mark }));
    return marks.map((mark, number) => [`${key}[${number}].opacity`, mark.opacity ?? 1]);
  });
  Object.assign(plot.layout, camerasOf(plot, plot.layout)); // turned meanwhile
  return nudged.length && window.Plotly.relayout(plot, Object.fromEntries(nudged));
}

// Hand coordinates to WebGL itself: Plotly would set the camera back that a person is turning.
function moveInSpace(view, from, share) {
  const start = performance.now();
  const coordinates = new Map();
  for (const [key, { trace, index, ...to }] of view.places) {
    if (!coordinates.has(trace)) coordinates.set(trace, { x: [], y: [], z: [] });
    const old = from.get(key);
    for (const axis of ["x", "y", "z"]) coordinates.get(trace)[axis][index] = old[axis] + share * (to[axis] - old[axis]);
  }
  for (const [number, places] of coordinates) {
    const full = view.plot._fullData[number];
    const { _scene: scene } = view.plot._fullLayout[full.scene];
    Object.assign(view.plot.data[number], places);
    Object.assign(full, places);
    if (!moveCloud(scene, full)) scene.traces[full.uid]?.update(full);
    scene.glplot.redraw();
  }
  view.slow = performance.now() - start > SLOW_MS;
}

// Move the cloud of a trace without its marks being built anew. The marks of a trace have one shape: its corners lie in the
// buffer mark after mark, then those of its outlines.
function moveCloud(scene, full) {
  const made = scene.traces[full.uid];
  const cloud = made?.scatterPlot;
  const each = [cloud?.vertexCount, cloud?.lineVertexCount].map((corners) => corners / full.x.length);
  if (cloud?.pointCount !== full.x.length || !each.every(Number.isInteger)) return false;
  const points = Array.from(full.x, (x, at) => [x, full.y[at], full.z[at]].map((one, axis) => one * scene.dataScale[axis]));
  const corners = new Float32Array(3 * (cloud.vertexCount + cloud.lineVertexCount));
  let end = 0;
  for (const times of each) {
    for (const point of points) for (let time = 0; time < times; time += 1, end += 3) corners.set(point, end);
  }
  cloud.pointBuffer.update(corners);
  cloud.points = made.dataPoints = points; // what is found under the pointer
  return true;
}
