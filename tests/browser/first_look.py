"""What a first look at a view must find: a picture near the top, a short answer, a slim bar, and nothing cut off."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import AT_REST, settled

PROJECTOR: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 400, "height": 860}
WIDE_WINDOW: ViewportSize = {"width": 2560, "height": 1440}
TOP, TWO_ROWS = 260, 92  # pixels
VISIBLE, MOST_WORDS, MOST_IN_A_SENTENCE, MOST_SENTENCES = 0.6, 15, 30, 2

# Without one picture of their own: the Overview, lists, forms that wait for what a visitor gives, a card to read.
WITHOUT_HERO = (
    "/", "/Tours", "/Glossary", "/Models?view=card", "/Captions?view=your-images", "/Your_texts?view=train",
    "/Your_texts?view=evaluate", "/Your_texts?view=rationales", "/Your_texts?view=word-vectors",
)  # fmt: skip
# Longer than a window, one row after the other.
LISTS = (
    "/Inside_the_model?view=top-n-grams", "/Inside_the_model?view=linear-weights", "/Models?view=compare",
    "/Translate?view=beam",
)  # fmt: skip
# A coloured text has its bars, or what is edited, at its side, and lines of at most so many pixels: 75 letters.
AT_ITS_SIDE, LINE = 0.55, 620

LOOK = """() => {
  const shown = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return width > 40 && height > 20 && getComputedStyle(node).visibility === "visible";
  };
  const main = document.querySelector(".stMainBlockContainer");
  const { paddingLeft, paddingRight } = getComputedStyle(main);
  const pictures = ".nlpviz-frame, .nlpviz-text, .nlpviz-schematic, [data-testid=stDataFrame]";
  const boxes = [...main.querySelectorAll(pictures)].filter(shown).map((node) => node.getBoundingClientRect());
  const first = boxes.sort((one, other) => one.top - other.top)[0];
  const row = boxes.filter(({ top }) => first && top < first.top + 60);
  const hero = row.sort((one, other) => other.width - one.width)[0];
  const seen = hero && Math.max(0, Math.min(innerHeight, hero.bottom) - Math.max(0, hero.top));
  const parts = (key) => [...main.querySelectorAll(`[class*="st-key-${key}"] :is(p, li)`)];
  const said = (nodes) => nodes.map((node) => node.innerText.trim());
  const section = main.querySelector("h2, h3");
  const first_ones = (nodes) =>
    nodes.filter((node) => !section || node.compareDocumentPosition(section) & Node.DOCUMENT_POSITION_FOLLOWING);
  const bar = main.querySelector(".st-key-nlpviz_bar");
  const chips = [...(bar?.children ?? [])].filter(shown).map((node) => node.getBoundingClientRect());
  const scrolls = (plot) =>
    [...plot.querySelectorAll(".legend .scrollbar")].some((one) => one.getAttribute("height") > 0);
  const plots = [...main.querySelectorAll(".nlpviz-plot")];
  const cut = (plot) => {
    const { left, right } = plot.getBoundingClientRect();
    const texts = [...plot.querySelectorAll(".main-svg text")].filter((text) => text.textContent.trim());
    return texts.map((text) => text.getBoundingClientRect())
      .some((box) => box.width > 0 && (box.right > right + 2 || box.left < left - 2));
  };
  return JSON.stringify({
    column: main.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight),
    hero: hero ? { top: hero.top, width: hero.width, seen: seen / hero.height } : null,
    takeaways: said(parts("nlpviz_takeaway")),
    sentences: said(parts("nlpviz_answer")),
    under: said(first_ones(parts("nlpviz_answer"))),
    bar: bar?.getBoundingClientRect().height ?? 0,
    heights: chips.map(({ height }) => Math.round(height)),
    beyond: Math.max(0, ...chips.map(({ right }) => right - innerWidth)),
    scrolling: plots.filter(scrolls).length,
    cut: plots.filter(cut).length,
  });
}"""


def faults(page: Page, where: str) -> list[str]:
    """Return what the first look finds wrong with the open view, in three windows; it is left in the first one."""
    found = []
    for window in (PHONE, WIDE_WINDOW, PROJECTOR):
        page.set_viewport_size(window)
        look = json.loads(settled(page).evaluate(AT_REST.replace("VIEW", LOOK)))  # figures follow a window's size late
        found += [f"{window['width']} px: {fault}" for fault in _of_the_frame(look, where, window)]
    return found + _of_the_words(look, where) + _of_the_picture(look, where)


def _of_the_frame(look: dict[str, Any], where: str, window: ViewportSize) -> list[str]:
    hero, found = look["hero"], []
    if hero is None and where not in WITHOUT_HERO:
        return ["no picture"]
    if hero and where not in WITHOUT_HERO and hero["width"] < min(LINE, AT_ITS_SIDE * look["column"]):
        found.append(f"the picture has {hero['width']:.0f} of {look['column']:.0f} px")
    if look["beyond"]:
        found.append(f"the bar reaches {look['beyond']:.0f} px over the edge")
    if window is not PHONE and len(set(look["heights"])) > 1:
        found.append(f"chips of different heights: {sorted(set(look['heights']))} px")
    if look["scrolling"]:
        found.append("a legend scrolls")
    if look["cut"]:
        found.append("words of a figure are cut off")
    if window is not PHONE and look["bar"] > TWO_ROWS:
        found.append(f"the bar has {look['bar']:.0f} px")
    return found


def _of_the_words(look: dict[str, Any], where: str) -> list[str]:
    if where in WITHOUT_HERO:
        return []
    found = [f"{len(look['takeaways'])} takeaways"] if len(look["takeaways"]) != 1 else []
    found += [f"{_words(one)} words in {one!r}" for one in look["takeaways"] if _words(one) > MOST_WORDS]
    sentences, under = ([part for text in look[where] for part in _sentences(text)] for where in ("sentences", "under"))
    found += [f"{_words(one)} words in {one!r}" for one in sentences if _words(one) > MOST_IN_A_SENTENCE]
    return found + ([f"{len(under)} sentences under the picture"] if len(under) > MOST_SENTENCES else [])


def _of_the_picture(look: dict[str, Any], where: str) -> list[str]:
    hero = look["hero"]
    if hero is None or where in WITHOUT_HERO:
        return []
    found = [f"the picture begins at {hero['top']:.0f} px"] if hero["top"] > TOP else []
    hidden = hero["seen"] < VISIBLE and where not in LISTS
    return found + ([f"{hero['seen']:.0%} of the picture is in sight"] if hidden else [])


def _words(text: str) -> int:
    return len(text.split())


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.?!])\s+(?=[A-Z“0-9])", text) if part]
