"""Which explanations can be believed, on a page: methods and baselines over many test documents, by several runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from nlpviz.figures.attribution.methods_by_run import methods_by_run, shares_by_fifth
from nlpviz.rank_correlation import rank_correlation
from nlpviz.results.faithfulness_survey import BASELINES, FaithfulnessSurvey, told_apart
from nlpviz.runs import Run
from nlpviz.runs.faithfulness import FAITHFULNESS, faithfulness_survey
from nlpviz.snippets import faithfulness as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.attribution.methods import titles
from nlpviz.ui.frame import answer, escape_markdown

SURVEYED = widgets.Wanted(
    "",
    able=lambda run: FAITHFULNESS in run.files,
    named="run whose explanations were measured (`python -m nlpviz faithfulness RUN --survey 300`)",
)
"""Runs that keep how faithful methods are over test documents."""
_MEASURES = {
    "comprehensiveness": "Comprehensiveness",
    "sufficiency": "Sufficiency",
    "within fifths": "Within fifths of a text",
    "wins": "Texts won against random orders",
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


def pick_measure() -> str:
    """Return the measure that the visitor chose."""
    return widgets.pick("measure", "Measure", list(_MEASURES), _MEASURES.__getitem__)


def show_table(found: Sequence[FaithfulnessSurvey], measure: str) -> None:
    """Show what all orders reach in all networks."""
    code = snippets.faithfulness([one.run for one in found], measure)
    plotly_view.show(methods_by_run(found, measure, titles()), key="methods_by_run", code=code)


def show_fifths(survey: FaithfulnessSurvey) -> None:
    """Show where in a text the scores of each order lie."""
    code = snippets.shares_by_fifth(survey.run)
    plotly_view.show(shares_by_fifth(survey, titles()), key="shares_by_fifth", code=code)


def tell(found: Sequence[FaithfulnessSurvey]) -> None:
    """Say which methods are right more often than a random order, in which networks, and which are not."""
    apart = told_apart(list(found))
    own = {cell: sign for cell, sign in apart.items() if cell[1] not in BASELINES}
    doubtful = [cell for cell, sign in own.items() if sign <= 0]
    if len(doubtful) == len(own):
        answer("**No method is right more often than a random order**, in any of {count} networks.", count=len(found))
    elif doubtful:
        answer(
            "In {sure} of {all} pairs of a method and a network the method is right more often than a random order. "
            "**Not so: {which}.**",
            sure=len(own) - len(doubtful), all=len(own), which=_listed(doubtful),
        )  # fmt: skip
    else:
        answer(
            "**Every method is right more often than a random order, in each of {count} networks**: its order is "
            "better than most random ones in {low:.0%} to {high:.0%} of the test texts (sign tests, false discovery "
            "rate 5 %).",
            count=len(found),
            low=min(one.wins(name).share for one in found for name in one.orders if name not in BASELINES),
            high=max(one.wins(name).share for one in found for name in one.orders if name not in BASELINES),
        )
    _tell_of_baselines(found)


def _listed(cells: Sequence[tuple[str, str]]) -> str:
    called = titles()
    by_method: dict[str, list[str]] = {}
    for run, name in cells:
        by_method.setdefault(called[name], []).append(run)
    return "; ".join(f"{title} in {', '.join(runs)}" for title, runs in by_method.items())


def _tell_of_baselines(found: Sequence[FaithfulnessSurvey]) -> None:
    """Say in how many cells each baseline is above a method by comprehensiveness, paired over the texts."""
    called, said = titles(), []
    for baseline in BASELINES:
        pairs = [(one, name) for one in found if baseline in one.orders for name in one.orders if name not in BASELINES]
        beaten = [name for one, name in pairs if one.gained(baseline, "comprehensiveness", over=name).low > 0]
        if pairs:
            said.append(f"*{called[baseline]}* beats {_of(beaten) or 'none'} ({len(beaten)} of {len(pairs)})")
    if said:
        answer("Orders that ask no network, against each method in each network: " + "; ".join(said) + ".")


def _of(names: Sequence[str]) -> str:
    called, counts = titles(), Counter(names)
    return ", ".join(
        f"{called[name]} {count} times" if count > 1 else called[name] for name, count in counts.most_common()
    )


def tell_of_judges(found: Sequence[FaithfulnessSurvey]) -> None:
    """Say where a network that has read texts with gaps and a usual one disagree about the methods."""
    runs, told = SURVEYED.runs(), {}
    for usual, judge in combinations(found, 2):
        first, second = runs[usual.run], runs[judge.run]
        if first.architecture == second.architecture and is_judge(second) and not is_judge(first):
            _tell_of_pair(usual, judge)
            told[second.name] = second
    for run in told.values():
        _tell_of_gaps(run)


def _tell_of_pair(usual: FaithfulnessSurvey, judge: FaithfulnessSurvey) -> None:
    shared = [name for name in usual.orders if name in judge.orders and name not in BASELINES]
    ranks = [np.array([one.of(name, "comprehensiveness").mean for name in shared]) for one in (usual, judge)]
    agreed, called = rank_correlation(*ranks), titles()
    moved = max(shared, key=lambda name: abs(ranks[1][shared.index(name)] - ranks[0][shared.index(name)]))
    before, after = (float(rank[shared.index(moved)]) for rank in ranks)
    answer(
        "**{judge}**, to which gaps are no surprise, and **{usual}** rank the methods with a correlation of "
        "{agreed:.2f}. Random orders reach {low:.2f} and {high:.2f}; they differ most about {method}: {after:.2f} and "
        "{before:.2f}.",
        judge=judge.run, usual=usual.run, agreed=float("nan") if agreed is None else agreed,
        low=judge.at_random("comprehensiveness").mean, high=usual.at_random("comprehensiveness").mean,
        method=called[moved], after=after, before=before,
    )  # fmt: skip


def _tell_of_gaps(run: Run) -> None:
    """Say how often a judge is right about texts with gaps."""
    measured = {name: values["accuracy"] for name, values in run.metrics.items() if name.startswith("test, ")}
    gaps = ", ".join(f"{name.removeprefix('test, ')} {share:.1%}" for name, share in measured.items() if "left" in name)
    if gaps:
        answer("Accuracy of {judge}: {whole:.1%}; " + gaps + ".", judge=run.name, whole=run.metrics["test"]["accuracy"])


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
        f"Here, comprehensiveness of test document {escape_markdown(survey.ids[place])} by *{titles()[name]}* in "
        f"{survey.run}: ({value:.3f} − ({worst:.3f})) / ({best:.3f} − ({worst:.3f})) = "
        f"**{(value - worst) / (best - worst):.2f}**. The table has the mean over {int(survey.at_stake.sum())} texts."
    )
