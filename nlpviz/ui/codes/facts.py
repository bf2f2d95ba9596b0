"""What an autoencoder reaches, which every view of codes says: bound, reconstruction, KL, information, units."""

from __future__ import annotations

from math import isnan, log

import streamlit as st

from nlpviz.runs import Run
from nlpviz.runs.codes import CODE_KINDS, TOPICS_KIND, is_variational
from nlpviz.ui import cache
from nlpviz.ui.frame import answer, escape_markdown


def tell(run: Run) -> None:
    """Say what the best epoch reaches on the test documents, beside topics on the same words."""
    test = run.metrics["test"]
    pieces: dict[str, object] = {**test, "title": run.title, "epoch": run.best_epoch, "units": run.config["latent"]}
    if not is_variational(run):
        answer(
            "{title}, epoch {epoch}, test documents: reconstruction **{reconstruction:.3f}** nats a word, "
            "{active:.0f} of {units} units active. It has no KL divergence and no perplexity bound, since its code is "
            "no distribution: nothing says what it costs.",
            **pieces,
        )
        return
    sentence = (
        "{title}, epoch {epoch}, test documents: perplexity bound **{perplexity:.0f}**, made of {reconstruction:.3f} "
        "nats a word for the reconstruction and {divergence:.2f} nats a document for KL; mutual information about "
        "{information:.1f} nats (no estimate over {documents:,.0f} documents exceeds {most:.1f}); {active:.0f} of "
        "{units} units active."
    )
    topics = topics_of(run)
    if topics is not None:
        sentence += " LDA with {topics} topics has a bound of {other:.0f} on the same words and documents."
        pieces |= {"topics": topics.config["topics"], "other": topics.metrics["test"]["perplexity"]}
    answer(sentence, **pieces, most=log(test["documents"]))


def topics_of(run: Run) -> Run | None:
    """Return the model of topics on the run's corpus and vocabulary; None where there is none."""
    for other in cache.runs(TOPICS_KIND).values():
        if other.corpus["name"] == run.corpus["name"] and other.vocabulary.words == run.vocabulary.words:
            return other
    return None


def show_beside(corpus: str) -> None:
    """Show all autoencoders of a corpus and its model of topics, one a row, the lowest bound first."""
    found = [
        run for kind in (*CODE_KINDS, TOPICS_KIND) for run in cache.runs(kind).values() if run.corpus["name"] == corpus
    ]
    found.sort(key=lambda run: (run.metrics["test"].get("perplexity", float("inf")), run.metrics["test"]["completion"]))
    st.table(
        {
            "Run": [escape_markdown(run.title) for run in found],
            "Perplexity bound": [_written(run, "perplexity", ".0f") for run in found],
            "Reconstruction (nats a word)": [_written(run, "reconstruction", ".3f") for run in found],
            "KL (nats a document)": [_written(run, "divergence", ".2f") for run in found],
            "Information (nats)": [_written(run, "information", ".2f") for run in found],
            "Active units": [_units(run) for run in found],
            "Completion": [_written(run, "completion", ".0f") for run in found],
        },
        hide_index=True,
        border="horizontal",
    )


def _written(run: Run, measure: str, form: str) -> str:
    number = run.metrics["test"].get(measure, float("nan"))
    return "–" if isnan(number) else format(number, form)


def _units(run: Run) -> str:
    if run.kind == TOPICS_KIND:
        return f"{run.config['topics']} topics"
    return f"{run.metrics['test']['active']:.0f} of {run.config['latent']}"


def formula(run: Run) -> tuple[str, ...]:
    """Return the equations of a run's network in TeX, a line each."""
    from nlpviz.models import equations

    return equations(run.architecture, run.config)


def code_said(run: Run) -> str:
    """Return what a code is, and what it costs, as Markdown."""
    if not is_variational(run):
        return "It is one point: nothing is paid for it, and nothing says how sure the network is."
    return (
        "It is a Gaussian: the bars show its mean, the lines its standard deviation, and below stands **KL**, what "
        "each unit costs: ½ (μ² + σ² − 1 − log σ²) nats, zero where a unit says nothing. The reconstruction is the "
        "mean over fifty codes drawn of it."
    )
