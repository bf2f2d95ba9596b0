"""The randomisation check on a page: what is left of the picture when the network's layers are drawn anew."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.figures.attribution.randomisation import cascade
from nlpviz.figures.numbers import number
from nlpviz.results.explanation import Explanation
from nlpviz.results.randomisation import Randomisation
from nlpviz.ui import cache, plotly_view
from nlpviz.ui.attribution.cache import layers, randomised_scores
from nlpviz.ui.calls import Call

_ASKS = (
    "Recomputes the scores with more and more randomised layers, from the output layer down to the word vectors. "
    "Scores that stay the same do not depend on the parameters (Adebayo et al. 2018)."
)


def offer(explanation: Explanation, method: str) -> None:
    """Let the visitor ask what is left of an explanation as layers are drawn anew: one more explanation for each.

    Args:
        explanation: of any network.
        method: its method's title.
    """
    if not st.toggle("Randomise the parameters layer by layer", key="randomise", help=_ASKS):
        return
    result = _computed(explanation)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        plotly_view.show(Call(cascade, result, method), key="randomisation")
    with right:
        st.markdown(said(result()))


def _computed(explanation: Explanation) -> Call[Randomisation]:
    """Return the result, with progress after each layer; a visitor who turns to something else ends it there."""
    from nlpviz.analysis.attribution import randomisation

    run = cache.runs()[explanation.run]
    names, others = layers(run, explanation.epoch), []
    bar = st.progress(0.0)
    for stage, name in enumerate(names):
        bar.progress(stage / len(names), f"Explaining the text with random parameters down to the {name}")
        others.append(randomised_scores(run, explanation, stage))
    bar.empty()
    return Call(randomisation.randomisation, cache.explained(explanation), names, others)


def said(result: Randomisation) -> str:
    """Return in Markdown what is left of the explanation when all is drawn anew, and whether chance would leave it."""
    start = (
        f"**Parameter randomisation.** The parameters are randomised from the top layer down, the word vectors last "
        f"(one draw, seed {result.seed})."
    )
    first, last, unsigned = result.scores[0], result.scores[-1], result.magnitudes[-1]
    if np.isnan([first, last, unsigned]).any():
        return f"{start} There are too few distinct scores to rank."
    signs = f" ({number(unsigned)} if the signs are ignored)" if result.signed else ""
    left = (
        f"{start} With a random {result.layers[0]}, the words’ ranks correlate **{number(first)}** with the ranks "
        f"shown; with every layer random, **{number(last)}**{signs}."
    )
    band = f"±{result.unrelated:.2f} (95% of unrelated rankings of {result.words:,} different words)"
    if max(abs(last), abs(unsigned)) <= result.unrelated:
        return f"{left} Unrelated rankings reach {band}, so the order shown depends on the parameters."
    return (
        f"{left} Unrelated rankings reach only {band}. This suggests that part of the order shown comes from the text "
        "and the architecture, not from what was learnt."
    )
