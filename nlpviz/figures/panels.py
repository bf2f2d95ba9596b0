"""Small figures side by side, one a checkpoint: how they are arranged, called, and which tokens they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.run_titles import title_of
from nlpviz.results.explanation import NO_EPOCH, Explanation

TITLE, GAP = 34, 64  # pixels: over the first row of panels, and between two rows
_IN_A_ROW = 4
_BETWEEN = 0.04  # of the width


class OfCheckpoint(Protocol):
    """A result of one epoch of one run."""

    @property
    def run(self) -> str:
        """The run's name."""
        ...

    @property
    def epoch(self) -> int:
        """The epoch of the weights."""
        ...


Result = TypeVar("Result", bound=OfCheckpoint)


class Panel(NamedTuple):
    """One of several small figures: its number from 1, its title, its row and column from 0."""

    number: int
    title: str
    row: int
    column: int

    @property
    def heading(self) -> str:
        """The title within the heading of a table's column."""
        return f"{self.title[0].lower()}{self.title[1:]}"


def arrange(results: Sequence[OfCheckpoint]) -> list[Panel]:
    """Return a panel for each result: up to four in one row, more than these in one row a run."""
    runs = list(dict.fromkeys(result.run for result in results))
    panels: list[Panel] = []
    for number, result in enumerate(results, start=1):
        row = runs.index(result.run) if len(results) > _IN_A_ROW else 0
        column = sum(panel.row == row for panel in panels)
        title = f"Epoch {result.epoch}" if len(runs) == 1 else f"{title_of(result.run)}, epoch {result.epoch}"
        title = title_of(result.run) if result.epoch == NO_EPOCH else title
        panels.append(Panel(number, title, row, column))
    return panels


def figure(
    arranged: Sequence[Panel],
    height: int,
    *,
    traces: Iterable[Any] = (),
    axes: Mapping[str, Mapping[str, object]],
    below: str | Sequence[str] = "",
    key: int = 0,
    named: bool = False,
    **layout: Any,  # noqa: ANN401  # whatever Plotly's layout knows
) -> go.Figure:
    """Return a figure with its panels, each with a title where there are several.

    Args:
        arranged: the panels.
        height: of a row of them, in pixels.
        traces: what is drawn, each on the axes of its panel: ``xaxis=f"x{panel.number}"``.
        axes: what the panels' axes have beside their position: ``{"xaxis2": {"range": [0, 1]}}``.
        below: what the horizontal axes show, written once, under the first panel of the last row; or, where they may
            show different things, one for each panel: the first of its kind in a row has it.
        key: pixels over the titles, for a legend.
        named: whether the names of lines stand at their ends, as :mod:`nlpviz.figures.direct_labels` writes them.
        layout: handed on to Plotly.
    """
    rows, columns = 1 + max(panel.row for panel in arranged), 1 + max(panel.column for panel in arranged)
    whole = rows * height + (rows - 1) * GAP
    width = (1 - _BETWEEN * (columns - 1)) / columns
    margin = {"b": theme.TEMPLATE.layout.margin.b, **layout.pop("margin", {}), "t": TITLE + key}
    every: dict[str, Any] = {}
    titles = []
    for number, title, row, column in arranged:
        left, top = column * (width + _BETWEEN), 1 - row * (height + GAP) / whole
        x, y = f"xaxis{number}", f"yaxis{number}"
        every[x] = {"domain": (left, left + width), "anchor": f"y{number}", **axes.get(x, {})}
        every[y] = {"domain": (max(top - height / whole, 0), top), "anchor": f"x{number}", **axes.get(y, {})}
        if len(arranged) > 1:
            titles.append(
                {
                    "text": f"<b>{theme.plain(title)}</b>", "x": left, "y": top, "xref": "paper", "yref": "paper",
                    "xanchor": "left", "yanchor": "bottom", "showarrow": False,
                }
            )  # fmt: skip
    for number, title in _titles_below(arranged, below).items():
        every[f"xaxis{number}"]["title"] = {"text": title}
    whole += margin["t"] + margin["b"]
    draw = direct_labels.figure if named else theme.figure
    return draw(traces, height=whole, margin=margin, annotations=titles, **every, **layout)


def axis(letter: str, number: int) -> str:
    """Return what a shape calls an axis of a panel: ``"x"``, ``"x2"``."""
    return letter if number == 1 else f"{letter}{number}"


def upright(number: int) -> dict[str, str]:
    """Return the axes of a shape from the bottom of a panel to its top."""
    return {"xref": axis("x", number), "yref": f"{axis('y', number)} domain"}


def _titles_below(arranged: Sequence[Panel], below: str | Sequence[str]) -> dict[int, str]:
    """Return what is written under which panel, by its number."""
    if isinstance(below, str) or len(set(below)) == 1:
        lowest = arranged[-1].row
        text = below if isinstance(below, str) else below[0]
        return {next(panel.number for panel in arranged if panel.row == lowest): text} if text else {}
    first = {(panel.row, title): panel.number for panel, title in zip(reversed(arranged), reversed(below), strict=True)}
    return {number: title for (_, title), number in first.items()}


def reference(results: Sequence[Result]) -> Result:
    """Return the result that the others are compared with: that of the first run's last epoch."""
    return [result for result in results if result.run == results[0].run][-1]


def checkpoints(results: Sequence[OfCheckpoint]) -> str:
    """Return which epochs of which runs are shown: ``imdb-cnn, epoch 0, 6``."""
    epochs: dict[str, list[str]] = {}
    for result in results:
        epochs.setdefault(result.run, []).append(str(result.epoch))
    named = {run: "" if shown == [str(NO_EPOCH)] else f", epoch {', '.join(shown)}" for run, shown in epochs.items()}
    return "; ".join(f"{run}{shown}" for run, shown in named.items())


def file_name(results: Sequence[OfCheckpoint], kind: str) -> str:
    """Return the name of a figure's files: ``imdb-cnn-epoch-0-6-saliency``."""
    words = checkpoints(results).replace(",", "").replace(";", "").split()
    return "-".join((*words, kind))


def shared_places(explanations: Sequence[Explanation], count: int) -> list[int]:
    """Return the positions of the ``count`` strongest tokens of :func:`reference` that all models read, in their order.

    One choice for all panels: rows stay in place.
    """
    chosen, read = reference(explanations), min(len(explanation.scores) for explanation in explanations)
    ranked = (position for position in chosen.strongest(len(chosen.scores)) if position < read)
    return sorted(position for position, _ in zip(ranked, range(count), strict=False))


def shown_of_read(explanation: Explanation, count: int) -> str:
    """Return how many of the tokens that were read are shown: ``top 14 of 80 tokens``."""
    read = len(explanation.scores)
    if not read:
        return "no tokens"
    return f"top {count} of {read:,} tokens" if count < read else f"all {read:,} tokens"


def row_label(word: str, position: int) -> str:
    """Return what stands at a token's row: the word, shortened and escaped, with its number in the text."""
    short = word if len(word) <= 16 else f"{word[:15]}…"
    return f"{theme.plain(short)}<sup> {position + 1}</sup>"
