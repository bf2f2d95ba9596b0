"""What the view on perplexity shows: all models of one text, and how the networks got there."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.data import corpus_named
from nlpviz.figures.language.perplexities import (
    perplexity_bars,
    perplexity_by_vocabulary,
)
from nlpviz.results.perplexity import MeasuredModel
from nlpviz.run_kinds import history
from nlpviz.run_kinds.drawn.language import validation_curves
from nlpviz.runs import Run
from nlpviz.runs.language import measured_models, measured_on, smaller_vocabularies
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, takeaway
from nlpviz.ui.run_filter import LANGUAGE_MODELS


def pick_corpus() -> list[Run]:
    """Return the language models of the corpus that the visitor chose."""
    first, runs = widgets.best_of(widgets.some_runs(LANGUAGE_MODELS)), list(LANGUAGE_MODELS.runs().values())
    names = list(dict.fromkeys((first.corpus["name"], *(run.corpus["name"] for run in runs))))
    chosen = widgets.pick("corpus", "Text", names, lambda name: corpus_named(name).title)
    return [run for run in runs if run.corpus["name"] == chosen]


def show(runs: Sequence[Run], quantity: str) -> None:
    """Show what each model reaches on the test text, and say what a network gains over counting."""
    corpus = corpus_named(runs[0].corpus["name"]).title
    alone = [measured_models(run)[0] for run in runs]
    _take_away(runs, alone)
    bars = Call(perplexity_bars, Call(measured_on, list(runs), corpus), quantity, corpus)
    plotly_view.show(bars, key="perplexity_bars")
    _tell(runs, alone)


def show_curves(runs: Sequence[Run]) -> None:
    """Show the validation perplexity of each network by epoch, and that of counting across it."""
    if any(map(history, runs)):
        st.header("By epoch", anchor=False)
        plotly_view.show(Call(validation_curves, list(runs)), key="perplexity_curves")


def show_vocabularies(runs: Sequence[Run]) -> None:
    """Show how the perplexity of n-grams changes with a smaller vocabulary, where that was measured."""
    for run in runs:
        if not (found := smaller_vocabularies(run)):
            continue
        st.header("By vocabulary size", anchor=False)
        first, whole = found[0], found[-1]
        answer(
            "With a vocabulary of {size:,} tokens instead of {whole:,}, the same {order}-grams reach a perplexity of "
            "{perplexity:,.1f} instead of {other:,.1f}. The model is not better: {unknown:.0%} of the "
            "test tokens are now `<unk>`.",
            size=first.vocabulary, whole=whole.vocabulary, order=run.config["order"],
            perplexity=first.perplexity, other=whole.perplexity, unknown=first.unknown,
        )  # fmt: skip
        corpus = corpus_named(run.corpus["name"]).title
        curve = Call(perplexity_by_vocabulary, Call(smaller_vocabularies, run), run.title, corpus)
        plotly_view.show(curve, key=f"vocabularies_{run.name}")


def _best(runs: Sequence[Run], alone: Sequence[MeasuredModel]) -> tuple[MeasuredModel | None, MeasuredModel | None]:
    """Return the best network and the best model that counts, each alone; None where there is none."""
    networks = [one for run, one in zip(runs, alone, strict=True) if run.epochs]
    counts = [one for run, one in zip(runs, alone, strict=True) if not run.epochs]
    return (
        min(networks, key=lambda one: one.loss, default=None),
        min(counts, key=lambda one: one.loss, default=None),
    )


def _take_away(runs: Sequence[Run], alone: Sequence[MeasuredModel]) -> None:
    """Say what the best network reaches alone, and what counting does."""
    network, counts = _best(runs, alone)
    best = network or counts
    assert best is not None
    sentence = f"Best {'network' if network else 'n-gram model'}: {{title}}, perplexity {{perplexity:,.1f}}"
    sentence += "; best n-gram model: {other:,.1f}." if network and counts else "."
    takeaway(sentence, title=best.title, perplexity=best.perplexity, other=counts.perplexity if counts else 0.0)


def _tell(runs: Sequence[Run], alone: Sequence[MeasuredModel]) -> None:
    """Say by how much the best network is better than the best model that counts, and on how many tokens."""
    network, counts = _best(runs, alone)
    best = network or counts
    assert best is not None
    sentence = "Measured without a cache or mixture on {tokens:,} test tokens ({bits:.3f} bits per character)."
    if network and counts:
        gain = counts.loss - network.loss
        sentence += " Its loss is {gain:.2f} nats per token {sign} than that of {counts}."
        answer(
            sentence, tokens=best.tokens, bits=best.bits_per_character, gain=abs(gain),
            sign="lower" if gain > 0 else "higher", counts=counts.title,
        )  # fmt: skip
        return
    answer(sentence, tokens=best.tokens, bits=best.bits_per_character)
