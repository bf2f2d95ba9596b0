// How nlpviz draws a Plotly figure: one element, kept across reruns, in the colours of the page it stands on.
// A Streamlit components-v2 module; those that plotly_view.py lists after it are appended to it.
// Whatever comes with the data goes in by textContent, never as markup.

const UI_REVISION = "nlpviz"; // constant: zoom and camera outlive a change of colour or epoch
const configOf = (view) => (hasLasso(view) ? LASSO_CONFIG : isMap(view) ? CONFIG : STILL_CONFIG);
const isMap = (view) => isMapLayout(view.payload.figure.layout);
const PAPER = matchMedia("print");
const views = new WeakMap(); // the element that Streamlit lends us -> its view

export default function ({ data, parentElement, setTriggerValue }) {
  const ready = loadPlotly(data.plotly);
  if (!data.figure) {
    ready.catch(() => {}); // only asked to fetch early: the figure that needs it will say that it failed
    return noteForAll(data);
  }
  if (!views.has(parentElement)) views.set(parentElement, newView(parentElement));
  const view = views.get(parentElement);
  view.setTriggerValue = setTriggerValue;
  draw(view, data, ready).catch((error) => fail(view, error));
  return () => {
    view.sizes.disconnect();
    view.deaf?.();
    PAPER.removeEventListener("change", view.onPaper);
    view.playing = undefined;
    view.turn += 1; // whatever is still under way gives up
    window.Plotly?.purge(view.plot);
    views.delete(parentElement);
    view.root.remove();
  };
}

// One <script> serves every figure of every page of this tab.
function loadPlotly(url) {
  window.nlpvizPlotly ??= new Promise((resolve, reject) => {
    const script = element("script", "", { src: url, fetchpriority: "high" });
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      window.nlpvizPlotly = undefined;
      script.remove();
      reject(new Error("plotly.min.js could not be loaded. Is the server still running? Reload the page to try again."));
    };
    document.head.append(script);
  });
  return window.nlpvizPlotly;
}

function newView(parentElement) {
  const root = element("figure", "nlpviz-figure");
  const plot = element("div", "nlpviz-plot nlpviz-waiting", { tabindex: "0", role: "group" });
  const failure = element("p", "nlpviz-failure", { role: "alert" });
  const twin = element("div", "nlpviz-twin");
  const code = element("div", "nlpviz-code");
  const sideways = element("p", "nlpviz-sideways");
  sideways.textContent = "Scroll sideways to see the rest →";
  sideways.hidden = failure.hidden = twin.hidden = code.hidden = true;
  const frame = element("div", "nlpviz-frame");
  frame.append(plot);
  root.append(sideways, frame, failure, twin, code);
  parentElement.append(root);
  const view = { root, plot, sideways, failure, twin, code, turn: 0, focused: -1 };
  view.sizes = new ResizeObserver(() => {
    const resized = plot.clientWidth > 0 && plot.clientWidth !== view.width;
    view.width = plot.clientWidth;
    if (!resized || !view.root.dataset.drawn) return;
    fit(view, plot.layout, Math.max(view.payload.type ?? 1, 1));
    window.Plotly.Plots.resize(plot);
  });
  view.sizes.observe(plot);
  view.onPaper = () => view.payload && draw(view, view.payload, Promise.resolve(window.Plotly)); // paper is light
  PAPER.addEventListener("change", view.onPaper);
  plot.addEventListener("keydown", (event) => walk(view, event));
  return view;
}

async function draw(view, data, ready, played = false) {
  const turn = (view.turn += 1);
  const repainted = view.payload === data && !played; // the same figure again: only the theme is another
  if (view.payload !== data) {
    keepFrame(view, data);
    view.payload = data;
    keepTime(view);
    fit(view, {});
    describe(view);
  }
  const Plotly = await ready;
  if (turn !== view.turn) return;
  const drawn = inColoursOfThePage(view);
  drawn.layout = { uirevision: UI_REVISION, ...drawn.layout, autosize: true };
  for (const trace of drawn.data) if (trace.type === "scattergl" && !hasWebGl()) trace.type = "scatter";
  fit(view, drawn.layout);
  if (data.type > 1) enlarge(drawn, data.type);
  if (hasLasso(view)) drawn.layout.dragmode = "lasso";
  else if (COARSE_POINTER || !isMap(view)) drawn.layout.dragmode = false; // a thumb scrolls the page
  keepCameras(view.plot, drawn.layout);
  const from = repainted ? null : view.places;
  view.drawn = drawn;
  view.places = placesOf(drawn.data);
  view.failure.hidden = true;
  const stepped = played && data.playback?.stepped; // frames whose points stay and whose lines differ
  if (played && !stepped && maySlide(view, from)) await slide(view, from);
  else if (!stepped && mayMove(from, view)) await move(view, from);
  else await Plotly.react(view.plot, drawn.data, drawn.layout, configOf(view));
  if (turn !== view.turn) return;
  view.plot.classList.remove("nlpviz-waiting");
  if (!view.listening) listen(view);
  view.root.dataset.drawn = String(turn); // for whoever waits until it is painted: tests, the benchmark
}

// A browser may have none, in a virtual machine for example; what is flat is then drawn as SVG.
let webGl;
const hasWebGl = () => (webGl ??= Boolean(document.createElement("canvas").getContext("webgl")));

// Plotly's own memory of a camera, its uirevision, is of when the button was let go: the camera glides on a little.
// And none is left where the figure was resized before.
function keepCameras(plot, layout) {
  if (plot._fullLayout?.uirevision === layout.uirevision) Object.assign(layout, camerasOf(plot, layout));
}

// Return the scenes of `layout` as the person sees them now.
function camerasOf(plot, layout) {
  const scenes = Object.entries(plot._fullLayout).filter(([key, part]) => /^scene\d*$/.test(key) && part._scene);
  const seen = scenes.map(([key, { _scene }]) => [key, { ...layout[key], camera: _scene.getCamera() }]);
  return Object.fromEntries(seen);
}

function fail(view, error) {
  view.failure.textContent = `This figure could not be drawn. ${error.message}`;
  view.failure.hidden = false;
  view.plot.classList.remove("nlpviz-waiting");
}

// ------------------------------------------------------------------------------------- pointer and keyboard

// In three dimensions Plotly calls every press of the button a click, that of a turn of the camera too. There a
// click is a press and a release at the same place, on the point that the pointer was last over.
function listen(view) {
  const { plot } = view;
  const solid = () => isSolid(view);
  const over = ({ points }) => {
    view.hovered = points[0]?.customdata;
  };
  plot.on("plotly_hover", over);
  plot.on("plotly_unhover", () => {
    view.hovered = undefined;
  });
  listenForLoops(view);
  plot.on("plotly_click", (event) => (solid() ? over(event) : pick(view, event.points[0]?.customdata)));
  plot.addEventListener("pointerdown", ({ clientX, clientY }) => {
    view.pressed = [clientX, clientY];
  }, true);
  plot.addEventListener("click", ({ clientX, clientY }) => {
    const [x, y] = view.pressed ?? [];
    if (solid() && Math.hypot(clientX - x, clientY - y) < 4) pick(view, view.hovered);
  }, true);
  view.listening = true;
}

const isSolid = (view) => Boolean(view.drawn?.data.some((trace) => trace.type === "scatter3d"));

function pick(view, customdata) {
  const id = idOf(customdata);
  if (view.payload.clickable && id !== undefined) view.setTriggerValue("clicked", String(id));
}

function idOf(customdata) {
  const id = Array.isArray(customdata) || ArrayBuffer.isView(customdata) ? customdata[0] : customdata;
  return id ?? undefined;
}

// Arrow keys step through the points of a 2-D scatter, Enter does what a click on the point does.
function walk(view, event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const places = isSolid(view) ? [] : [...(view.places?.values() ?? [])];
  if (event.target !== view.plot || !places.length || (!step && event.key !== "Enter")) return;
  event.preventDefault();
  if (step) {
    const start = view.focused < 0 && step < 0 ? 0 : view.focused;
    view.focused = (start + step + places.length) % places.length;
    const { trace, index } = places[view.focused];
    window.Plotly.Fx.hover(view.plot, [{ curveNumber: trace, pointNumber: index }]);
  } else if (places[view.focused]) {
    pick(view, places[view.focused].id);
  }
}
