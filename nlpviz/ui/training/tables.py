"""All runs in tables, one for each sort of them: what they reach, what they cost."""

from __future__ import annotations

import streamlit as st

from nlpviz.run_kinds.listing import cell, columns, tables
from nlpviz.runs import Run
from nlpviz.ui import cache


def show_all() -> None:
    """Show every run with what it reached and cost, a table for each sort of them, the best first."""
    for heading, runs in tables(list(cache.runs().values())).items():
        st.header(heading, anchor=False)
        costs = {
            "Trained on": [run.device for run in runs],
            "Training time": [duration(run.seconds) for run in runs],
            "Per epoch": [duration(run.seconds_per_epoch) if run.epochs else "–" for run in runs],
        }
        measured = {title: [cell(run, title) for run in runs] for title in columns(runs)}
        titles = [f"{run.title} (`{run.name}`)" for run in runs]
        st.table({"Model": titles, **measured, **costs}, hide_index=True, border="horizontal")


def duration(seconds: float) -> str:
    """Return a time as people say it: ``"48 s"``, ``"12 min"``."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def show_parameters(run: Run) -> None:
    """Show the terms of a run's parameter count, and their sum."""
    rows = [*run.parameters, ("sum", "", run.parameter_count)]
    st.table(
        {
            "Term": [name for name, _, _ in rows],
            "Formula": [formula for _, formula, _ in rows],
            "Parameters": [f"{count:,}" for _, _, count in rows],
        },
        hide_index=True,
    )
