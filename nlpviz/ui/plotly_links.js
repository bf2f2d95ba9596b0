// Links under a figure: from the words of its caption to the glossary, and to what is on screen.
// Part of plotly_view.js, which says what a `view` is. What concerns all figures of a page comes once, without a figure.

// Take what the page says for all its figures; return what takes it back.
function noteForAll({ terms, privateText }) {
  if (terms) {
    window.nlpvizTerms = terms;
    // a figure may have been described before the terms came
    for (const caption of document.querySelectorAll(".nlpviz-caption:not(:has(a))")) {
      caption.replaceChildren(...withTerms(caption.textContent));
    }
  }
  if (privateText === undefined) return undefined;
  window.nlpvizPrivateText = privateText;
  return () => {
    if (window.nlpvizPrivateText === privateText) window.nlpvizPrivateText = undefined;
  };
}

// Return `text` as nodes: each term of the glossary is a link where it first stands.
function withTerms(text) {
  const slugs = new Map((window.nlpvizTerms ?? []).map(([word, slug]) => [word.toLowerCase(), slug]));
  if (!slugs.size) return [text];
  const words = [...slugs.keys()].sort((one, other) => other.length - one.length);
  const signs = words.map((word) => word.replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&"));
  const anywhere = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${signs.join("|")})(?![\\p{L}\\p{N}-])`, "giu");
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(anywhere)) {
    const slug = slugs.get(found[0].toLowerCase());
    if (slug === undefined) continue;
    for (const [word, other] of slugs) if (other === slug) slugs.delete(word);
    nodes.push(text.slice(end, found.index), termLink(found[0], slug));
    end = found.index + found[0].length;
  }
  return [...nodes, text.slice(end)];
}

// The page may lead there itself, without loading the app anew: it says so by setting `handled`.
function termLink(word, slug) {
  const link = element("a", "nlpviz-term", { href: `Glossary?term=${encodeURIComponent(slug)}`, target: "_self" });
  link.textContent = word;
  link.addEventListener("click", (event) => {
    const detail = { page: "Glossary", query: { term: slug }, handled: false };
    window.dispatchEvent(new CustomEvent("nlpviz:go", { detail }));
    if (detail.handled) event.preventDefault();
  });
  return link;
}

// ---------------------------------------------------------------------------------------- what is on screen

async function copyLink(view) {
  const copied = await copy(location.href);
  if (window.nlpvizPrivateText) {
    const more = element("button", "", { type: "button" });
    more.textContent = "Include your text";
    more.addEventListener("click", async () => {
      view.say((await copy(`${location.href.split("#")[0]}#text=${inAddress(window.nlpvizPrivateText)}`)) && "Link with your text copied");
    });
    view.say(`${copied ? "Link copied. " : ""}Your typed text is not in this link.`, more);
    return undefined;
  }
  return copied ? "Link copied" : "";
}

// A fragment never reaches a server. Base64url of UTF-8 keeps any text in it as it was.
function inAddress(text) {
  const letters = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function copy(address) {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    prompt("Copy this link:", address); // the clipboard is closed to pages served without encryption
    return false;
  }
}
