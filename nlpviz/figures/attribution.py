"""An explanation as bars: the strongest tokens of a text, at one epoch or several."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.explanation import Explanation
from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance

SHOWN = 14
_ROW, _FRAME = 23, 100  # pixels


def token_bars(explanations: Sequence[Explanation], unit: str) -> FigureView:
    """Return the scores of the strongest tokens, in reading order, one panel an epoch on the same scale.

    The tokens are those with the largest magnitudes at the last of the epochs, so that rows stay in place.

    Args:
        explanations: of one text by one method, one for each epoch shown.
        unit: of a score.
    """
    last = explanations[-1]
    places = sorted(last.strongest(SHOWN))
    words = [last.encoded.read[place].word for place in places]
    labels = [f"{escape(_short(word))}<sup> {place + 1}</sup>" for word, place in zip(words, places, strict=True)]
    scores = [explanation.scores[places] for explanation in explanations]
    largest = max((float(np.abs(values).max()) for values in scores if values.size), default=0.0) or 1.0
    drawn = theme.figure(height=_FRAME + _ROW * max(len(places), 3), showlegend=False)
    for number, (explanation, values) in enumerate(zip(explanations, scores, strict=True), start=1):
        marker = theme.signed_bars(values) if explanation.signed else {"color": theme.MAGNITUDE}
        hover = [f"{escape(word)}: {value:+.3g}" for word, value in zip(words, values, strict=True)]
        drawn.add_trace(
            go.Bar(
                x=values, y=labels, orientation="h", marker=marker, hovertext=hover, hoverinfo="text",
                xaxis=f"x{number}", yaxis=f"y{number}",
            )
        )  # fmt: skip
        drawn.update_layout(_panel(number, len(explanations), largest, last.signed))
        if len(explanations) > 1:
            drawn.add_annotation(
                text=f"<b>Epoch {explanation.epoch}</b>", x=_domain(number, len(explanations))[0], y=1,
                xref="paper", yref="paper", xanchor="left", yanchor="bottom", showarrow=False,
            )  # fmt: skip
    drawn.update_layout(margin={"t": 34, "l": 110}, xaxis_title_text=unit)
    epochs = ", ".join(str(explanation.epoch) for explanation in explanations)
    return FigureView(
        figure=drawn,
        alt=_alt(explanations, unit),
        table=_table(explanations),
        caption=provenance(last.run, f"epoch {epochs}", last.method, f"target {last.class_names[last.target]}"),
        name=f"{last.run}-{last.method}-epoch-{epochs.replace(', ', '-')}",
    )


def _short(word: str) -> str:
    return word if len(word) <= 16 else f"{word[:15]}…"


def _domain(number: int, count: int) -> tuple[float, float]:
    gap = 0.04
    width = (1 - gap * (count - 1)) / count
    return (number - 1) * (width + gap), (number - 1) * (width + gap) + width


def _panel(number: int, count: int, largest: float, signed: bool) -> dict[str, object]:
    """Return the layout of one panel: zero at the same place in all, the first word on top."""
    limits = [-largest * 1.08 if signed else 0, largest * 1.08]
    return {
        f"xaxis{number}": {
            "domain": _domain(number, count), "anchor": f"y{number}", "range": limits, "zeroline": True, "nticks": 5,
        },
        f"yaxis{number}": {
            "anchor": f"x{number}", "autorange": "reversed", "showticklabels": number == 1, "type": "category",
            "showgrid": False,
        },
    }  # fmt: skip


def _alt(explanations: Sequence[Explanation], unit: str) -> str:
    parts = []
    for explanation in explanations:
        words = ", ".join(
            f"{explanation.encoded.read[place].word} {explanation.scores[place]:.2g}"
            for place in explanation.strongest(5)
        )
        parts.append(f"epoch {explanation.epoch}: {words or 'no word was read'}")
    return f"The strongest words by {explanations[-1].method}, in {unit}. {'; '.join(parts)}."


def _table(explanations: Sequence[Explanation]) -> dict[str, Sequence[object] | NDArray[Any]]:
    tokens = explanations[-1].encoded.read
    table: dict[str, Sequence[object] | NDArray[Any]] = {
        "place": np.arange(1, len(tokens) + 1),
        "token": [token.word for token in tokens],
        "start": [token.start for token in tokens],
        "end": [token.end for token in tokens],
        "seen": [str(seen) for seen in explanations[-1].encoded.seen[: len(tokens)]],
    }
    for explanation in explanations:
        table[f"score, epoch {explanation.epoch}"] = explanation.scores
    return table
