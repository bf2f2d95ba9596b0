"""Retrained without what was called important, on a page: the curves, and a sentence that the tests allow."""

from __future__ import annotations

from itertools import pairwise

import streamlit as st

from nlpviz.analysis.attribution.baselines import titles
from nlpviz.figures.attribution.roar import TITLES, reached_said, roar_curves
from nlpviz.figures.numbers import number, p_said
from nlpviz.results.roar import RANDOM, WHOLE, WORD_LIST, Roar
from nlpviz.runs import Run
from nlpviz.runs.roar import ROAR, roar_of
from nlpviz.ui import classes, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway

RETRAINED = widgets.Wanted(
    "Inside the model",
    able=lambda run: ROAR in run.files,
    named="classifier retrained without the words that methods rank highest",
    recipe="imdb-cnn-static` and then `python -m nlpviz roar imdb-cnn-static",
)


def show(run: Run) -> Roar | None:
    """Show how well a run's network learns without the words that methods call important; return what was found."""
    found = roar_of(run)
    if found is None or not found.shares:
        st.info(f"{escape_markdown(run.title)} has not been retrained yet. Run `python -m nlpviz roar {run.name}`.")
        return None
    takeaway(
        "Masking {share:.0%} of words by {order} leaves {lowest:.1%} accuracy; random masking leaves {random:.1%}.",
        **_pieces(found),
    )
    plotly_view.show(Call(roar_curves, Call(roar_of, run), Call(titles)), key="roar")
    answer("{said}", said=said_of_shares(found))
    answer(
        "With nothing masked, shortened training reaches {whole:.1%} accuracy on {test:,} test {document}s ({seeds}).",
        whole=found.reached(WHOLE).accuracy, test=len(found.ids), document=classes.document(run),
        seeds=found.seeds_said,
    )  # fmt: skip
    with details():
        st.markdown(
            "**Each order compared with random words**, in percentage points (95% CI; significant differences in bold)"
        )
        st.table(_differences(found), hide_index=True, border="horizontal")
        listed = _word_list(found)
        if listed:
            st.markdown("**Lowest accuracy of any method, compared with the word list, which ignores the network**")
            st.dataframe(listed, hide_index=True)
        st.caption(escape_markdown(said_of_rises(found)))
    return found


def said_of_shares(found: Roar) -> str:
    """Return in words in how many comparisons with random words an order costs significantly more accuracy, or less."""
    each = [found.against(order, share) for order in found.methods for share in found.shares]
    below, above = sum(one.below for one in each), sum(one.above for one in each)
    if below == len(each):
        return f"Every order costs significantly more accuracy than random words at all {len(found.shares)} shares."
    less = f"; in {above}, it costs significantly less" if above else ""
    if not below:
        return f"No order costs significantly more accuracy than random words in any of {len(each)} comparisons{less}."
    return f"In {below} of {len(each)} comparisons, an order costs significantly more accuracy than random words{less}."


def said_of_rises(found: Roar) -> str:
    """Return in words which orders leave no less at a larger share than at the one before; empty where none does."""
    parts = []
    for before, share in pairwise(found.shares):
        level = [
            _title(order)
            for order in found.methods
            if found.reached(order, share).accuracy >= found.reached(order, before).accuracy
        ]
        if level:
            parts.append(f"from {before:.0%} to {share:.0%} masked, {_listed(level)}")
    said = "; ".join(parts)
    return (
        f"Accuracy does not fall further in these cases: {said}. There, the masks alone may reveal the class."
        if parts
        else ""
    )


def _word_list(found: Roar) -> dict[str, list[str]]:
    """Return the lowest accuracy of a method and that of the word list by share; empty without either."""
    ranked = [order for order in found.methods if order != WORD_LIST]
    if not ranked or WORD_LIST not in found.methods:
        return {}
    lowest = [min(ranked, key=lambda order: found.reached(order, share).accuracy) for share in found.shares]
    return {
        "Masked": [f"{share:.0%}" for share in found.shares],
        "Method with lowest accuracy": [_title(order) for order in lowest],
        "Accuracy": [
            f"{found.reached(order, share).accuracy:.1%}" for order, share in zip(lowest, found.shares, strict=True)
        ],
        "Word list": [f"{found.reached(WORD_LIST, share).accuracy:.1%}" for share in found.shares],
    }


def _pieces(found: Roar) -> dict[str, object]:
    share = found.shares[-1]
    order = min(found.methods, key=lambda one: found.reached(one, share).accuracy)
    return {
        "share": share,
        "order": _title(order),
        "lowest": found.reached(order, share).accuracy,
        "random": found.reached(RANDOM, share).accuracy,
    }


def _differences(found: Roar) -> dict[str, list[str]]:
    """Return a row for each order: points above or below random words at each share, bold where significant."""
    table: dict[str, list[str]] = {"Order": [escape_markdown(_title(order)) for order in found.methods]}
    for share in found.shares:
        against = [found.against(order, share) for order in found.methods]
        cells = [
            f"{number(100 * one.difference, '.1f')} ({number(100 * one.interval.low, '.1f')} to "
            f"{number(100 * one.interval.high, '.1f')})"
            for one in against
        ]
        table[f"{share:.0%} masked"] = [
            f"**{cell}**" if one.below or one.above else cell for cell, one in zip(cells, against, strict=True)
        ]
    return table


def worked(found: Roar | None) -> str:
    """Return Markdown that works one comparison with the numbers of the page."""
    if found is None:
        return ""
    share = found.shares[0]
    order = min(found.methods, key=lambda one: found.against(one, share).difference)
    against = found.against(order, share)
    low, high = (number(100 * end, ".1f") for end in against.interval)
    return (
        f"Here, with {share:.0%} masked: {escape_markdown(_title(order))} leaves "
        f"{reached_said(found.reached(order, share))}; random words leave "
        f"{reached_said(found.reached(RANDOM, share))}. The paired "
        f"difference is {number(100 * against.difference, '.1f')} percentage points (95% CI {low} to {high}; "
        f"adjusted {p_said(against.p)})."
    )


def short(found: Roar | None) -> str:
    """Return Markdown that says how short the trainings were."""
    if found is None:
        return ""
    minutes = found.seconds / 60
    return (
        f"Training is shortened to the first {found.tokens} tokens of {found.texts:,} texts and at most {found.epochs} "
        f"epochs. The best epoch is chosen on {found.validation:,} held-out texts. The {len(found.cells)} training "
        f"runs took {minutes:.0f} minutes ({found.device})."
    )


def _title(order: str) -> str:
    return TITLES.get(order) or titles().get(order, order)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
