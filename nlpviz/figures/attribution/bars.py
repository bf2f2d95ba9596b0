"""An explanation as bars: the strongest tokens of a text, at one checkpoint or several."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, padded, provenance
from nlpviz.results.explanation import Explanation

SHOWN = 14
_ROW = 23  # pixels


def token_bars(explanations: Sequence[Explanation], unit: str) -> FigureView:
    """Return the scores of the strongest tokens, in reading order, one panel a checkpoint on the same scale.

    The tokens are those with the largest magnitudes at the first run's last epoch, so that rows stay in place.

    Args:
        explanations: of one text by one method, one for each checkpoint shown.
        unit: of a score.
    """
    chosen, positions = panels.reference(explanations), panels.shared_places(explanations, SHOWN)
    words = [chosen.encoded.read[position].word for position in positions]
    labels = [panels.row_label(word, position) for word, position in zip(words, positions, strict=True)]
    scores = [explanation.scores[positions] for explanation in explanations]
    largest = max((float(np.abs(values).max()) for values in scores if values.size), default=0.0) or 1.0
    limits = [-largest * 1.08 if chosen.signed else 0, largest * 1.08]  # zero at the same position in all
    arranged = panels.arrange(explanations)
    bars, axes = [], {}
    for panel, explanation, values in zip(arranged, explanations, scores, strict=True):
        marker = theme.signed_bars(values) if explanation.signed else {"color": theme.MAGNITUDE}
        hover = [f"{escape(word)}: {number(value, '.3g')}" for word, value in zip(words, values, strict=True)]
        bars.append(
            go.Bar(
                x=values, y=labels, orientation="h", marker=marker, hovertext=hover, hoverinfo="text",
                xaxis=f"x{panel.number}", yaxis=f"y{panel.number}",
            )
        )  # fmt: skip
        axes[f"xaxis{panel.number}"] = {"range": limits, "zeroline": True, "nticks": 5}
        axes[f"yaxis{panel.number}"] = {
            "autorange": "reversed", "showticklabels": panel.column == 0, "type": "category", "showgrid": False,
        }  # fmt: skip
    drawn = panels.figure(
        arranged, _ROW * max(len(positions), 3), traces=bars, axes=axes, below=unit, showlegend=False, margin={"l": 110}
    )
    target = chosen.class_names[chosen.target]
    return FigureView(
        figure=drawn,
        alt=_alt(explanations, unit),
        table=_table(explanations),
        caption=provenance(
            panels.checkpoints(explanations),
            chosen.method,
            f"target {target}",
            panels.shown_of_read(chosen, len(positions)),
        ),
        name=panels.file_name(explanations, chosen.method),
    )


def _alt(explanations: Sequence[Explanation], unit: str) -> str:
    parts = []
    for panel, explanation in zip(panels.arrange(explanations), explanations, strict=True):
        words = ", ".join(
            f"{explanation.encoded.read[position].word} {explanation.scores[position]:.2g}"
            for position in explanation.strongest(5)
        )
        parts.append(f"{panel.title}: {words or 'no words were read'}")
    return f"The strongest words by {explanations[-1].method}, in {unit}. {'; '.join(parts)}."


def _table(explanations: Sequence[Explanation]) -> Table:
    """Return a row for each token that any of the models read; what one did not read has no score."""
    chosen, read = panels.reference(explanations), max(len(explanation.scores) for explanation in explanations)
    tokens = chosen.encoded.tokens[:read]
    table: Table = {
        "place": np.arange(1, len(tokens) + 1),
        "token": [token.word for token in tokens],
        "start": [token.start for token in tokens],
        "end": [token.end for token in tokens],
        "seen": [str(seen) for seen in chosen.encoded.seen[:read]],
    }
    for panel, explanation in zip(panels.arrange(explanations), explanations, strict=True):
        table[f"score, {panel.heading}"] = padded(explanation.scores, read)
    return table
