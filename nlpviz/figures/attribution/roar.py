"""Test accuracy by how many words were masked before the training, a line for each order, with 95% intervals."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.roar import RANDOM, WHOLE, WORD_LIST, Roar, TestAccuracy

_SYMBOLS, _DASHES = ("circle", "square", "diamond", "triangle-up"), ("solid", "dash", "dashdot", "longdash")
_APART = 0.003  # of the words: the horizontal offset between lines, so that their intervals do not overlap
TITLES = {RANDOM: "Random words", WORD_LIST: "Log-count ratio"}
"""What people call the orders that are no method's."""


def roar_curves(found: Roar, titles: Mapping[str, str]) -> FigureView:
    """Return the curves, from no word masked; random masks are the grey one, a word list's the dotted one.

    Args:
        found: of a run.
        titles: of the methods, as people call them, by name.
    """
    orders = (RANDOM, *found.methods)
    names = {order: TITLES.get(order) or titles.get(order, order) for order in orders}
    lines = [_line(found, order, names[order], place) for place, order in enumerate(orders)]
    shares = [0.0, *found.shares]
    worst = sorted(found.methods, key=lambda order: found.reached(order, shares[-1]).accuracy)
    drawn = direct_labels.figure(
        lines,
        height=480,
        main={escape(names[order]) for order in (RANDOM, *worst[: direct_labels.COLOURED])},
        xaxis={
            "title": {"text": "words masked in every training and test text"}, "tickformat": ".0%", "tickvals": shares,
            "range": [-0.04, max(shares) + 0.04],
        },
        yaxis={"title": {"text": "test accuracy after training"}, "tickformat": ".0%"},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(found, names),
        table=_table(found, names),
        caption=provenance(
            f"orders by {found.run} · epoch {found.epoch}",
            f"trained on {found.texts:,} texts of at most {found.tokens:,} tokens for at most {found.epochs} epochs, "
            f"{found.seeds_said}",
            f"{len(found.ids):,} test texts, 95% Wilson intervals",
            found.device,
        ),
        name=f"{found.run}-roar",
    )


def _line(found: Roar, order: str, title: str, place: int) -> go.Scatter:
    shares = [0.0, *found.shares]
    reached = [found.reached(WHOLE), *(found.reached(order, share) for share in found.shares)]
    color = theme.MUTED if order == RANDOM else theme.CATEGORIES[(place + 1) % len(theme.CATEGORIES)]
    dash = "dash" if order == RANDOM else "dot" if order == WORD_LIST else _DASHES[0]
    beside = (place - len(found.methods) / 2) * _APART
    return go.Scatter(
        x=[share + beside * (share > 0) for share in shares], y=[one.accuracy for one in reached],
        mode="lines+markers", name=escape(title), line={"color": color, "width": 2, "dash": dash},
        marker={"color": color, "size": 8, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
        error_y=theme.whiskers([one.accuracy for one in reached], [one.interval for one in reached], color),
        hovertext=[_hover(title, share, one) for share, one in zip(shares, reached, strict=True)], hoverinfo="text",
    )  # fmt: skip


def _hover(title: str, share: float, one: TestAccuracy) -> str:
    what = f"{escape(title)}, {share:.0%} masked" if share else "Nothing masked"
    seeds = ", ".join(f"{value:.1%}" for value in one.seeds)
    return f"{what}<br>{reached_said(one)}<br>by seed: {seeds}"


def reached_said(one: TestAccuracy) -> str:
    """Return an accuracy with its interval: ``"84.1% (82.9% to 85.2%)"``."""
    return f"{one.accuracy:.1%} ({one.interval.low:.1%} to {one.interval.high:.1%})"


def _alt(found: Roar, names: Mapping[str, str]) -> str:
    lines = [
        f"{names[order]} "
        + ", ".join(f"{found.reached(order, share).accuracy:.1%} at {share:.0%}" for share in found.shares)
        for order in (RANDOM, *found.methods)
    ]
    whole = reached_said(found.reached(WHOLE))
    return f"Test accuracy after training with words masked. Nothing masked: {whole}. {'; '.join(lines)}."


def _table(found: Roar, names: Mapping[str, str]) -> Table:
    """Return a row for each order and share, with what a paired test makes of it beside random masks."""
    rows = [(WHOLE, 0.0), *((order, share) for order in (RANDOM, *found.methods) for share in found.shares)]
    reached = [found.reached(order, share) for order, share in rows]
    against = [found.against(order, share) if order in found.methods else None for order, share in rows]
    return {
        "order": [names.get(order, "nothing masked") for order, _ in rows],
        "masked": [share for _, share in rows],
        "accuracy": [one.accuracy for one in reached],
        "from": [one.interval.low for one in reached],
        "to": [one.interval.high for one in reached],
        "difference from random": [
            "–" if one is None else f"{number(100 * one.difference, '.1f')} points" for one in against
        ],
        "interval": [
            "–" if one is None else " to ".join(number(100 * end, ".1f") for end in one.interval) for one in against
        ],
        "adjusted p-value": ["–" if one is None else "< 0.001" if one.p < 0.001 else f"{one.p:.3f}" for one in against],
        "same sign for every seed": ["–" if one is None else str(one.every_seed).lower() for one in against],
    }
