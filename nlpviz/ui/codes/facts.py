"""What an autoencoder reaches, which every view of codes shows: bound, reconstruction, KL, information, units."""

from __future__ import annotations

from math import isnan, log

import streamlit as st

from nlpviz.runs import Run
from nlpviz.runs.codes import CODE_KINDS, TOPICS_KIND, is_variational
from nlpviz.ui import cache
from nlpviz.ui.frame import details, escape_markdown


def show(run: Run) -> None:
    """Show what the best epoch reaches on the test documents, beside topics on the same words."""
    test = run.metrics["test"]
    rows = {"Reconstruction (nats per word)": f"{test['reconstruction']:.3f}"}
    if is_variational(run):
        rows["KL divergence (nats per document)"] = f"{test['divergence']:.2f}"
        rows["Perplexity bound"] = f"{test['perplexity']:.0f}"
        rows["Information (nats)"] = f"{test['information']:.1f} (estimate, at most {log(test['documents']):.1f})"
    else:
        rows["KL divergence and perplexity bound"] = "none, because the code is not a distribution"
    rows["Active units"] = f"{test['active']:.0f} of {run.config['latent']}"
    topics = topics_of(run) if is_variational(run) else None
    if topics is not None:
        name = f"Perplexity bound of LDA, {topics.config['topics']} topics, same words and documents"
        rows[name] = f"{topics.metrics['test']['perplexity']:.0f}"
    with details("Test results of this model"):
        title = f"{escape_markdown(run.title)}, epoch {run.best_epoch}, {test['documents']:,.0f} test documents"
        st.table({title: list(rows), "Value": list(rows.values())}, hide_index=True)


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
            "Reconstruction (nats per word)": [_written(run, "reconstruction", ".3f") for run in found],
            "KL (nats per document)": [_written(run, "divergence", ".2f") for run in found],
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
    from nlpviz.networks.architectures import equations

    return equations(run.architecture, run.config)


def code_said(run: Run) -> str:
    """Return what a code is, and what it costs, as Markdown."""
    if not is_variational(run):
        return "The code is a single point: it has no KL cost, and the network does not estimate its uncertainty."
    return (
        "The code is a Gaussian: the bars show its mean, and the lines show its standard deviation. **KL** is the cost "
        "of each unit: ½ (μ² + σ² − 1 − log σ²) nats, which is 0 for a unit that carries no information. "
        "The reconstruction is the mean over fifty sampled codes."
    )
