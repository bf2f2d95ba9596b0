// Exports the coloured text above it: as a picture, line by line as it is on the page, or for the clipboard.
// picture.js and corner_menu.js are appended to it. A text goes in by textContent, never as markup.

const rows = new WeakMap(); // the element that Streamlit lends us -> its row

const WAYS = [
  ["PNG", "Download the coloured text as a PNG picture", (row) => saveText(row, "png")],
  ["SVG", "Download the coloured text as an SVG picture", (row) => saveText(row, "svg")],
  ["Copy", "Copy the text with its colours", copyText],
];

export default function ({ data, parentElement, setTriggerValue }) {
  if (!rows.has(parentElement)) rows.set(parentElement, newRow(parentElement));
  const row = rows.get(parentElement);
  row.data = data;
  row.menu.about.textContent = data.caption ?? "";
  const block = row.block();
  row.deaf?.();
  delete row.root.dataset.clock;
  if (data.clock) {
    row.root.dataset.clock = data.clock; // controls stay in sight while it is (plotly_play.js)
    const show = (moment) => showMoment(row, moment ?? data.shown);
    show(momentOf(data.clock));
    row.deaf = onClock(data.clock, show);
  }
  if (block) {
    block.classList.toggle("nlpviz-clickable", Boolean(data.clickable));
    block.classList.toggle("nlpviz-editable", Boolean(data.editable)); // the box takes its place (text_editor.js)
    block.onclick = data.clickable ? ({ target }) => {
      const id = target.closest("[data-id]")?.dataset.id;
      if (id !== undefined) setTriggerValue("clicked", id);
    } : null;
  }
  return () => {
    row.deaf?.();
    rows.delete(parentElement);
    row.root.remove();
  };
}

// Of a text at several moments show the one, and hand on what is said of it; an unknown moment changes nothing.
function showMoment(row, moment) {
  const said = row.data.moments[moment];
  if (!said) return;
  Object.assign(row.data, said);
  row.menu.about.textContent = said.caption;
  for (const one of row.block()?.querySelectorAll("[data-moment]") ?? []) one.hidden = one.dataset.moment !== moment;
}

function newRow(parentElement) {
  const root = element("div", "nlpviz-text-row");
  const row = { root, block: () => parentElement.closest("[data-testid=stElementContainer]")?.previousElementSibling };
  row.menu = cornerMenu(WAYS.map(([label, title, act]) => [label, title, () => act(row)]), "Export and source of the text");
  root.append(row.menu.root);
  parentElement.append(root);
  return row;
}

async function saveText({ root, block, data }, format) {
  const shown = block();
  const { width, height } = shown.getBoundingClientRect();
  const [ground, ink] = ["--st-background-color", "--st-text-color"].map((name) => getComputedStyle(root).getPropertyValue(name));
  const body = drawn("svg", { x: EDGE, overflow: "visible" });
  body.append(...drawing(shown));
  const parts = { body, width: Math.ceil(width) + 2 * EDGE, height: Math.ceil(height), title: headingOver(root), ground, ink };
  await savePictureOf({ ...parts, caption: data.caption }, data.name, format);
}

// Return what of an element and of all in it is seen: grounds, borders, words.
function drawing(root) {
  const { left, top } = root.getBoundingClientRect();
  const at = (rect) => ({ x: rect.left - left, y: rect.top - top, width: rect.width, height: rect.height });
  const shapes = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) shapes.push(...words(node, at));
    if (node.nodeType !== Node.ELEMENT_NODE || node.tagName === "STYLE") return;
    shapes.push(...grounds(node, at));
    node.childNodes.forEach(walk);
  };
  walk(root);
  return shapes;
}

function grounds(node, at) {
  const style = getComputedStyle(node);
  const [radius, border, outline] = [style.borderTopLeftRadius, style.borderTopWidth, style.outlineWidth].map(parseFloat);
  const shapes = [...node.getClientRects()].flatMap((rect) => {
    const look = { ...at(rect), rx: radius || 0 };
    const filled = style.backgroundImage.includes("gradient") ? ramp(style.backgroundImage, look) : [];
    const colour = paint(style.backgroundColor);
    if (colour.opacity) filled.push(drawn("rect", { ...look, fill: colour.rgb, "fill-opacity": colour.opacity }));
    for (const [kind, size, stroke] of [[style.borderTopStyle, border, style.borderTopColor], [style.outlineStyle, outline, style.outlineColor]]) {
      if (kind !== "none" && size && paint(stroke).opacity) filled.push(drawn("rect", { ...look, fill: "none", ...line(kind, size, stroke) }));
    }
    return filled;
  });
  return [...shapes, ...note(node, at)];
}

const line = (kind, size, colour) => ({
  stroke: paint(colour).rgb, "stroke-opacity": paint(colour).opacity, "stroke-width": size,
  ...({ dashed: { "stroke-dasharray": `${3 * size} ${2 * size}` }, dotted: { "stroke-dasharray": `${size} ${size}` } }[kind] ?? {}),
});

// What a style sheet writes before an element: where the network read no further.
function note(node, at) {
  const style = getComputedStyle(node, "::before");
  const text = /^"(.+)"$/.exec(style.content)?.[1];
  const [first] = node.getClientRects();
  if (!text || !first) return [];
  const { x, y, height } = at(first);
  return [drawn("text", { x: x + 10, y: y + 0.75 * height, ...letters(style) }, text)];
}

// A gradient of a key: its colours, evenly spaced.
function ramp(image, look) {
  const colours = image.match(/(?:rgba?|color|oklab|oklch|hsla?)\([^()]*\)/g) ?? [];
  const id = `ramp-${crypto.randomUUID()}`;
  const gradient = drawn("linearGradient", { id });
  const stop = (number, colour, opacity) =>
    drawn("stop", { offset: number / (colours.length - 1), "stop-color": colour, "stop-opacity": opacity });
  gradient.append(...colours.map(paint).flatMap(({ rgb, opacity }, number, all) => {
    if (opacity) return [stop(number, rgb, opacity)];
    // SVG mixes with the black of what is transparent, style sheets do not: it is transparent in its neighbours' colours
    return [all[number - 1], all[number + 1]].filter(Boolean).map((beside) => stop(number, beside.rgb, 0));
  }));
  return [gradient, drawn("rect", { ...look, fill: `url(#${id})` })];
}

// Return the words of a text node, each where it stands; one that is parted between two lines, letter by letter.
function words(node, at) {
  const style = getComputedStyle(node.parentElement);
  const range = document.createRange();
  const whole = (start, end) => {
    range.setStart(node, start);
    range.setEnd(node, end);
    return [...range.getClientRects()].filter(({ width }) => width);
  };
  const shapes = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+/gu)) {
    const rects = whole(index, index + word.length);
    if (rects.length === 1) shapes.push(...lettered(word, at(rects[0]), style, node.parentElement));
    if (rects.length < 2) continue;
    let start = index;
    for (const letter of word) {
      const [rect] = whole(start, start + letter.length);
      if (rect) shapes.push(...lettered(letter, at(rect), style, node.parentElement));
      start += letter.length;
    }
  }
  return shapes;
}

const letters = (style) => ({
  fill: paint(style.color).rgb, "fill-opacity": paint(style.color).opacity, "font-family": PAGE_FONT,
  "font-size": parseFloat(style.fontSize), "font-weight": style.fontWeight,
});

function lettered(text, { x, y, width, height }, style, parent) {
  const baseline = y + height * share(style);
  const shapes = [drawn("text", { x, y: baseline, ...letters(style) }, text)];
  const under = [style, getComputedStyle(parent.parentElement)].find((one) => one.textDecorationLine.includes("underline"));
  if (under) {
    const below = baseline + 0.22 * parseFloat(style.fontSize);
    const look = line(under.textDecorationStyle, 2, under.textDecorationColor);
    shapes.push(drawn("line", { x1: x, x2: x + width, y1: below, y2: below, ...look }));
  }
  return shapes;
}

// Return where in the height of a line box the letters stand.
function share(style) {
  const pencil = (share.pencil ??= document.createElement("canvas").getContext("2d"));
  pencil.font = `${style.fontWeight} ${style.fontSize} ${PAGE_FONT}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pencil.measureText("x");
  return up / (up + down);
}

// Return a colour of the page, however it was mixed, as every program that reads SVG knows it.
function paint(colour) {
  const known = (paint.known ??= new Map());
  const [, ...parts] = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(colour) ?? [];
  if (parts.length && !known.has(colour)) {
    const [red, green, blue] = parts.slice(0, 3).map((part) => Math.round(255 * Number(part)));
    known.set(colour, { rgb: `rgb(${red},${green},${blue})`, opacity: Number(Number(parts[3] ?? 1).toFixed(3)) });
  }
  if (!known.has(colour)) {
    const canvas = element("canvas", "", { width: 1, height: 1 });
    const pencil = canvas.getContext("2d");
    pencil.fillStyle = colour;
    pencil.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pencil.getImageData(0, 0, 1, 1).data;
    known.set(colour, { rgb: `rgb(${red},${green},${blue})`, opacity: Number((alpha / 255).toFixed(3)) });
  }
  return known.get(colour);
}

// ----------------------------------------------------------------------------------------------- the clipboard

const CARRIED = ["background-color", "color", "font-weight", "border", "border-radius", "outline", "text-decoration"];

async function copyText({ root, block, data }) {
  const shown = block();
  const whole = element("div", "");
  const [title, copy, caption] = [element("h3", ""), shown.cloneNode(true), element("p", "")];
  title.textContent = headingOver(root);
  caption.textContent = data.caption;
  const copies = copy.querySelectorAll("*");
  shown.querySelectorAll("*").forEach((node, number) => {
    const style = getComputedStyle(node);
    copies[number].removeAttribute("class");
    copies[number].setAttribute("style", CARRIED.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  copy.querySelectorAll("style").forEach((style) => style.remove());
  whole.append(title, ...copy.childNodes, caption);
  const plain = [title.textContent, shown.innerText, data.caption].join("\n\n");
  const kinds = { "text/html": whole.innerHTML, "text/plain": plain };
  const blobs = Object.entries(kinds).map(([type, text]) => [type, new Blob([text], { type })]);
  await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  return "Copied with colours";
}
