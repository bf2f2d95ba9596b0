// What a person can export from a figure: pictures, a page, the numbers, a link. All made in the browser.
// Part of plotly_view.js, which says what a `view` is.

const TABLE_ROWS = 200; // shown; the CSV holds them all

const TAKE_AWAY = [
  ["PNG", "Download the figure as a PNG picture", (view) => savePicture(view, "png")],
  ["SVG", "Download the figure as an SVG picture", (view) => savePicture(view, "svg")],
  ["HTML", "Download the figure as an interactive page that works offline", savePage],
  ["CSV", "Download the figure’s numbers as CSV", saveNumbers],
  ["Table", "Show the figure’s numbers as a table", toggleTwin],
  ["Code", "Show the Python code that computes the figure’s numbers", toggleCode],
  ["Link", "Copy a link to the current view", copyLink],
];

// Put into words and numbers what the figure shows.
function describe(view) {
  const { alt, caption } = shownWords(view);
  view.root.setAttribute("aria-label", alt);
  const keys = "Arrow keys move between points; Enter opens a point.";
  view.plot.setAttribute("aria-label", view.payload.clickable ? `The figure. ${keys}` : "The figure");
  if (!view.menu) offerMenu(view);
  view.menu.about.replaceChildren(...withTerms(caption));
  if (!view.twin.hidden) fillTwin(view);
  offerCode(view);
  offerPlayer(view);
}

function offerMenu(view) {
  const items = TAKE_AWAY.map(([label, title, act]) => [label, title, (button) => act(view, button)]);
  view.menu = cornerMenu(items, "Export and source of the figure");
  view.say = view.menu.say;
  view.root.append(view.menu.root);
}

const save = (view, ending, type, content) => download(shownWords(view).name, ending, type, content);

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const titleOf = (view) => view.payload.title || headingOver(view.root);

// ------------------------------------------------------------------------------------------ pictures, a page

// Return the figure as it is on screen, zoom and camera included, on an opaque ground.
function onGround(view) {
  const ground = pageColour(view, "--st-background-color");
  return {
    data: view.drawn.data,
    layout: { ...view.drawn.layout, ...viewOf(view), paper_bgcolor: ground, plot_bgcolor: ground },
  };
}

// Axis ranges as the person left them, which Plotly writes into the layout it was given, and cameras.
function viewOf({ plot }) {
  const ranges = Object.entries(plot.layout).filter(([key]) => /^[xy]axis\d*$/.test(key));
  return { ...Object.fromEntries(ranges), ...camerasOf(plot, plot.layout) };
}

async function savePicture(view, format) {
  const { data, layout } = onGround(view);
  const { clientWidth: width, clientHeight: height } = view.plot;
  const plain = { data, layout: { ...layout, autosize: false, width, height } };
  // bitmaps of what is drawn by WebGL are as fine as those of a PNG
  const address = await window.Plotly.toImage(plain, { format: "svg", width, height, scale: 2 });
  const plot = new DOMParser().parseFromString(await (await fetch(address)).text(), "image/svg+xml").documentElement;
  const { caption, name } = shownWords(view);
  const [ground, ink] = ["--st-background-color", "--st-text-color"].map((colour) => pageColour(view, colour));
  await savePictureOf({ body: plot, width, height, title: titleOf(view), caption, ground, ink }, name, format);
}

async function savePage(view) {
  const answer = await fetch(view.payload.plotly);
  if (!answer.ok) throw new Error("plotly.min.js could not be loaded. Is the server still running?");
  const library = (await answer.text()).replaceAll("</script", "<\\/script");
  const shown = onGround(view);
  const map = isMap(view);
  if (map) delete shown.layout.height; // it grows with the page: its scales are tied, so that width alone gives it none
  const figure = JSON.stringify(shown).replaceAll("<", "\\u003c");
  const config = JSON.stringify({ ...(map ? CONFIG : STILL_CONFIG), responsive: true });
  const shape = map ? `#plot{aspect-ratio:${view.plot.clientWidth}/${view.plot.clientHeight};max-height:92vh}` : "";
  const { alt, caption, name } = shownWords(view);
  const [ground, ink] = ["--st-background-color", "--st-text-color"].map((colour) => pageColour(view, colour));
  save(view, "html", "text/html", `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(titleOf(view) || name)}</title>
<style>${await fontRule()}
body{margin:2rem;font:16px/1.6 ${PAGE_FONT};background:${ground};color:${ink}}figure{margin:0}h1{font-size:1.25rem}
${shape}@media print{body{margin:0}.modebar-container{display:none}}</style>
<h1>${escaped(titleOf(view))}</h1>
<figure aria-label="${escaped(alt)}"><div id="plot"></div><figcaption>${escaped(alt)}<br>${escaped(caption)}</figcaption></figure>
<script>${library}</script>
<script>const figure = ${figure};
Plotly.newPlot("plot", figure.data, figure.layout, ${config});</script>
</html>`);
}

// ---------------------------------------------------------------------------------------------- the numbers

function saveNumbers(view) {
  const { alt, caption, table } = view.payload;
  const columns = columnsOf(table);
  const lines = [alt, caption].map((text) => `# ${text.replace(/\s+/g, " ")}`);
  lines.push(columns.map(({ heading }) => cell(heading)).join(","));
  for (let row = 0; row < (columns[0]?.values.length ?? 0); row += 1) {
    lines.push(columns.map(({ values, exact }) => cell(exact(values[row]))).join(","));
  }
  save(view, "csv", "text/csv;charset=utf-8", `${lines.join("\n")}\n`);
}

const cell = (text) => (/[",\n\r#]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function columnsOf(table) {
  return table.map(({ heading, column }) => ({
    heading, values: numbersOf(column), exact: column.dtype === "f4" ? shortest : worded,
  }));
}

const worded = (value) => (value === null || Number.isNaN(value) ? "" : String(value));

// Return the fewest digits that give the same single-precision number again: 0.1, not 0.10000000149011612.
function shortest(number) {
  for (let digits = 6; digits < 9; digits += 1) {
    const candidate = Number(number.toPrecision(digits));
    if (Math.fround(candidate) === number) return String(candidate);
  }
  return worded(number);
}

function toggleTwin(view, button) {
  view.twin.hidden = !view.twin.hidden;
  button.setAttribute("aria-expanded", String(!view.twin.hidden));
  if (view.twin.hidden) return;
  fillTwin(view);
  view.twin.scrollIntoView({ block: "nearest" });
}

function fillTwin(view) {
  const columns = columnsOf(view.payload.table);
  const count = columns[0]?.values.length ?? 0;
  const shown = Math.min(count, TABLE_ROWS);
  const note = shown < count
    ? `Only the first ${shown} of ${count} rows are shown; the CSV file contains all of them.`
    : `${count} rows.`;
  const table = element("table", "");
  table.createCaption().textContent = note;
  const head = table.createTHead().insertRow();
  for (const { heading, values } of columns) {
    const top = element("th", "", { scope: "col" });
    top.textContent = heading;
    if (typeof values[0] === "number") top.className = "nlpviz-number";
    head.append(top);
  }
  const body = table.createTBody();
  for (let row = 0; row < shown; row += 1) {
    const line = body.insertRow();
    for (const { values } of columns) {
      const value = values[row];
      const place = line.insertCell();
      place.textContent = Number.isFinite(value) ? rounded(value) : worded(value);
      if (typeof value === "number") place.className = "nlpviz-number";
    }
  }
  view.twin.replaceChildren(table);
  for (const [name, value] of Object.entries({ role: "region", tabindex: "0", "aria-label": "The figure as a table" })) {
    view.twin.setAttribute(name, value);
  }
}

const rounded = (value) => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4))));
