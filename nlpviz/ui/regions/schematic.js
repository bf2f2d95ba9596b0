// A text on its way through a convolutional network, drawn with the text's own numbers. A Streamlit components-v2 module.
// Words go in by textContent, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const COLUMN = 64, CELL = 9, TOP = 30, MAP = 96, PACE_MS = 420;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const schematics = new WeakMap();

export default function ({ data, parentElement }) {
  if (!schematics.has(parentElement)) schematics.set(parentElement, newSchematic(parentElement));
  const view = schematics.get(parentElement);
  if (view.stamp !== data.stamp) {
    view.stamp = data.stamp;
    view.data = data;
    choose(view, 0);
  }
  return () => {
    clearInterval(view.timer);
    schematics.delete(parentElement);
    view.root.remove();
  };
}

function make(tag, className, attributes = {}, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function draw(parent, tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

function newSchematic(parentElement) {
  const root = make("section", "nlpviz-schematic", { "aria-label": "How the text passes through the network" });
  const bar = make("div", "nlpviz-schematic-bar");
  const play = make("button", "", { type: "button" }, "Slide the filter");
  const slider = make("input", "", { type: "range", min: "0", "aria-label": "Filter position" });
  const said = make("output", "", {});
  const strip = make("div", "nlpviz-schematic-strip", { tabindex: "0", role: "group" });
  const filters = make("div", "nlpviz-schematic-filters", { role: "group", "aria-label": "Filters" });
  bar.append(play, slider, said);
  root.append(filters, bar, strip);
  parentElement.append(root);
  const view = { root, play, slider, said, strip, filters };
  play.addEventListener("click", () => (view.timer ? stop(view) : slide(view)));
  slider.addEventListener("input", () => {
    stop(view);
    place(view, Number(slider.value));
  });
  return view;
}

function choose(view, chosen) {
  stop(view);
  view.chosen = chosen;
  const { filters } = view.data;
  view.filters.replaceChildren(...filters.map((filter, index) => {
    const button = make("button", "", { type: "button", "aria-pressed": String(index === chosen) });
    button.append(
      make("b", "", {}, `Filter ${filter.id}`), make("span", "", {}, filter.words),
      make("span", "nlpviz-schematic-sign", {}, filter.product),
    );
    button.dataset.sign = filter.amount < 0 ? "against" : "for";
    button.addEventListener("click", () => choose(view, index));
    return button;
  }));
  paint(view);
  place(view, filters[chosen].start);
}

// The words, their vectors, what the chosen filter answers at each place.
function paint(view) {
  const { words, cells, scale, dimensions } = view.data;
  const filter = view.data.filters[view.chosen];
  const height = TOP + dimensions.length * CELL + 24 + MAP + 34;
  const width = Math.max(words.length, filter.size) * COLUMN + 70;
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}`, role: "img" })) {
    svg.setAttribute(name, value);
  }
  draw(svg, "title", {}, view.data.alt);
  words.forEach((word, column) => {
    const x = column * COLUMN;
    draw(svg, "text", { x: x + COLUMN / 2, y: 18, "text-anchor": "middle", class: "nlpviz-schematic-word" },
      word.length > 9 ? `${word.slice(0, 8)}…` : word);
    cells[column].forEach((value, row) => {
      draw(svg, "rect", {
        x: x + 4, y: TOP + row * CELL, width: COLUMN - 8, height: CELL - 1,
        class: value < 0 ? "nlpviz-schematic-against" : "nlpviz-schematic-for",
        "fill-opacity": Math.min(1, Math.abs(value) / scale).toFixed(2),
      });
    });
  });
  const base = TOP + dimensions.length * CELL + 24 + MAP * 0.62;
  const most = Math.max(...filter.answers.map(Math.abs), 1e-6);
  draw(svg, "line", { x1: 0, x2: words.length * COLUMN, y1: base, y2: base, class: "nlpviz-schematic-zero" });
  view.bars = filter.answers.map((answer, position) => {
    const tall = Math.abs(answer) / most * MAP * (answer < 0 ? 0.36 : 0.6);
    const group = draw(svg, "g", {});
    const x = position * COLUMN + 14;
    draw(group, "rect", {
      x, y: answer < 0 ? base : base - tall, width: COLUMN - 28, height: Math.max(tall, 1),
      class: answer < 0 ? "nlpviz-schematic-cut" : "nlpviz-schematic-answer",
    });
    draw(group, "text", {
      x: x + (COLUMN - 28) / 2, y: answer < 0 ? base + tall + 13 : base - tall - 4, "text-anchor": "middle",
      class: "nlpviz-schematic-number",
    }, answer.toFixed(2).replace("-", "−"));
    return group;
  });
  view.window = draw(svg, "rect", {
    y: 3, height: TOP + dimensions.length * CELL, width: filter.size * COLUMN - 2, rx: 6,
    class: "nlpviz-schematic-window",
  });
  view.winner = draw(svg, "text", { y: height - 6, "text-anchor": "middle", class: "nlpviz-schematic-winner" });
  view.strip.replaceChildren(svg);
  view.slider.max = String(filter.answers.length - 1);
}

// Put the filter at a place: what lies before it has been answered, what comes after has not.
function place(view, position) {
  const filter = view.data.filters[view.chosen];
  const over = view.data.words.slice(position, position + filter.size).join(" ");
  view.slider.value = String(position);
  view.window.setAttribute("x", position * COLUMN + 1);
  const seen = filter.answers.slice(0, position + 1);
  const whole = !view.timer;
  const best = whole ? filter.start : seen.indexOf(Math.max(...seen));
  view.bars.forEach((bar, index) => {
    bar.style.opacity = whole || index <= position ? "1" : "0.12";
    bar.classList.toggle("nlpviz-schematic-best", index === best);
  });
  view.winner.setAttribute("x", best * COLUMN + COLUMN / 2);
  view.winner.textContent = filter.answers[best] > 0 ? (whole ? "maximum" : "largest so far") : "";
  const answer = filter.answers[position].toFixed(2).replace("-", "−");
  const kept = filter.answers[position] > 0 ? answer : "0 after the ReLU";
  view.said.textContent = `“${over}”: ${answer}${filter.answers[position] > 0 ? "" : `, so ${kept}`}`;
  const left = position * COLUMN - view.strip.clientWidth / 2 + COLUMN;
  view.strip.scrollTo({ left, behavior: view.timer && !STILL.matches ? "smooth" : "auto" });
}

function slide(view) {
  const last = view.data.filters[view.chosen].answers.length - 1;
  let position = -1;
  view.play.textContent = "Stop";
  const step = () => {
    position += 1;
    if (position > last) {
      stop(view);
      place(view, view.data.filters[view.chosen].start);
    } else place(view, position);
  };
  view.timer = setInterval(step, Math.max(60, Math.min(PACE_MS, 12_000 / (last + 1))));
  step();
}

function stop(view) {
  clearInterval(view.timer);
  view.timer = undefined;
  view.play.textContent = "Slide the filter";
}
