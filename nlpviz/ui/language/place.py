"""Which token of the text is looked at: chosen by a click, or in a list."""

from __future__ import annotations

from nlpviz.results.surprisal import Surprisal
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import widgets

PLACE = "place"
"""The control, and its parameter in the address: a token's number from 1."""


def pick(result: Surprisal, *, label: str, end: bool = False) -> int | None:
    """Return the position of the token that the visitor chose; None for the end of the text, or where it has none.

    Args:
        result: of the text.
        label: what people read over the control.
        end: whether what follows the text may be chosen, and is at first; else it is the most surprising token.
    """
    words = result.encoded.read
    options = [str(place + 1) for place in range(len(words))]
    first = "end" if end else (str(most_surprising(result) + 1) if words else "")
    options = ([first] if first else []) + [one for one in options if one != first]
    if not options:
        return None
    chosen = widgets.pick(PLACE, label, options, lambda one: _named(result, one), of_text=True)
    return None if chosen == "end" else int(chosen) - 1


choose = widgets.set_to(PLACE)
"""Choose the token of that number: for a click."""


def most_surprising(result: Surprisal) -> int:
    """Return the position of the token with the largest surprisal; 0 where none has any."""
    nats = result.nats
    return int(max(range(len(nats)), key=lambda place: (nats[place] == nats[place], nats[place]), default=0))


def _named(result: Surprisal, option: str) -> str:
    if option == "end":
        return "after the text"
    return f"{option} · {shortened(shown(result.encoded.read[int(option) - 1].word), 24)}"
