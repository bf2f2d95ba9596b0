"""What the view on perplexity shows: all models of one text, and how the networks got there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import streamlit as st

from nlpviz.data import corpus_named
from nlpviz.figures.language.perplexities import (
    QUANTITIES,
    perplexity_bars,
    perplexity_by_vocabulary,
    perplexity_curves,
)
from nlpviz.kinds import history
from nlpviz.results.perplexity import MeasuredModel, ValidationCourse
from nlpviz.runs import Run
from nlpviz.runs.language import measured_models, smaller_vocabularies
from nlpviz.snippets import language as snippets
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.frame import answer
from nlpviz.ui.wanted import LANGUAGE_MODELS


def pick_corpus() -> list[Run]:
    """Return the language models of the corpus that the visitor chose."""
    first, runs = widgets.best_run(LANGUAGE_MODELS), list(LANGUAGE_MODELS.runs().values())
    names = list(dict.fromkeys((first.corpus["name"], *(run.corpus["name"] for run in runs))))
    chosen = widgets.pick("corpus", "Text", names, lambda name: corpus_named(name).title)
    return [run for run in runs if run.corpus["name"] == chosen]


def pick_quantity() -> str:
    """Return what is drawn."""
    return widgets.pick("quantity", "Measure", list(QUANTITIES), lambda name: QUANTITIES[name].axis)


def show(runs: Sequence[Run], quantity: str) -> None:
    """Show what each model reaches on the test text, and say what a network gains over counting."""
    corpus = corpus_named(runs[0].corpus["name"]).title
    models = list(chain.from_iterable(map(measured_models, runs)))
    code = snippets.perplexities([run.name for run in runs])
    plotly_view.show(perplexity_bars(models, quantity, corpus), key="perplexity_bars", code=code)
    _tell(runs, models)


def show_curves(runs: Sequence[Run]) -> None:
    """Show the validation perplexity of each network by epoch, and that of counting across it."""
    courses = [
        ValidationCourse(
            run.name,
            tuple(record.epoch for record in records),
            tuple(record.validation_loss for record in records),
            run.best_epoch,
        )
        for run in runs
        if run.epochs and (records := history(run))
    ]
    if not courses:
        return
    st.header("Epoch by epoch", anchor=False)
    levels = {
        run.name: run.metrics["validation"]["loss"] for run in runs if not run.epochs and "validation" in run.metrics
    }
    corpus = corpus_named(runs[0].corpus["name"]).title
    code = snippets.validation([one.title for one in courses])
    plotly_view.show(perplexity_curves(courses, levels, corpus), key="perplexity_curves", code=code)


def show_vocabularies(runs: Sequence[Run]) -> None:
    """Show what becomes of the perplexity of n-grams when fewer words are told apart, where that was measured."""
    for run in runs:
        if not (found := smaller_vocabularies(run)):
            continue
        st.header("The same n-grams with fewer words", anchor=False)
        first, whole = found[0], found[-1]
        answer(
            "With {size:,} tokens instead of {whole:,}, the same {order}-grams have a perplexity of "
            "**{perplexity:,.1f}** instead of {other:,.1f}: that is no better model, for {unknown:.0%} of the "
            "test tokens are now `<unk>`, one and the same word.",
            size=first.vocabulary, whole=whole.vocabulary, order=run.config["order"],
            perplexity=first.perplexity, other=whole.perplexity, unknown=first.unknown,
        )  # fmt: skip
        drawn = perplexity_by_vocabulary(found, run.name, corpus_named(run.corpus["name"]).title)
        plotly_view.show(drawn, key=f"vocabularies_{run.name}", code=snippets.vocabularies(run.name))


def _tell(runs: Sequence[Run], models: Sequence[MeasuredModel]) -> None:
    """Say which model alone is best, and by how much it is better than the best one that counts."""
    alone = {one.title: one for one in models}
    networks = [alone[run.name] for run in runs if run.epochs]
    counts = [alone[run.name] for run in runs if not run.epochs]
    best = min(networks or counts, key=lambda one: one.loss)
    sentence = (
        "Best {sort}: {title}, perplexity **{perplexity:,.1f}** on {tokens:,} test tokens ({bits:.3f} bits per "
        "character)."
    )
    pieces: dict[str, object] = {
        "sort": "network without cache or mixture" if networks else "n-gram model",
        "title": best.title, "perplexity": best.perplexity, "tokens": best.tokens, "bits": best.bits_per_character,
    }  # fmt: skip
    if networks and counts:
        second = min(counts, key=lambda one: one.loss)
        gain = second.loss - best.loss
        sentence += (
            " Its loss is {gain:.2f} nats per token {sign} than that of the n-gram model {counts} "
            "(perplexity {other:,.1f})."
        )
        pieces |= {
            "gain": abs(gain), "sign": "lower" if gain > 0 else "higher", "counts": second.title,
            "other": second.perplexity,
        }  # fmt: skip
    answer(sentence, **pieces)
