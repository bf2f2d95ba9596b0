"""How faithful methods and baselines are to several networks: a row for each order, a column for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.deletion import Estimate
from nlpviz.results.faithfulness_survey import BASELINES, FIFTHS, FaithfulnessSurvey, by_value

_ROW, _ROUND = 34, 64  # pixels: of a row, of what is round the table
_LETTERS = 16  # of a line over a column
_COLUMN, _NAMES = 92, 170  # pixels that a cell and the names of the rows need
_RANDOM = "Random orders"
MARK = "≈"
"""Of a cell that does not differ significantly from random orders."""


def methods_by_run(
    surveys: Sequence[FaithfulnessSurvey], measure: str, titles: Mapping[str, str], networks: Mapping[str, str]
) -> FigureView:
    """Return the table: each cell a mean and its 95% interval, coloured by how far it is above random orders.

    Args:
        surveys: of runs on one corpus, one at least, over the same documents.
        measure: one of :data:`nlpviz.results.faithfulness_survey.MEASURES`, or ``"wins"``.
        titles: of all orders, as people call them, by name.
        networks: what people call the runs, by name.
    """
    orders = by_value(surveys, measure)
    cells = {(one.run, name): one.cell(name, measure) for one in surveys for name in orders if name in one.orders}
    beside = [one.at_random(measure) for one in surveys]
    written = [[_written(cells.get((one.run, name))) for one in surveys] for name in orders]
    written.append([_of(estimate) for estimate in beside])
    above = [
        [cells[one.run, name][1].mean if (one.run, name) in cells else np.nan for one in surveys] for name in orders
    ]
    above.append([0.0] * len(surveys))
    rows = [_row(name, titles) for name in orders] + [f"<i>{_RANDOM}</i>"]
    drawn = theme.figure(
        [
            go.Heatmap(
                z=above, x=list(range(len(surveys))), y=list(range(len(rows))), xgap=2, ygap=2, showscale=False,
                zmin=-1, zmax=1, colorscale=theme.SIGNED_SCALE, text=written, texttemplate="%{text}",
                textfont={"size": 12, "color": theme.INK}, hoverongaps=False,
                customdata=[[f"{row}, {escape(networks[one.run])}" for one in surveys] for row in rows],
                hovertemplate="%{customdata}: %{text}<br>%{z:+.2f} relative to random orders<extra></extra>",
            )
        ],
        height=_ROW * len(rows) + _ROUND, meta=phone.least_width(_COLUMN * len(surveys) + _NAMES),
        margin={"l": 8, "r": 8, "t": 52, "b": 8},
        xaxis=theme.row_axis(
            [_wrapped(networks[one.run]) for one in surveys], side="top", range=[-0.5, len(surveys) - 0.5],
            fixedrange=True,
        ),
        yaxis=theme.row_axis(rows, fixedrange=True),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(surveys, orders, cells, titles, measure),
        table=_table(surveys, orders, cells, beside),
        caption=provenance(
            ", ".join(f"{one.run} epoch {one.epoch}" for one in surveys),
            f"{said_of_measure(measure)}, mean and 95% interval",
            f"{_documents(surveys)} test documents, seed {surveys[0].seed}",
            f"{MARK} not significantly different from random orders",
        ),
        name=f"methods-by-run-{measure.replace(' ', '-')}",
    )


def shares_by_fifth(survey: FaithfulnessSurvey, titles: Mapping[str, str]) -> FigureView:
    """Return where in a text the scores of each order lie: the share of their magnitudes in each fifth, on average."""
    orders = [name for name in survey.orders if name not in BASELINES]
    orders += [name for name in survey.orders if name in BASELINES]
    values = np.array([survey.shares[survey.orders.index(name)] for name in orders])
    fifths = ["first", "second", "third", "fourth", "last"]
    rows = [_row(name, titles) for name in orders]
    drawn = theme.figure(
        [
            go.Heatmap(
                z=values, x=fifths, y=list(range(len(rows))), xgap=2, ygap=2, showscale=False, zmin=0, zmax=0.6,
                colorscale=theme.WEIGHT_SCALE, text=[[f"{value:.0%}" for value in row] for row in values],
                texttemplate="%{text}", textfont={"size": 12, "color": theme.INK},
                customdata=[[row] * FIFTHS for row in rows],
                hovertemplate="%{customdata}, %{x} fifth: %{text}<extra></extra>",
            )
        ],
        height=28 * len(rows) + _ROUND, margin={"l": 8, "r": 8, "t": 40, "b": 8},
        xaxis={"side": "top", "showgrid": False, "title": {"text": "fifth of the text"}, "fixedrange": True},
        yaxis=theme.row_axis(rows, fixedrange=True),
    )  # fmt: skip
    said = "; ".join(
        f"{titles[name]} {', '.join(f'{value:.0%}' for value in row)}" for name, row in zip(orders, values, strict=True)
    )
    return FigureView(
        figure=drawn,
        alt=f"Share of the total magnitude of the scores in each fifth of a text, in order. {said}.",
        table={"order": orders} | {f"{name} fifth": values[:, place] for place, name in enumerate(fifths)},
        caption=provenance(
            f"{survey.run} epoch {survey.epoch}",
            "share of the scores’ total magnitude, mean over texts",
            f"{len(survey.ids):,} test documents, seed {survey.seed}",
        ),
        name=f"{survey.run}-scores-by-fifth",
    )


def said_of_measure(measure: str) -> str:
    """Return what a cell holds."""
    if measure == "wins":
        return "share of texts in which an order beats most random orders"
    return f"{measure}, normalised: 0 for the worst order, 1 for the best"


def _row(name: str, titles: Mapping[str, str]) -> str:
    title = escape(titles[name])
    return f"<i>{title}</i>" if name in BASELINES else title


def _written(cell: tuple[Estimate, Estimate] | None) -> str:
    """Return a cell's text: mean, interval, and a sign where random orders may do as well."""
    if cell is None:
        return ""
    gained = cell[1]
    return _of(cell[0], f"{MARK} " if gained.low <= 0 <= gained.high else "")


def _of(estimate: Estimate, mark: str = "") -> str:
    if np.isnan(estimate.mean):
        return "–"
    low, high = number(estimate.low, ".2f", signed=False), number(estimate.high, ".2f", signed=False)
    spread = f'<br><span style="font-size:10px">{low} to {high}</span>' if low != high else ""
    return f"{mark}{number(estimate.mean, '.2f', signed=False)}{spread}"


def _plain(value: float) -> str:
    return "unknown" if np.isnan(value) else number(value, ".2f", signed=False)


def _wrapped(title: str) -> str:
    """Return a network's title on lines of a column's width."""
    return "<br>".join(escape(line) for line in wrap(title, _LETTERS))


def _documents(surveys: Sequence[FaithfulnessSurvey]) -> str:
    counts = sorted({len(one.ids) for one in surveys})
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


Cells = Mapping[tuple[str, str], tuple[Estimate, Estimate]]


def _alt(
    surveys: Sequence[FaithfulnessSurvey], orders: Sequence[str], cells: Cells, titles: Mapping[str, str], measure: str
) -> str:
    said = []
    for one in surveys:
        each = ", ".join(
            f"{titles[name]} {_plain(cells[one.run, name][0].mean)}" for name in orders if (one.run, name) in cells
        )
        said.append(f"{one.run}: {each}; random orders {_plain(one.at_random(measure).mean)}")
    return f"{said_of_measure(measure).capitalize()}. {'. '.join(said)}."


def _table(
    surveys: Sequence[FaithfulnessSurvey], orders: Sequence[str], cells: Cells, beside: Sequence[Estimate]
) -> Table:
    """Return a row for each cell of the figure."""
    rows: list[tuple[object, ...]] = []
    for one, random in zip(surveys, beside, strict=True):
        shown = [(name, cells[one.run, name]) for name in orders if (one.run, name) in cells]
        rows += [(one.run, name, *own, gained.mean) for name, (own, gained) in shown]
        rows.append((one.run, "random", *random, 0.0))
    return table_of(("run", "order", "mean", "low", "high", "gain over random orders"), rows)
