"""How stable all methods are on one text, when a visitor asks: each explains the text again about a dozen times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.analysis.attribution import methods
from nlpviz.analysis.attribution.baselines import titles
from nlpviz.figures.attribution.stability import stability_matrix
from nlpviz.figures.numbers import percent
from nlpviz.results.explanation import Explanation
from nlpviz.results.stability import Stability
from nlpviz.runs import Run
from nlpviz.ui import cache, plotly_view, progress
from nlpviz.ui.calls import Call, Part
from nlpviz.ui.frame import escape_markdown

_UNTRAINED = 0
_ASKS = (
    "Recomputes the scores of every method with perturbed word vectors, with the untrained network, and with more and "
    "more layers randomised. This takes minutes for a long text or a slow network."
)


def offer(run: Run, explanations: Part[Sequence[Explanation]]) -> None:
    """Let the visitor ask how stable the explanations of one text are; what was found is kept for all visitors."""
    if not st.toggle("Test the stability of the methods", key="stability", help=_ASKS):
        return
    from nlpviz.analysis.attribution.stability import stability

    explained = explanations()
    first = explained[0]
    untrained = _UNTRAINED in run.epochs and first.epoch != _UNTRAINED
    key = ("stability", run.name, run.fingerprint, first.epoch, first.encoded.text)

    model, before = cache.loaded(run, first.epoch), cache.loaded(run, _UNTRAINED) if untrained else None
    result = progress.computed(
        key,
        f"Explaining the text again with {len(explained)} methods",
        lambda report: stability(model(), explained, before() if before else None, report),
    )
    st.markdown(said(result))
    found = Call(stability, model, explanations, before).giving(result)
    plotly_view.show(Call(stability_matrix, found, Call(titles)), key="stability_matrix")


def said(result: Stability) -> str:
    """Return in Markdown which methods change most and least under a small move, and what the matrix shows."""
    matrix = (
        "The matrix shows how each method’s ranks correlate with the ranks that it assigns for other networks. A value "
        "near 1 under *before training*, or in the last column with all layers random, means that the order depends "
        "little on what was learnt (Adebayo et al. 2018)."
    )
    known = [place for place, value in enumerate(result.sensitivity.tolist()) if not np.isnan(value)]
    if not known:
        return matrix
    ranked = sorted(known, key=lambda place: float(result.sensitivity[place]))
    least, most = (
        f"{escape_markdown(methods()[result.methods[place]].title)} ({percent(float(result.sensitivity[place]))})"
        for place in (ranked[0], ranked[-1])
    )
    return (
        f"**Sensitivity** (Yeh et al. 2019): the word vectors are perturbed by up to {result.radius:.2g}, a hundredth "
        f"of their range. The scores change least with {least} and most with {most}. These values are the largest "
        f"changes over {result.moves} random perturbations, relative to the norm of the scores. {matrix}"
    )
