// The chip of the bar that opens the text where it is shown: the box goes in place of the coloured text, the focus goes
// into the box, Escape and whatever applies a text lead back. A Streamlit components-v2 module; the box and its buttons
// are Streamlit's own. Words go in by textContent.

const PLACE = ".st-key-nlpviz_editor";
const root = document.documentElement; // says in data-nlpviz-editing whether the box is open, which frame.css reads
let chip = null;

export default function ({ data, parentElement }) {
  if (!parentElement.querySelector("button")) parentElement.append(newChip());
  chip = parentElement.querySelector("button");
  chip.lastChild.textContent = data.quoted;
  chip.title = data.label;
  chip.dataset.own = data.own;
  if (!window.nlpvizEditor) {
    window.nlpvizEditor = { edit: () => open() }; // for whoever leads here: the palette, a link
    document.addEventListener("keydown", pressed, true);
    document.addEventListener("click", clicked);
  }
  return () => {
    chip = null;
    delete root.dataset.nlpvizEditing;
  };
}

function newChip() {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "nlpviz-chip nlpviz-text-chip" });
  button.setAttribute("aria-expanded", "false");
  const icon = document.createElement("span");
  icon.textContent = "✎";
  icon.setAttribute("aria-hidden", "true");
  button.append(icon, document.createElement("span"));
  button.addEventListener("click", () => (isOpen() ? close() : open()));
  return button;
}

const isOpen = () => root.dataset.nlpvizEditing === "true";

function open() {
  const box = document.querySelector(`${PLACE} textarea`);
  if (!box || !chip) return;
  root.dataset.nlpvizEditing = "true";
  chip.setAttribute("aria-expanded", "true");
  box.focus();
  box.closest(PLACE).scrollIntoView({ block: "nearest" });
  if (chip.dataset.own === "true") box.setSelectionRange(box.value.length, box.value.length);
  else box.select(); // an example is there to be written over
}

function close() {
  delete root.dataset.nlpvizEditing;
  chip?.setAttribute("aria-expanded", "false");
}

function pressed(event) {
  if (!isOpen() || !event.target.closest?.(PLACE)) return;
  const applies = event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("textarea");
  if (event.key !== "Escape" && !applies) return;
  if (event.key === "Escape") event.target.blur();
  // Streamlit hears the key first
  setTimeout(() => {
    close();
    chip?.focus();
  });
}

function clicked({ target }) {
  if (isOpen() && target.closest(`${PLACE} [data-testid=stButton] button`)) setTimeout(close);
  else if (
    !isOpen() &&
    target.closest(".nlpviz-editable") &&
    !target.closest("[data-id], summary") && // a word is chosen, a folded sentence opens
    getSelection().isCollapsed
  )
    open();
}
