"""A text coloured by surprisal, or by the difference of two models, as HTML. Every piece of text in it is escaped.

The words appear as they were typed, as in :mod:`nlpviz.figures.tokens`. Hue is not the only sign: a word that the first
model is more surprised by than the second is underlined with dots.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures.numbers import number, percent
from nlpviz.figures.tokens import SWATCHES, coloured_html, literal, swatch, token_attributes
from nlpviz.results.surprisal import Surprisal

_CHOSEN = "nlpviz-read-chosen"


def surprisal_html(result: Surprisal, scale: float, chosen: int | None = None) -> str:
    """Return the text with each token coloured by its surprisal.

    Args:
        result: of the text.
        scale: the nats at full colour, the same in pictures that are compared.
        chosen: the position of the token that stands out.
    """

    def attributes(position: int) -> str:
        nats = float(result.nats[position])
        said = "no probability" if np.isnan(nats) else f"{nats:.2f} nats, p = {percent(np.exp(-nats))}"
        classes = [_CHOSEN] if position == chosen else []
        share = nats / scale if scale else 0.0
        return f'data-id="{position + 1}" ' + token_attributes(result.encoded, position, said, share, "size", *classes)

    return coloured_html(result.encoded, f"The text, coloured by the surprisal of {result.title}", attributes)


def difference_html(first: Surprisal, second: Surprisal, scale: float, chosen: int | None = None) -> str:
    """Return the text with each token coloured by the surprisal of ``first`` less that of ``second``.

    Both read the same tokens. Blue is where ``first`` is less surprised.
    """
    nats = difference(first, second)

    def attributes(position: int) -> str:
        more = float(nats[position])
        said = "no probability under one of the models" if np.isnan(more) else f"{number(more)} nats"
        classes = [_CHOSEN] if position == chosen else []
        return f'data-id="{position + 1}" ' + token_attributes(
            first.encoded, position, said, abs(more) / scale if scale else 0.0, "for" if more < 0 else "against",
            *classes,
        )  # fmt: skip

    label = f"The text, coloured by the difference in surprisal between {first.title} and {second.title}"
    return coloured_html(first.encoded, label, attributes)


def difference(first: Surprisal, second: Surprisal) -> NDArray[np.floating]:
    """Return the surprisal of ``first`` less that of ``second`` of each token that both read, in nats, (T,)."""
    count = min(len(first.nats), len(second.nats))
    return np.asarray(first.nats[:count] - second.nats[:count])


def surprisal_key_html(scale: float) -> str:
    """Return the key to :func:`surprisal_html`."""
    return _key("0 nats: certain", f"{scale:.2g} nats: p = {percent(np.exp(-scale))}", ("transparent", swatch("size")))


def difference_key_html(first: Surprisal, second: Surprisal, scale: float) -> str:
    """Return the key to :func:`difference_html`."""
    less = f"−{scale:.2g} nats: lower surprisal under <b>{literal(first.title)}</b>"
    more = f"+{scale:.2g} nats: lower under <b>{literal(second.title)}</b>"
    return _key(less, more, (swatch("for"), "transparent", swatch("against")), signed=True)


def _key(left: str, right: str, colours: tuple[str, ...], *, signed: bool = False) -> str:
    style = f"background:linear-gradient(to right,{','.join(colours)})"
    kind = "nlpviz-ramp nlpviz-ramp-signed" if signed else "nlpviz-ramp"
    bar = f'<span class="{kind}" aria-hidden="true" style="{style}"></span>'
    return f'<p class="nlpviz-legend" style="{SWATCHES}"><span>{left}</span>{bar}<span>{right}</span></p>'
