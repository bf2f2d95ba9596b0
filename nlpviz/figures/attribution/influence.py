"""Training documents by their influence on a text, the words through which one acted, and its share by epoch."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import floor, log10
from types import MappingProxyType

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import number
from nlpviz.figures.tokens import SWATCHES, coloured_html, swatch, token_attributes
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.influence import Influence
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN, EncodedText, shortened

UNIT = "thousandths of a nat"
MILLI = 1e3
"""What influences are multiplied by when they are shown: a step at the word vectors' low rate changes little."""
_PLACES = 5  # behind the point, at most
WORDS = 12
_NOTED, _LETTERS = 3, 14  # words at the end of a bar, and their letters


def amount(nats: float) -> str:
    """Return an influence in thousandths of a nat, with two digits that count: ``"+2.8"``, ``"−0.14"``."""
    value = nats * MILLI
    places = min(max(1 - floor(log10(abs(value))), 0), _PLACES) if value else 0
    return number(value, f",.{places}f")


def documents(found: Influence, chosen: str, begins: Mapping[str, str] = MappingProxyType({})) -> FigureView:
    """Return the documents that lowered the loss most, then those that raised it most.

    Args:
        found: the influence of training documents.
        chosen: the id of the document that stands out.
        begins: how documents begin, by id; the others are called by their ids.
    """
    groups, rows = [], {"helpful": found.helpful(), "harmful": found.harmful()}
    for title, positions in rows.items():
        of = [_row(found, int(position), begins) for position in positions]
        groups.append(Group(f"{title}: training on them {'lowered' if title == 'helpful' else 'raised'} the loss", of))
    shown = np.concatenate(list(rows.values())).astype(int)
    values = found.scores[shown] * MILLI
    largest = float(np.abs(values).max(initial=0))
    first = [f"{found.ids[place]} {amount(found.scores[place])}" for place in shown[:3]]
    return FigureView(
        figure=labelled_bars(groups, f"influence ({UNIT})", largest, selected=chosen),
        alt=f"Influence of training documents on the loss of {_target(found)}, in {UNIT}: {', '.join(first)} and "
        f"{max(len(shown) - 3, 0)} more.",
        table={
            "id": [found.ids[place] for place in shown],
            "training label": [found.class_names[found.labels[place]] for place in shown],
            f"influence ({UNIT})": values,
            f"sketch estimate ({UNIT})": found.estimates[shown] * MILLI,
            **{
                f"at epoch {epoch} ({UNIT})": of[shown] * MILLI
                for epoch, of in zip(found.epochs, found.by_epoch, strict=False)
            },
            "words": [", ".join(word for word, _ in found.strongest_words(int(place), WORDS)) for place in shown],
        },
        caption=_caption(found, f"of {found.documents:,} training documents"),
        name=f"{found.run}-influence",
    )


def words(found: Influence, position: int) -> FigureView:
    """Return the words through which a document acted on the text, the strongest first."""
    rows = [(word, value * MILLI) for word, value in found.strongest_words(position, WORDS)]
    every = found.strongest_words(position, len(found.words))
    bars = [
        BarRow(word, value, said, f"{word}: {said} {UNIT}", word)
        for word, value in rows
        for said in (amount(value / MILLI),)
    ]
    scale = max((abs(value) for _, value in rows), default=0.0)
    said = ", ".join(f"{word} {amount(value / MILLI)}" for word, value in rows[:5])
    return FigureView(
        figure=labelled_bars([Group("", bars)], f"influence through a word ({UNIT})", scale),
        alt=f"{found.ids[position]} changes the loss of {_target(found)} through {len(every)} words: {said or 'none'}.",
        table={"word": [word for word, _ in every], f"influence ({UNIT})": [value * MILLI for _, value in every]},
        caption=_caption(found, found.ids[position], f"{len(rows)} of {len(every)} words shared by both texts"),
        name=f"{found.run}-influence-words",
    )


def epochs(found: Influence, position: int) -> FigureView:
    """Return how much of a document's influence each of the compared epochs adds."""
    values = found.by_epoch[:, position] * MILLI
    names = [f"epoch {epoch}" for epoch in found.epochs]
    drawn = theme.figure(
        [
            go.Bar(
                x=names, y=values, marker=theme.signed_bars(values), text=[amount(one / MILLI) for one in values],
                textposition="outside", cliponaxis=False, hoverinfo="skip",
            )
        ],
        height=300, y=f"influence ({UNIT})", showlegend=False, xaxis={"type": "category"}, yaxis={"zeroline": True},
    )  # fmt: skip
    said = ", ".join(f"{name} {amount(value / MILLI)}" for name, value in zip(names, values, strict=True))
    return FigureView(
        figure=drawn,
        alt=f"Influence of {found.ids[position]} by epoch, in {UNIT}: {said}.",
        table={"epoch": list(found.epochs), f"influence ({UNIT})": values},
        caption=_caption(found, found.ids[position]),
        name=f"{found.run}-influence-epochs",
    )


def text_html(found: Influence, position: int, encoded: EncodedText, label: str) -> str:
    """Return a text in which each word has the colour of the influence through it, with the key to the colours.

    Args:
        found: of the typed text.
        position: of the training document.
        encoded: one of the two texts as the network reads it.
        label: what a screen reader calls it.
    """
    through = dict(found.strongest_words(position, len(found.words)))
    full = max((abs(value) for value in through.values()), default=0.0) or 1.0
    names = dict(zip(encoded.ids.tolist(), (token.word for token in encoded.read), strict=True))
    by_id = {one: through.get(word, 0.0) for one, word in names.items()}
    by_id[UNKNOWN] = through.get(SPECIALS[UNKNOWN], 0.0)

    def attributes(place: int) -> str:
        value = by_id[int(encoded.ids[place])]
        said = f"{amount(value)} {UNIT} through all occurrences of this word" if value else "no influence"
        return token_attributes(encoded, place, said, abs(value) / full, "for" if value > 0 else "against")

    ramp = f"background:linear-gradient(to right,{swatch('against')},transparent,{swatch('for')})"
    bar = f'<span class="nlpviz-ramp nlpviz-ramp-signed" aria-hidden="true" style="{ramp}"></span>'
    ends = (
        f"<span>{amount(full).replace('+', sign)} {what} the loss</span>"
        for sign, what in (("−", "raised"), ("+", "lowered"))
    )
    key = f'<p class="nlpviz-legend" style="{SWATCHES}">{bar.join(ends)}</p>'
    return coloured_html(encoded, label, attributes) + key


def _row(found: Influence, position: int, begins: Mapping[str, str]) -> BarRow:
    value = float(found.scores[position]) * MILLI
    strongest = (word for word, _ in found.strongest_words(position, len(found.words)) if any(map(str.isalnum, word)))
    noted = [shortened(word, _LETTERS) for word in islice(strongest, _NOTED)]
    label = found.class_names[found.labels[position]]
    hover = f"{found.ids[position]}, training label {label}: {amount(value / MILLI)} {UNIT}"
    name = found.ids[position]
    return BarRow(begins.get(name, name), value, ", ".join(noted), hover, name)


def _caption(found: Influence, *more: str) -> str:
    how = "exact" if found.through is not None else "estimated from sketches only"
    at = f"epochs {', '.join(map(str, found.epochs))}"
    return provenance(found.run, at, f"TracIn at the word vectors, {how}", f"class {_target(found)}", *more)


def _target(found: Influence) -> str:
    return found.class_names[found.target]
