"""Accuracy on the test trees on a page: by the length of a phrase, and network by network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures.trees.lengths import OfLength, accuracy_by_length
from nlpviz.results.tree_cases import ROOT, WHOLE
from nlpviz.results.trees import BINARY, FINE, GROUPS, INNER, Accuracy, right
from nlpviz.runs import Run
from nlpviz.runs.trees import read_accuracies
from nlpviz.significance import compare_counts, wilson
from nlpviz.snippets import trees as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.frame import answer, controls
from nlpviz.ui.trees import networks

_CLASSES = {FINE: "five classes", BINARY: "two classes"}
_ORDER = (INNER, "non_neutral", "roots")


def show(runs: Sequence[Run]) -> None:
    """Show each network's accuracy by length, and say how the best two differ at the roots."""
    with controls():
        group = widgets.pick("nodes", "Nodes", _ORDER, GROUPS.__getitem__)
        measure = widgets.pick("classes", "Classes", tuple(_CLASSES), _CLASSES.__getitem__)
    lines = {
        run.title: [
            OfLength(row.shortest, row.longest, row.accuracy)
            for row in read_accuracies(run)
            if (row.epoch, row.group, row.measure) == (run.best_epoch, group, measure)
        ]
        for run in runs
    }
    what = f"{GROUPS[group]} right, {_CLASSES[measure]}"
    counted = sum(row.counted.nodes for row in lines[runs[0].title])
    plotly_view.show(
        accuracy_by_length(lines, what, f"{counted:,} {GROUPS[group]} of the test split, best epochs"), key="by_length",
        code=snippets.accuracy_by_length([run.name for run in runs], group, measure),
    )  # fmt: skip
    _tell(runs)


def _tell(runs: Sequence[Run]) -> None:
    test = runs[0].metrics["test"]
    low, high = wilson(test["roots_fine"], test["roots_fine_nodes"])
    answer(
        "**{title}** has {fine:.1%} of the {roots:,.0f} test sentences right among five classes (95 % interval "
        "{low:.1%} to {high:.1%}) and {binary:.1%} of the {charged:,.0f} that are not neutral on the right "
        "side. {versus}",
        title=runs[0].title, fine=test["roots_fine"], roots=test["roots_fine_nodes"], low=low, high=high,
        binary=test["roots_binary"], charged=test["roots_binary_nodes"], versus=_versus(runs),
    )  # fmt: skip


def _versus(runs: Sequence[Run]) -> str:
    """Return which networks a paired test tells from the best one at the roots, among five classes."""
    if len(runs) < 2:
        return ""
    first, *others = networks.cases(runs, ROOT)
    hits = _hits(first.probabilities[:, WHOLE], first.labels[:, WHOLE])
    told = []
    for run, one in zip(runs[1:], others, strict=True):
        other = _hits(one.probabilities[:, WHOLE], one.labels[:, WHOLE])
        found = compare_counts(int((hits & ~other).sum()), int((~hits & other).sum()), len(hits))
        if found.significant:
            told.append(run.title.removesuffix(" on SST"))
    if not told:
        return "A paired test (McNemar) tells no other network from it."
    return f"A paired test (McNemar) finds it better than: {', '.join(told)}."


def _hits(probabilities: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return right(probabilities, labels, FINE)


def table(runs: Sequence[Run]) -> None:
    """Show what each network reaches at each group of nodes, with intervals, and what an answer "neutral" would."""
    rows = [
        {"network": run.title, "nodes": name, "classes": classes, **_cells(_accuracy(run, group, measure))}
        for run in runs
        for group, name in GROUPS.items()
        for measure, classes in _CLASSES.items()
    ]
    st.dataframe(rows, hide_index=True)


def _accuracy(run: Run, group: str, measure: str) -> Accuracy:
    rows = [
        row for row in read_accuracies(run) if (row.epoch, row.group, row.measure) == (run.best_epoch, group, measure)
    ]
    return Accuracy(sum(row.right for row in rows), sum(row.nodes for row in rows))


def _cells(one: Accuracy) -> dict[str, str]:
    low, high = wilson(one.share, one.nodes)
    return {"accuracy": f"{one.share:.1%}", "95 % interval": f"{low:.1%} to {high:.1%}", "of": f"{one.nodes:,}"}


def neutral_shares(run: Run) -> dict[str, float]:
    """Return which share of each group of nodes is neutral: what the answer "neutral" alone would reach."""
    test = run.metrics["test"]
    return {name: 1 - test[f"{group}_binary_nodes"] / test[f"{group}_fine_nodes"] for group, name in GROUPS.items()}
