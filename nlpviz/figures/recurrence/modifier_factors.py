"""By which factor each modifier changes the next word's push, beside random words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence.modifiers import measured
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.modifiers import ModifierEffects

_ROW = 22  # pixels


def factor_dots(shown: Sequence[ModifierEffects], selected: str) -> FigureView:
    """Return every modifier's factor, one panel a checkpoint, over the band of random words.

    A click on a dot hands on the modifier.
    """
    arranged = panels.arrange(shown)
    chosen = panels.reference(shown)
    order = [chosen.modifiers[position] for position in np.argsort(chosen.factors(), kind="stable")]
    every = np.concatenate([values for one in shown for values in (one.factors(), np.array(one.band()))])
    low, high = min(float(every.min()), 0.0), max(float(every.max()), 1.0)
    room = 0.08 * (high - low)
    axes: dict[str, dict[str, object]] = {}
    for panel in arranged:
        axes[f"xaxis{panel.number}"] = {"range": [low - room, high + room], "nticks": 5, "zeroline": True}
        axes[f"yaxis{panel.number}"] = {
            "type": "category", "categoryorder": "array", "categoryarray": order, "range": [-0.6, len(order) - 0.4],
            "showticklabels": panel.column == 0, "showgrid": False,
        }  # fmt: skip
    pairs = list(zip(arranged, shown, strict=True))
    dots = [_dots(one, order, selected, panel.number) for panel, one in pairs]
    shapes = [shape for panel, one in pairs for shape in (_band(one, panel.number), _no_change(panel.number))]
    return FigureView(
        figure=panels.figure(
            arranged, _ROW * max(len(order), 4), traces=dots, axes=axes, shapes=shapes, showlegend=False,
            below="factor applied to the next push (1: no change)", margin={"l": 90},
        ),
        alt=_factors_said(shown),
        table=table_of(
            ("run", "epoch", "modifier", "factor", *(f"random words, {end} percentile" for end in ("2.5th", "97.5th"))),
            [(one.run, one.epoch, list(one.modifiers), one.factors(), *one.band()) for one in shown],
        ),
        caption=provenance(panels.checkpoints(shown), *measured(shown), "grey: 95% of random words"),
        name=panels.file_name(shown, "modifiers"),
    )  # fmt: skip


def _factors_said(shown: Sequence[ModifierEffects]) -> str:
    parts = []
    for panel, one in zip(panels.arrange(shown), shown, strict=True):
        said = ", ".join(
            f"{word} {number(value, signed=False)}"
            for word, value in zip(one.modifiers, one.factors().tolist(), strict=True)
        )
        band = one.band()
        parts.append(
            f"{panel.title}: {said}; 95% of random words: {number(band.low, signed=False)} to "
            f"{number(band.high, signed=False)}"
        )
    return f"Factor by which each modifier changes the next word’s push. {'. '.join(parts)}."


def _dots(one: ModifierEffects, order: Sequence[str], selected: str, panel: int) -> go.Scatter:
    """Return a dot for each modifier, filled where it lies outside the band."""
    factors, band = dict(zip(one.modifiers, one.factors().tolist(), strict=True)), one.band()
    words = [word for word in order if word in factors]
    inside = [band.low <= factors[word] <= band.high for word in words]
    return go.Scatter(
        x=[factors[word] for word in words], y=words, mode="markers", customdata=words, hoverinfo="text",
        hovertext=[f"{word}: factor {number(factors[word], signed=False)}" for word in words],
        marker={
            "size": [13 if word == selected else 9 for word in words], "color": theme.MAGNITUDE,
            "symbol": ["circle-open" if hollow else "circle" for hollow in inside],
            "line": {"width": 2, "color": theme.MAGNITUDE},
        },
        xaxis=f"x{panel}", yaxis=f"y{panel}",
    )  # fmt: skip


def _band(one: ModifierEffects, panel: int) -> dict[str, object]:
    band = one.band()
    return {
        "type": "rect", "x0": band.low, "x1": band.high, "y0": 0, "y1": 1, "fillcolor": theme.ZERO, "opacity": 0.3,
        "line": {"width": 0}, "layer": "below", **panels.upright(panel),
    }  # fmt: skip


def _no_change(panel: int) -> dict[str, object]:
    return theme.line_at(1, color=theme.ZERO, width=1.5, layer="below") | panels.upright(panel)
