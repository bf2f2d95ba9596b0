// A page on stage, on a tour or presented to a room: one chip shows and hides its controls, the figure of a tour's step is
// scrolled into sight with its heading, and the keys → and ← lead on, or reveal, and back. A Streamlit components-v2 module.

const stage = (window.nlpvizStage ??= { shown: 0 });

// Where arrow keys have a meaning of their own: text, choices, sliders, figures, tables.
const TAKEN =
  "input, textarea, select, [contenteditable=true], [role=slider], [role=radiogroup], [role=tablist], [role=listbox]," +
  " [role=combobox], [role=grid], .nlpviz-plot, .nlpviz-twin, dialog, canvas, .katex-display";
const LINKS = { ArrowRight: ".st-key-nlpviz_tour_next a", ArrowLeft: ".st-key-nlpviz_tour_back a" };
const FIGURES = ":is(.nlpviz-figure, .nlpviz-text, .nlpviz-schematic, [data-testid=stDataFrame])";
const PATIENCE = 15_000; // ms in which a figure may come, or be pushed down by what comes over it

export default function ({ data, parentElement }) {
  stage.shown += 1;
  if (!stage.listening) document.addEventListener("keydown", press);
  stage.listening = true;
  if (!parentElement.querySelector("button")) parentElement.append(chip());
  if (data.step && data.step !== stage.step) follow(data.shows);
  stage.step = data.step;
  return () => {
    stage.shown -= 1;
  };
}

// What is hidden is said in tour_bar.css, by whether this is pressed.
function chip() {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "nlpviz-chip nlpviz-stage-chip", textContent: "Controls" });
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") === "false"));
  });
  return button;
}

// Keep the figure called `key`, or the first one, in sight until the person does something or all has come.
function follow(key) {
  const main = document.querySelector("[data-testid=stMain]");
  const turn = (stage.turn = (stage.turn ?? 0) + 1);
  const end = performance.now() + PATIENCE;
  const stop = () => {
    stage.turn += 1;
  };
  for (const event of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    document.addEventListener(event, stop, { once: true, passive: true });
  }
  const look = () => {
    if (turn !== stage.turn || performance.now() > end) return;
    const figure = main.querySelector(key ? `.st-key-${CSS.escape(key)}` : `.stMainBlockContainer ${FIGURES}`);
    if (figure) main.scrollTop += beyond(figure, main);
    setTimeout(look, 100);
  };
  look();
}

// Return how far to scroll so that a figure is in sight with what says what it shows: the page's title, else the sentence or
// the heading over it, else the headings of its columns. The figure is whole, or most of it is over the bar.
function beyond(figure, main) {
  const foot = document.querySelector("[data-testid=stBottom]")?.offsetHeight ?? 0;
  const { top: from, bottom: to } = main.getBoundingClientRect();
  const { top, bottom, height } = figure.getBoundingClientRect();
  const room = to - foot - from;
  const share = (first) => Math.min(1, (room - (top - first)) / height);
  const start = from - main.scrollTop; // of the page
  if (share(start) === 1) return start - from;
  const column = figure.closest("[data-testid=stColumn]");
  const [over, beside] = [heading(figure, main), column].map((one) => one?.getBoundingClientRect().top ?? top);
  if (over < top && share(over) >= MOST) return over - from;
  if (beside < top && top - beside < room / 4) return beside - from;
  return Math.min(top - EDGE, Math.max(start, bottom - room)) - from;
}
const MOST = 0.7; // of a figure
const EDGE = 8; // px over it

// Return what stands last over a figure and says what it shows.
function heading(figure, main) {
  const all = [...main.querySelectorAll(".stMainBlockContainer :is(h2, .st-key-nlpviz_takeaway)")];
  return all.findLast((one) => one.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING);
}

function press(event) {
  const link = LINKS[event.key] && stage.shown > 0 ? document.querySelector(LINKS[event.key]) : null;
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.defaultPrevented;
  if (!link || !plain || event.repeat || event.target.closest?.(TAKEN)) return;
  event.preventDefault();
  link.click();
}
