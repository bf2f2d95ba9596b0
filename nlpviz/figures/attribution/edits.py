"""What edits did: the scores of words before and after, and the trail of steps with its branches."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.tokens import counted
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.explanation import Explanation
from nlpviz.results.score_changes import ScoreChange
from nlpviz.text.edit_trail import Walked

SHOWN = 14
_ROW, _ROUND = 24, 116  # pixels
_HIDDEN, _ASIDE = 0.09, 0.13  # of the probability; of a step
_ROOM, _FAINT = 0.16, 0.28  # of a bar, for its words; opacity of its colour under them
_MOVED = 1e-4  # of the score: what is less is rounding
ADDED, REMOVED = "nlpviz-added", "nlpviz-removed"
"""Classes of what only one of two texts has."""


def marks(changes: Sequence[ScoreChange]) -> tuple[dict[int, str], dict[int, str]]:
    """Return the classes of the words that differ, by place in the original and in the edited text."""
    differ = [one for one in changes if one.words[0] != one.words[1]]
    removed = {one.places[0]: REMOVED for one in differ if one.places[0] >= 0}
    return removed, {one.places[1]: ADDED for one in differ if one.places[1] >= 0}


def before_after(before: Explanation, after: Explanation) -> FigureView:
    """Return two bars, one of the original and one of the edited text: how probable each class is.

    Of two classes both are drawn, of more the class asked about and all others together.

    Args:
        before: of the original.
        after: of the edited text, by the same network and of the same target.
    """
    names, target = before.class_names, before.target
    rows = ("before", "after")
    if len(names) == 2:
        parts = [(names[label], [float(one.probabilities[label]) for one in (before, after)]) for label in (0, 1)]
        looks = [(theme.NEGATIVE, "/"), (theme.POSITIVE, "")]
    else:
        own = [float(one.probabilities[target]) for one in (before, after)]
        parts = [(names[target], own), ("other classes", [1 - share for share in own])]
        looks = [(theme.POSITIVE, ""), (theme.MUTED, "")]
    bars = [
        go.Bar(
            x=shares, y=rows, orientation="h", name=theme.plain(name), hoverinfo="skip",
            text=[f"<b>{theme.plain(name)} {share:.0%}</b>" if share >= _ROOM else "" for share in shares],
            textposition="inside", insidetextanchor="start" if number_ == 0 else "end", textangle=0,
            textfont={"size": 14, "color": theme.INK},
            marker={
                "color": _faint(color), "line": {"width": 1.5, "color": color},
                "pattern": {"shape": shape, "fillmode": "overlay", "fgcolor": color, "size": 9, "solidity": 0.08},
            },
        )
        for number_, ((name, shares), (color, shape)) in enumerate(zip(parts, looks, strict=True))
    ]  # fmt: skip
    drawn = theme.figure(
        bars, height=112, barmode="stack", showlegend=False, bargap=0.3, margin={"l": 56, "r": 12, "t": 4, "b": 24},
        xaxis={"range": [0, 1], "tickformat": ".0%", "tickvals": [0, 0.5, 1], "showgrid": False, "zeroline": False},
        yaxis={"autorange": "reversed", "showgrid": False, "tickfont": {"size": 14, "color": theme.INK}},
        shapes=[theme.line_at(0.5, color=theme.INK, yref="paper")] if len(names) == 2 else [],
    )  # fmt: skip
    said = "; ".join(
        f"{row}: " + ", ".join(f"{name} {shares[at]:.0%}" for name, shares in parts) for at, row in enumerate(rows)
    )
    return FigureView(
        figure=drawn,
        alt=f"The prediction {said}.",
        table={"text": list(rows), **{f"probability of {name}": shares for name, shares in parts}},
        caption=provenance(panels.checkpoints([after]), "probability of each class before and after the edits"),
        name=panels.file_name([after], "before-after"),
    )


def _faint(color: str) -> str:
    """Return a colour with so much of the page in it that ink is read on it."""
    return f"rgba({','.join(map(str, bytes.fromhex(color[1:])))},{_FAINT})"


def score_shifts(after: Explanation, changes: Sequence[ScoreChange], method: str, unit: str) -> FigureView:
    """Return a row for each of the words whose scores moved farthest, in reading order: a ring before, a dot after.

    Args:
        after: the explanation of the edited text.
        changes: from the scores of the original, by the same network and method and of the same target.
        method: its title.
        unit: of a score.
    """
    largest = sorted(range(len(changes)), key=lambda at: _rank(changes[at]))[:SHOWN]
    shown = [changes[at] for at in sorted(largest)]
    rows = [_row(one) for one in shown]
    old, new = ([one.scores[side] for one in shown] for side in (0, 1))
    lines_x, lines_y = list[float | None](), list[str | None]()
    for row, one in zip(rows, shown, strict=True):
        lines_x += [*(0.0 if isnan(score) else score for score in one.scores), None]
        lines_y += [row, row, None]
    target = theme.plain(after.class_names[after.target])
    looks = (
        [(f"after: evidence for {target}", "circle", theme.POSITIVE, [score >= 0 for score in new]),
         (f"after: evidence against {target}", "diamond", theme.NEGATIVE, [score < 0 for score in new])]
        if after.signed else [("after", "circle", theme.MAGNITUDE, [not isnan(score) for score in new])]
    )  # fmt: skip
    hover = "%{y}: %{x:.3g}"
    drawn = theme.figure(
        [
            go.Scatter(
                x=lines_x, y=lines_y, mode="lines", line={"color": theme.ZERO, "width": 2}, hoverinfo="skip",
                showlegend=False,
            ),
            go.Scatter(
                x=old, y=rows, mode="markers", name="before", hovertemplate=f"{hover}<extra>before</extra>",
                marker={"symbol": "circle-open", "size": 15, "color": theme.MUTED, "line": {"width": 2}},
            ),
            *(
                go.Scatter(
                    x=[x for x, is_own in zip(new, own, strict=True) if is_own],
                    y=[row for row, is_own in zip(rows, own, strict=True) if is_own], mode="markers", name=name,
                    hovertemplate=f"{hover}<extra>after</extra>",
                    marker={"symbol": symbol, "size": 8, "color": color},
                )
                for name, symbol, color, own in looks
            ),
        ],
        height=_ROUND + _ROW * max(len(rows), 2),
        x=unit,
        xaxis={"zeroline": True, "nticks": 6},
        yaxis={"type": "category", "range": [len(rows) - 0.5, -0.5], "categoryarray": rows},
        margin={"l": 8, "t": 60},
    )  # fmt: skip
    named = [
        f"{_named(one)} {number(one.scores[0], '.2g', signed=after.signed)} to "
        f"{number(one.scores[1], '.2g', signed=after.signed)}"
        for one in sorted(shown, key=lambda one: -one.size)[:5]
    ]
    return FigureView(
        figure=drawn,
        alt=f"The words whose scores by {method} changed most. {', '.join(named) or 'No words were read'}.",
        table={
            "original": [one.words[0] for one in changes],
            "edited": [one.words[1] for one in changes],
            "score, original": [one.scores[0] for one in changes],
            "score, edited": [one.scores[1] for one in changes],
        },
        caption=provenance(
            panels.checkpoints([after]), method, f"target {after.class_names[after.target]}",
            f"{len(shown)} of {counted(len(changes), 'word')}: largest score changes first, then largest scores",
        ),
        name=panels.file_name([after], f"{after.method}-edited"),
    )  # fmt: skip


class TrailPoint(NamedTuple):
    """One step of a trail as it is drawn.

    Attributes:
        parent: the number of the step before; -1 of the original.
        said: what was done, as a clause.
        probability: of the target class.
    """

    parent: int
    said: str
    probability: float


def trail_points(walked: Walked, probabilities: Sequence[float]) -> list[TrailPoint]:
    """Return the original and the steps of a trail, with what the target class gets at each of its texts."""
    said, parents = ("the original", *walked.said), (-1, *(step.parent for step in walked.trail))
    return [TrailPoint(*each) for each in zip(parents, said, probabilities, strict=True)]


def trail_tree(walked: Walked, probabilities: Sequence[float], at: int, of: Explanation) -> FigureView:
    """Return the steps as a tree: to the right, the later; the higher, the more probable the target.

    Args:
        walked: the steps.
        probabilities: of the target in the original, then at each step.
        at: the step that is shown on the page.
        of: an explanation of the target by the network.
    """
    points, target = trail_points(walked, probabilities), of.class_names[of.target]
    depth = [0]
    for point in points[1:]:
        depth.append(depth[point.parent] + 1)
    across = _beside(depth, [point.probability for point in points])
    lines_x, lines_y = list[float | None](), list[float | None]()
    for number_, point in enumerate(points[1:], start=1):
        lines_x += [across[point.parent], across[number_], None]
        lines_y += [points[point.parent].probability, point.probability, None]
    names = ["0", *(str(step) for step in range(1, len(points)))]
    shares = [point.probability for point in points]
    drawn = theme.figure(
        [
            go.Scatter(
                x=lines_x, y=lines_y, mode="lines", line={"color": theme.ZERO, "width": 2}, hoverinfo="skip"
            ),
            go.Scatter(
                x=across, y=shares, mode="markers+text", text=names, textposition="middle center", customdata=names,
                textfont={"size": 11, "color": theme.SURFACE},
                marker={
                    "size": [22 if step == at else 18 for step in range(len(points))],
                    "color": [theme.MAGNITUDE if step == at else theme.MUTED for step in range(len(points))],
                    "line": {"width": [2 if step == at else 0 for step in range(len(points))], "color": theme.INK},
                },
                hovertext=[theme.plain(f"{step}. {point.said}") for step, point in enumerate(points)],
                hovertemplate="%{hovertext}: %{y:.1%}<extra></extra>",
            ),
        ],
        height=240, showlegend=False, x="edits from the original", y=f"probability of {theme.plain(target)}",
        xaxis={"range": [-0.4, max(depth) + 0.4], "dtick": 1 if max(depth) < 12 else 5, "zeroline": False},
        yaxis={"range": [-0.08, 1.08], "tickformat": ".0%", "tickvals": [0, 0.5, 1], "zeroline": False},
    )  # fmt: skip
    path = [f"{step}, {point.said}: {point.probability:.0%}" for step, point in enumerate(points)]
    return FigureView(
        figure=drawn,
        alt=f"The probability of {target} at each step: {'; '.join(path)}. Step {at} is shown.",
        table={
            "step": list(range(len(points))),
            "after step": [point.parent if point.parent >= 0 else nan for point in points],
            "edit": [point.said for point in points],
            f"probability of {target}": shares,
        },
        caption=provenance(
            panels.checkpoints([of]),
            f"probability of {target}",
            f"{counted(len(points) - 1, 'step')} and the original (step 0)",
        ),
        name=panels.file_name([of], "edits"),
    )


def _beside(depth: Sequence[int], shares: Sequence[float]) -> list[float]:
    """Return where points stand across: at their depth, moved aside where one would hide another."""
    places: list[float] = []
    for at, (column, share) in enumerate(zip(depth, shares, strict=True)):
        hidden = sum(depth[other] == column and abs(shares[other] - share) < _HIDDEN for other in range(at))
        places.append(column + _ASIDE * hidden)
    return places


def _rank(one: ScoreChange) -> tuple[float, float]:
    """Return what puts the words that moved first, the farthest first, then the others by their magnitudes."""
    largest = max((abs(score) for score in one.scores if not isnan(score)), default=0.0)
    return -one.size if one.size > _MOVED * largest else 0.0, -largest


def _row(one: ScoreChange) -> str:
    """Return what stands at a word's row, with its place so that no two are alike."""
    place = one.places[1] if one.places[1] >= 0 else one.places[0]
    return f"{theme.plain(_named(one))}<sup> {place + 1}{'' if one.places[1] >= 0 else '−'}</sup>"


def _named(one: ScoreChange) -> str:
    before, after = (word if len(word) <= 16 else f"{word[:15]}…" for word in one.words)
    if not after:
        return f"− {before}"
    return after if before == after else f"{before} → {after}" if before else f"+ {after}"
