"""A text coloured by what a network would say if it ended after each word, as HTML. Every piece of text is escaped.

The words appear as they were typed, as in :mod:`nlpviz.figures.tokens`. Hue is not the only sign: where the class is
the less probable one, the word is underlined with dots; a skipped word is struck out, without colour.
"""

from __future__ import annotations

from nlpviz.figures.tokens import SWATCHES, coloured_html, literal, swatch, token_attributes
from nlpviz.results.gates import leaning, running, skipped
from nlpviz.results.states import TextStates


def read_text_html(states: TextStates, target: int, layer: int = 0, chosen: int | None = None) -> str:
    """Return the text with each word coloured by the prediction after it.

    Args:
        states: what the network held after each word.
        target: the class whose probability is shown.
        layer: whose skipped words are struck out, where the network skips any.
        chosen: the position of the word that stands out.
    """
    away, kept = leaning(running(states, target), len(states.class_names)), skipped(states, layer)

    def attributes(position: int) -> str:
        left_out = kept is not None and bool(kept[position])
        said = f"{states.after[position, target]:.1%} {states.class_names[target]} after this word"
        classes = ["nlpviz-skipped"] * left_out + ["nlpviz-read-chosen"] * (position == chosen)
        return f'data-id="{position + 1}" ' + token_attributes(
            states.text,
            position,
            f"{said}; skipped" if left_out else said,
            0.0 if left_out else abs(float(away[position])),
            "for" if away[position] > 0 else "against",
            *classes,
        )

    label = f"The text, coloured by the probability of {states.class_names[target]} after each word"
    return coloured_html(states.text, label, attributes)


def read_text_key_html(states: TextStates, target: int) -> str:
    """Return the key to :func:`read_text_html`."""
    name = literal(states.class_names[target])
    ramp = f"background:linear-gradient(to right,{swatch('against')},transparent,{swatch('for')})"
    bar = f'<span class="nlpviz-ramp nlpviz-ramp-signed" aria-hidden="true" style="{ramp}"></span>'
    even = f"{1 / len(states.class_names):.0%}"
    struck = ""
    if skipped(states, 0) is not None:
        struck = '<span><span class="nlpviz-skipped">struck out</span>: skipped (state unchanged)</span>'
    return (
        f'<p class="nlpviz-legend" style="{SWATCHES}"><span>0%</span>{bar}<span>100% <b>{name}</b> after the word; '
        f"{even} has no colour</span>{struck}</p>"
    )
