"""Texts on a page: coloured by an explanation, and as the model saw them."""

from __future__ import annotations

import streamlit as st

from nlpviz.explanation import Explanation
from nlpviz.figures import tokens
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.vocabulary import EncodedText


def show_tokens(explanation: Explanation, scale: float | None = None, *, legend: bool = True) -> None:
    """Show the text as it was typed, each token coloured by its score.

    Args:
        explanation: what the tokens are worth.
        scale: the magnitude at full colour; give pictures that are compared the same one.
        legend: whether the key to the colours stands under the text.
    """
    key = tokens.legend_html(explanation, scale) if legend else ""
    st.html(tokens.token_html(explanation, scale) + key)


def show_prediction(explanation: Explanation) -> None:
    """Say in one sentence what the model makes of the text, and which words the method names first."""
    read, scores = explanation.encoded.read, explanation.scores
    sign = "+" if explanation.signed else ""
    places = explanation.strongest(3)
    # the words fill places of the sentence: one that holds a brace must not become a place itself
    words = {f"word{rank}": read[place].word for rank, place in enumerate(places)}
    named = [f"*{{word{rank}}}* {scores[place]:{sign}.2g}".replace("-", "−") for rank, place in enumerate(places)]
    answer(
        "Epoch {epoch}: **{label}**, {share:.0%}. "
        + ("Strongest: " + ", ".join(named) if named else "No word was read"),
        epoch=explanation.epoch,
        label=explanation.class_names[explanation.predicted],
        share=float(explanation.probabilities[explanation.predicted]),
        **words,
    )


def show_seen(encoded: EncodedText) -> None:
    """Show what the model really saw: how many tokens it knew, did not know, did not read; then each."""
    with st.expander(f"What the model really saw: {escape_markdown(tokens.seen_line(encoded))}"):
        st.html(tokens.seen_html(encoded))


def show_residual(explanation: Explanation) -> None:
    """Say how far the method's own axiom is off, where it has one."""
    if explanation.residual is not None:
        st.caption(
            f"How far to trust it: what the scores add up to misses the class score by {explanation.residual:+.2f} "
            f"of {explanation.class_score:+.2f} (epoch {explanation.epoch})."
        )
