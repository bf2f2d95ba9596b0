// A loop drawn round points of a flat scatter. Part of plotly_view.js, which says what a `view` is.
// Sent is the loop, not what lies in it: it is short, fits into an address, and may be drawn again from there.

const MOST_CORNERS = 24;
const LASSO_BUTTONS = ["select2d", "lasso2d"];
const LASSO_CONFIG = {
  ...CONFIG,
  displayModeBar: true,
  modeBarButtonsToRemove: CONFIG.modeBarButtonsToRemove.filter((button) => !LASSO_BUTTONS.includes(button)),
};
const hasLasso = (view) => Boolean(view.payload.lasso) && !COARSE_POINTER; // a thumb scrolls the page

function listenForLoops(view) {
  view.plot.on("plotly_selected", (event) => {
    if (!hasLasso(view) || !event) return;
    const loop = loopOf(event);
    if (!loop) return;
    view.setTriggerValue("looped", loop);
    window.Plotly.relayout(view.plot, { selections: [] }); // the figure that comes back has the loop
  });
}

// Return the corners of a lasso or a box as "x,y x,y …", in the units of the axes.
function loopOf({ lassoPoints, range }) {
  const [x, y] = lassoPoints ? [lassoPoints.x, lassoPoints.y] : range ? boxOf(range) : [[], []];
  const every = Math.max(1, Math.ceil(x.length / MOST_CORNERS));
  const corners = [...x.keys()].filter((at) => at % every === 0).map((at) => `${x[at].toFixed(4)},${y[at].toFixed(4)}`);
  return corners.length > 2 ? corners.join(" ") : "";
}

const boxOf = ({ x: [left, right], y: [low, high] }) => [[left, right, right, left], [low, low, high, high]];
