"""The words of a text as figures of gates call them."""

from __future__ import annotations

from html import escape

from nlpviz.figures import panels, word_axis
from nlpviz.results.states import TextStates
from nlpviz.text.vocabulary import shortened

_LETTERS = 12


def labels(states: TextStates) -> list[str]:
    """Return what the axis calls each word that is shown: the word, escaped, with its number in the text."""
    return [
        panels.row_label(token.word, position) for position, token in enumerate(states.text.read[: word_axis.SHOWN])
    ]


def spoken(states: TextStates, position: int) -> str:
    """Return a word as it stands in a sentence: ``"not" (word 3)``."""
    return f"“{shortened(states.text.read[position].word, _LETTERS)}” (word {position + 1})"


def escaped(states: TextStates, position: int) -> str:
    """Return a word as a figure shows it."""
    return escape(shortened(states.text.read[position].word, _LETTERS))
