// How large a figure is in the window that it has. Part of plotly_view.js, which says what a `view` is.
// What a figure does where it is narrow stands in the `meta` of its layout (nlpviz/figures/phone.py, map_panels.py).

// Fit the element and `layout`, which Plotly is about to draw, to the width that there is; its type may be enlarged.
function fit({ plot, payload }, layout, enlarged = 1) {
  const { height = 460, meta = {}, ...own } = payload.figure.layout;
  plot.style.minWidth = meta.least_width ? `${meta.least_width}px` : "";
  const slim = meta.where_narrow && plot.clientWidth > 0 && plot.clientWidth < meta.where_narrow.under;
  layout.height = (slim && meta.where_narrow.height) || height;
  if (meta.narrow) fitMap(plot, payload.figure.layout, layout, height);
  const notes = layout.annotations ?? own.annotations;
  if (notes) layout.annotations = whereFits(notes, plot.clientWidth);
  plot.style.height = `${layout.height}px`;
  for (const [place, value] of Object.entries(meta.where_narrow?.changes ?? {})) {
    const [part, key] = place.split(".");
    const fitting = slim ? value : own[part]?.[key];
    layout[part] = { ...(layout[part] ?? own[part]), [key]: part === "margin" ? fitting * enlarged : fitting };
  }
}

// Words that touch each other in a narrow figure are drawn in a wide one alone, and others in a narrow one.
const NARROW = 560; // pixels, as in nlpviz/figures/phone.py
const whereFits = (annotations, width) =>
  annotations.map((one) => {
    if (one.name !== "where wide" && one.name !== "where narrow") return one;
    return { ...one, visible: (one.name === "where narrow") === (width > 0 && width < NARROW) };
  });

// A map, whose units are as long each way, is lower where it is narrow.
function fitMap(plot, { legend, margin, meta: { narrow } }, layout, height) {
  const needed = plot.clientWidth ? Math.round(narrow.least + narrow.more * plot.clientWidth) : height;
  layout.height = Math.min(needed, height);
  const y = needed < height ? 1 + narrow.over / (needed - margin.t - margin.b) : legend.y;
  layout.legend = { ...layout.legend, y };
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
  if (layout.margin) layout.margin = Object.fromEntries(Object.entries(layout.margin).map(([side, px]) => [side, px * factor]));
}
