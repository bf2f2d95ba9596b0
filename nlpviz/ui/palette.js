// The palette: Ctrl-K, search, and links within the app. A Streamlit components-v2 module.
// Whatever comes with the data goes in by textContent, never as markup.

const MOST = 12;
// What is found is ordered by how well it fits, and among equals by its kind.
const KINDS = ["Page", "Your text", "Tour", "Theme", "Run", "Glossary"];
const THEME_VERSION = "v2"; // of Streamlit 1.67
const INSIDE = KINDS.length; // within a word: after all that begin with what is typed
const THEMES = [
  ["Dark theme", "Dark", "dark mode|night"],
  ["Light theme", "Light", "light mode|day|projector"],
  ["System theme", "System", "operating system theme|automatic dark or light"],
].map(([label, theme, also]) => ({ kind: "Theme", label, theme, also }));
const NARROW = 768; // px: from here on Streamlit lays the menu over the page
const palette = (window.nlpvizPalette ??= { heard: new Set() });

export default function ({ data, parentElement, setTriggerValue }) {
  palette.places = [...data.places, ...THEMES, ...JSON.parse(data.runs), ...JSON.parse(data.terms)];
  palette.pages = new Set(data.pages);
  palette.send = setTriggerValue;
  if (!palette.dialog?.isConnected) palette.dialog = newDialog(parentElement);
  if (!palette.listening) listen();
  palette.listening = true;
  keepTab(data.tab);
  keepTyped(data.typed);
  hearFragment();
}

function listen() {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      event.stopPropagation();
      open();
    }
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.(".st-key-nlpviz_search button")) {
      event.preventDefault();
      event.stopPropagation();
      open();
    } else {
      followLink(event);
    }
    if (event.target.closest?.(".nlpviz-menu a")) closeMenu();
  }, true);
  window.addEventListener("hashchange", hearFragment);
  arriveOnce();
}

// To go to another page is one step of the history: what that page then says in the address belongs to it, and that
// the address of the page that is left loses its parameters before is no step.
function arriveOnce() {
  const push = history.pushState.bind(history);
  let arriving = false;
  for (const name of ["pointerdown", "keydown", "popstate"]) {
    addEventListener(name, () => { arriving = palette.leaving = false; }, true);
  }
  history.pushState = (state, title, url) => {
    const another = new URL(url ?? "", location.href).pathname !== location.pathname;
    if (arriving && !another) history.replaceState(state, title, url);
    else if (another || !palette.leaving) push(state, title, url);
    arriving ||= another;
    palette.leaving &&= !another;
  };
}

// A link to a page of this app stays in this session: a typed text is not lost.
function followLink(event) {
  const link = event.target.closest?.("a[href]");
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.hasAttribute("download") || link.closest("[data-testid=stPageLink]")) return;
  if (link.getAttribute("href").startsWith("#")) return; // a place on this page
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || !palette.pages.has(pageAt(url))) return;
  event.preventDefault();
  event.stopPropagation();
  lead(pageAt(url), Object.fromEntries(url.searchParams));
}

function pageAt(url) {
  const [home] = palette.pages; // its address has no name
  return decodeURIComponent(url.pathname.split("/").pop()).replaceAll("_", " ") || home;
}

function lead(page, query) {
  palette.leaving = page !== pageAt(location);
  palette.send("go", { page, query });
}

function closeMenu() {
  if (innerWidth > NARROW) return;
  document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}

// ------------------------------------------------------------------------------------------------- the dialog

function newDialog(parentElement) {
  const dialog = document.createElement("dialog");
  dialog.className = "nlpviz-palette";
  dialog.setAttribute("aria-label", "Search pages, tours, models, words and terms");
  const input = document.createElement("input");
  const list = document.createElement("ul");
  const none = document.createElement("p");
  input.type = "text";
  input.placeholder = "Search pages, words, terms and themes";
  list.id = "nlpviz-palette-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  none.textContent = "No results.";
  none.setAttribute("role", "status");
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-expanded": "true", "aria-controls": list.id, "aria-autocomplete": "list",
    "aria-label": "Search pages, words, terms and themes", autocomplete: "off", spellcheck: "false", maxlength: "100",
  })) input.setAttribute(name, value);
  dialog.append(input, list, none);
  parentElement.append(dialog);
  input.addEventListener("input", () => fill(dialog));
  input.addEventListener("keydown", (event) => move(event, dialog));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // a click outside it
  });
  return dialog;
}

function open() {
  const dialog = palette.dialog;
  if (!dialog || dialog.open) return;
  dialog.querySelector("input").value = "";
  fill(dialog);
  dialog.showModal();
  dialog.querySelector("input").focus();
}

function fill(dialog) {
  const [input, list, none] = dialog.children;
  const found = search(input.value);
  list.replaceChildren(...found.map((place, position) => {
    const option = document.createElement("li");
    option.id = `nlpviz-palette-${position}`;
    option.setAttribute("role", "option");
    const label = document.createElement("span");
    const kind = document.createElement("small");
    label.textContent = place.label;
    kind.textContent = place.kind;
    option.append(label, kind);
    option.addEventListener("click", () => go(dialog, place));
    option.place = place;
    return option;
  }));
  list.hidden = found.length === 0;
  none.hidden = found.length > 0;
  select(dialog, 0);
}

// Pages come before terms, and what begins with what is typed before what only holds it; a word comes in between.
function search(typed) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = palette.places.map((place) => [rank(place, wanted), place]).filter(([value]) => value >= 0);
  for (const place of wordsOf(typed.trim())) ranked.push([INSIDE - 0.1, place]);
  return ranked.sort(([one], [other]) => one - other).slice(0, MOST).map(([, place]) => place);
}

// Return how far down a place stands; -1 if it is not what is wanted.
function rank({ kind, label, also }, wanted) {
  const title = label.slice(label.indexOf(": ") + 1).trim(); // of a view, without its page
  const own = [label, title].map((name) => [0, 0.4, INSIDE][fitOf(name, wanted)]);
  const other = (also ? also.split("|") : []).map((name) => [0.2, 0.6][fitOf(name, wanted)]);
  const best = Math.min(...[...own, ...other].filter((value) => value !== undefined));
  return Number.isFinite(best) ? KINDS.indexOf(kind) + best : -1;
}

// Return 0 for a name that begins with what is wanted, 1 where words of it do, 2 where it is within; else -1.
function fitOf(name, wanted) {
  const lower = name.toLowerCase();
  const words = lower.split(/[^\p{L}\p{N}]+/u);
  if (lower.startsWith(wanted.join(" "))) return 0;
  let worst = 0;
  for (const word of wanted) {
    if (!lower.includes(word)) return -1;
    worst = Math.max(worst, words.some((one) => one.startsWith(word)) ? 1 : 2);
  }
  return worst;
}

// A word has neighbours, an expression is an analogy: the page says so if its vectors do not know a word.
function wordsOf(typed) {
  if (!palette.pages.has("Words")) return [];
  if (/^[\p{L}'’-]{2,40}$/u.test(typed)) {
    return [{ kind: "Word", label: `Words near “${typed}”`, page: "Words", query: { view: "neighbours", word: typed } }];
  }
  if (/\p{L}\s*(::?|[+−-])\s*\p{L}/u.test(typed)) {
    return [{ kind: "Analogy", label: typed, page: "Words", query: { view: "analogies", analogy: typed } }];
  }
  if (/^[\p{L}'’-]{2,40}(\s+[\p{L}'’-]{2,40}){1,4}$/u.test(typed)) {
    return [{ kind: "Words", label: `How similar are “${typed}”?`, page: "Words", query: { view: "similarity", list: typed } }];
  }
  return [];
}

function select(dialog, position) {
  const [input, list] = dialog.children;
  const options = [...list.children];
  const at = options.length ? (position + options.length) % options.length : -1;
  options.forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
  if (at < 0) input.removeAttribute("aria-activedescendant");
  else {
    input.setAttribute("aria-activedescendant", options[at].id);
    options[at].scrollIntoView({ block: "nearest" });
  }
  dialog.at = at;
}

function move(event, dialog) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) select(dialog, dialog.at + step);
  else if (event.key === "Enter" && dialog.at >= 0) go(dialog, dialog.children[1].children[dialog.at].place);
  else return;
  event.preventDefault();
}

function go(dialog, { page, query, theme }) {
  dialog.close();
  if (theme) return show(theme);
  document.getElementById("stMain")?.focus(); // the next Tab leads into the page, past the menu
  lead(page, query);
}

// Streamlit remembers a theme for each address, and reads it when the page is loaded.
function show(theme) {
  const base = location.pathname.slice(0, location.pathname.lastIndexOf("/") + 1);
  const own = `stActiveTheme-${location.pathname}-`;
  const version = Object.keys(localStorage).find((key) => key.startsWith(own))?.slice(own.length) ?? THEME_VERSION;
  const [, ...pages] = palette.pages; // the first one's address has no name
  for (const page of ["", ...pages.map((name) => name.replaceAll(" ", "_"))]) {
    localStorage.setItem(`stActiveTheme-${base}${page}-${version}`, JSON.stringify(theme));
  }
  location.reload();
}

// ------------------------------------------------------------------------- what the browser alone knows

function keepTab(number) {
  const name = "nlpviz-tab";
  const held = sessionStorage.getItem(name);
  if (held && held !== number && !palette.heard.has(name)) palette.send("tab", held); // it was reloaded
  else sessionStorage.setItem(name, number);
  palette.heard.add(name);
}

// What was typed stays in this tab of the browser: a reloaded one brings it back.
function keepTyped(typed) {
  const name = "nlpviz-typed";
  const held = sessionStorage.getItem(name);
  if (!typed && held && !palette.heard.has(name)) palette.send("typed", held);
  palette.heard.add(name);
  if (!typed || typed === held) return;
  try {
    sessionStorage.setItem(name, typed);
  } catch {
    sessionStorage.removeItem(name); // it is longer than a tab may keep: a reload then brings nothing back
  }
}

function hearFragment() {
  const packed = /^#text=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1];
  if (!packed || palette.heard.has(location.hash)) return;
  palette.heard.add(location.hash);
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    palette.send("text", new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // a damaged fragment holds no text: the page says that the link's text is missing
  }
}
