"""A text coloured by what a network would say if it ended after each word, as HTML. Every piece of text is escaped.

The words stand as they were typed, as in :mod:`nlpviz.figures.tokens`. Sign is told by more than hue: where the class
is the less probable one, the word is underlined with dots; a word that was skipped is struck out, without colour.
"""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures.tokens import (
    CUT_NOTE,
    MAX_TOKENS,
    STRONGEST,
    SWATCHES,
    WEAKEST,
    between,
    literal,
    rest_html,
    showable,
    swatch,
)
from nlpviz.results.gates import running, skipped
from nlpviz.results.states import TextStates
from nlpviz.text.vocabulary import UNKNOWN


def read_text_html(states: TextStates, target: int, layer: int = 0, chosen: int | None = None) -> str:
    """Return the text with each word coloured by the prediction after it.

    Args:
        states: what the network held after each word.
        target: the class whose probability is shown.
        layer: whose skipped words are struck out, where the network skips any.
        chosen: the position of the word that stands out.
    """
    text, read = states.text, len(states.text.ids)
    leaning, kept = _leaning(states, target), skipped(states, layer)
    pieces, end = [], 0
    for position, token in enumerate(text.tokens[:MAX_TOKENS]):
        pieces.append(between(text.text[end : token.start]))
        typed, end = literal(text.text[token.start : token.end]), token.end
        if position == read:
            pieces.append(f'<span class="nlpviz-cut" data-note="{CUT_NOTE}">')
        if position < read:
            left_out = kept is not None and bool(kept[position])
            attributes = _attributes(states, target, position, float(leaning[position]), left_out)
            outlined = "nlpviz-read-chosen " if position == chosen else ""
            typed = f'<span data-id="{position + 1}" class="{outlined}{attributes}>{typed}</span>'
        pieces.append(typed)
    if len(text.tokens) <= MAX_TOKENS:
        pieces.append(between(text.text[end:]))
    if min(len(text.tokens), MAX_TOKENS) > read:
        pieces.append("</span>")
    label = escape(f"The text, coloured by the probability of {states.class_names[target]} after each word", quote=True)
    group = f'class="nlpviz-text" role="group" aria-label="{label}" dir="auto" style="{SWATCHES}"'
    return f"<div {group}>{''.join(pieces)}</div>{rest_html(text)}"


def read_text_key_html(states: TextStates, target: int) -> str:
    """Return the key to :func:`read_text_html`."""
    name = literal(states.class_names[target])
    ramp = f"background:linear-gradient(to right,{swatch('against')},transparent,{swatch('for')})"
    bar = f'<span class="nlpviz-ramp nlpviz-ramp-signed" aria-hidden="true" style="{ramp}"></span>'
    even = f"{1 / len(states.class_names):.0%}"
    struck = ""
    if skipped(states, 0) is not None:
        struck = '<span><span class="nlpviz-skipped">struck out</span>: skipped, the state is kept</span>'
    return (
        f'<p class="nlpviz-legend" style="{SWATCHES}"><span>0%</span>{bar}<span>100% <b>{name}</b> after the word; '
        f"{even} has no colour</span>{struck}</p>"
    )


def _leaning(states: TextStates, target: int) -> NDArray[np.float32]:
    """Return how far each prediction is from an even one, −1 to 1, (T,)."""
    even = 1 / len(states.class_names)
    away = running(states, target) - even
    return np.where(away > 0, away / (1 - even), away / even).astype(np.float32)


def _attributes(states: TextStates, target: int, position: int, leaning: float, left_out: bool) -> str:
    """Return the end of a word's classes, its title and its colour."""
    text = states.text
    notes = [f"{states.after[position, target]:.1%} {states.class_names[target]} after it"]
    classes = []
    if text.ids[position] == UNKNOWN:
        notes.append("out of vocabulary: read as <unk>")
        classes.append("nlpviz-unknown")
    if left_out:
        notes.append("skipped")
        classes.append("nlpviz-skipped")
    style = ""
    if abs(leaning) >= WEAKEST and not left_out:
        classes.append("nlpviz-for" if leaning > 0 else "nlpviz-against")
        style = f' style="--nlpviz-share:{abs(leaning) * STRONGEST:.1%}"'
    title = escape(f"{showable(text.tokens[position].word)}: {'; '.join(notes)}", quote=True)
    return f'{" ".join(classes)}" title="{title}"{style}'
