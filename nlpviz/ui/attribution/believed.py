"""Which explanations can be believed, on a page: methods and baselines over many test documents, by several runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import streamlit as st

from nlpviz.analysis.attribution.baselines import titles
from nlpviz.figures.attribution.methods_by_run import methods_by_run, shares_by_fifth
from nlpviz.figures.numbers import number
from nlpviz.results.faithfulness_survey import BASELINES, FaithfulnessSurvey, told_apart
from nlpviz.runs import Run
from nlpviz.runs.faithfulness import FAITHFULNESS, faithfulness_survey
from nlpviz.stats.rank_correlation import rank_correlation
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway

SURVEYED = widgets.Wanted(
    "",
    able=lambda run: FAITHFULNESS in run.files,
    named="run whose explanations were measured (`python -m nlpviz faithfulness RUN --survey 300`)",
)
"""Runs that keep how faithful methods are over test documents."""
MEASURES = {
    "comprehensiveness": "Comprehensiveness",
    "sufficiency": "Sufficiency",
    "within fifths": "Within each fifth of a text",
    "wins": "Texts in which the order beats random orders",
}


def surveys(run: Run) -> list[FaithfulnessSurvey]:
    """Return what was measured of the runs on a run's corpus; each judge stands behind the usual network like it.

    Raises:
        RunError: if a file is damaged.
    """
    runs = [one for one in SURVEYED.runs().values() if one.corpus["name"] == run.corpus["name"]]
    first = {one.architecture: place for place, one in reversed(list(enumerate(runs)))}
    runs.sort(key=lambda one: (first[one.architecture], is_judge(one), one.name))
    return [found for one in runs if (found := faithfulness_survey(one)) is not None]


def is_judge(run: Run) -> bool:
    """Whether a network was trained on texts with gaps."""
    return bool(run.recipe.get("fit", {}).get("gaps"))


def show_table(found: Sequence[FaithfulnessSurvey], measure: str) -> None:
    """Show what all orders reach in all networks."""
    networks = {one.run: called(one.run) for one in found}
    drawn = Call(methods_by_run, list(map(_call, found)), measure, Call(titles), networks)
    plotly_view.show(drawn, key="methods_by_run")


def show_fifths(survey: FaithfulnessSurvey) -> None:
    """Show where in a text the scores of each order lie."""
    plotly_view.show(Call(shares_by_fifth, _call(survey), Call(titles)), key="shares_by_fifth")


def _call(survey: FaithfulnessSurvey) -> Call[FaithfulnessSurvey | None]:
    return Call(faithfulness_survey, SURVEYED.runs()[survey.run])


def called(run: str) -> str:
    """Return what people call a run, without the corpus, which all of them share."""
    return SURVEYED.runs()[run].title.replace(" on IMDB", "")


def tell(found: Sequence[FaithfulnessSurvey]) -> None:
    """Say in how many pairs of a method and a network the method beats random orders significantly."""
    own = _signs(found)
    better = sum(sign > 0 for sign in own.values())
    if not better:
        takeaway("No method significantly beats random orders in any of the {count} networks.", count=len(found))
    elif better == len(own):
        takeaway("Every method significantly beats random orders in all {count} networks.", count=len(found))
    else:
        takeaway(
            "In {better} of {all} method–network pairs, the method significantly beats random orders.",
            better=better, all=len(own),
        )  # fmt: skip


def _signs(found: Sequence[FaithfulnessSurvey]) -> dict[tuple[str, str], int]:
    """Return for each run and method 1 where it beats random orders, −1 where they beat it, 0 where no test tells."""
    return {cell: sign for cell, sign in told_apart(list(found)).items() if cell[1] not in BASELINES}


def show_verdicts(found: Sequence[FaithfulnessSurvey]) -> None:
    """Say where the exceptions are and what a word list does; fold the tables behind both, and of judges."""
    doubtful = [cell for cell, sign in _signs(found).items() if sign <= 0]
    networks = list(dict.fromkeys(run for run, _ in doubtful))
    if len(networks) == 1:
        answer("All exceptions concern a single network, {network}.", network=called(networks[0]))
    elif doubtful:
        answer("The {count} exceptions concern {some} networks.", count=len(doubtful), some=len(networks))
    baselines = _baselines(found)
    if baselines:
        name, (beaten, pairs) = max(baselines.items(), key=lambda one: len(one[1][0]))
        answer(
            "The strongest baseline that ignores the network, {name}, beats the method in {beaten} of {pairs} pairs.",
            name=titles()[name], beaten=len(beaten), pairs=pairs,
        )  # fmt: skip
    judges = _judges(found)
    if not (doubtful or baselines or judges):
        return
    with details():
        if doubtful:
            st.markdown("**Not significantly better than random orders**")
            listed = [", ".join(titles()[name] for one, name in doubtful if one == run) for run in networks]
            st.dataframe({"Network": [called(run) for run in networks], "Methods": listed}, hide_index=True)
        if baselines:
            st.markdown("**Baselines that ignore the network, by comprehensiveness**")
            st.dataframe(
                {
                    "Baseline": [titles()[name] for name in baselines],
                    "Beats": [f"{len(beaten)} of {pairs}" for beaten, pairs in baselines.values()],
                    "Methods it beats": [_of(beaten) or "none" for beaten, _ in baselines.values()],
                },
                hide_index=True,
            )
        if judges:
            st.markdown("**Networks trained on texts with gaps compared with standard networks**")
            st.dataframe(judges, hide_index=True)


def _baselines(found: Sequence[FaithfulnessSurvey]) -> dict[str, tuple[list[str], int]]:
    """Return the methods that each baseline beats by comprehensiveness, paired over the texts, and of how many."""
    result = {}
    for baseline in BASELINES:
        pairs = [(one, name) for one in found if baseline in one.orders for name in one.orders if name not in BASELINES]
        if pairs:
            beaten = [name for one, name in pairs if one.gained(baseline, "comprehensiveness", over=name).low > 0]
            result[baseline] = (beaten, len(pairs))
    return result


def _of(names: Sequence[str]) -> str:
    called, counts = titles(), Counter(names)
    return ", ".join(
        f"{called[name]} ({count} times)" if count > 1 else called[name] for name, count in counts.most_common()
    )


def _judges(found: Sequence[FaithfulnessSurvey]) -> list[dict[str, object]]:
    """Return a row for each network trained with gaps and a usual one of the same architecture."""
    runs = SURVEYED.runs()
    return [
        _pair(usual, judge)
        for usual, judge in combinations(found, 2)
        if runs[usual.run].architecture == runs[judge.run].architecture
        and is_judge(runs[judge.run])
        and not is_judge(runs[usual.run])
    ]


def _pair(usual: FaithfulnessSurvey, judge: FaithfulnessSurvey) -> dict[str, object]:
    shared = [name for name in usual.orders if name in judge.orders and name not in BASELINES]
    ranks = [np.array([one.of(name, "comprehensiveness").mean for name in shared]) for one in (usual, judge)]
    agreed = rank_correlation(*ranks)
    moved = max(shared, key=lambda name: abs(ranks[1][shared.index(name)] - ranks[0][shared.index(name)]))
    before, after = (float(rank[shared.index(moved)]) for rank in ranks)
    metrics = SURVEYED.runs()[judge.run].metrics
    gaps = ", ".join(
        f"{name.removeprefix('test, ')} {values['accuracy']:.1%}"
        for name, values in metrics.items()
        if name.startswith("test, ") and "left" in name
    )
    return {
        "Trained with gaps": called(judge.run),
        "Standard network": called(usual.run),
        "Rank correlation of methods": "–" if agreed is None else number(agreed, signed=False),
        "Random orders": " and ".join(f"{one.at_random('comprehensiveness').mean:.2f}" for one in (judge, usual)),
        "Largest difference": f"{titles()[moved]}, {after:.2f} and {before:.2f}",
        "Accuracy with gaps": f"whole texts {metrics['test']['accuracy']:.1%}" + (f", {gaps}" if gaps else ""),
    }


def worked(survey: FaithfulnessSurvey) -> str:
    """Return Markdown that works the formula with one text's numbers."""
    stake = np.flatnonzero(survey.at_stake)
    if not len(stake):
        return ""
    place = int(stake[0])
    name = max(survey.orders, key=lambda one: survey.of(one, "comprehensiveness").mean)
    value = float(survey.comprehensiveness[place, survey.orders.index(name)])
    best, worst = float(survey.best[place, 0]), float(survey.worst[place, 0])
    return (
        f"Here, the comprehensiveness of *{titles()[name]}* for test document {escape_markdown(survey.ids[place])} and "
        "the network "
        f"{escape_markdown(called(survey.run))} is ({value:.3f} − ({worst:.3f})) / ({best:.3f} − ({worst:.3f})) = "
        f"**{(value - worst) / (best - worst):.2f}**. The table shows the mean over {int(survey.at_stake.sum())} texts."
    )
