"""How texts and documents begin, where a figure or a page has room for no more."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.data import DataError, corpus_named
from nlpviz.figures.tokens import LINE_BREAK, blanked

IN_A_LIST = 60
"""Characters of a text in a table."""
_AT_A_BAR = 24  # as wide as half a phone


def beginning(text: str, characters: int) -> str:
    """Return as plain text the first whole words of a text, of so many characters in all."""
    flat = " ".join(blanked(LINE_BREAK.sub(" ", text[: 4 * characters]))[0].split())
    return flat if len(flat) <= characters else flat[:characters].rsplit(" ", 1)[0] + " …"


def quoted_beginnings(corpus: str, ids: Sequence[str]) -> dict[str, str]:
    """Return how documents begin, in quotation marks and short enough for a bar; none where the corpus is missing."""
    try:
        find = corpus_named(corpus).find
        return {name: f"“{beginning(beginning(find(name), IN_A_LIST), _AT_A_BAR)}”" for name in ids}
    except DataError:
        return {}
