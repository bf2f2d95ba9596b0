"""A text coloured by what a network attended to, as HTML. Every piece of text in it is escaped.

The text stands there exactly as it was typed, as in :mod:`nlpviz.figures.tokens`. Where a network reads sentences, each
of them has a row with its weight as a bar and a number beside it, and neighbours of little weight fold away. The
classes are styled by ``nlpviz/figures/tokens.css``.
"""

from __future__ import annotations

from html import escape

from nlpviz.figures.attention.attended import AttendedText, folds
from nlpviz.figures.tokens import (
    CUT_NOTE,
    MAX_TOKENS,
    SWATCHES,
    between,
    counted,
    literal,
    rest_html,
    swatch,
    token_attributes,
)
from nlpviz.results.attention import TextAttention


def attended_html(shown: AttendedText, scale: float, *, fold: bool = True, selected: int | None = None) -> str:
    """Return the text, each token coloured by its weight; with sentences a row for each.

    Args:
        shown: the text's attention.
        scale: the weight at full colour, the same in pictures that are compared.
        fold: whether sentences of little weight fold away.
        selected: the position of the sentence that stands out.
    """
    result = shown.result
    if not result.sentences:
        begin, end = 0, _read_until(result)
        whole = _text(_words(shown, scale, (0, len(result.words)), (begin, end)) + _unread(result), "The text")
        return f'<div style="{SWATCHES}">{whole}</div>{rest_html(result.text)}'
    rows = [_row(shown, scale, position, selected) for position in range(len(result.sentences))]
    pieces = []
    for folded, positions in folds(result.sentences, selected) if fold else [(False, list(range(len(rows))))]:
        inside = "".join(rows[position] for position in positions)
        if folded:
            share = sum(result.sentences[position].weight for position in positions)
            inside = (
                '<details class="nlpviz-fold"><summary>'
                f"{counted(len(positions), 'sentence')}, {share:.1%} of the weight"
                f"</summary>{inside}</details>"
            )
        pieces.append(inside)
    if unread := _unread(result):
        pieces.append(f'<div class="nlpviz-sentence"><span></span>{_text(unread, "Not read (truncated)")}</div>')
    return f'<div class="nlpviz-sentences" style="{SWATCHES}">{"".join(pieces)}</div>{rest_html(result.text)}'


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


def _row(shown: AttendedText, scale: float, position: int, selected: int | None) -> str:
    """Return the row of one sentence: its weight, and all that was typed up to the next one."""
    result = shown.result
    part = result.sentences[position]
    begin = 0 if position == 0 else part.start
    last = position + 1 == len(result.sentences)
    end = _read_until(result) if last else result.sentences[position + 1].start
    words = _words(shown, scale, (part.first, part.last), (begin, end))
    share = part.weight / max(sentence.weight for sentence in result.sentences)
    weight = (
        f'<span class="nlpviz-weight"><span class="nlpviz-weight-bar" style="width:{share:.1%}"></span>'
        f"<span>{part.weight:.1%}</span></span>"
    )
    chosen = " nlpviz-sentence-selected" * (position == selected)
    return f'<div class="nlpviz-sentence{chosen}">{weight}{_text(words, f"Sentence {position + 1}")}</div>'


def _text(words: str, label: str) -> str:
    return f'<div class="nlpviz-text" role="group" aria-label="{escape(label, quote=True)}" dir="auto">{words}</div>'


def _words(shown: AttendedText, scale: float, tokens: tuple[int, int], span: tuple[int, int]) -> str:
    """Return ``text[span]`` with the tokens from one place up to another coloured."""
    encoded, (end, until) = shown.result.text, span
    pieces = []
    for position in range(*tokens):
        token, weight = encoded.tokens[position], float(shown.weights[position])
        attributes = token_attributes(encoded, position, _said(shown, position), weight / scale, "size")
        pieces.append(between(encoded.text[end : token.start]))
        typed = literal(encoded.text[token.start : token.end])
        pieces.append(f"<span {attributes}>{typed}</span>")
        end = token.end
    return "".join(pieces) + between(encoded.text[end:until])


def _said(shown: AttendedText, position: int) -> str:
    """Return a token's weights in words."""
    result = shown.result
    whole = f"{result.words[position]:.2%} of the text"
    return whole if result.within is None else f"{result.within[position]:.1%} of its sentence, {whole}"


def _read_until(result: TextAttention) -> int:
    """Return the character up to which the network read: the text's end, or that of the last token before the cut."""
    read, tokens = len(result.text.ids), result.text.tokens
    return len(result.text.text) if read == len(tokens) else tokens[read - 1].end if read else 0


def _unread(result: TextAttention) -> str:
    """Return what the network read no more, as far as it is shown; nothing where it read all."""
    tokens, read = result.text.tokens, len(result.text.ids)
    if read == len(tokens):
        return ""
    until = len(result.text.text) if len(tokens) <= MAX_TOKENS else tokens[MAX_TOKENS - 1].end
    unread = between(result.text.text[_read_until(result) : until])
    return f'<span class="nlpviz-cut" data-note="{CUT_NOTE}">{unread}</span>'
