"""Negation and contrast over the test split on a page: figures, what they say, the phrases one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.figures.numbers import number
from nlpviz.figures.trees.changes import negation_changes
from nlpviz.figures.trees.shares import Shared, share_rows
from nlpviz.results.tree_cases import (
    CONTRAST,
    FIRST,
    NEGATION,
    SECOND,
    WHOLE,
    Change,
    TreeCases,
    all_right,
    change,
    decided,
    opposed,
    sides_with_second,
)
from nlpviz.results.trees import NEUTRAL, Accuracy
from nlpviz.runs import Run
from nlpviz.significance import wilson
from nlpviz.snippets import trees as snippets
from nlpviz.text.trees import Tree
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.trees import cache, networks

_SHOWN = 200
_LISTS = {"praise": "praise negated", "blame": "blame negated", "but": "“X but Y”"}


def show_negation(runs: Sequence[Run]) -> None:
    """Show what negation does to the expected class by each network, and say it of the best one."""
    found = networks.cases(runs, NEGATION)
    changes = [(change(one, positive=True), change(one, positive=False)) for one in found]
    code = snippets.negation([run.name for run in runs])
    plotly_view.show(negation_changes(found, changes), key="negation_changes", code=code)
    (praise, blame), title = changes[0], runs[0].title
    answer(
        "**{title}**: negating praise moves the expected class by {praise} on average ({praise_low} to {praise_high}), "
        "people's labels by {praise_people}; it falls for {fell} of {praise_count} phrases. Negating blame moves it by "
        "{blame} ({blame_low} to {blame_high}), people's by {blame_people}; it rises for {rose} of {blame_count}.",
        title=title,
        **_pieces("praise", praise),
        **_pieces("blame", blame),
        fell=praise.turned.right,
        rose=blame.turned.right,
    )


def _pieces(name: str, one: Change) -> dict[str, object]:
    low, high = one.interval
    return {
        name: number(one.by_network),
        f"{name}_low": number(low),
        f"{name}_high": number(high),
        f"{name}_people": number(one.by_people),
        f"{name}_count": one.phrases,
    }


def show_contrast(runs: Sequence[Run]) -> None:
    """Show at how many contrasts each network is right three times, and whether it sides with what follows "but"."""
    st.header("“X but Y”", anchor=False)
    found = [decided(one) for one in networks.cases(runs, CONTRAST)]
    right = [Shared(run.title, _counted(all_right(one))) for run, one in zip(runs, found, strict=True)]
    count = right[0].counted.nodes
    plotly_view.show(
        share_rows(
            right, "X, Y and the whole on the right side",
            f"{count} contrasts of the test split of whose three phrases none is neutral", "trees-contrast",
        ),
        key="contrast_shares",
        code=snippets.contrast([run.name for run in runs]),
    )  # fmt: skip
    first = right[0].counted
    low, high = wilson(first.share, first.nodes)
    among = opposed(networks.cases(runs, CONTRAST)[0])
    with_second = _counted(sides_with_second(among))
    by_people = _counted(_people_side_with_second(among))
    answer(
        "**{title}** has X, Y and the whole on the right side in {right} of {count} contrasts ({share:.0%}, 95 % "
        "interval {low:.0%} to {high:.0%}). In the {opposed} where people found X and Y of opposite sign, "
        "the whole is nearer to Y than to X in {network} by the network and in {people} by people.",
        title=runs[0].title, right=first.right, count=first.nodes, share=first.share, low=low, high=high,
        opposed=len(among), network=with_second.right, people=by_people.right,
    )  # fmt: skip


def _people_side_with_second(cases: TreeCases) -> NDArray[np.bool_]:
    whole, first, second = cases.labels.T.astype(int)
    return np.asarray(np.abs(whole - second) < np.abs(whole - first))


def _counted(hits: NDArray[np.bool_]) -> Accuracy:
    return Accuracy(int(hits.sum()), len(hits))


def show_phrases(runs: Sequence[Run]) -> None:
    """Show the phrases one by one by one network: labels, expected classes, and the words where the corpus is here."""
    st.header("Phrase by phrase", anchor=False)
    names = {run.name: run.title for run in runs}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = {one.name: one for one in runs}[widgets.pick("network", "Network", list(names), names.__getitem__)]
        listed = widgets.pick("cases", "Phrases", list(_LISTS), _LISTS.__getitem__)
    cases = _listed(run, listed)
    moved = cases.sentiment[:, WHOLE] - cases.sentiment[:, FIRST]
    order = np.argsort(moved if listed == "praise" else -moved, kind="stable")[:_SHOWN]
    st.dataframe(_columns(run, cases, order), hide_index=True, column_config=_formats())
    st.caption(
        "A number is the expected class by the network, from −2 to 2; labels are people's, on the same scale. "
        f"The words are shown where the corpus {escape_markdown(run.corpus['name'])} is on this machine."
    )


def _listed(run: Run, listed: str) -> TreeCases:
    (cases,) = networks.cases([run], CONTRAST if listed == "but" else NEGATION)
    if listed == "but":
        return decided(cases)
    of_part = cases.labels[:, FIRST]
    return cases.where(of_part > NEUTRAL if listed == "praise" else (of_part < NEUTRAL) & (of_part >= 0))


def _columns(run: Run, cases: TreeCases, order: NDArray[np.integer]) -> dict[str, list[object]]:
    parts = {"X": FIRST, "Y": SECOND, "whole": WHOLE} if cases.case == CONTRAST else {"phrase": FIRST, "negated": WHOLE}
    columns: dict[str, list[object]] = {"sentence": [f"test/{cases.trees[place]}" for place in order]}
    trees = {place: cache.corpus_tree(run.corpus["name"], f"test/{cases.trees[place]}") for place in order.tolist()}
    for name, part in parts.items():
        columns[name] = [_words(tree, int(cases.nodes[place, part])) for place, tree in trees.items()]
        columns[f"{name}: people"] = [int(cases.labels[place, part]) - NEUTRAL for place in order]
        columns[f"{name}: network"] = [float(cases.sentiment[place, part]) for place in order]
    return columns


def _words(tree: Tree | None, node: int) -> str:
    return "–" if tree is None or node >= len(tree) else tree.phrase(node)


def _formats() -> dict[Any, Any]:
    names = ("phrase", "negated", "X", "Y", "whole")
    return {f"{name}: network": st.column_config.NumberColumn(format="%.2f") for name in names}
