"""Accuracy on the test trees on a page: by the length of a phrase, and network by network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures.trees.lengths import accuracy_by_length
from nlpviz.results.tree_cases import ROOT, WHOLE
from nlpviz.results.trees import FINE, GROUPS, INNER, MEASURES, Accuracy, LengthAccuracy, right
from nlpviz.runs import Run
from nlpviz.runs.trees import best_accuracies
from nlpviz.stats.significance import compare_counts, wilson
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, controls, details, escape_markdown, takeaway
from nlpviz.ui.trees import networks

_NAMED = 2  # networks in a sentence
_ORDER = (INNER, "non_neutral", "roots")


def show(runs: Sequence[Run]) -> None:
    """Show each network's accuracy by length, and say how the best two differ at the roots."""
    with controls():
        group = widgets.pick("nodes", "Nodes", _ORDER, GROUPS.__getitem__)
        measure = widgets.pick("classes", "Classes", MEASURES)
    _tell(runs[0], best_accuracies(runs[0], group, measure))
    lines = {run.title: Call(best_accuracies, run, group, measure) for run in runs}
    plotly_view.show(Call(accuracy_by_length, lines, group, measure), key="by_length")
    _describe(runs)


def _tell(run: Run, rows: Sequence[LengthAccuracy]) -> None:
    first, last = rows[0], rows[-1]
    takeaway(
        "{title}: {short:.0%} accuracy at {shortest} words, {long:.0%} at {longest}.",
        title=run.title, short=first.accuracy.share, shortest=first.lengths, long=last.accuracy.share,
        longest=last.lengths,
    )  # fmt: skip


def _describe(runs: Sequence[Run]) -> None:
    """Say how many whole sentences the best network gets right, and which networks it is significantly better than."""
    test = runs[0].metrics["test"]
    answer(
        "Accuracy on {roots:,.0f} whole sentences: {fine:.1%} with five classes, and {binary:.1%} with two "
        "(non-neutral sentences).",
        fine=test["roots_fine"], roots=test["roots_fine_nodes"], binary=test["roots_binary"],
    )  # fmt: skip
    if len(runs) < 2:
        return
    worse = _worse(runs)
    if not worse:
        answer("No other network differs significantly on whole sentences (McNemar’s test).")
    else:
        answer(
            "{title} is significantly better than {names} on whole sentences (McNemar’s test)."
            if len(worse) <= _NAMED
            else "{title} is significantly better than {count} of {others} networks on whole sentences (McNemar’s "
                 "test).",
            title=runs[0].title, names=" and ".join(worse), count=len(worse), others=len(runs) - 1,
        )  # fmt: skip


def _worse(runs: Sequence[Run]) -> list[str]:
    """Return the networks that a paired test finds worse than the best one at the roots, among five classes."""
    first, *others = networks.cases(runs, ROOT)
    hits = _hits(first.probabilities[:, WHOLE], first.labels[:, WHOLE])
    told = []
    for run, one in zip(runs[1:], others, strict=True):
        other = _hits(one.probabilities[:, WHOLE], one.labels[:, WHOLE])
        found = compare_counts(int((hits & ~other).sum()), int((~hits & other).sum()), len(hits))
        if found.significant:
            told.append(run.title.removesuffix(" on SST"))
    return told


def _hits(probabilities: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return right(probabilities, labels, FINE)


def table(runs: Sequence[Run]) -> None:
    """Show what each network reaches at each group of nodes, with intervals, and what an answer "neutral" would."""
    rows = [
        {"Network": run.title, "Nodes": name, "Classes": classes, **_cells(_accuracy(run, group, measure))}
        for run in runs
        for group, name in GROUPS.items()
        for measure, classes in MEASURES.items()
    ]
    with details():
        if len(runs) > 1 and (worse := _worse(runs)):
            st.caption(
                f"Significantly worse than {escape_markdown(runs[0].title)} on whole sentences: {', '.join(worse)}."
            )
        st.dataframe(rows, hide_index=True)


def _accuracy(run: Run, group: str, measure: str) -> Accuracy:
    rows = best_accuracies(run, group, measure)
    return Accuracy(sum(row.right for row in rows), sum(row.nodes for row in rows))


def _cells(one: Accuracy) -> dict[str, str]:
    low, high = wilson(one.share, one.nodes)
    return {
        "Accuracy": f"{one.share:.1%}",
        "95% interval": f"{low:.1%} to {high:.1%}",
        "Number of nodes": f"{one.nodes:,}",
    }


def neutral_shares(run: Run) -> dict[str, float]:
    """Return which share of each group of nodes is neutral: what the answer "neutral" alone would reach."""
    test = run.metrics["test"]
    return {name: 1 - test[f"{group}_binary_nodes"] / test[f"{group}_fine_nodes"] for group, name in GROUPS.items()}
