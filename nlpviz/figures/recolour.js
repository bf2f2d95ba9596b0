// The colours of a figure on another page. Read by the pages of the app, and by pages saved as one file.

// Return [red, green, blue, alpha] of #rgb, #rrggbb, rgb() or rgba(); null for anything else.
function channels(colour) {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour.trim())?.[1];
  if (hex) {
    const pairs = hex.length === 3 ? [...hex].map((digit) => digit + digit) : hex.match(/../g);
    return [...pairs.map((pair) => parseInt(pair, 16)), 1];
  }
  const parts = /^rgba?\(([^)]+)\)$/i.exec(colour.trim())?.[1].trim().split(/[\s,/]+/).map(Number);
  return parts?.length >= 3 && parts.every(Number.isFinite) ? [...parts.slice(0, 3), parts[3] ?? 1] : null;
}

// A figure comes in the light theme's colours (nlpviz/figures/theme.py). Return a copy in others: [from, to] for each.
function recoloured(figure, pairs) {
  const swaps = new Map();
  for (const [from, to] of pairs) if (channels(to)) swaps.set(channels(from).slice(0, 3).join(), channels(to));
  const swapped = (colour) => {
    const own = channels(colour);
    const other = own && swaps.get(own.slice(0, 3).join());
    return other ? `rgba(${other.slice(0, 3).join()},${own[3] * other[3]})` : colour;
  };
  const inShadow = (value) => value.replace(/#[0-9a-f]{6}/gi, swapped);
  const copy = (node, isColour) => {
    if (typeof node === "string") return isColour ? swapped(node) : node;
    // a plain list of words or numbers is no colour and may be long: it is shared, not copied
    if (Array.isArray(node)) return isColour || typeof node[0] === "object" ? node.map((one) => copy(one, isColour)) : node;
    if (node === null || typeof node !== "object" || ArrayBuffer.isView(node)) return node;
    const entries = Object.entries(node).map(([key, value]) => [
      key,
      key === "shadow" ? inShadow(value) : copy(value, ownsColour(key, value, isColour)),
    ]);
    return Object.fromEntries(entries);
  };
  return { data: copy(figure.data, false), layout: copy(figure.layout, false) };
}

// `marker.color`, `gridcolor`, `colorway`; and in `layout.colorscale` the scales that it names.
const ownsColour = (key, value, inColour) => /color(way|scale)?$/i.test(key) || (inColour && Array.isArray(value));
