"""A walk between two texts: which words become likelier and which less, step by step."""

from __future__ import annotations

import numpy as np

from nlpviz.figures import theme
from nlpviz.figures.numbers import percent
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.codes import CodeWalk
from nlpviz.text.vocabulary import shortened

_ROW, _ROUND = 24, 110  # pixels
_LETTERS = 14
_LEAST = 1e-5  # no colour distinguishes smaller probabilities


def walk_words(walk: CodeWalk) -> FigureView:
    """Return a map of words by steps, coloured by the logarithm of the word's probability."""
    shown = np.log10(np.maximum(walk.probabilities, _LEAST)).T  # (M, S)
    steps = np.arange(len(walk.shares))
    ticks = np.arange(np.ceil(shown.min()), np.floor(shown.max()) + 1)
    words = [theme.plain(shortened(word, _LETTERS)) for word in walk.words]
    said = [[percent(float(value)) for value in row] for row in walk.probabilities.T]
    drawn = theme.figure(
        [
            {
                "type": "heatmap", "x": steps, "y": words, "z": shown, "colorscale": theme.MAGNITUDE_SCALE,
                "xgap": 1, "ygap": 1, "text": said,
                "hovertemplate": "%{y}, step %{x}: %{text}<extra></extra>",
                "colorbar": {
                    "title": {"text": "p"}, "tickvals": ticks, "ticktext": [f"{10**tick:.2%}" for tick in ticks],
                    "len": 0.8,
                },
            }
        ],
        height=_ROW * len(words) + _ROUND,
        xaxis={"title": {"text": "step (first text on the left, second on the right)"}, "dtick": 1, "showgrid": False},
        yaxis={"autorange": "reversed", "showgrid": False, "tickfont": {"size": 13, "color": theme.INK}},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(walk),
        table={
            "step": steps,
            "share": walk.shares,
            "nearest document": [one.id for one in walk.nearest],
            "class of the nearest document": [one.label for one in walk.nearest],
            **{f"p({word})": walk.probabilities[:, place] for place, word in enumerate(walk.words)},
        },
        caption=provenance(f"{walk.run}, epoch {walk.epoch}", " to ".join(walk.ends), "straight line between codes"),
        name=f"{walk.run}-epoch-{walk.epoch}-walk",
    )


def _alt(walk: CodeWalk) -> str:
    first, last = (", ".join(one.word for one in walk.likeliest[at][:4]) for at in (0, -1))
    middle = ", ".join(one.word for one in walk.likeliest[len(walk.likeliest) // 2][:4])
    return (
        f"Probabilities of {len(walk.words)} words at {len(walk.shares)} steps between two codes. Most "
        f"probable at the start: {first}; halfway: {middle}; at the end: {last}."
    )
