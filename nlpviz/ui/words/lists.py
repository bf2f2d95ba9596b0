"""Lists of words on a page: ready ones, and those that a visitor types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import streamlit as st

from nlpviz.results.vectors import WordVectors
from nlpviz.ui import limits, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown, messages
from nlpviz.word_vectors.lookup import LONGEST, UnknownWord, find, index_of, listed_or

READY: Mapping[str, tuple[str, str]] = {
    "mixed": (
        "Animals, cities, numbers, food",
        "cat, dog, horse, paris, london, rome, one, two, three, bread, wine, meat",
    ),
    "family": (
        "Men and women",
        "man, woman, boy, girl, father, mother, son, daughter, king, queen, prince, princess, brother, sister",
    ),
    "feelings": (
        "Good and bad",
        "good, great, excellent, wonderful, nice, fine, average, poor, bad, terrible, awful, horrible, boring, funny",
    ),
    "trades": (
        "Occupations",
        "doctor, nurse, teacher, engineer, lawyer, soldier, farmer, writer, actor, actress, singer, priest, "
        "scientist, artist, secretary, knight, bishop, worker",
    ),
    "countries": (
        "Countries and capitals",
        "france, paris, germany, berlin, italy, rome, spain, madrid, russia, moscow, japan, tokyo, china, beijing",
    ),
}
"""Title and words of each ready list."""
LINK = 600
"""Characters of a list that an address holds."""
LONGEST_LIST, LONGEST_EXPRESSION = 50_000, 2_000
"""Characters that a field takes, for what is typed is kept: of a list some 5,000 words, of an expression some 200."""
_NAMED = 8
ListedWords = tuple[str, ...] | Call[tuple[str, ...]]
"""Words as they were typed, or the call that returns the commonest."""


def parse(typed: str) -> tuple[str, ...]:
    """Return the words of a list, each once: parted by commas, semicolons or lines, or by spaces where there are none.

    Phrases with spaces are so possible between commas.
    """
    parted = re.split(r"[,;\n|]", typed) if re.search(r"[,;\n|]", typed) else typed.split()
    return tuple(dict.fromkeys(word for part in parted if (word := " ".join(part.split()))))


def known_to_all(spaces: Sequence[WordVectors], words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which words every space knows, each once, in the spelling of the first, and the others as they are."""
    first, *others = spaces
    known: list[str] = []
    unknown: list[str] = []
    for word in words:
        row = find(first, word)
        spelt = first.words[row] if row is not None else ""
        (known if row is not None and all(spelt in other.positions for other in others) else unknown).append(
            spelt or word
        )
    return tuple(dict.fromkeys(known)), tuple(unknown)


def type_list(
    key: str,
    ready: str,
    most: int,
    spaces: Sequence[WordVectors],
    label: str = "Words, separated by commas",
    *,
    offer: bool = True,
) -> tuple[str, ...]:
    """Return the words of the list that the visitor chose or typed, at most ``most`` of them known.

    Args:
        key: of the text field, and its parameter in the address.
        ready: which of :data:`READY` it begins with.
        most: known words beyond so many are left out, and the page says so.
        spaces: a word is known if one of them knows it.
        label: what people read over the field.
        offer: whether the ready lists stand under it.
    """
    default = READY[ready][1]
    typed = widgets.text(
        key, label, default, LINK, draw=st.text_area, height=68, placeholder=default,
        max_chars=limits.most_characters(LONGEST_LIST),
    )  # fmt: skip
    if offer:
        with st.container(horizontal=True):
            for name, (title, words) in READY.items():
                st.button(title, key=f"{key}_{name}", on_click=widgets.set_to(key), args=(words,), type="tertiary")
    listed = parse(typed)
    known = [number for number, word in enumerate(listed) if any(find(space, word) is not None for space in spaces)]
    if len(known) > most:
        messages().info(
            f"{len(known):,} listed words are in the vocabulary, but only {most:,} fit in the figure. The first "
            f"{most:,} are shown."
        )
        listed = listed[: known[most]]
    if len(typed) > LINK:
        st.caption(
            f"Lists of more than {LINK} characters do not fit into a link, so the link to this page omits your list."
        )
    return listed


def tell_unknown(vectors: WordVectors, unknown: Sequence[str], source: str = "") -> None:
    """Say which typed words are not known, the first with its nearest spellings; ``source`` tells by whom."""
    if not unknown:
        return
    named = ", ".join(escape_markdown(_short(word)) for word in unknown[:_NAMED])
    more = f" and {len(unknown) - _NAMED:,} more" if len(unknown) > _NAMED else ""
    near = ""
    try:
        index_of(vectors, unknown[0])
    except UnknownWord as error:
        if error.spellings:
            near = (
                f" Instead of {escape_markdown(_short(unknown[0]))}, did you mean "
                f"{escape_markdown(listed_or(error.spellings))}?"
            )
    where = f" of {escape_markdown(source)}" if source else ""
    messages().info(f"Out of vocabulary{where} and left out: {named}{more}.{near}")


def _short(word: str) -> str:
    return word if len(word) <= LONGEST // 2 else f"{word[: LONGEST // 2]}…"
