"""What lies in a loop drawn on the map of training, or in a third of it: a list of documents with their stories."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.figures.documents.selected import selected_stories
from nlpviz.results.cartography import Cartography
from nlpviz.results.map_selection import corners_of
from nlpviz.runs import Run
from nlpviz.ui import classes, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.documents import dynamics
from nlpviz.ui.documents.dynamics_tables import show_listed
from nlpviz.ui.frame import answer

LISTED: Mapping[str, str] = {
    "loop": "inside the loop",
    "easy": "the easiest third: highest mean confidence",
    "ambiguous": "the most ambiguous third: highest variability",
    "hard": "the hardest third: lowest mean confidence",
}
"""What may be listed, and what people call it; the thirds are those of Swayamdipta et al. (2020), section 3."""
_SHORT = {
    "loop": "inside the loop",
    "easy": "easiest third",
    "ambiguous": "most ambiguous third",
    "hard": "hardest third",
}
_SHOWN = 200


def show(run: Run, part: str, loop: str) -> None:
    """List what lies in the loop, or in the third that the visitor chose, with how these documents were learnt.

    Args:
        run: whose map.
        part: which documents are on it.
        loop: what was drawn on it; empty for nothing.
    """
    call = dynamics.learnt(run, part)
    found = call()
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        chosen = widgets.pick("listed", "List", LISTED)
    with right:
        clear = widgets.set_to(dynamics.LOOP)
        st.button("Clear the loop", disabled=not loop, on_click=clear, args=("",), width="stretch")
    listed = _listed(call, chosen, loop)
    if listed is None:
        st.info(
            f"Draw a loop around points on the map to list their {classes.document(run)}s, or choose a third of the "
            f"map."
        )
        return
    positions = listed()
    if not len(positions):
        st.info(f"No {classes.document(run)} lies inside the loop. Draw it around some points.")
        return
    _tell(run, found, positions, chosen)
    plotly_view.show(Call(selected_stories, call, listed, _SHORT[chosen]), key="selected_stories")
    show_listed(run, found, positions[:_SHOWN], "listed_table", {})
    if len(positions) > _SHOWN:
        first = "highest" if chosen == "easy" else "lowest"
        st.caption(f"The first {_SHOWN} of {len(positions):,}, {first} mean confidence first.")


def _listed(found: Call[Cartography], chosen: str, loop: str) -> Call[NDArray[np.intp]] | None:
    """Return the positions of what is listed; None where a loop is asked for and none drawn."""
    if chosen != "loop":
        return Call(Cartography.third, found, chosen)
    return Call(Cartography.in_loop, found, Call(corners_of, loop)) if loop else None


def _tell(run: Run, found: Cartography, positions: NDArray[np.intp], chosen: str) -> None:
    """Say how these documents differ from all of the map."""
    log = found.log
    counts = np.bincount(log.labels[positions], minlength=len(run.class_names))
    common = int(counts.argmax())
    answer(
        "{where}: **{count:,}** of {all:,} {document}s, {share:.0%} of them {label} (all: {base:.0%}). {forgotten:.1%} "
        "were forgotten at least once (all: {every:.1%}); median length {tokens:,} tokens (all: {length:,}).",
        where=_SHORT[chosen].capitalize(),
        count=len(positions),
        all=len(log.ids),
        document=classes.document(run),
        share=float(counts[common] / len(positions)),
        label=run.class_names[common],
        base=float((log.labels == common).mean()),
        forgotten=float((found.forgotten[positions] > 0).mean()),
        every=float((found.forgotten > 0).mean()),
        tokens=int(np.median(log.tokens[positions])),
        length=int(np.median(log.tokens)),
    )
