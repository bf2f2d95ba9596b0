"""What networks reach on a toy task: by training step and by length, seeds as a band, beside what needs no memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite, log10

from nlpviz.figures import theme
from nlpviz.figures.recurrence.toy_lines import Spread, by_network, panels_of, spread_of, title_of
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.toys import Reached, ToyCurve, ToyFacts, ToyPoint


def learning_curves(
    facts: ToyFacts, curves: Sequence[ToyCurve], chance: Reached, length: int, *, horizon: int = 0
) -> FigureView:
    """Return error and loss by training step, a panel each; of a task with values the loss alone.

    Args:
        facts: of the task.
        curves: a network may have several, one a seed: their mean is drawn, and a band from lowest to highest.
        chance: what is reached without memory.
        length: of the sequences on which they were measured.
        horizon: the last step of the training; 0 for the last one drawn.
    """
    names = _measures(facts)
    spreads = {
        name: {
            network: spread_of([curve.learning for curve in some], name, "step") for network, some in by_network(curves)
        }
        for name in names
    }
    steps = {
        "title": {"text": "training steps"},
        "range": [0, max(horizon, *(curve.last.step for curve in curves), 1)],
    }
    drawn = panels_of(facts, curves, spreads, {name: (getattr(chance, name),) for name in names}, (length,), steps)
    return FigureView(
        figure=drawn,
        alt=_said(facts, spreads, chance, f"after the last step, on sequences of {length} {facts.unit}"),
        table=_table([(curve, curve.learning) for curve in curves], facts, lambda _: chance),
        caption=_caption(facts, curves, f"{length} {facts.unit}"),
        name=f"{facts.name}-{length}-learning",
    )


def length_curves(
    facts: ToyFacts, curves: Sequence[ToyCurve], chances: Mapping[int, Reached], trained: int
) -> FigureView:
    """Return the error by length after training, and the share of sequences without any error where that is another.

    Args:
        facts: of the task, whose answers are classes.
        curves: as for :func:`learning_curves`, with what they reach on other lengths.
        chances: what is reached without memory, by length.
        trained: the longest sequences that the networks learnt from.
    """
    several = any(abs(1 - one.error - one.exact) > 1e-9 for one in chances.values())  # answers to a sequence
    names = ("error", "exact") if several else ("error",)
    spreads = {
        name: {
            network: spread_of([curve.lengths for curve in some], name, "length")
            for network, some in by_network(curves)
        }
        for name in names
    }
    lengths = sorted(chances)
    lines = {name: [getattr(chances[length], name) for length in lengths] for name in names}
    # lengths that double stand at equal distances
    axis = {
        "title": {"text": f"length ({facts.unit})"}, "tickvals": lengths, "ticktext": [str(one) for one in lengths],
        "type": "log" if lengths[-1] > 16 * lengths[0] else "linear",
    }  # fmt: skip
    marks = [
        theme.line_at(trained, dash="dash", xref=f"x{suffix}", yref=f"y{suffix} domain")
        for suffix in ("", "2")[: len(names)]
    ]
    logged = axis["type"] == "log"
    note = {
        "text": "longest training length", "x": log10(trained) if logged else trained, "xref": "x", "y": 1,
        "yref": "y domain", "xanchor": "right" if trained == lengths[-1] else "center", "yanchor": "bottom",
        "showarrow": False, "font": {"size": 12, "color": theme.MUTED},
    }  # fmt: skip
    drawn = panels_of(facts, curves, spreads, lines, lengths, axis, marks, [note])
    return FigureView(
        figure=drawn,
        alt=_said(facts, spreads, chances[trained], f"at {lengths[-1]} {facts.unit}"),
        table=_table([(curve, curve.lengths) for curve in curves], facts, lambda point: chances[point.length]),
        caption=_caption(facts, curves, f"trained on up to {trained} {facts.unit} (dashed line)"),
        name=f"{facts.name}-lengths",
    )


def _measures(facts: ToyFacts) -> tuple[str, ...]:
    return ("error", "loss") if facts.error else ("loss",)


def _said(facts: ToyFacts, spreads: Mapping[str, Mapping[str, Spread]], chance: Reached, where: str) -> str:
    """Return the last number of each network, beside what needs no memory."""
    name, networks = next(iter(spreads.items()))
    form = ".3f" if name == "loss" else ".1%"
    told = [
        f"{network} {spread.mean[-1]:{form}}"
        for network, spread in networks.items()
        if len(spread.mean) and isfinite(spread.mean[-1])
    ]
    reached = ", ".join(told) or "no network has been evaluated yet"
    return (
        f"{facts.title}: {title_of(facts, name)}, {where}: {reached}; {facts.without} {getattr(chance, name):{form}}."
    )


def _table(
    rows: Sequence[tuple[ToyCurve, Sequence[ToyPoint]]], facts: ToyFacts, find: Callable[[ToyPoint], Reached]
) -> Table:
    """Return a row for each network, seed and point, with what needs no memory there."""
    every = [(curve, point) for curve, points in rows for point in points]
    table: Table = {
        "network": [curve.title for curve, _ in every],
        "seed": [curve.seed for curve, _ in every],
        "training steps": [point.step for _, point in every],
        f"length ({facts.unit})": [point.length for _, point in every],
        facts.loss: [point.reached.loss for _, point in every],
        f"{facts.loss}, {facts.without}": [find(point).loss for _, point in every],
    }
    if facts.error:
        table[facts.error] = [point.reached.error for _, point in every]
        table[f"{facts.error}, {facts.without}"] = [find(point).error for _, point in every]
        table["sequences without errors"] = [point.reached.exact for _, point in every]
    return table


def _caption(facts: ToyFacts, curves: Sequence[ToyCurve], what: str) -> str:
    seeds = sorted({curve.seed for curve in curves})
    said = f"seed {seeds[0]}" if len(seeds) == 1 else f"mean of {len(seeds)} seeds; band: lowest to highest"
    return provenance(facts.title, what, said if seeds else "no network yet", "held-out sequences")
