"""How the models write: temperature, top-k, top-p, seed and length, in the address."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from nlpviz.language.sampling import HOTTEST, Sampling
from nlpviz.runs import Run
from nlpviz.runs.language import counts_ngrams
from nlpviz.ui import widgets
from nlpviz.ui.frame import controls, more
from nlpviz.ui.language.choice import LanguageQuestion, Reader

_LONGEST = 500  # tokens
_WORDS, _CHARACTERS = 60, 300  # that are written at first
_TOP_P = 0.9
_LARGEST = 1_000_000  # k, seed
_EPOCHS = "epochs"  # the control of the bar
_MOST = 3  # epochs that stand side by side, with another model


class Writer(NamedTuple):
    """All that decides what is written.

    Attributes:
        reader: the model.
        prompt: what it reads first.
        how: tokens are drawn.
        length: tokens that are written.
    """

    reader: Reader
    prompt: str
    how: Sampling
    length: int


def ask(question: LanguageQuestion) -> tuple[Writer, ...]:
    """Return a writer for each model, with the settings that the visitor chose."""
    tokenizer = question.run.tokenizer
    unit, first = tokenizer.unit, _CHARACTERS if tokenizer.of_characters else _WORDS
    with controls():
        temperature = widgets.number(
            "temperature", "Temperature", 1.0, (0.0, HOTTEST), 0.1,
            f"0 always takes the most probable {unit}, 1 leaves the distribution unchanged, and "
            f"{HOTTEST:g} makes it nearly uniform.",
        )  # fmt: skip
        _offer_epochs(question.run)
    with controls(), more():
        top_k = widgets.number(
            "top_k", f"Top-k ({unit}s)", 0, (0, _LARGEST), 1,
            f"Only the k most probable {unit}s can be sampled; 0 allows all.",
        )  # fmt: skip
        top_p = widgets.number(
            "top_p", "Top-p (nucleus)", _TOP_P, (0.0, 1.0), 0.05,
            f"Only the smallest set of {unit}s whose total probability reaches this value can be sampled; "
            "1 allows all.",
        )  # fmt: skip
        seed = widgets.number("draw", "Seed", 0, (0, _LARGEST), 1, "The same seed gives the same text.")
        length = widgets.number(
            "length", f"Length ({unit}s)", first, (1, _LONGEST), 10, f"The number of {unit}s to generate."
        )
    how = Sampling(temperature, top_k, top_p, seed)
    return tuple(Writer(reader, question.text, how, length) for reader in question.readers)


def _offer_epochs(run: Run) -> None:
    """Offer the text by each epoch: before training, early in it, and the best one."""
    if counts_ngrams(run) or len(run.epochs) < 2:
        return
    shown = [str(epoch) for epoch in sorted({*run.epochs[: _MOST - 1], run.best_epoch})]
    if st.session_state.get(_EPOCHS) != shown:
        st.button("Compare epochs", on_click=widgets.set_to(_EPOCHS), args=(shown,), icon=":material/history:")
