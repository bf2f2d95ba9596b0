"""All runs in tables: accuracies of classifiers and their yardstick, analogies of word vectors, BLEU of translators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nlpviz.runs import Run

Columns = Mapping[str, Sequence[str]]


def show_accuracies(runs: Mapping[str, Run]) -> None:
    """Show each run's accuracy on the test texts, the most accurate first."""
    ranked = _ranked(runs, "test")
    _show({"Run": [run.title for run in ranked], **_accuracies(ranked), **_parameters(ranked)})


def show(runs: Mapping[str, Run]) -> None:
    """Show one row a classifier, the most accurate first."""
    ranked = _ranked(runs, "test")
    chosen = [f"{run.best_epoch} of {run.history[-1].epoch}" if run.epochs else "no epochs" for run in ranked]
    _show_runs(ranked, {**_accuracies(ranked), "Epoch chosen": chosen, **_parameters(ranked)})


def show_words(runs: Mapping[str, Run]) -> None:
    """Show one row a run of word vectors, the one that answers most analogies first."""
    ranked = _ranked(runs, "analogies")
    words = [f"{run.config['vocabulary_size']:,} × {run.config['dimensions']}" for run in ranked]
    _show_runs(ranked, {**_analogies(ranked), "Words": words, "Epochs": [f"{run.best_epoch}" for run in ranked]})


def show_translators(runs: Mapping[str, Run]) -> None:
    """Show one row a translator, the one with the highest BLEU of each pair of languages first."""
    pairs = {run.name: (run.recipe["source"], run.recipe["target"]) for run in runs.values()}
    ranked = sorted(runs.values(), key=lambda run: (pairs[run.name], -run.metrics["translation"]["bleu"]))
    measured = [run.metrics["translation"] for run in ranked]
    scores = {"BLEU": "bleu", "with case": "bleu_with_case", "greedy": "bleu_greedy"}
    columns = {column: [f"{of[score]:.1f}" for of in measured] for column, score in scores.items()}
    chosen = [f"{run.best_epoch} of {run.recipe['fit']['epochs']}" for run in ranked]
    _show_runs(ranked, {**columns, "Epoch chosen": chosen, **_parameters(ranked)})


def show_analogies(runs: Mapping[str, Run]) -> None:
    """Show how many analogies each run of word vectors answers, the best first."""
    ranked = _ranked(runs, "analogies")
    _show({"Run": [run.title for run in ranked], **_analogies(ranked)})


def _show_runs(runs: Sequence[Run], columns: Columns) -> None:
    """Show runs with their names, some columns, and what each run cost."""
    costs = {
        "Trained on": [run.device for run in runs],
        "In": [duration(run.seconds) for run in runs],
        "An epoch": [duration(run.seconds_per_epoch) if run.epochs else "–" for run in runs],
    }
    _show({"Run": [f"{run.title} (`{run.name}`)" for run in runs], **columns, **costs})


def _show(columns: Columns) -> None:
    st.table(columns, hide_index=True, border="horizontal")


def _accuracies(runs: Sequence[Run]) -> Columns:
    return {"Test accuracy": [f"{run.metrics['test']['accuracy']:.2%}" for run in runs]}


def _parameters(runs: Sequence[Run]) -> Columns:
    return {"Parameters": [f"{run.parameter_count:,}" for run in runs]}


def _analogies(runs: Sequence[Run]) -> Columns:
    measured = [run.metrics["analogies"] for run in runs]
    return {
        "Analogies": [f"{of['accuracy']:.1%}" for of in measured],
        "of": [f"{of['questions']:,.0f}" for of in measured],
    }


def _ranked(runs: Mapping[str, Run], on: str) -> list[Run]:
    """Return the runs that were measured ``on`` a test split or analogies, the most accurate first."""
    measured = [run for run in runs.values() if on in run.metrics]
    return sorted(measured, key=lambda run: -run.metrics[on]["accuracy"])


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
