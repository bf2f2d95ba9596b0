"""A text coloured by what each of its tokens is worth, as HTML. Every piece of text in it is escaped.

The text stands there exactly as it was typed: a token is coloured where it was found, and what lies between tokens is
kept. Only ``<br />``, which IMDB's reviews hold and no model reads, is shown as what it means: a line ends there.
Sign is shown by more than hue: what speaks against the target is underlined with dots. The classes are styled by
``tokens.css``, on pages and in files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

import numpy as np

from nlpviz.figures import theme
from nlpviz.figures.numbers import number
from nlpviz.results.explanation import Explanation
from nlpviz.text.parallel import GOES_ON, without_joiners
from nlpviz.text.vocabulary import UNKNOWN, EncodedText, Seen

STYLE = Path(__file__).with_name("tokens.css")
"""How the text looks, its key, and its sentences."""
MAX_TOKENS = 2000  # shown; a browser slows down with more
STRONGEST = 0.55  # opacity behind the strongest token: the text on it still stands out at 4.5:1
WEAKEST = 0.03  # less than this share of the scale is left without colour
CUT_NOTE = "✂ truncated: the model did not read the rest"
SWATCHES = ";".join(
    f"--nlpviz-{name}:light-dark({colour},{theme.ON_DARK[colour]})"
    for name, colour in (("for", theme.POSITIVE), ("against", theme.NEGATIVE), ("size", theme.MAGNITUDE))
)
_STATES = {
    Seen.KNOWN: ("known", ""),
    Seen.UNKNOWN: ("unknown", "<sup> ?</sup>"),
    Seen.CUT: ("cut", "<sup> ✂</sup>"),
}
_SEEN_LABEL = "The tokens as the model sees them"
_SEEN_KEY = (
    "Dashed and marked ?: out of vocabulary, read as &lt;unk&gt;. Struck through and marked ✂: truncated, not read."
)
# What HTML cannot carry: control signs other than tab and line ends, halves of surrogate pairs.
_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
LINE_BREAK = re.compile("<[ ]{0,9}/?[ ]{0,9}br[ ]{0,9}/?[ ]{0,9}>", re.IGNORECASE)  # the tokenizer takes it for markup
_LINE_END = (
    '<span class="nlpviz-break" title="&lt;br /&gt; in the text: a line break that the model does not read" '
    'style="color:light-dark(#5b6270,#a3aab8);font-size:0.8em">↵</span>\n'
)
_UNREADABLE = re.compile(f"{_UNSHOWABLE.pattern}|\ufffd")  # that is what half a pair becomes on its way to the server


def showable(text: str) -> str:
    """Return ``text`` without the control signs that no page can show, its line ends as line feeds."""
    return _UNSHOWABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def blanked(text: str) -> tuple[str, int]:
    """Return ``text`` with a space for each character that no page can show or that came damaged, and their number.

    It stays as long as it was, so that the spans of its tokens are those of the text that is shown.
    """
    return _UNREADABLE.subn(" ", text)


def token_html(
    explanation: Explanation,
    scale: float | None = None,
    *,
    chosen: int | None = None,
    clickable: bool = False,
    marks: Mapping[int, str] | None = None,
) -> str:
    """Return the text of ``explanation`` with each token coloured by its score.

    Args:
        explanation: scores of the tokens that the model read.
        scale: the magnitude at full colour, the same in pictures that are compared; by default the largest of
            this explanation.
        chosen: the position of the token that stands out.
        clickable: whether each token carries its position, for a click on it.
        marks: classes of tokens by their positions, such as ``nlpviz-added``.
    """
    full = _full_scale(explanation, scale)

    def attributes(position: int) -> str:
        score = float(explanation.scores[position])
        written = number(score, ".3g") if explanation.signed else f"{score:.3g}"
        direction = ("for" if score > 0 else "against") if explanation.signed else "size"
        classes = ["nlpviz-read-chosen"] * (position == chosen)
        if marks and position in marks:
            classes.append(marks[position])
        identifier = f'data-id="{position}" ' if clickable else ""
        share = abs(score) / full
        return identifier + token_attributes(explanation.encoded, position, written, share, direction, *classes)

    return coloured_html(explanation.encoded, f"The text, coloured by {explanation.method}", attributes)


def coloured_html(encoded: EncodedText, label: str, attributes: Callable[[int], str]) -> str:
    """Return the text as it was typed, each token that was read in a span of its own.

    Args:
        encoded: the text as the model saw it.
        label: what a screen reader calls it, not yet escaped.
        attributes: of the span of the token at a position, for example :func:`token_attributes`.
    """
    shown, read = encoded.tokens[:MAX_TOKENS], len(encoded.ids)
    pieces, end = [], 0
    for position, token in enumerate(shown):
        pieces.append(between(encoded.text[end : token.start]))
        typed, end = literal(encoded.text[token.start : token.end]), token.end
        if position == read:
            pieces.append(f'<span class="nlpviz-cut" data-note="{CUT_NOTE}">')
        pieces.append(f"<span {attributes(position)}>{typed}</span>" if position < read else typed)
    if len(shown) == len(encoded.tokens):
        pieces.append(between(encoded.text[end:]))
    if len(shown) > read:
        pieces.append("</span>")
    group = f'class="nlpviz-text" role="group" aria-label="{escape(label, quote=True)}" dir="auto" style="{SWATCHES}"'
    return f"<div {group}>{''.join(pieces)}</div>{rest_html(encoded)}"


def token_attributes(
    encoded: EncodedText, position: int, said: str, share: float, direction: str, *classes: str
) -> str:
    """Return the attributes of the span of the token at ``position``.

    Args:
        encoded: the text as the model saw it.
        position: of the token.
        said: what its title says of it, not yet escaped.
        share: of the full colour; more than 1 is 1, and what is not finite, or nearly 0, has no colour.
        direction: ``"for"``, ``"against"`` or, where there is no sign, ``"size"``.
        classes: that the span has besides.
    """
    unknown = encoded.ids[position] == UNKNOWN
    note, style = " (out of vocabulary: read as <unk>)" if unknown else "", ""
    named = ["nlpviz-unknown"] * bool(unknown) + list(classes)
    if np.isfinite(share) and share >= WEAKEST:
        named.append(f"nlpviz-{direction}")
        style = f' style="--nlpviz-share:{min(share, 1.0) * STRONGEST:.1%}"'
    title = escape(f"{showable(encoded.tokens[position].word)}: {said}{note}", quote=True)
    return f'class="{" ".join(named)}" title="{title}"{style}'


def legend_html(explanation: Explanation, unit: str, scale: float | None = None) -> str:
    """Return the key to the colours of :func:`token_html`; zero lies in its middle if scores have a sign.

    Args:
        explanation: of the text.
        unit: of a score.
        scale: the magnitude at full colour.
    """
    full = f"{_full_scale(explanation, scale):.2g}"
    target = f"<b>{literal(explanation.class_names[explanation.target])}</b>"
    if explanation.signed:
        left, right = f"−{full}, evidence against {target}", f"+{full}, evidence for {target}"
        kind, ramp = "nlpviz-ramp nlpviz-ramp-signed", [swatch("against"), "transparent", swatch("for")]
    else:
        left, right = "0", f"{full} {literal(unit)}"
        kind, ramp = "nlpviz-ramp", ["transparent", swatch("size")]
    style = f"background:linear-gradient(to right,{','.join(ramp)})"
    bar = f'<span class="{kind}" aria-hidden="true" style="{style}"></span>'
    return f'<p class="nlpviz-legend" style="{SWATCHES}"><span>{left}</span>{bar}<span>{right}</span></p>'


def seen_line(encoded: EncodedText) -> str:
    """Return one line of counts: what the model read, knew, did not know and did not read of a text."""
    read, unknown = len(encoded.ids), encoded.seen.count(Seen.UNKNOWN)
    counts = {"known": read - unknown, "unknown": unknown, "cut off": len(encoded.tokens) - read}
    parts = [f"{count:,} {state}" for state, count in {**counts, "padding": encoded.padding}.items()]
    return " · ".join((f"{counted(read, 'token')} read", *parts))


def seen_html(encoded: EncodedText) -> str:
    """Return each token in the vocabulary's spelling; sign and line, not colour, tell what became of it."""
    pieces = []
    for token, seen in zip(encoded.tokens[:MAX_TOKENS], encoded.seen, strict=False):
        name, mark = _STATES[seen]
        word = without_joiners(token.word) if token.word.endswith(GOES_ON) else token.word
        title = escape(f"{showable(word)}: {seen}", quote=True)
        pieces.append(f'<span class="nlpviz-seen-{name}" title="{title}">{literal(word)}{mark}</span>')
    if encoded.padding:
        pieces.append(f'<span class="nlpviz-seen-padding">&lt;pad&gt; × {encoded.padding:,}</span>')
    tokens = f'<div class="nlpviz-seen" role="group" aria-label="{_SEEN_LABEL}">{" ".join(pieces)}</div>'
    return f'<p class="nlpviz-note">{_SEEN_KEY}</p>{tokens}{rest_html(encoded)}'


def swatch(name: str) -> str:
    """Return the colour behind the strongest token."""
    return f"color-mix(in srgb,var(--nlpviz-{name}) {STRONGEST:.0%},transparent)"


def _full_scale(explanation: Explanation, scale: float | None) -> float:
    """Return the magnitude at full colour, never zero."""
    magnitudes = np.abs(explanation.scores[np.isfinite(explanation.scores)])
    largest = float(magnitudes.max()) if magnitudes.size else 0.0
    return (scale if scale is not None and scale > 0 else largest) or 1.0


def literal(text: str) -> str:
    """Return ``text`` as HTML shows it literally."""
    return escape(showable(text), quote=True)


def between(text: str) -> str:
    """Return what lies between tokens as HTML shows it: literally, but for ``<br />``, where a line ends."""
    return _LINE_END.join(escape(piece, quote=True) for piece in LINE_BREAK.split(showable(text)))


def rest_html(encoded: EncodedText) -> str:
    """Return a note of how many tokens are too many to be shown; nothing where all are."""
    rest = len(encoded.tokens) - MAX_TOKENS
    return f'<p class="nlpviz-note">… and {counted(rest, "more token")}, not shown.</p>' if rest > 0 else ""


def counted(number: int, noun: str) -> str:
    """Return ``1 token`` or ``2 tokens``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
