"""One target word: where it looked in the source, with window and Gaussian, and what else might have stood there."""

from __future__ import annotations

import math
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.translation.alignments import (
    CENTRE,
    SOURCE,
    Aligned,
    Chosen,
    alignment_caption,
    caption,
    file_name,
    in_brackets,
    labels,
    room_below,
    shown_word,
    shown_words,
)
from nlpviz.figures.view import FigureView, Table
from nlpviz.results.alignment import Translation

_HEIGHT = 300  # pixels
_CURVE = 200  # points of the Gaussian
_BEFORE = 4  # words in a heading


def word_weights(aligned: Aligned, row: int) -> FigureView:
    """Return the weights of target word ``row`` as bars over the source.

    Of local attention the window is shaded, p_t is a line, the Gaussian a curve, and a ring stands where the softmax
    over the window alone would put the weight: ring times Gaussian is the bar.
    """
    columns = len(aligned.source)
    drawn = theme.figure(
        height=_HEIGHT, y=f"weight of “{escape(aligned.target[row])}”", showlegend=aligned.best.centres is not None,
        margin={"b": room_below(aligned.source), "r": 8, "t": 40 if aligned.best.centres is not None else 16},
        legend={"itemclick": False, "itemdoubleclick": False},
        xaxis={
            "tickvals": list(range(columns)), "ticktext": labels(aligned.source, SOURCE, None), "tickangle": -90,
            "range": [-0.6, columns - 0.4], "showgrid": False, "zeroline": False,
            "tickfont": {"size": 12 if columns <= 36 else 9, "color": theme.INK},
        },
        yaxis={"range": [0, 1.02], "tickformat": ".0%", "zeroline": True},
    )  # fmt: skip
    drawn.add_trace(
        go.Bar(
            x=np.arange(columns), y=aligned.weights[row], name="weight α", marker={"color": theme.MAGNITUDE},
            customdata=[Chosen(SOURCE, position).id for position in range(columns)], hoverinfo="text",
            hovertext=[f"{escape(word)}: {aligned.weights[row, n]:.1%}" for n, word in enumerate(aligned.source)],
        )
    )  # fmt: skip
    table: Table = {
        "place": np.arange(1, columns + 1),
        "source": list(aligned.source),
        "weight": aligned.weights[row],
    }
    said = ", ".join(f"{word} {share:.0%}" for word, share in aligned.strongest(row))
    if aligned.best.centres is not None:
        centre = float(aligned.best.centres[row])
        _add_window(drawn, aligned, row, centre)
        table |= {"softmax over the window": within_window(aligned, row), "Gaussian": aligned.gaussian(row)}
        said += f". The window covers {aligned.window} words on either side of p = {centre + 1:.2f}"
    return FigureView(
        figure=drawn,
        alt=f"Source words that the target word {aligned.target[row]} attends to{in_brackets(aligned)}: {said}.",
        table=table,
        caption=alignment_caption(aligned, f"word {row + 1}"),
        name=file_name(aligned.translation, f"alignment-of-word-{row + 1}"),
    )


def within_window(aligned: Aligned, row: int) -> NDArray[np.float64]:
    """Return the softmax over the window of target word ``row``, (S,): its weights without the Gaussian."""
    gaussian = aligned.gaussian(row)
    shares: NDArray[np.float64] = np.divide(
        aligned.weights[row], gaussian, out=np.zeros_like(gaussian), where=gaussian > 0
    )
    return shares


def _add_window(drawn: go.Figure, aligned: Aligned, row: int, at: float) -> None:
    """Draw the window round p_t, which is ``at``, the Gaussian and the softmax over the window."""
    reach = aligned.window
    curve = np.linspace(at - reach, at + reach, _CURVE)
    shares = within_window(aligned, row)
    inside = np.flatnonzero(aligned.gaussian(row))
    drawn.add_traces(
        [
            go.Scatter(
                x=curve, y=np.exp(-((curve - at) ** 2) / (2 * (reach / 2) ** 2)), mode="lines",
                name="Gaussian around p",
                line={"color": CENTRE, "width": 2, "dash": "dash"}, hoverinfo="skip",
            ),
            go.Scatter(
                x=inside, y=shares[inside], mode="markers", name="softmax over the window",
                marker={"symbol": "circle-open", "size": 9, "color": theme.INK, "line": {"width": 1.5}},
                customdata=[Chosen(SOURCE, n).id for n in inside.tolist()], hoverinfo="text",
                hovertext=[
                    f"{escape(aligned.source[n])}: {shares[n]:.1%} without the Gaussian" for n in inside.tolist()
                ],
            ),
        ]
    )  # fmt: skip
    drawn.add_shape(
        type="rect", x0=at - reach, x1=at + reach, y0=0, y1=1, yref="y domain", fillcolor=theme.MUTED, opacity=0.09,
        line={"width": 0}, layer="below",
    )  # fmt: skip
    drawn.add_shape(type="line", x0=at, x1=at, y0=0, y1=1, yref="y domain", line={"color": CENTRE, "width": 1.5})


def choice_bars(translation: Translation, row: int) -> FigureView:
    """Return the probabilities of the words that the network might have written as target word ``row``.

    The word that stands there is outlined. A click on a bar hands on its number from 1.
    """
    words, own = shown_words(translation), translation.alternatives[row]
    choices = [(shown_word(one.word), math.exp(one.log_probability)) for one in own]
    rows = [
        BarRow(word, share, f"{share:.1%}", f"{word}: {share:.2%}", str(number))
        for number, (word, share) in enumerate(choices, start=1)
    ]
    before = " ".join(words[max(row - _BEFORE, 0) : row])
    heading = f"after {'… ' if row > _BEFORE else ''}{before}" if before else "as the first word"
    written = translation.hypotheses[0].ids[row]  # by its id: a copy is spelt as the source word
    taken = next((str(number) for number, one in enumerate(own, start=1) if one.id == written), None)
    longest = max((share for _, share in choices), default=1.0)
    drawn = labelled_bars([Group(heading, rows)], "probability", longest, signed=False, selected=taken)
    drawn.update_xaxes(tickformat=".0%")
    said = ", ".join(f"{word} {share:.1%}" for word, share in choices)
    return FigureView(
        figure=drawn,
        alt=f"The most probable words at position {row + 1} of the translation: {said}. "
        f"Word in the translation: {words[row]}.",
        table={"word": [word for word, _ in choices], "probability": [share for _, share in choices]},
        caption=caption(translation, f"word {row + 1}"),
        name=file_name(translation, f"choices-for-word-{row + 1}"),
    )
