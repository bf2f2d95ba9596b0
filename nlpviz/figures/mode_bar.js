// Plotly's mode bar, reduced to what helps. Read by the pages of the app, and by pages saved as one file.

const COARSE_POINTER = matchMedia("(pointer: coarse)").matches;
const CONFIG = {
  displaylogo: false,
  showSendToCloud: false, // plotly.js 4 offers by default to send the figure to another host
  plotlyServerURL: "",
  displayModeBar: COARSE_POINTER ? false : "hover",
  scrollZoom: "gl3d", // over a 2-D figure the wheel scrolls the page
  modeBarButtonsToRemove: [
    "toImage", "select2d", "lasso2d", "autoScale2d", "hoverClosestCartesian", "hoverCompareCartesian",
    "toggleSpikelines", "resetCameraLastSave3d", "hoverClosest3d", "orbitRotation", "zoom3d",
    "sendChartToCloud",
  ],
};
const STILL_CONFIG = { ...CONFIG, displayModeBar: false };
// A map is moved and zoomed, with a few buttons that help; bars and lines are looked at as they are.
const isMapLayout = (layout) => Boolean(layout.meta?.map);
