"""Documents as tables with their stories in a training: suspects of a wrong label, and any others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.results.cartography import NEVER, Cartography
from nlpviz.runs import Run
from nlpviz.ui import classes, texts
from nlpviz.ui.documents import dynamics

_TABLE, _SHOWN = "suspects_table", 100


def show_suspects(run: Run, part: str) -> None:
    """Show the documents whose label is least believed as a table; a chosen row tells its story."""
    found = dynamics.learnt(run, part)()
    order = found.suspects[:_SHOWN]
    show_listed(run, found, order, _TABLE, {"Rank": np.arange(1, len(order) + 1)})


def show_listed(
    run: Run, found: Cartography, order: NDArray[np.integer], key: str, first: Mapping[str, NDArray[np.integer]]
) -> None:
    """Show some documents as a table with their stories; a chosen row tells its story above.

    Args:
        run: whose.
        found: how they were learnt.
        order: their positions.
        key: of the table.
        first: columns that stand before all others.
    """
    log, since = found.log, found.first_learnt[order]
    ids = [log.ids[position] for position in order]
    table = {
        **first,
        **texts.first_words(run, ids),
        classes.document(run).capitalize(): ids,
        "Label": [run.class_names[log.labels[position]] for position in order],
        "Mean confidence": found.confidence[order].astype(float),
        "Variability": found.variability[order].astype(float),
        "Times forgotten": found.forgotten[order],
        "First correct (epoch)": ["never" if moment == NEVER else f"{moment:g}" for moment in since],
        "By epoch": list(log.probabilities[order].astype(float)),
        "Tokens": log.tokens[order],
    }
    said = f"Probability of the label, epoch {log.moments[0]:g} to {log.moments[-1]:g}"
    share = st.column_config.NumberColumn(format="%.3f")
    formats = {
        "Mean confidence": share, "Variability": share,
        "By epoch": st.column_config.LineChartColumn(y_min=0.0, y_max=1.0, help=said),
    }  # fmt: skip

    def take() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        if rows and rows[0] < len(ids):
            st.session_state[dynamics.PICKED] = ids[rows[0]]

    st.dataframe(
        table, hide_index=True, key=key, on_select=take, selection_mode="single-row", height=360,
        column_config=formats,
    )  # fmt: skip
