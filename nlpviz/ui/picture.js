// Pictures and files, made in the browser: SVG with the page's font in it, and PNG of that. Shared by the components that
// offer them; what they are handed goes in by textContent or attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const PAGE_FONT = '"Source Sans", ui-sans-serif, system-ui, sans-serif'; // Streamlit's bundled one
const EDGE = 16; // pixels round what is written
const TITLE = { size: 18, line: 24, weight: 600 };
const CAPTION = { size: 12, line: 16, weight: 400 };

function element(tag, className, attributes = {}) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function drawn(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function download(name, ending, type, content) {
  const link = element("a", "", { download: `${name.replace(/[^\p{L}\p{N}.]+/gu, "-")}.${ending}` });
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// Return the heading under which an element stands: the question that a picture of it answers.
function headingOver(node) {
  const over = [...document.querySelectorAll("[data-testid=stMain] :is(h1, h2, h3)")].filter(
    (heading) => heading.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return over.at(-1)?.textContent.trim() ?? "";
}

// Return `text` in lines of at most so many pixels, parted between words.
function wrapped(text, most, { size, weight }) {
  const pencil = document.createElement("canvas").getContext("2d");
  pencil.font = `${weight} ${size}px ${PAGE_FONT}`;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (lines.at(-1) && pencil.measureText(longer).width > most) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.filter(Boolean);
}

// Return the rule that brings the page's font along, out of the file that the page itself uses; empty where it has none.
async function fontRule() {
  window.nlpvizFont ??= (async () => {
    const rules = [...document.styleSheets].flatMap((sheet) => {
      try {
        return [...sheet.cssRules];
      } catch {
        return []; // another host's: there is none
      }
    });
    const face = rules.find(
      (rule) => rule instanceof CSSFontFaceRule && /^["']?Source Sans["']?$/.test(rule.style.getPropertyValue("font-family"))
        && rule.style.getPropertyValue("font-style") !== "italic",
    );
    const [, address] = /url\(["']?([^"')]+)/.exec(face?.style.getPropertyValue("src") ?? "") ?? [];
    if (!address) return "";
    const answer = await fetch(new URL(address, face.parentStyleSheet.href ?? document.baseURI));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    let letters = "";
    for (let start = 0; start < bytes.length; start += 8192) letters += String.fromCharCode(...bytes.subarray(start, start + 8192));
    return `@font-face{font-family:"Source Sans";font-weight:200 900;src:url(data:font/woff2;base64,${btoa(letters)})}`;
  })().catch(() => "");
  return window.nlpvizFont;
}

// Return a picture as the text of an SVG: a title, what is drawn, a caption, on an opaque ground.
async function framed({ body, width, height, title, caption, ground, ink }) {
  const above = wrapped(title, width - 2 * EDGE, TITLE);
  const below = wrapped(caption, width - 2 * EDGE, CAPTION);
  const top = above.length ? EDGE + above.length * TITLE.line + 8 : 0;
  const whole = top + height + 8 + below.length * CAPTION.line + EDGE;
  const picture = drawn("svg", { xmlns: SVG, width, height: whole, viewBox: `0 0 ${width} ${whole}` });
  picture.append(
    drawn("title", {}, title), drawn("desc", {}, caption), drawn("style", {}, await fontRule()),
    drawn("rect", { width, height: whole, fill: ground }),
    ...written(above, TITLE, EDGE, EDGE, ink), body, ...written(below, CAPTION, EDGE, top + height + 8, ink),
  );
  for (const [name, value] of Object.entries({ y: top, width, height })) body.setAttribute(name, value);
  return { text: new XMLSerializer().serializeToString(picture), width, height: whole };
}

function written(lines, { size, line, weight }, x, y, fill) {
  const look = { x, fill, "font-family": PAGE_FONT, "font-size": size, "font-weight": weight };
  return lines.map((text, number) => drawn("text", { ...look, y: y + number * line + size }, text));
}

async function pngOf({ text, width, height }) {
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await picture.decode();
  const canvas = element("canvas", "", { width: 2 * width, height: 2 * height });
  const pencil = canvas.getContext("2d");
  pencil.scale(2, 2);
  pencil.drawImage(picture, 0, 0, width, height);
  URL.revokeObjectURL(picture.src);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"));
}

// Download a picture in one of the two formats.
async function savePictureOf(parts, name, format) {
  const picture = await framed(parts);
  if (format === "svg") download(name, "svg", "image/svg+xml", picture.text);
  else download(name, "png", "image/png", await pngOf(picture));
}
