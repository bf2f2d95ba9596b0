"""A text with its strongest regions boxed, as HTML. Every piece of text in it is escaped.

The text stands there exactly as it was typed, as in :mod:`nlpviz.figures.tokens`. Sign is shown by more than hue: the
box of a region that speaks against the target has a dotted edge. The classes are styled by
``nlpviz/figures/tokens.css``.
"""

from __future__ import annotations

from html import escape

from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.regions.bars import RankedRegions, describe
from nlpviz.figures.tokens import CUT_NOTE, MAX_TOKENS, STRONGEST, SWATCHES, between, literal, rest_html, showable
from nlpviz.results.regions import Region, apart
from nlpviz.text.vocabulary import UNKNOWN, EncodedText

MOST = 12


def boxed(ranked: RankedRegions, selected: Region | None = None) -> list[Region]:
    """Return the regions to box, in reading order: the strongest :data:`MOST` that do not overlap.

    ``selected`` is always among them; else none that no filter answers, or that adds nothing.
    """
    wanted = [region for region in ranked.regions if ranked.strength(region)]
    if selected is not None:
        wanted.insert(0, selected)
    rank = {region: position for position, region in reversed(list(enumerate(wanted)))}
    strongest = sorted(apart(wanted), key=rank.__getitem__)[:MOST]
    return sorted(strongest, key=lambda region: region.start)


def boxed_html(ranked: RankedRegions, scale: float, selected: Region | None = None) -> str:
    """Return the text with the regions of :func:`boxed` in boxes, the stronger the fuller.

    Args:
        ranked: the text's regions.
        scale: the strength at full colour, the same in pictures that are compared.
        selected: the region that stands out.
    """
    encoded = ranked.result.encoded
    shown, read = encoded.tokens[:MAX_TOKENS], len(encoded.ids)
    regions = boxed(ranked, selected)
    opened = {region.start: _opening(ranked, region, scale, selected) for region in regions}
    closed = {min(region.start + len(region.words), len(shown)) - 1 for region in regions}
    pieces, end = [], 0
    for position, token in enumerate(shown):
        pieces += [between(encoded.text[end : token.start]), opened.get(position, "")]
        if position == read:
            pieces.append(f'<span class="nlpviz-cut" data-note="{CUT_NOTE}">')
        end = token.end
        pieces += [_token(encoded, position), "</span>" * (position in closed)]
    if len(shown) == len(encoded.tokens):
        pieces.append(between(encoded.text[end:]))
    if len(shown) > read:
        pieces.append("</span>")
    label = escape(f"The text with its strongest regions by {ranked.rank} in boxes", quote=True)
    attributes = f'class="nlpviz-text nlpviz-boxed" role="group" aria-label="{label}" dir="auto" style="{SWATCHES}"'
    return f"<div {attributes}>{''.join(pieces)}</div>{rest_html(encoded)}"


def box_key_html(ranked: RankedRegions, scale: float) -> str:
    """Return the key to the boxes of :func:`boxed_html`."""
    full, target = number(scale, signed=False), f"<b>{literal(ranked.result.class_names[ranked.result.target])}</b>"
    if ranked.signed:
        boxes = {"for": f"evidence for {target}", "against": f"evidence against {target}"}
        note = f"full colour: {full} {unit_of_score(len(ranked.result.class_names))}"
    else:
        boxes, note = {"size": "strong activation, for or against"}, f"full colour: {full}"
    keys = "".join(
        f'<span><span class="nlpviz-box nlpviz-box-{name}" style="--nlpviz-share:{STRONGEST:.0%}">n-gram</span> {said}'
        "</span>"
        for name, said in boxes.items()
    )
    return f'<p class="nlpviz-legend nlpviz-box-key" style="{SWATCHES}">{keys}<span>{note}</span></p>'


def _opening(ranked: RankedRegions, region: Region, scale: float, selected: Region | None) -> str:
    """Return the tag that opens a region's box."""
    strength = ranked.strength(region)
    share = min(abs(strength) / scale, 1.0) if scale > 0 else 0.0
    name = ("for" if strength > 0 else "against") if ranked.signed else "size"
    classes = f"nlpviz-box nlpviz-box-{name}" + " nlpviz-box-selected" * (region == selected)
    title = escape(showable(f"{region.ngram}: {describe(ranked, region)}"), quote=True)
    return f'<span class="{classes}" role="group" title="{title}" style="--nlpviz-share:{share * STRONGEST:.1%}">'


def _token(encoded: EncodedText, position: int) -> str:
    """Return one token as it was typed, marked where the model does not know it."""
    token = encoded.tokens[position]
    typed = literal(encoded.text[token.start : token.end])
    if position >= len(encoded.ids) or encoded.ids[position] != UNKNOWN:
        return typed
    note = escape(f"{showable(token.word)}: out of vocabulary, read as <unk>", quote=True)
    return f'<span class="nlpviz-unknown" title="{note}">{typed}</span>'
