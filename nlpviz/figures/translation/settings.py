"""What one setting changes: differences in BLEU with their intervals, of all sentences and by their length."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.bleu import DRAWS, BleuDifference, ChangedSetting

_ROW, _ROUND, _HEIGHT = 36, 84, 320  # pixels
_NARROW = 480
_MEASURED = ("difference, BLEU", "from, BLEU", "to, BLEU", "p-value (paired bootstrap)")
_DRAWN = f"95% intervals from {DRAWS:,} bootstrap samples"


def setting_differences(changes: Sequence[ChangedSetting], selected: str, about: str) -> FigureView:
    """Return a row for each changed setting, the largest gain first; a click hands on its runs.

    Args:
        changes: what was changed, one at least.
        selected: the runs of the row that stands out.
        about: the languages and the test sentences, for the caption.
    """
    rows = sorted(changes, key=lambda one: -one.whole.difference)
    drawn = theme.figure(
        [_in_rows(rows, selected)],
        height=_ROW * len(rows) + _ROUND, x="change in BLEU (after minus before)", showlegend=False,
        margin={"l": 8, "t": 8},
        xaxis={"zeroline": True, "zerolinecolor": theme.MUTED, "zerolinewidth": 1}, meta=phone.least_width(_NARROW),
        yaxis={
            "tickvals": list(range(len(rows))), "ticktext": [escape(one.title) for one in rows],
            "range": [len(rows) - 0.5, -0.5], "showgrid": False,
        },
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt="Effect of each setting on BLEU. " + "; ".join(f"{one.title} {said(one.whole)}" for one in rows) + ".",
        table=table_of(
            ("setting", "before", "after", "run before", "run after", *_MEASURED),
            [(one.setting, one.before, one.after, one.first, one.second, *_measured(one.whole)) for one in rows],
        ),
        caption=provenance(about, _DRAWN, "filled: interval excludes 0"),
        name="bleu-by-setting",
    )


def setting_by_length(change: ChangedSetting, about: str) -> FigureView:
    """Return the difference that a setting makes in each group of sentences of like length."""
    groups = change.by_length
    names = [f"{one.shortest}–{one.longest}<br>({one.sentences:,})" for one in groups]
    drawn = theme.figure(
        [_whiskers([one.difference for one in groups])],
        height=_HEIGHT, x="reference length in words (sentences)", y="change in BLEU (after minus before)",
        showlegend=False, margin={"t": 8, "r": 8},
        xaxis={"tickvals": list(range(len(groups))), "ticktext": names, "showgrid": False},
        yaxis={"zeroline": True, "zerolinecolor": theme.MUTED, "zerolinewidth": 1, "rangemode": "tozero"},
    )  # fmt: skip
    told = "; ".join(f"{one.shortest} to {one.longest} words {said(one.difference)}" for one in groups)
    return FigureView(
        figure=drawn,
        alt=f"{change.title}: difference in BLEU by reference length. {told}.",
        table=table_of(
            ("shortest", "longest", "sentences", *_MEASURED),
            [(one.shortest, one.longest, one.sentences, *_measured(one.difference)) for one in groups],
        ),
        caption=provenance(f"{change.second} minus {change.first}", about, _DRAWN, "filled: interval excludes 0"),
        name="bleu-of-setting-by-length",
    )


def said(found: BleuDifference) -> str:
    """Return a difference with its interval: ``"+1.2 (+0.4 to +2.0)"``."""
    low, high = (number(end, ".1f") for end in found.interval)
    return f"{number(found.difference, '.1f')} ({low} to {high})"


def _in_rows(rows: Sequence[ChangedSetting], selected: str) -> go.Scatter:
    """Return the points in rows, with what a click hands on."""
    drawn = _whiskers([one.whole for one in rows])
    drawn.update(
        x=drawn.y, y=drawn.x, error_x=drawn.error_y.to_plotly_json(), error_y=None,
        customdata=[one.runs for one in rows], marker_size=[14 if one.runs == selected else 10 for one in rows],
        hovertext=[f"{escape(one.second)} minus {escape(one.first)}: {said(one.whole)} BLEU" for one in rows],
    )  # fmt: skip
    return drawn


def _whiskers(found: Sequence[BleuDifference]) -> go.Scatter:
    """Return points from left to right with their intervals, filled where these leave out 0."""
    values = [one.difference for one in found]
    colors = [theme.NEGATIVE if value < 0 else theme.POSITIVE for value in values]
    return go.Scatter(
        x=list(range(len(found))), y=values, mode="markers", hovertemplate="%{hovertext}<extra></extra>",
        error_y=theme.whiskers(values, [one.interval for one in found], theme.MUTED, width=4),
        marker={
            "size": 10, "line": {"color": colors, "width": 2},
            "color": [color if one.significant else theme.SURFACE for color, one in zip(colors, found, strict=True)],
        },
        hovertext=[f"{said(one)} BLEU" for one in found],
    )  # fmt: skip


def _measured(found: BleuDifference) -> tuple[float, ...]:
    return (found.difference, *found.interval, found.p)
