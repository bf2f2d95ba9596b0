"""All methods on one text, each as soon as it is there: quick ones at once, then what reads it hundreds of times."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from nlpviz.attribution import methods, methods_for
from nlpviz.attribution.baselines import baselines
from nlpviz.figures import panels
from nlpviz.figures.attribution.agreement import agreement_matrix
from nlpviz.figures.attribution.faithfulness import by_comprehensiveness, faithfulness_dots, said_of_search
from nlpviz.figures.numbers import number
from nlpviz.results.agreement import agreement
from nlpviz.results.explanation import Explanation
from nlpviz.results.faithfulness import Faithfulness
from nlpviz.results.faithfulness_survey import BASELINES
from nlpviz.runs import Run
from nlpviz.ui import cache, plotly_view, progress
from nlpviz.ui.attribution import stability
from nlpviz.ui.attribution.methods import ordered, titles
from nlpviz.ui.frame import answer, escape_markdown

Compared = tuple[tuple[Explanation, ...], Faithfulness]


def show(run: Run, epoch: int, text: str) -> Compared | None:
    """Show how faithful each method is to one epoch's network on a text, and which of them agree.

    What the quick methods agree in stands there first, then a row for each method that is done; then the page runs
    again.

    Returns:
        the explanations of the predicted class by all methods and how faithful they are; None where no word was read.
    """
    key = ("methods compared", run.name, run.fingerprint, epoch, text)
    above, below = st.container(), st.container()
    if not progress.known(key):
        quick = [cache.explanation(run, epoch, text, name) for name in ordered(run) if methods()[name].surveyed]
        with below:
            _show_agreement(quick)
    with above:
        asked, place = not progress.known(key), st.empty()

        def tell(found: Faithfulness) -> None:
            place.table(_so_far(found, ordered(run)), hide_index=True, border="horizontal")

        explained, found = progress.computed(key, _doing(run), lambda report: _compute(run, epoch, text, report, tell))
        if asked:
            st.rerun()
        if not found.bounds.tokens:
            st.markdown("No word was read, so there is nothing to explain.")
            return None
        _show_faithfulness(explained, found)
    with below:
        _show_agreement(explained)
        stability.offer(run, explained)
    return explained, found


def _doing(run: Run) -> str:
    slow = [method.title for method in methods_for(run).values() if not method.surveyed]
    return f"The best and the worst order; then {', '.join(slow)}"


def _compute(
    run: Run, epoch: int, text: str, report: progress.Report, tell: Callable[[Faithfulness], None]
) -> Compared:
    """Return the explanations by all methods, the run's best one first, and how faithful these and the baselines are.

    ``tell`` is told the same of the methods that are done, whenever one more is.
    """
    from nlpviz.attribution.panel import step_by_step

    steps = step_by_step(
        cache.model(run, epoch),
        ordered(run),
        lambda name: cache.explanation(run, epoch, text, name),
        baselines(run.corpus["name"]),
        report,
    )
    for known in steps:
        tell(known.found)
    return known.explained, known.found


def _so_far(found: Faithfulness, names: Sequence[str]) -> dict[str, list[str]]:
    """Return a row for each order that is done, the most comprehensive one first, and one for the methods to come."""
    order, waiting = by_comprehensiveness(found), len(set(names) - set(found.methods))
    values = (found.comprehensiveness, found.sufficiency)
    shares = [found.normalised(each, place)[order].tolist() for place, each in enumerate(values)]
    columns = [["–" if np.isnan(share) else f"{share:.2f}" for share in each] for each in shares]
    to_come = [f"*{waiting} more to come*"] * bool(waiting)
    return {
        "Method": [*(escape_markdown(titles()[found.methods[position]]) for position in order), *to_come],
        "Comprehensiveness, normalised": [*columns[0], *["…"] * bool(waiting)],
        "Sufficiency, normalised": [*columns[1], *["…"] * bool(waiting)],
    }


def _show_faithfulness(explained: Sequence[Explanation], found: Faithfulness) -> None:
    called = titles()
    if np.isnan(found.normalised(found.comprehensiveness, 0)).any():
        st.markdown(
            "The best and the worst order that were found are alike: whatever words are removed first, the prediction "
            "comes to the same, and no order can be better than another."
        )
    else:
        _say(found, called)
        plotly_view.show(faithfulness_dots(found, called), key="faithfulness")
    with st.expander("The values"):
        st.table(_values(explained, found, called), hide_index=True, border="horizontal")


def _say(found: Faithfulness, called: dict[str, str]) -> None:
    """Say which method is the most comprehensive one, which are no better than a random order, what baselines reach."""
    shares, random = (
        found.normalised(values, 0) for values in (found.comprehensiveness, found.random_comprehensiveness)
    )
    reached = dict(zip(found.methods, shares.tolist(), strict=True))
    best = next(place for place in by_comprehensiveness(found) if found.methods[place] not in BASELINES)
    within = [called[name] for name, share in reached.items() if share <= random.max() and name not in BASELINES]
    doubt = f"No better than the best of these: {', '.join(within)}." if within else "All methods do better than these."
    beside = [f"*{called[name]}* {reached[name]:.2f}" for name in BASELINES if name in reached]
    asks_none = f" Orders that ask no network: {', '.join(beside)}." if beside else ""
    answer(
        "Predicted: **{target}**, {probability:.0%}. Most comprehensive here: **{method}**, {share:.2f} of the way "
        "from the worst to the best order found ({how}); {count} random orders reach {low:.2f} to {high:.2f}. "
        + doubt
        + asks_none,
        target=found.target,
        probability=float(found.removed[best, 0]),
        method=called[found.methods[best]],
        share=float(shares[best]),
        how=said_of_search(found),
        count=len(random),
        low=float(random.min()),
        high=float(random.max()),
    )


def _values(explained: Sequence[Explanation], found: Faithfulness, called: dict[str, str]) -> dict[str, list[str]]:
    """Return the raw numbers, a row for each method and for the orders that they are compared with."""
    order = by_comprehensiveness(found)
    random = (found.random_comprehensiveness, found.random_sufficiency)
    beaten = [int((found.comprehensiveness[position] > random[0]).sum()) for position in order]
    own = {one.method: one.residual for one in explained}
    residuals = [own.get(found.methods[position]) for position in order]
    ends = [
        [number(one, ".3f"), number(other, ".3f"), f"{number(values.min(), '.3f')} to {number(values.max(), '.3f')}"]
        for values, one, other in zip(random, found.best, found.worst, strict=True)
    ]
    low, high = (f"{one:.3f}" for one in found.areas)
    spread = [f"{each.min():.3f} to {each.max():.3f}" for each in (found.random_deletion, found.random_insertion)]
    others = ["–"] * 3
    return {
        "Order": [
            *(escape_markdown(called[found.methods[position]]) for position in order),
            "*best found*", "*worst found*", f"*{len(random[0])} random ones*",
        ],
        "Comprehensiveness": [*(number(found.comprehensiveness[one], ".3f") for one in order), *ends[0]],
        "Sufficiency": [*(number(found.sufficiency[one], ".3f") for one in order), *ends[1]],
        "Deletion": [*(f"{found.deletion[one]:.3f}" for one in order), low, high, spread[0]],
        "Insertion": [*(f"{found.insertion[one]:.3f}" for one in order), high, low, spread[1]],
        "Random orders beaten": [*(f"{count} of {len(random[0])}" for count in beaten), *others],
        "Residual": [*("–" if one is None else number(one, ".3f") for one in residuals), *others],
    }  # fmt: skip


def _show_agreement(explained: Sequence[Explanation]) -> None:
    st.header("Do the methods agree?", anchor=False)
    if not len(explained[0].scores):
        return
    agreed, called = agreement(explained), titles()
    of = panels.checkpoints(explained[:1])
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Rank correlation**")
        plotly_view.show(agreement_matrix(agreed, "correlation", called, of), key="agreement_correlation")
    with right:
        st.markdown(f"**The {agreed.top} strongest words in common**")
        plotly_view.show(agreement_matrix(agreed, "overlap", called, of), key="agreement_overlap")


def worked(compared: Compared | None) -> str:
    """Return Markdown that works one normalised value with the numbers of the page."""
    if compared is None or np.isnan(compared[1].normalised(compared[1].comprehensiveness, 0)).any():
        return ""
    found = compared[1]
    first = by_comprehensiveness(found)[0]
    value, best, worst = float(found.comprehensiveness[first]), found.best[0], found.worst[0]
    share = float(found.normalised(found.comprehensiveness, 0)[first])
    title = escape_markdown(titles()[found.methods[first]])
    return (
        f"Here, comprehensiveness by *{title}*: ({number(value, '.3f')} − ({number(worst, '.3f')})) / "
        f"({number(best, '.3f')} − ({number(worst, '.3f')})) = **{share:.2f}**."
    )
