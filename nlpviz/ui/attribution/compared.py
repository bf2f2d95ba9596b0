"""All methods on one text, each as soon as it is there: quick ones at once, then what reads it hundreds of times."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from nlpviz.analysis.attribution import methods, methods_for
from nlpviz.analysis.attribution.baselines import titles
from nlpviz.analysis.attribution.compare_methods import compare_methods, step_by_step
from nlpviz.figures import panels
from nlpviz.figures.attribution.agreement import Measure, agreement_matrix
from nlpviz.figures.attribution.faithfulness import by_comprehensiveness, faithfulness_dots, said_of_search
from nlpviz.figures.numbers import number
from nlpviz.results.agreement import MethodAgreement, agreement
from nlpviz.results.explanation import Explanation
from nlpviz.results.faithfulness import Faithfulness
from nlpviz.runs import Run
from nlpviz.ui import cache, plotly_view, progress
from nlpviz.ui.attribution import baselines, stability
from nlpviz.ui.attribution.methods import ordered
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway

_NAMED = 4  # methods in a sentence
Compared = tuple[tuple[Explanation, ...], Faithfulness]


def show(run: Run, epoch: int, text: str) -> Compared | None:
    """Show how faithful each method is to one epoch's network on a text, and which of them agree.

    What the quick methods agree in stands there first, then a row for each method that is done; then the page runs
    again.

    Returns:
        the explanations of the predicted class by all methods, then by what asks no network, and how faithful they are;
        None where no words were read.
    """
    key = ("methods compared", run.name, run.fingerprint, epoch, text)
    above, below = st.container(), st.container()
    if not progress.known(key):
        quick = [cache.explanation(run, epoch, text, name) for name in ordered(run) if methods()[name].surveyed]
        with below:
            _show_agreement(Call(agreement, [*quick, *baselines.beside(run, quick[0])[:-1]]), quick[0]())
    with above:
        asked, place = not progress.known(key), st.empty()

        def tell(found: Faithfulness) -> None:
            place.table(_so_far(found, len(ordered(run))), hide_index=True, border="horizontal")

        both = progress.computed(key, _doing(run), lambda report: _compute(run, epoch, text, report, tell))
        call, (explained, found) = Call(compare_methods, cache.loaded(run, epoch), text).giving(both), both
        if asked:
            st.rerun()
        if not found.bounds.tokens:
            takeaway("The text has no words, so there is nothing to explain.")
            return None
        _show_faithfulness(call, explained, found)
    with below:
        every, asked_of = call.at(0), sum(one.method in methods() for one in explained)
        _show_agreement(Call(agreement, every.at(slice(None, -1))), explained[0])  # the last one mirrors "later"
        stability.offer(run, every.at(slice(None, asked_of)))
    return both


def _doing(run: Run) -> str:
    slow = [method.title for method in methods_for(run).values() if not method.surveyed]
    return f"Finding the best and worst orders, then {', '.join(slow)}"


def _compute(
    run: Run, epoch: int, text: str, report: progress.Report, tell: Callable[[Faithfulness], None]
) -> Compared:
    """Return the explanations by all methods, the run's best one first, and how faithful they are.

    ``tell`` is called with the same for the completed methods, whenever another is completed.
    """
    names = ordered(run)
    steps = step_by_step(
        cache.model(run, epoch),
        names,
        lambda name: cache.explanation(run, epoch, text, name)(),
        report,
        lambda one: [each() for each in baselines.beside(run, cache.explained(one))],
    )
    for explained, found in steps:
        if len(explained) < len(names):
            tell(found)
    return explained, found


def _so_far(found: Faithfulness, methods_in_all: int) -> dict[str, list[str]]:
    """Return a row for each method that is done, the most comprehensive one first, and one for those to come."""
    named = titles()
    order, waiting = by_comprehensiveness(found), methods_in_all - len(found.methods)
    values = (found.comprehensiveness, found.sufficiency)
    shares = [found.normalised(each, place)[order].tolist() for place, each in enumerate(values)]
    columns = [["–" if np.isnan(share) else f"{share:.2f}" for share in each] for each in shares]
    to_come = [f"*{waiting} still running*"] * bool(waiting)
    return {
        "Method": [*(escape_markdown(named[found.methods[position]]) for position in order), *to_come],
        "Comprehensiveness, normalised": [*columns[0], *["…"] * bool(waiting)],
        "Sufficiency, normalised": [*columns[1], *["…"] * bool(waiting)],
    }


def _show_faithfulness(call: Call[Compared], explained: Sequence[Explanation], found: Faithfulness) -> None:
    named = titles()
    if np.isnan(found.normalised(found.comprehensiveness, 0)).any():
        takeaway("All orders are equivalent here, because the prediction changes equally whichever words are removed.")
    else:
        _tell_best(found, named)
        muted = sorted(named.keys() - methods().keys())
        plotly_view.show(Call(faithfulness_dots, call.at(1), Call(titles), muted), key="faithfulness")
        _tell_others(found, named)
    with details():
        st.table(_values(explained, found, named), hide_index=True, border="horizontal")


def _tell_best(found: Faithfulness, titles: dict[str, str]) -> None:
    """Say over the picture which method is the most comprehensive one."""
    best = _best(found)
    takeaway(
        "Best here: {method}, {share:.0%} of the way from worst to best order.",
        method=titles[found.methods[best]],
        share=float(found.normalised(found.comprehensiveness, 0)[best]),
    )


def _tell_others(found: Faithfulness, titles: dict[str, str]) -> None:
    """Say under the picture what random orders reach, and which methods do no better than some of them."""
    shares, random = (
        found.normalised(values, 0) for values in (found.comprehensiveness, found.random_comprehensiveness)
    )
    placed = [(name, share) for name, share in zip(found.methods, shares, strict=True) if name in methods()]
    within = [titles[name] for name, share in placed if share <= random.max()]
    doubt = "**These methods do no better than the best random order: {within}.**"
    if not within:
        doubt = "All methods do better than the best random order."
    if len(within) > _NAMED:
        doubt = "**{few} of {all} methods do no better than the best random order.**"
    answer(
        "{count} random orders (grey band) reach {low:.0%} to {high:.0%}. " + doubt,
        count=len(random),
        low=float(random.min()),
        high=float(random.max()),
        within=", ".join(within),
        few=len(within),
        all=len(placed),
    )
    predicted = f"{escape_markdown(found.target)}, {float(found.removed[_best(found), 0]):.0%}"
    st.caption(f"Predicted: {predicted}. Orders were compared over {said_of_search(found)}.")


def _best(found: Faithfulness) -> int:
    """Return the position of the most comprehensive method, of those that ask the network."""
    return next(position for position in by_comprehensiveness(found) if found.methods[position] in methods())


def _values(explained: Sequence[Explanation], found: Faithfulness, titles: dict[str, str]) -> dict[str, list[str]]:
    """Return the raw numbers, a row for each method and for the orders that they are compared with."""
    order = by_comprehensiveness(found)
    random = (found.random_comprehensiveness, found.random_sufficiency)
    beaten = [int((found.comprehensiveness[position] > random[0]).sum()) for position in order]
    residuals = [explained[position].residual for position in order]
    ends = [
        [number(one, ".3f"), number(other, ".3f"), f"{number(values.min(), '.3f')} to {number(values.max(), '.3f')}"]
        for values, one, other in zip(random, found.best, found.worst, strict=True)
    ]
    low, high = (f"{one:.3f}" for one in found.areas)
    spread = [f"{each.min():.3f} to {each.max():.3f}" for each in (found.random_deletion, found.random_insertion)]
    others = ["–"] * 3
    return {
        "Order": [
            *(escape_markdown(titles[found.methods[position]]) for position in order),
            "*best found*", "*worst found*", f"*{len(random[0])} random orders*",
        ],
        "Comprehensiveness": [*(number(found.comprehensiveness[one], ".3f") for one in order), *ends[0]],
        "Sufficiency": [*(number(found.sufficiency[one], ".3f") for one in order), *ends[1]],
        "Deletion": [*(f"{found.deletion[one]:.3f}" for one in order), low, high, spread[0]],
        "Insertion": [*(f"{found.insertion[one]:.3f}" for one in order), high, low, spread[1]],
        "Random orders beaten": [*(f"{count} of {len(random[0])}" for count in beaten), *others],
        "Residual": [*("–" if one is None else number(one, ".3f") for one in residuals), *others],
    }  # fmt: skip


def _show_agreement(agreed: Call[MethodAgreement], first: Explanation) -> None:
    st.header("Do the methods agree?", anchor=False)
    if not len(first.scores):
        return
    headings: dict[Measure, str] = {
        "correlation": "Rank correlation", "overlap": f"Overlap of the {agreed().top} strongest words"
    }  # fmt: skip
    for measure, heading in headings.items():
        st.markdown(f"**{heading}**")
        drawn = Call(agreement_matrix, agreed, measure, Call(titles), panels.checkpoints([first]))
        plotly_view.show(drawn, key=f"agreement_{measure}")


def worked(compared: Compared | None) -> str:
    """Return Markdown that works one normalised value with the numbers of the page."""
    if compared is None or np.isnan(compared[1].normalised(compared[1].comprehensiveness, 0)).any():
        return ""
    found = compared[1]
    first = _best(found)
    value, best, worst = float(found.comprehensiveness[first]), found.best[0], found.worst[0]
    share = float(found.normalised(found.comprehensiveness, 0)[first])
    title = escape_markdown(methods()[found.methods[first]].title)
    return (
        f"Here, the comprehensiveness of *{title}* is ({number(value, '.3f')} − ({number(worst, '.3f')})) / "
        f"({number(best, '.3f')} − ({number(worst, '.3f')})) = **{share:.2f}**."
    )
