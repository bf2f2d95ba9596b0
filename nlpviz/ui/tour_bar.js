// The keys of a tour: → goes on, or reveals, ← goes back. A Streamlit components-v2 module without anything to see.

const tour = (window.nlpvizTour ??= {});

// Where arrow keys have a meaning of their own: text, choices, sliders, figures, tables.
const TAKEN =
  "input, textarea, select, [contenteditable=true], [role=slider], [role=radiogroup], [role=tablist], [role=listbox]," +
  " [role=combobox], [role=grid], .nlpviz-plot, .nlpviz-twin, dialog, canvas, .katex-display";
const LINKS = { ArrowRight: ".st-key-nlpviz_tour_next a", ArrowLeft: ".st-key-nlpviz_tour_back a" };

export default function () {
  tour.shown = (tour.shown ?? 0) + 1;
  if (!tour.listening) document.addEventListener("keydown", press);
  tour.listening = true;
  return () => {
    tour.shown -= 1;
  };
}

function press(event) {
  const link = LINKS[event.key] && tour.shown > 0 ? document.querySelector(LINKS[event.key]) : null;
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.defaultPrevented;
  if (!link || !plain || event.repeat || event.target.closest?.(TAKEN)) return;
  event.preventDefault();
  link.click();
}
