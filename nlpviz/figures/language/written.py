"""What a language model wrote after a prompt, as HTML: each token by its surprisal. Every piece of text is escaped."""

from __future__ import annotations

from html import escape

import numpy as np

from nlpviz.figures.numbers import percent
from nlpviz.figures.tokens import STRONGEST, SWATCHES, WEAKEST, between, literal
from nlpviz.results.written import TextBranch, WrittenText
from nlpviz.text.tokenizers import EOS, shown
from nlpviz.text.vocabulary import EncodedText

_PROMPT = 500  # characters of it that are shown, its last ones
_CHOSEN = "nlpviz-read-chosen"


def written_html(
    prompt: EncodedText, text: WrittenText, branch: TextBranch, scale: float, chosen: int | None, name: str
) -> str:
    """Return the end of the prompt, pale, and after it what was written; a token that was forced is underlined.

    Args:
        prompt: as the model read it.
        text: what it wrote.
        branch: where the text leaves another one.
        scale: the nats at full colour, the same in pictures that are compared.
        chosen: the place of the token that stands out; None for none.
        name: of the text: the ``data-id`` of a token is this, a hyphen and its number from 1.
    """
    spans = []
    nats = text.nats
    for place, piece in enumerate(text.pieces):
        classes = [_CHOSEN] if place == chosen else []
        if branch.place <= place < branch.place + branch.forced:
            classes.append("nlpviz-forced")
        style, share = "", float(nats[place]) / scale if scale else 0.0
        if np.isfinite(share) and share >= WEAKEST:
            classes.append("nlpviz-size")
            style = f' style="--nlpviz-share:{min(share, 1.0) * STRONGEST:.1%}"'
        title = escape(f"{shown(text.words[place])}: {_said(text, place)}", quote=True)
        attributes = f'data-id="{name}-{place + 1}" class="{" ".join(classes)}" title="{title}"{style}'
        spans.append(_span(piece, text.words[place], attributes))
    label = escape(f"What {text.title} wrote, coloured by surprisal", quote=True)
    group = f'class="nlpviz-text" role="group" aria-label="{label}" dir="auto" style="{SWATCHES}"'
    return f'<div {group}><span class="nlpviz-prompt">{_prompt(prompt)}</span>{"".join(spans)}</div>'


def _span(piece: str, word: str, attributes: str) -> str:
    """Return a token with the space before it outside its colour; the end of a line is to be seen, and clicked."""
    if word == EOS:
        return f'<span {attributes}><span class="nlpviz-break">↵</span></span>\n'
    bare = piece.lstrip(" ") or piece
    return f"{piece[: len(piece) - len(bare)]}<span {attributes}>{literal(bare)}</span>"


def _said(text: WrittenText, place: int) -> str:
    """Return what is known of a token: its probability before and after filtering, among how many."""
    before, after = float(text.probabilities[place]), float(text.filtered[place])
    if not before:
        return "forced; the model gives it no probability"
    left = f"after filtering {percent(after)}, {text.kept[place]:,} {text.unit}s left" if after else "cut, and forced"
    return f"p = {percent(before)}, {text.nats[place]:.2f} nats; {left}"


def _prompt(prompt: EncodedText) -> str:
    """Return the end of the prompt up to its last token."""
    if not prompt.tokens:
        return ""
    start, end = prompt.tokens[0].start, prompt.tokens[-1].end
    cut = max(start, end - _PROMPT)
    return ("… " if cut else "") + between(prompt.text[cut:end])
