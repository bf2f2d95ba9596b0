"""Retrained without what was called important, on a page: the curves, and a sentence that the tests allow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st

from nlpviz.attribution import methods
from nlpviz.figures.attribution.roar import TITLES, reached_said, roar_curves
from nlpviz.figures.numbers import number
from nlpviz.results.roar import RANDOM, WHOLE, WORD_LIST, Roar
from nlpviz.runs import Run
from nlpviz.runs.roar import ROAR, roar_of
from nlpviz.snippets import faithfulness as snippets
from nlpviz.ui import classes, plotly_view, widgets
from nlpviz.ui.frame import answer, escape_markdown

RETRAINED = widgets.Wanted(
    "What it learnt",
    able=lambda run: ROAR in run.files,
    named="classifier that was retrained without what methods call important",
    recipe="imdb-cnn-static` and then `python -m nlpviz roar imdb-cnn-static",
)


def show(run: Run) -> Roar | None:
    """Show how well a run's network learns without the words that methods call important; return what was found."""
    found = roar_of(run)
    if found is None or not found.shares:
        st.info(f"Nothing was retrained for {escape_markdown(run.title)}: `python -m nlpviz roar {run.name}` does it.")
        return None
    answer(_sentence(found), **_pieces(found, run))
    plotly_view.show(roar_curves(found, _titles()), key="roar", code=snippets.retrained(run.name))
    st.markdown(escape_markdown(" ".join(filter(None, (said_of_word_list(found), said_of_rises(found))))))
    with st.expander("Each order beside random words"):
        st.table(_differences(found), hide_index=True, border="horizontal")
    return found


def said_of_shares(found: Roar) -> str:
    """Return in words which orders cost more accuracy than random words, share by share, and which cost less."""
    below = {share: found.below(share) for share in found.shares}
    if all(orders == found.methods for orders in below.values()):
        return f"At every share each of the {len(found.methods)} orders costs more accuracy than random words."
    parts = [f"at {share:.0%} {_orders(found, orders)}" for share, orders in below.items() if orders]
    if not parts:
        return "No order costs more accuracy than random words at any share, as far as these tests can tell."
    none = [f"{share:.0%}" for share, orders in below.items() if not orders]
    rest = f" At {_listed(none)} none does." if none else ""
    return f"More is lost than with random words {'; '.join(parts)}.{rest}"


def said_of_better(found: Roar) -> str:
    """Return in words which orders leave more accuracy than random words; empty where none does."""
    above = {
        share: [_title(order) for order in found.methods if found.against(order, share).above] for share in found.shares
    }
    parts = [f"at {share:.0%} {_listed(orders)}" for share, orders in above.items() if orders]
    return f"Less is lost than with random words {'; '.join(parts)}." if parts else ""


def said_of_word_list(found: Roar) -> str:
    """Return in words at which shares a method leaves less accuracy than the word list does; empty without either."""
    asking = [order for order in found.methods if order != WORD_LIST]
    if not asking or WORD_LIST not in found.methods:
        return ""
    parts = []
    for share in found.shares:
        lowest = min(asking, key=lambda order: found.reached(order, share).accuracy)
        least, listed = (found.reached(order, share).accuracy for order in (lowest, WORD_LIST))
        parts.append(f"at {share:.0%} {_title(lowest)} {least:.1%}, the word list {listed:.1%}")
    return f"The lowest accuracy of a method and that of the word list, which asks no network: {'; '.join(parts)}."


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
            parts.append(f"at {share:.0%} than at {before:.0%} {_listed(level)}")
    said = "; ".join(parts)
    return f"No less is left {said}: the masks themselves may tell the class there." if parts else ""


def _sentence(found: Roar) -> str:
    return (
        "With nothing masked, {whole:.1%} of {test:,} test {document}s are right (shortened trainings, {seeds}); "
        "with {share:.0%} of the words masked at random, {random:.1%}. " + said_of_shares(found) + " "
        + said_of_better(found)
    )  # fmt: skip


def _pieces(found: Roar, run: Run) -> dict[str, object]:
    share = found.shares[-1]
    return {
        "whole": found.reached(WHOLE).accuracy,
        "test": len(found.ids),
        "document": classes.document(run),
        "share": share,
        "seeds": found.seeds_said,
        "random": found.reached(RANDOM, share).accuracy,
    }


def _differences(found: Roar) -> dict[str, list[str]]:
    """Return a row for each order: points above or below random words at each share, bold where tests tell them."""
    table: dict[str, list[str]] = {"Masked first": [escape_markdown(_title(order)) for order in found.methods]}
    for share in found.shares:
        against = [found.against(order, share) for order in found.methods]
        cells = [
            f"{number(100 * one.difference, '.1f')} ({number(100 * one.interval.low, '.1f')} to "
            f"{number(100 * one.interval.high, '.1f')})"
            for one in against
        ]
        table[f"{share:.0%}, points"] = [
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
    p = "< 0.001" if against.p < 0.001 else f"= {against.p:.3f}"
    return (
        f"Here, with {share:.0%} masked: {escape_markdown(_title(order))} leaves "
        f"{reached_said(found.reached(order, share))}, random words {reached_said(found.reached(RANDOM, share))}. The "
        f"difference, text by text, is {number(100 * against.difference, '.1f')} points ({low} to {high}), adjusted p "
        f"{p}."
    )


def short(found: Roar | None) -> str:
    """Return Markdown that says how short the trainings were."""
    if found is None:
        return ""
    minutes = found.seconds / 60
    return (
        f"The trainings are shortened: {found.texts:,} texts, their first {found.tokens} tokens, {found.epochs} epochs "
        f"at most, the best of them chosen on {found.validation:,} other texts; {len(found.cells)} trainings in "
        f"{minutes:.0f} minutes ({found.device})."
    )


def _titles() -> dict[str, str]:
    return {name: method.title for name, method in methods().items()}


def _title(order: str) -> str:
    return TITLES.get(order) or _titles().get(order, order)


def _orders(found: Roar, orders: Sequence[str]) -> str:
    return f"all {len(orders)} orders" if tuple(orders) == found.methods else _listed([_title(one) for one in orders])


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
