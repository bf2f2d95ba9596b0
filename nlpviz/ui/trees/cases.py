"""Negation and contrast over the test split on a page: figures, what they say, the phrases one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.figures.numbers import number
from nlpviz.figures.trees.changes import negation_changes
from nlpviz.figures.trees.contrasts import contrast_shares
from nlpviz.results.tree_cases import (
    CONTRAST,
    FIRST,
    NEGATION,
    SECOND,
    WHOLE,
    Change,
    TreeCases,
    contrasts_right,
    counted,
    decided,
    negation_effects,
    opposed,
    sides_with_second,
)
from nlpviz.results.trees import NEUTRAL, Accuracy
from nlpviz.runs import Run
from nlpviz.runs.tree_cases import cases_of
from nlpviz.stats.significance import wilson
from nlpviz.text.trees import Tree
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.trees import cache, networks

_SHOWN = 200
_LISTS = {"praise": "negated praise", "blame": "negated blame", "but": "“X but Y”"}


def show_negation(runs: Sequence[Run]) -> None:
    """Show what negation does to the expected class by each network, and say it of the best one."""
    changes = [negation_effects(one) for one in networks.cases(runs, NEGATION)]
    (praise, blame), title = changes[0], runs[0].title
    takeaway(
        "Negating praise shifts {title} by {network} classes, human labels by {people}.",
        title=title, network=number(praise.by_network), people=number(praise.by_people),
    )  # fmt: skip
    drawn = Call(negation_changes, [Call(cases_of, run, NEGATION) for run in runs])
    plotly_view.show(drawn, key="negation_changes")
    answer(
        "Negation lowers the expected class for {fell} of {praised} positive phrases and raises it for {rose} of "
        "{blamed} negative phrases.",
        fell=praise.turned.right, praised=praise.phrases, rose=blame.turned.right, blamed=blame.phrases,
    )  # fmt: skip
    with details():
        st.dataframe(
            {
                "Network": [run.title for run in runs],
                "Negated praise: change": [_written(one) for one, _ in changes],
                "Human labels": [number(one.by_people) for one, _ in changes],
                "Expected class falls for": [f"{one.turned.right} of {one.phrases}" for one, _ in changes],
                "Negated blame: change": [_written(one) for _, one in changes],
                "Human labels ": [number(one.by_people) for _, one in changes],
                "Expected class rises for": [f"{one.turned.right} of {one.phrases}" for _, one in changes],
            },
            hide_index=True,
        )
        st.caption("Mean change of the expected class, from −2 to 2, with its 95% interval.")


def _written(one: Change) -> str:
    low, high = one.interval
    return f"{number(one.by_network)} ({number(low)} to {number(high)})"


def show_contrast(runs: Sequence[Run]) -> None:
    """Show at how many contrasts each network is right three times, and whether it sides with what follows "but"."""
    st.header("“X but Y”", anchor=False)
    drawn = Call(contrast_shares, [Call(cases_of, run, CONTRAST) for run in runs])
    plotly_view.show(drawn, key="contrast_shares")
    found = networks.cases(runs, CONTRAST)
    right = [contrasts_right(one) for one in found]
    among = opposed(found[0])
    with_second = counted(sides_with_second(among))
    by_people = counted(_people_side_with_second(among))
    answer(
        "{title} gets X, Y and the whole “X but Y” right in {right} of {count} contrasts ({share:.0%}).",
        title=runs[0].title, right=right[0].right, count=right[0].nodes, share=right[0].share,
    )  # fmt: skip
    with details("Details of “X but Y”"):
        st.dataframe(
            {
                "Network": [run.title for run in runs],
                "Right": [f"{one.right} of {one.nodes}" for one in right],
                "Share": [_interval(one) for one in right],
            },
            hide_index=True,
            width="content",
        )
        st.caption(
            f"In {len(among)} contrasts, the human labels of X and Y have opposite signs. The whole is closer to Y "
            f"than to X in {with_second.right} of these contrasts according to {escape_markdown(runs[0].title)}, and "
            f"in {by_people.right} according to the human labels."
        )


def _interval(one: Accuracy) -> str:
    low, high = wilson(one.share, one.nodes)
    return f"{one.share:.0%} (95% CI {low:.0%} to {high:.0%})"


def _people_side_with_second(cases: TreeCases) -> NDArray[np.bool_]:
    whole, first, second = cases.labels.T.astype(int)
    return np.asarray(np.abs(whole - second) < np.abs(whole - first))


def show_phrases(runs: Sequence[Run]) -> None:
    """Show the phrases one by one by one network: labels, expected classes, and the words where the corpus is here."""
    st.header("Phrase by phrase", anchor=False)
    names = {run.name: run.title for run in runs}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = {one.name: one for one in runs}[widgets.pick("network", "Network", names)]
        listed = widgets.pick("cases", "Phrases", _LISTS)
    cases = _listed(run, listed)
    moved = cases.sentiment[:, WHOLE] - cases.sentiment[:, FIRST]
    order = np.argsort(moved if listed == "praise" else -moved, kind="stable")[:_SHOWN]
    st.dataframe(_columns(run, cases, order), hide_index=True, column_config=_formats())
    st.caption(
        "The network’s expected class and the human label are both on a scale from −2 to 2. The words are shown if "
        f"the corpus {escape_markdown(run.corpus['name'])} is on this computer."
    )


def _listed(run: Run, listed: str) -> TreeCases:
    (cases,) = networks.cases([run], CONTRAST if listed == "but" else NEGATION)
    if listed == "but":
        return decided(cases)
    of_part = cases.labels[:, FIRST]
    return cases.where(of_part > NEUTRAL if listed == "praise" else (of_part < NEUTRAL) & (of_part >= 0))


def _columns(run: Run, cases: TreeCases, order: NDArray[np.integer]) -> dict[str, list[object]]:
    parts = {"X": FIRST, "Y": SECOND, "Whole": WHOLE} if cases.case == CONTRAST else {"Phrase": FIRST, "Negated": WHOLE}
    columns: dict[str, list[object]] = {"Test sentence": [str(cases.trees[place]) for place in order]}
    trees = {place: cache.corpus_tree(run.corpus["name"], f"test/{cases.trees[place]}") for place in order.tolist()}
    for name, part in parts.items():
        if any(tree is not None for tree in trees.values()):
            columns[name] = [_words(tree, int(cases.nodes[place, part])) for place, tree in trees.items()]
        columns[f"{name}: human label"] = [int(cases.labels[place, part]) - NEUTRAL for place in order]
        columns[f"{name}: network"] = [float(cases.sentiment[place, part]) for place in order]
    return columns


def _words(tree: Tree | None, node: int) -> str:
    return "–" if tree is None or node >= len(tree) else tree.phrase(node)


def _formats() -> dict[Any, Any]:
    names = ("Phrase", "Negated", "X", "Y", "Whole")
    return {f"{name}: network": st.column_config.NumberColumn(format="%.2f") for name in names}
