"""A text coloured by what a network attended to, as HTML. Every piece of text in it is escaped.

The text stands there exactly as it was typed, as in :mod:`nlpviz.figures.tokens`. Where a network reads sentences, each
of them has a row with its weight as a bar and a number beside it, and neighbours of little weight fold away. The
classes are styled by ``nlpviz/ui/frame.css``.
"""

from __future__ import annotations

from html import escape

from nlpviz.figures.attention.attended import AttendedText, folds
from nlpviz.figures.tokens import (
    CUT_NOTE,
    MAX_TOKENS,
    STRONGEST,
    SWATCHES,
    WEAKEST,
    counted,
    literal,
    rest_html,
    showable,
    swatch,
)
from nlpviz.results.attention import TextAttention
from nlpviz.text.vocabulary import UNKNOWN


def attended_html(shown: AttendedText, scale: float, *, fold: bool = True, selected: int | None = None) -> str:
    """Return the text, each token coloured by its weight; with sentences a row for each.

    Args:
        shown: the text's attention.
        scale: the weight at full colour, the same in pictures that are compared.
        fold: whether sentences of little weight fold away.
        selected: the place of the sentence that stands out.
    """
    found = shown.found
    if not found.sentences:
        begin, end = 0, _read_until(found)
        whole = _text(_words(shown, scale, (0, len(found.words)), (begin, end)) + _unread(found), "The text")
        return f'<div style="{SWATCHES}">{whole}</div>{rest_html(found.text)}'
    rows = [_row(shown, scale, place, selected) for place in range(len(found.sentences))]
    pieces = []
    for folded, places in folds(found.sentences, selected) if fold else [(False, list(range(len(rows))))]:
        inside = "".join(rows[place] for place in places)
        if folded:
            share = sum(found.sentences[place].weight for place in places)
            inside = (
                f'<details class="nlpviz-fold"><summary>{counted(len(places), "sentence")}, {share:.1%} of the weight'
                f"</summary>{inside}</details>"
            )
        pieces.append(inside)
    if unread := _unread(found):
        pieces.append(f'<div class="nlpviz-sentence"><span></span>{_text(unread, "What was not read")}</div>')
    return f'<div class="nlpviz-sentences" style="{SWATCHES}">{"".join(pieces)}</div>{rest_html(found.text)}'


def attended_key_html(shown: AttendedText, scale: float) -> str:
    """Return the key to the colours of :func:`attended_html`."""
    full = shown.written(scale)
    bar = (
        '<span class="nlpviz-ramp" aria-hidden="true" '
        f'style="background:linear-gradient(to right,transparent,{swatch("size")})"></span>'
    )
    return (
        f'<p class="nlpviz-legend" style="{SWATCHES}"><span>0</span>{bar}<span>{full}: {escape(shown.unit)}</span></p>'
    )


def _row(shown: AttendedText, scale: float, place: int, selected: int | None) -> str:
    """Return the row of one sentence: its weight, and all that was typed up to the next one."""
    found = shown.found
    part = found.sentences[place]
    begin = 0 if place == 0 else part.start
    last = place + 1 == len(found.sentences)
    end = _read_until(found) if last else found.sentences[place + 1].start
    words = _words(shown, scale, (part.first, part.last), (begin, end))
    share = part.weight / max(sentence.weight for sentence in found.sentences)
    weight = (
        f'<span class="nlpviz-weight"><span class="nlpviz-weight-bar" style="width:{share:.1%}"></span>'
        f"<span>{part.weight:.1%}</span></span>"
    )
    chosen = " nlpviz-sentence-selected" * (place == selected)
    return f'<div class="nlpviz-sentence{chosen}">{weight}{_text(words, f"Sentence {place + 1}")}</div>'


def _text(words: str, label: str) -> str:
    return f'<div class="nlpviz-text" role="group" aria-label="{escape(label, quote=True)}" dir="auto">{words}</div>'


def _words(shown: AttendedText, scale: float, tokens: tuple[int, int], span: tuple[int, int]) -> str:
    """Return ``text[span]`` with the tokens from one place up to another coloured."""
    encoded, (end, until) = shown.found.text, span
    pieces = []
    for place in range(*tokens):
        token, weight = encoded.tokens[place], float(shown.weights[place])
        share = min(weight / scale, 1.0)
        unknown = encoded.ids[place] == UNKNOWN
        classes = ["nlpviz-unknown"] * bool(unknown) + ["nlpviz-size"] * (share >= WEAKEST)
        note = " (not in the vocabulary: read as <unk>)" if unknown else ""
        title = escape(f"{showable(token.word)}: {_said(shown, place)}{note}", quote=True)
        style = f' style="--nlpviz-share:{share * STRONGEST:.1%}"' if share >= WEAKEST else ""
        pieces.append(literal(encoded.text[end : token.start]))
        typed = literal(encoded.text[token.start : token.end])
        pieces.append(f'<span class="{" ".join(classes)}" title="{title}"{style}>{typed}</span>')
        end = token.end
    return "".join(pieces) + literal(encoded.text[end:until])


def _said(shown: AttendedText, place: int) -> str:
    """Return a token's weights in words."""
    found = shown.found
    whole = f"{found.words[place]:.2%} of the text"
    return whole if found.within is None else f"{found.within[place]:.1%} of its sentence, {whole}"


def _read_until(found: TextAttention) -> int:
    """Return the character up to which the network read: the text's end, or that of the last token before the cut."""
    read, tokens = len(found.text.ids), found.text.tokens
    return len(found.text.text) if read == len(tokens) else tokens[read - 1].end if read else 0


def _unread(found: TextAttention) -> str:
    """Return what the network read no more, as far as it is shown; nothing where it read all."""
    tokens, read = found.text.tokens, len(found.text.ids)
    if read == len(tokens):
        return ""
    until = len(found.text.text) if len(tokens) <= MAX_TOKENS else tokens[MAX_TOKENS - 1].end
    return (
        f'<span class="nlpviz-cut" data-note="{CUT_NOTE}">{literal(found.text.text[_read_until(found) : until])}</span>'
    )
