// Completes what is typed into one of Streamlit's text fields: a combobox with a list box (WAI-ARIA Authoring Practices).
// Whatever comes with the data goes in by textContent, never as markup.

const MOST = 8; // matches shown
const lists = new WeakMap(); // the element that Streamlit lends us -> its list

export default function ({ data, parentElement }) {
  if (!lists.has(parentElement)) lists.set(parentElement, newList(parentElement, data.field));
  const list = lists.get(parentElement);
  list.values = data.options;
  list.shown = data.shown ?? data.options;
  list.sought = list.shown.map((text) => text.toLowerCase());
  list.free = data.free;
  dress(list);
  return () => {
    list.listening.abort();
    lists.delete(parentElement);
    list.box.remove();
  };
}

function newList(parentElement, field) {
  const box = document.createElement("ul");
  box.className = "nlpviz-completion";
  box.id = `nlpviz-completion-${field}`;
  box.popover = "manual";
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "Matches");
  parentElement.append(box);
  const list = { box, field, matches: [], active: -1, listening: new AbortController() };
  const { signal } = list.listening;
  // at the document: Streamlit may put another input in its place
  const heard = (type, act) =>
    document.addEventListener(type, (event) => event.target === inputOf(list) && act(list, event), { signal, capture: true });
  heard("input", suggest);
  heard("keydown", press);
  heard("focusin", dress);
  heard("focusout", close);
  heard("pointerup", selectAll);
  for (const type of ["scroll", "resize"]) {
    window.addEventListener(type, () => place(list), { signal, capture: true, passive: true });
  }
  box.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // the field keeps the focus
    const chosen = [...box.children].indexOf(event.target.closest("li"));
    if (chosen >= 0) take(list, list.matches[chosen]);
  });
  return list;
}

const inputOf = (list) => document.querySelector(`.st-key-${CSS.escape(list.field)} input`);

// Say to screen readers what the field is; Streamlit may draw it later than the component.
function dress(list) {
  if (list.listening.signal.aborted) return;
  const input = inputOf(list);
  if (!input) requestAnimationFrame(() => dress(list));
  if (!input || input.getAttribute("aria-controls") === list.box.id) return;
  const open = String(list.box.matches(":popover-open"));
  const dressed = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.box.id, "aria-expanded": open };
  for (const [name, value] of Object.entries(dressed)) input.setAttribute(name, value);
}

// The first click into the field selects what stands there, so that typing or pasting replaces it.
function selectAll(list, event) {
  if (list.entered) return;
  list.entered = true;
  if (event.target.selectionStart === event.target.selectionEnd) event.target.select();
}

// ---------------------------------------------------------------------------------------------------- the list

// Return which options match, at most MOST: those that begin so, those with a word that does, those that hold it.
function matching(list, typed) {
  const wanted = typed.trim().toLowerCase();
  const found = [[], [], []];
  for (let option = 0; option < list.sought.length && found[0].length < MOST; option += 1) {
    const where = list.sought[option].indexOf(wanted);
    if (where < 0) continue;
    const rank = where === 0 ? 0 : list.sought[option].includes(` ${wanted}`) ? 1 : 2;
    if (found[rank].length < MOST) found[rank].push(option);
  }
  return found.flat().slice(0, MOST);
}

function suggest(list, event) {
  if (list.taking) return;
  list.matches = event.target.value.trim() ? matching(list, event.target.value) : [];
  show(list);
}

function show(list) {
  list.active = -1;
  list.box.replaceChildren(...list.matches.map((option, number) => {
    const line = document.createElement("li");
    line.id = `${list.box.id}-${number}`;
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", "false");
    line.textContent = list.shown[option];
    return line;
  }));
  if (!list.matches.length) return close(list);
  list.box.showPopover();
  place(list);
  const input = inputOf(list);
  input.setAttribute("aria-expanded", "true");
  input.removeAttribute("aria-activedescendant");
}

function place(list) {
  if (!list.box.matches(":popover-open")) return;
  const frame = inputOf(list)?.closest("[data-baseweb], [data-testid]") ?? inputOf(list);
  if (!frame) return close(list);
  const { left, top, bottom, width } = frame.getBoundingClientRect();
  const high = list.box.offsetHeight + 8;
  const below = bottom + high <= innerHeight || top < high; // above the field where there is no room under it
  Object.assign(list.box.style, { left: `${left}px`, top: `${below ? bottom : top - high}px`, minWidth: `${width}px` });
}

function close(list, event) {
  if (event?.type === "focusout") list.entered = false;
  list.matches = [];
  list.active = -1;
  if (list.box.matches(":popover-open")) list.box.hidePopover();
  const input = inputOf(list);
  input?.setAttribute("aria-expanded", "false");
  input?.removeAttribute("aria-activedescendant");
}

// ---------------------------------------------------------------------------------------------------- keyboard

function press(list, event) {
  if (list.taking || event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    if (!list.matches.length) {
      list.matches = matching(list, event.target.value);
      show(list);
    }
    if (list.matches.length) go(list, step);
    event.preventDefault();
  } else if (event.key === "Escape" && list.matches.length) {
    close(list);
    event.stopPropagation();
  } else if (event.key === "Enter") {
    const chosen = list.matches[list.free ? list.active : Math.max(list.active, 0)];
    if (chosen === undefined) return close(list);
    event.preventDefault();
    event.stopPropagation();
    take(list, chosen);
  }
}

// Before the first match and after the last one lies the field itself.
function go(list, step) {
  const places = list.matches.length + 1;
  list.active = ((list.active + 1 + step + places) % places) - 1;
  for (const [number, line] of [...list.box.children].entries()) {
    line.setAttribute("aria-selected", String(number === list.active));
  }
  const input = inputOf(list);
  if (list.active < 0) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `${list.box.id}-${list.active}`);
}

// Put an option into the field as if it had been typed, and Enter pressed: what stands there stays Streamlit's own.
function take(list, option) {
  const input = inputOf(list);
  const typed = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  close(list);
  list.taking = true;
  typed.call(input, list.values[option]);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  setTimeout(() => {
    for (const type of ["keydown", "keypress", "keyup"]) {
      input.dispatchEvent(new KeyboardEvent(type, { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }));
    }
    list.taking = false;
  });
}
