"""Where one model predicts a test text better than another: a point for each group of tokens, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isnan

from nlpviz.figures import theme
from nlpviz.figures.language import file_name
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.gains import Gain

_ROW, _EDGES = 26, 74  # pixels
_BEYOND = 0.04  # of the axis, so that no point lies on its edge


def reached(groups: Sequence[Gain]) -> tuple[float, float]:
    """Return the least and the largest gain of ``groups``, their intervals included: the ends of an axis for all."""
    edges = [edge for one in groups for edge in (one.gain, one.low, one.high) if not isnan(edge)]
    return min(edges), max(edges)


def gain_points(groups: Sequence[Gain], title: str, other: str, ends: tuple[float, float]) -> FigureView:
    """Return the mean gain of each group, from above in their order; to the right ``title`` is the better one.

    Args:
        groups: of one grouping.
        title: the model that is spoken of.
        other: the one it is compared with.
        ends: of the axis, :func:`reached` of all figures that are compared; zero is always on it.
    """
    names = [f"{one.group} ({one.tokens:,})" for one in groups]
    values = [one.gain for one in groups]
    better = [value > 0 for value in values]
    low, high = min(ends[0], 0), max(ends[1], 0)
    margin = _BEYOND * (high - low)
    drawn = theme.figure(
        height=_ROW * len(groups) + _EDGES, x=f"gain over {escape(other)} (nats per token)", showlegend=False,
        margin={"l": 8, "r": 12, "t": 8}, xaxis={"zeroline": True, "range": [low - margin, high + margin]},
        yaxis={"autorange": "reversed", "automargin": True, "showgrid": False},
    )  # fmt: skip
    drawn.add_scatter(
        x=values, y=[escape(name) for name in names], mode="markers", hoverinfo="text",
        error_x=theme.whiskers(values, [(one.low, one.high) for one in groups], theme.MUTED, width=4),
        marker={
            "size": 10, "color": [theme.POSITIVE if one else theme.NEGATIVE for one in better],
            "symbol": ["circle" if one else "diamond" for one in better],
        },
        hovertext=[
            f"{escape(one.group)}: {number(one.gain)} nats ({_interval(one)})<br>"
            f"{escape(title)} {one.nats:.2f}, {escape(other)} {one.other_nats:.2f}; {one.tokens:,} tokens"
            for one in groups
        ],
    )  # fmt: skip
    grouping = groups[0].grouping
    said = "; ".join(f"{name}: {number(one.gain)}" for name, one in zip(names, groups, strict=True))
    return FigureView(
        figure=drawn,
        alt=f"Gain of {title} over {other} in nats per token, by {grouping}: {said}.",
        table=table_of(
            (grouping, "tokens", f"{title} (nats)", f"{other} (nats)", "gain (nats)", "from", "to"),
            [(one.group, one.tokens, one.nats, one.other_nats, one.gain, one.low, one.high) for one in groups],
        ),
        caption=provenance(title, other, f"test text by {grouping}", "95% intervals"),
        name=file_name(f"gains-by-{grouping.replace(' ', '-')}", title, other),
    )


def _interval(one: Gain) -> str:
    return "too few tokens for an interval" if isnan(one.low) else f"{number(one.low)} to {number(one.high)}"
