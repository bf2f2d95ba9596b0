// A figure at another moment: what is different of it, put over it (nlpviz/figures/frames.py). Read by the pages of the
// app, and by pages saved as one file.

const ARRAYS = {
  i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array,
  f4: Float32Array, f8: Float64Array,
};

// Return the numbers of a column: a plain list, or the {dtype, bdata} in which arrays travel, whole or in steps.
function numbersOf(column) {
  if (!column?.bdata) return column ?? [];
  const bytes = Uint8Array.from(atob(column.bdata), (letter) => letter.charCodeAt(0));
  const numbers = new ARRAYS[column.dtype](bytes.buffer);
  return column.step ? Float64Array.from(numbers, (number) => column.from + number * column.step) : numbers;
}

// Return a figure with what a frame changes: { data, layout }.
function merged(figure, { first }, frame) {
  const played = figure.data.slice(first, first + frame.data.length);
  const points = played.flatMap(({ customdata, hovertext }) => [...numbersOf(customdata)].map((id, at) => [id, hovertext?.[at]]));
  const data = frame.data.map((changed, number) => {
    const { ids: numbers, ...rest } = changed;
    if (!numbers) return over(played[number], rest);
    const chosen = [...numbersOf(numbers)].map((one) => points[one]);
    const own = { customdata: chosen.map(([id]) => id) };
    if (played[number].hovertext) own.hovertext = chosen.map(([, said]) => said); // what is said of a point goes with it
    return { ...over(played[number], rest), ...own };
  });
  return { data: figure.data.toSpliced(first, data.length, ...data), layout: over(figure.layout, frame.layout) };
}

// Return `base` with the changes put over it; lists and packed arrays take the place of what was there.
function over(base, changes) {
  if (changes === null || typeof changes !== "object" || Array.isArray(changes)) return changes;
  if (changes.bdata) return changes.step ? numbersOf(changes) : changes;
  const entries = Object.entries(changes).map(([key, value]) => [key, over(base?.[key], value)]);
  return { ...(base?.bdata ? {} : base), ...Object.fromEntries(entries) };
}
