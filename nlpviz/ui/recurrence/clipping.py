"""What the page shows of exploding gradients: a wall that can be walked into, and a run's own gradient norms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.analysis.inspection.clipping import loss_surface
from nlpviz.figures.recurrence.memory_clipping import RunNorms, clipped_descent, norms_by_epoch
from nlpviz.figures.recurrence.memory_text import power
from nlpviz.results.clipping import Descent
from nlpviz.run_kinds.drawn.curves import gradient_norms
from nlpviz.runs import Run
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.recurrence import memory_cache

_STARTS = {
    "wall": ("next to the wall (w = 5, b = −2.2)", (5.0, -2.2)),
    "below": ("below the wall (w = 5.5, b = −3)", (5.5, -3.0)),
    "plateau": ("on the plateau above the wall (w = 7, b = −1.5)", (7.0, -1.5)),
    "along": ("farther along the wall (w = 6.5, b = −2.4)", (6.5, -2.4)),
}
_RATES = ("1", "0.3", "0.1", "0.03")
_THRESHOLDS = ("0.3", "0.1", "1", "3", "10")


def show_wall() -> None:
    """Show gradient descent at a wall of a loss surface, clipped and not, with its settings above it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_clipping"):
        start = widgets.pick("start", "Start", list(_STARTS), lambda name: _STARTS[name][0])
        rate = widgets.pick("rate", "Learning rate", _RATES)
        threshold = widgets.pick("threshold", "Clipping threshold", _THRESHOLDS)
    place = _STARTS[start][1]
    free = memory_cache.descent(place, float(rate), None)
    clipped = memory_cache.descent(place, float(rate), float(threshold))
    _tell(free(), clipped())
    plotly_view.show(Call(clipped_descent, Call(loss_surface), free, clipped), key="memory_clipping")


def _tell(free: Descent, clipped: Descent) -> None:
    """Say what clipping did to the steps."""
    sentence = (
        "Without clipping, the longest of {steps} steps has length **{free:.2g}** (gradient norm {norm}), and the "
        "final loss is "
    )
    sentence += "{free_loss}. "
    if clipped.clipped:
        sentence += "With clipping at {threshold:g}, no step is longer than {most:g}, and the final loss is **{loss}**."
    else:
        sentence += "No gradient norm exceeds {threshold:g} here, so clipping has no effect."
    threshold = clipped.threshold or 0.0
    answer(
        sentence,
        norm=power(float(np.log10(free.norms.max()))),
        free=free.longest,
        steps=len(free.norms),
        free_loss=power(float(np.log10(free.losses[-1]))),
        threshold=threshold,
        most=clipped.rate * threshold,
        loss=power(float(np.log10(clipped.losses[-1]))),
    )


def show_norms(runs: Sequence[Run]) -> None:
    """Show the gradient norms that the runs' histories hold, by epoch, with their thresholds."""
    known = [call for call in (Call(gradient_norms, run) for run in runs) if call().epochs]
    if not known:
        st.markdown("No gradient norms were recorded for this run.")
        return
    st.markdown(" ".join(_said(call()) for call in known))
    plotly_view.show(Call(norms_by_epoch, known), key="memory_norms")


def _said(one: RunNorms) -> str:
    """Return what a run's norms mean beside its threshold."""
    title, low, high = escape_markdown(one.title), min(one.norms), max(one.norms)
    said = f"**{title}**: the mean gradient norm per epoch ranges from {low:.2f} to {high:.2f}"
    if not one.threshold:
        return f"{said}, without clipping."
    above = sum(norm > one.threshold for norm in one.norms)
    return (
        f"{said}. Gradients were clipped at **{one.threshold:g}**; the mean norm exceeds this threshold in {above} "
        f"of {len(one.norms)} "
        "epochs."
    )
