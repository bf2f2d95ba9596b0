"""What negation does to phrases, by network: the mean change of the expected class, beside that of people's labels."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.tree_cases import Change, TreeCases, negation_effects

_ROW, _ROUND = 40, 118  # pixels
_GROUPS = (("negated praise", theme.POSITIVE, "circle", -0.16), ("negated blame", theme.NEGATIVE, "diamond", 0.16))


def negation_changes(networks: Sequence[TreeCases]) -> FigureView:
    """Return for each network two points with 95% intervals: of positive phrases negated, and of negative ones."""
    changes = [negation_effects(one) for one in networks]
    rows = list(range(len(networks)))
    titles = [f"{one.title}, epoch {one.epoch}" for one in networks]
    traces = []
    for place, (name, color, symbol, shift) in enumerate(_GROUPS):
        own = [pair[place] for pair in changes]
        traces.append(
            go.Scatter(
                x=[one.by_network for one in own],
                y=[row + shift for row in rows],
                mode="markers",
                name=name,
                marker={"color": color, "symbol": symbol, "size": 11},
                error_x={
                    "type": "data",
                    "array": [one.interval[1] - one.by_network for one in own],
                    "color": color,
                    "thickness": 2,
                    "width": 4,
                },
                hoverinfo="text",
                hovertext=[_hover(name, one) for one in own],
            )
        )
        traces.append(
            go.Scatter(
                x=[own[0].by_people] * 2, y=[-0.5, len(networks) - 0.5], mode="lines", showlegend=False,
                line={"color": color, "width": 1.5, "dash": "dash" if place else "dot"}, hoverinfo="skip",
            )
        )  # fmt: skip
    drawn = theme.figure(
        traces, height=_ROW * len(rows) + _ROUND, x="change in the expected class, −2 to 2",
        xaxis={"zeroline": True}, margin={"t": 62}, legend={"yref": "container", "y": 0.99, "yanchor": "top"},
        annotations=[
            {
                "text": "human labels", "x": one.by_people, "y": 1, "yref": "paper", "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 12, "color": theme.lettering(color)},
            }
            for one, (_, color, *_) in zip(changes[0], _GROUPS, strict=True)
        ],
        yaxis=theme.row_axis([theme.plain(one.title.removesuffix(" on SST")) for one in networks]),
    )  # fmt: skip
    said = "; ".join(
        f"{title}: praise {number(up.by_network)}, blame {number(down.by_network)}"
        for title, (up, down) in zip(titles, changes, strict=True)
    )
    first = changes[0]
    return FigureView(
        figure=drawn,
        alt=f"Mean change under negation. Human labels: praise {number(first[0].by_people)}, blame "
        f"{number(first[1].by_people)}. {said}.",
        table=_table(titles, changes),
        caption=provenance(
            f"{first[0].phrases} negated positive and {first[1].phrases} negated negative phrases of the test split",
            "95% intervals, normal approximation",
        ),
        name="trees-negation",
    )


def _hover(name: str, one: Change) -> str:
    low, high = one.interval
    return (
        f"{name}: {number(one.by_network)} ({number(low)} to {number(high)}), human labels {number(one.by_people)}<br>"
        f"{one.turned.right} of {one.turned.nodes} shift towards the opposite sign"
    )


def _table(titles: Sequence[str], changes: Sequence[tuple[Change, Change]]) -> Table:
    return table_of(
        (
            "network", "negated", "phrases", "mean change", "from", "to", "mean change of human labels",
            "shifted towards the opposite sign",
        ),
        [
            (title, name, one.phrases, one.by_network, *one.interval, one.by_people, one.turned.right)
            for title, pair in zip(titles, changes, strict=True)
            for name, one in zip(("praise", "blame"), pair, strict=True)
        ],
    )  # fmt: skip
