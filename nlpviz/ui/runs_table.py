"""All runs in tables: accuracies of classifiers and their yardstick, analogies of word vectors, BLEU of translators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nlpviz.runs import Run


def show_accuracies(runs: Mapping[str, Run]) -> None:
    """Show each run's accuracy on the test texts, the most accurate first."""
    ranked = _ranked(runs, "test")
    st.table(
        {
            "Run": [run.title for run in ranked],
            "Test accuracy": [f"{run.metrics['test']['accuracy']:.2%}" for run in ranked],
            "Parameters": [f"{run.parameter_count:,}" for run in ranked],
        },
        hide_index=True,
        border="horizontal",
    )


def show(runs: Mapping[str, Run]) -> None:
    """Show one row a classifier, the most accurate first."""
    ranked = _ranked(runs, "test")
    st.table(
        {
            "Run": [f"{run.title} (`{run.name}`)" for run in ranked],
            "Test accuracy": [f"{run.metrics['test']['accuracy']:.2%}" for run in ranked],
            "Epoch chosen": [_chosen(run) for run in ranked],
            "Parameters": [f"{run.parameter_count:,}" for run in ranked],
            **_costs(ranked),
        },
        hide_index=True,
        border="horizontal",
    )


def show_words(runs: Mapping[str, Run]) -> None:
    """Show one row a run of word vectors, the one that answers most analogies first."""
    ranked = _ranked(runs, "analogies")
    st.table(
        {
            "Run": [f"{run.title} (`{run.name}`)" for run in ranked],
            "Analogies": [f"{run.metrics['analogies']['accuracy']:.1%}" for run in ranked],
            "of": [f"{run.metrics['analogies']['questions']:,.0f}" for run in ranked],
            "Words": [f"{run.config['vocabulary_size']:,} × {run.config['dimensions']}" for run in ranked],
            "Epochs": [f"{run.best_epoch}" for run in ranked],
            **_costs(ranked),
        },
        hide_index=True,
        border="horizontal",
    )


def show_translators(runs: Mapping[str, Run]) -> None:
    """Show one row a translator, the one with the highest BLEU of each pair of languages first."""
    pairs = {run.name: (run.recipe["source"], run.recipe["target"]) for run in runs.values()}
    ranked = sorted(runs.values(), key=lambda run: (pairs[run.name], -run.metrics["translation"]["bleu"]))
    measured = [run.metrics["translation"] for run in ranked]
    st.table(
        {
            "Run": [f"{run.title} (`{run.name}`)" for run in ranked],
            "BLEU": [f"{of['bleu']:.1f}" for of in measured],
            "with case": [f"{of['bleu_with_case']:.1f}" for of in measured],
            "greedy": [f"{of['bleu_greedy']:.1f}" for of in measured],
            "Epoch chosen": [f"{run.best_epoch} of {run.recipe['fit']['epochs']}" for run in ranked],
            "Parameters": [f"{run.parameter_count:,}" for run in ranked],
            **_costs(ranked),
        },
        hide_index=True,
        border="horizontal",
    )


def show_analogies(runs: Mapping[str, Run]) -> None:
    """Show how many analogies each run of word vectors answers, the best first."""
    ranked = _ranked(runs, "analogies")
    st.table(
        {
            "Run": [run.title for run in ranked],
            "Analogies": [f"{run.metrics['analogies']['accuracy']:.1%}" for run in ranked],
            "of": [f"{run.metrics['analogies']['questions']:,.0f}" for run in ranked],
        },
        hide_index=True,
        border="horizontal",
    )


def _costs(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Return the columns that say what each run cost."""
    return {
        "Trained on": [run.device for run in runs],
        "In": [duration(run.seconds) for run in runs],
        "An epoch": [duration(run.seconds_per_epoch) if run.epochs else "–" for run in runs],
    }


def _ranked(runs: Mapping[str, Run], on: str) -> list[Run]:
    """Return the runs that were measured ``on`` a test split or analogies, the most accurate first."""
    measured = [run for run in runs.values() if on in run.metrics]
    return sorted(measured, key=lambda run: -run.metrics[on]["accuracy"])


def _chosen(run: Run) -> str:
    return f"{run.best_epoch} of {run.history[-1].epoch}" if run.epochs else "no epochs"


def duration(seconds: float) -> str:
    """Return a time as people say it: ``"48 s"``, ``"12 min"``."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def show_parameters(run: Run) -> None:
    """Show the terms of a run's parameter count, and their sum."""
    rows = [*run.parameters, ("sum", "", run.parameter_count)]
    st.table(
        {
            "Term": [name for name, _, _ in rows],
            "In numbers": [formula for _, formula, _ in rows],
            "Parameters": [f"{count:,}" for _, _, count in rows],
        },
        hide_index=True,
    )
