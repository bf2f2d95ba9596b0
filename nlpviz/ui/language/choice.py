"""Which language models are asked, and of what: the bar of the views on language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.runs import Run
from nlpviz.runs.language import counts_ngrams, kneser_ney, model_title
from nlpviz.ui import address, texts, widgets
from nlpviz.ui.frame import bar, messages
from nlpviz.ui.run_filter import LANGUAGE_MODELS

_MOST = 4
"""Models that stand side by side."""
_BESIDE, _ORDERS = "read_beside", "orders"


class Reader(NamedTuple):
    """One model: a network with the weights of an epoch, or counts of n-grams up to an order.

    Attributes:
        run: whose model.
        epoch: None where the run counts.
        order: of the longest n-grams that are looked at; None where the run is a network.
    """

    run: Run
    epoch: int | None = None
    order: int | None = None

    @property
    def title(self) -> str:
        """What people call it beside others."""
        return model_title(self.run, self.epoch, self.order)


class LanguageQuestion(NamedTuple):
    """What a view is asked: the models, the chosen run's first, and the text."""

    readers: tuple[Reader, ...]
    text: str

    @property
    def run(self) -> Run:
        """The chosen run."""
        return self.readers[0].run


def reader(run: Run) -> Reader:
    """Return a run's model at its best: the best epoch, or the longest n-grams."""
    return Reader(run, order=int(run.config["order"])) if counts_ngrams(run) else Reader(run, run.best_epoch)


def ask(*, most: int = _MOST) -> LanguageQuestion:
    """Return what the visitor asks: the bar with model, epochs, other models, text.

    Args:
        most: models side by side.
    """
    with bar():
        run = widgets.pick_run(LANGUAGE_MODELS)
        readers = [*_own(run), *map(reader, _pick_beside(run))]
        text = texts.pick_text(run) or ""
    if len(readers) > most:
        st.info(f"{len(readers)} models are selected, but only {most} fit side by side: the first {most} are shown.")
    for one in readers[:most]:
        if counts_ngrams(one.run):  # opened before any network is, for which torch must be there: it may be on its way
            kneser_ney(one.run, one.order)
    return LanguageQuestion(tuple(readers[:most]), text)


def others(run: Run) -> dict[str, Run]:
    """Return the other language models of the same text and tokens, by name: their probabilities compare."""
    return {
        name: one
        for name, one in LANGUAGE_MODELS.runs().items()
        if name != run.name and (one.corpus["name"], one.tokenizer.name) == (run.corpus["name"], run.tokenizer.name)
    }


def _own(run: Run) -> list[Reader]:
    """Return the models of the chosen run: its epochs, or its orders."""
    if not counts_ngrams(run):
        address.leave_out(_ORDERS, parameter="order")
        return [Reader(run, epoch) for epoch in widgets.pick_epochs(run, default=(run.best_epoch,))]
    address.leave_out("epochs", parameter="epoch")
    longest = int(run.config["order"])
    return [Reader(run, order=order) for order in _pick_orders(longest)]


def _pick_orders(longest: int) -> Sequence[int]:
    def highest(chosen: list[str]) -> list[str]:
        if len(chosen) > _MOST:
            messages().info(f"Only the {_MOST} highest orders are shown.")
        return sorted(chosen, key=int)[-_MOST:] or [str(longest)]

    orders = widgets.pick_some(
        _ORDERS, "n-gram order", [str(order) for order in range(1, longest + 1)], [str(longest)], parameter="order",
        shown=highest,
        help="An n-gram model of order N predicts from the last N − 1 tokens. Select several orders to "
        "compare them side by side.",
    )  # fmt: skip
    return [int(order) for order in orders]


def _pick_beside(run: Run) -> list[Run]:
    """Return the other runs that are shown beside; at first the best one of the other sort, counts beside a network."""
    there = others(run)
    if not there:
        address.leave_out(_BESIDE, parameter="beside")
        return []
    contrast = [one for one in there.values() if counts_ngrams(one) != counts_ngrams(run)]
    first = [widgets.best_of({one.name: one for one in contrast}).name] if contrast else []
    return [there[name] for name in widgets.pick_some(_BESIDE, "Compare with", there, first, parameter="beside")]
