// How large a figure is in the window that it has. Part of plotly_view.js, which says what a `view` is.
// What a figure does where it is narrow stands in the `meta` of its layout (nlpviz/figures/phone.py, map_panels.py).

// Fit the element and `layout`, which Plotly is about to draw, to the width that there is; its type may be enlarged.
function fit({ plot, payload, sideways }, layout, enlarged = 1) {
  const { height = 460, meta = {}, ...own } = payload.figure.layout;
  plot.style.minWidth = meta.least_width ? `${meta.least_width}px` : "";
  sideways.hidden = !(meta.least_width > plot.parentElement.clientWidth);
  const slim = meta.where_narrow && plot.clientWidth > 0 && plot.clientWidth < meta.where_narrow.under;
  layout.height = (slim && meta.where_narrow.height) || grown(height, plot.clientWidth);
  if (meta.narrow) {
    fitMap(plot, payload.figure.layout, layout, height);
    shrinkBack(layout, own);
  }
  const notes = layout.annotations ?? own.annotations;
  if (notes) layout.annotations = whereFits(notes, plot.clientWidth);
  plot.style.height = `${layout.height}px`;
  if (plot.clientWidth > 0) wrapTitles(layout, own, plot.clientWidth / enlarged);
  for (const [place, value] of Object.entries(meta.where_narrow?.changes ?? {})) {
    const [part, key] = place.split(".");
    const fitting = slim ? value : own[part]?.[key];
    layout[part] = { ...(layout[part] ?? own[part]), [key]: part === "margin" ? fitting * enlarged : fitting };
  }
}

// In a wide window a figure is higher, too, up to three quarters of what the window shows; a strip stays as low as it is.
const DESIGNED = 1100; // pixels of width
const STRIP = 240; // of height
function grown(height, width) {
  const more = Math.min(width / DESIGNED, (0.75 * innerHeight) / height);
  return height > STRIP && more > 1 ? Math.round(height * more) : height;
}

// The title of a horizontal axis that is longer than the axis goes on in the next line.
const LETTER = 7; // pixels of one, of 13
const OUTSIDE = 80; // pixels of a figure that axes do not have
function wrapTitles(layout, own, width) {
  for (const [name, { title, domain = [0, 1] }] of Object.entries(own).filter(([name]) => /^xaxis\d*$/.test(name))) {
    if (!title?.text || title.text.includes("<")) continue;
    const most = Math.max(((width - OUTSIDE) * (domain[1] - domain[0])) / LETTER, 8);
    const lines = [""];
    for (const word of title.text.split(" ")) {
      if (lines.at(-1) && `${lines.at(-1)} ${word}`.length > most) lines.push(word);
      else lines[lines.length - 1] = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    }
    layout[name] = { ...(layout[name] ?? own[name]), title: { ...title, text: lines.join("<br>") } };
  }
}

// Words that touch each other in a narrow figure are drawn in a wide one alone, and others in a narrow one.
const NARROW = 560; // pixels, as in nlpviz/figures/phone.py
const whereFits = (annotations, width) =>
  annotations.map((one) => {
    if (one.name !== "where wide" && one.name !== "where narrow") return one;
    return { ...one, visible: (one.name === "where narrow") === (width > 0 && width < NARROW) };
  });

// A map, whose units are as long each way, is lower where it is narrow; the only one is higher in a high window.
const ROUND_A_MAP = 340; // pixels of a window for what stands over a map and under it
function fitMap(plot, { margin, meta: { narrow, grows } }, layout, height) {
  const needed = plot.clientWidth ? Math.round(narrow.least + narrow.more * plot.clientWidth) : height;
  layout.height = Math.min(needed, Math.max(height, grows ? innerHeight - ROUND_A_MAP : 0));
  layout.legend = { ...layout.legend, y: 1 + narrow.over / (layout.height - margin.t - margin.b) };
}

// Axes that fill their panel reach further than was asked for, on one side. Plotly keeps that in the layout, and at another
// size would add to it: the map would get smaller and its names cover each other. Where nobody has zoomed, begin again.
function shrinkBack(layout, own) {
  const axes = Object.keys(own).filter((name) => own[name]?.constrain === "range" && layout[name]?.range);
  const extents = axes.map((name) => [own[name].range, layout[name].range].map(([low, high]) => [high - low, (high + low) / 2]));
  const near = (one, other, unit) => Math.abs(one - other) < 1e-3 * Math.abs(unit);
  const centred = extents.every(([[span, middle], [, now]]) => near(middle, now, span));
  if (!centred || !extents.some(([[span], [now]]) => near(span, now, span))) return;
  for (const name of axes) layout[name].range = [...own[name].range];
}

// Where a page is presented its type is larger, and so is that of its figures, with the room that it needs.
const TYPE = 12; // px, Plotly's own
function enlarge({ data, layout }, factor) {
  layout.font = { ...layout.font, size: layout.font?.size ?? TYPE };
  const sizes = (node) => {
    if (node === null || typeof node !== "object" || ArrayBuffer.isView(node)) return;
    for (const [key, value] of Object.entries(node)) {
      if (/font$/i.test(key) && typeof value?.size === "number") value.size *= factor;
      sizes(value);
    }
  };
  sizes(layout);
  for (const trace of data) sizes(trace);
  // a word that stands off its point does so by as much more
  for (const note of layout.annotations ?? []) {
    if (note.axref || note.ayref) continue; // in the units of an axis
    for (const key of ["ax", "ay", "xshift", "yshift"]) if (typeof note[key] === "number") note[key] *= factor;
  }
  if (layout.annotations) spreadEnds(layout, factor);
  if (layout.margin) layout.margin = Object.fromEntries(Object.entries(layout.margin).map(([side, px]) => [side, px * factor]));
}

// Names at lines' ends (nlpviz/figures/direct_labels.py) are pushed apart for type of the common size. Do it again.
const LEADING = 1.3; // a line's height as a share of its type
const BEYOND = 9; // pixels by which names may stand over the panel's top and under its foot
function spreadEnds(layout, factor) {
  const columns = new Map();
  for (const note of layout.annotations) {
    const axis = layout[`yaxis${String(note.yref).slice(1)}`];
    if (note.align !== "left" || note.visible === false || !axis?.range) continue;
    const [low, high] = axis.domain ?? [0, 1];
    const { t = 0, b = 0 } = layout.margin ?? {};
    const pixels = (high - low) * (layout.height - factor * (t + b));
    const middle = (pixels * (axis.range[1] - note.y)) / (axis.range[1] - axis.range[0]);
    const size = note.font.size * LEADING * note.text.split("<br>").length;
    const key = `${note.xref} ${note.yref} ${note.xref.includes("domain") ? "edge" : ""}`;
    columns.set(key, [...(columns.get(key) ?? []), { note, middle, size, pixels }]);
  }
  for (const column of columns.values()) {
    column.sort((a, b) => a.middle + shiftOf(a.note) - b.middle - shiftOf(b.note));
    const blocks = []; // what would overlap moves together
    let above = 0;
    for (const one of column) {
      one.before = above + one.size / 2;
      above += one.size;
      let block = { mean: one.middle - one.before, members: [one] };
      while (blocks.length && blocks.at(-1).mean > block.mean) {
        const members = [...blocks.at(-1).members, ...block.members];
        const sum = blocks.at(-1).mean * blocks.pop().members.length + block.mean * block.members.length;
        block = { mean: sum / members.length, members };
      }
      blocks.push(block);
    }
    for (const { mean, members } of blocks) {
      for (const { note, middle, before, pixels } of members) {
        const moved = Math.max(Math.min(mean, pixels + BEYOND - above), -BEYOND);
        const shift = moved + before - middle;
        if (note.showarrow) note.ay = shift;
        else note.yshift = -shift;
      }
    }
  }
}

const shiftOf = (note) => (note.showarrow ? note.ay : -(note.yshift ?? 0));
