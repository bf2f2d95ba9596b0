"""Texts on a page: coloured by an explanation, beside each other, and as the model saw them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.analysis.attribution import methods, methods_for
from nlpviz.figures import panels, tokens
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.view import provenance
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Checkpoint
from nlpviz.text.vocabulary import UNKNOWN, EncodedText
from nlpviz.ui import cache, coloured_text, compare, report
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, messages, takeaway


def explain_beside(
    checkpoints: Sequence[Checkpoint], text: str, method: str, target: str | None
) -> tuple[Call[Explanation], ...]:
    """Return an explanation for each checkpoint, all of the same class.

    A run whose network lacks what the method needs is left out, and the page says so.

    Args:
        checkpoints: the chosen run's first.
        text: anything.
        method: a name in ``nlpviz.analysis.attribution.methods()``.
        target: a class's name; None takes the class that the chosen run's last epoch predicts.
    """
    able = [checkpoint for checkpoint in checkpoints if method in methods_for(checkpoint.run)]
    for title in sorted({one.run.title for one in checkpoints if method not in methods_for(one.run)}):
        wanted = methods()[method]
        st.info(f"{wanted.title} needs {wanted.needs}, so {escape_markdown(title)} is not shown.")
    with st.spinner(f"Computing {methods()[method].title}…"):  # not seen where that is quick
        return compare.of_one_class(
            able or checkpoints, target, lambda run, epoch, wanted: cache.explanation(run, epoch, text, method, wanted)
        )


def tell_prediction(explanations: Sequence[Explanation]) -> None:
    """Say over the text what the network predicts, and which word moved that most."""
    chosen = panels.reference(explanations)
    sentence, pieces = compare.predictions(explanations, after=3)
    for position in chosen.strongest(1):
        sentence += f". Strongest word: *{{word}}*, {_number(chosen, position)}"
        pieces["word"] = chosen.encoded.read[position].word
    takeaway(f"{sentence}.", **pieces)


def tell_explained(chosen: Explanation, method: str) -> None:
    """Say under the text what the colours are of; where they are not of the predicted class, say that.

    Args:
        chosen: the explanation that the page is about.
        method: what people call how it was made.
    """
    target, predicted = (chosen.class_names[one] for one in (chosen.target, chosen.predicted))
    other = "" if chosen.target == chosen.predicted else " The network predicts {predicted}."
    answer(
        "Colours and bars show how much each word contributes to the score (logit) of **{target}**, by "
        "{method}." + other,
        target=target,
        method=method,
        predicted=predicted,
    )


def show_texts(explanations: Sequence[Explanation]) -> None:
    """Show the text once for each explanation, coloured on one scale, beside each other.

    Args:
        explanations: of one class by one method.
    """
    scale = max(float(abs(explanation.scores).max(initial=0)) for explanation in explanations)
    arranged = panels.arrange(explanations)
    rows = [
        st.columns(1 + max(panel.column for panel in arranged), gap="medium")
        for _ in range(1 + max(panel.row for panel in arranged))
    ]
    for panel, title, explanation in zip(arranged, compare.titles(explanations), explanations, strict=True):
        with rows[panel.row][panel.column]:
            if len(explanations) > 1:
                show_prediction(explanation, title)
            show_tokens(explanation, scale, edits=True)


def drawable(picture: str, explanations: Sequence[Explanation], method: str) -> str:
    """Return ``picture``, or the bars, with the reason on the page, where a method has no matrix to show.

    Args:
        picture: ``"bars"`` or ``"matrix"``.
        explanations: of one method.
        method: its title.
    """
    if picture == "matrix" and any(explanation.matrix is None for explanation in explanations):
        st.info(
            f"{method} assigns each word a single score, so there is no matrix of dimensions. Bars are shown instead."
        )
        return "bars"
    return picture


def show_tokens(explanation: Explanation, scale: float | None = None, *, edits: bool = False) -> None:
    """Show the text as it was typed, each token coloured by its score.

    Args:
        explanation: what the tokens are worth.
        scale: the magnitude at full colour; give pictures that are compared the same one.
        edits: whether a click on it opens the view's text, to be edited in its place.
    """
    key = tokens.legend_html(explanation, _unit(explanation), scale)
    method, target = methods()[explanation.method].title, explanation.class_names[explanation.target]
    coloured_text.show(
        tokens.token_html(explanation, scale) + key,
        caption=provenance(panels.checkpoints([explanation]), method, f"target {target}"),
        name=panels.file_name([explanation], f"{explanation.method}-text"),
        edits=edits,
    )


def _unit(explanation: Explanation) -> str:
    """Return the unit of the scores."""
    return methods()[explanation.method].unit.replace("log-odds", unit_of_score(len(explanation.class_names)))


def show_prediction(explanation: Explanation, checkpoint: str | None = None) -> None:
    """Say in one line over a text what the model makes of it, and which words the method names first.

    Args:
        explanation: of the text.
        checkpoint: what the line begins with; by default the epoch.
    """
    named = ", ".join(
        f"*{escape_markdown(explanation.encoded.read[position].word)}* {_number(explanation, position)}"
        for position in explanation.strongest(3)
    )
    label, share = explanation.class_names[explanation.predicted], explanation.probabilities[explanation.predicted]
    st.markdown(
        f"{escape_markdown(checkpoint or f'Epoch {explanation.epoch}')}: **{escape_markdown(label)}**, {share:.0%}"
        + (f" · {named}" if named else "; no words read")
    )


def strongest_row(explanation: Explanation) -> str:
    """Return Markdown that says which row of the matrix became the largest score; nothing where there is none."""
    if explanation.matrix is None or not len(explanation.scores):
        return ""
    (position,) = explanation.strongest(1)
    row = explanation.matrix[position]
    word = escape_markdown(explanation.encoded.read[position].word)
    ends = f"from {number(row.min(), '.2g')} to {number(row.max(), '.2g')}"
    score = _number(explanation, position)
    return f"Here, the row of *{word}* contains {len(row)} numbers {ends}; the word’s score is {score}."


def show_seen(encoded: EncodedText, run: str = "") -> None:
    """Show what the model really saw: how many tokens it knew, did not know, did not read; then each.

    Where it knew none, the page says so under its bar.

    Args:
        encoded: the text as the model saw it.
        run: the name of the run whose model it is, where there are several.
    """
    whose = f" ({escape_markdown(cache.runs()[run].title)})" if run else ""
    if encoded.read and bool((encoded.ids == UNKNOWN).all()):
        messages().info(
            f"None of the {len(encoded.read):,} words of this text is in the vocabulary{whose}. The model reads "
            f"only `<unk>`, so its prediction is not meaningful."
        )
    elif not encoded.read and encoded.text.strip():
        messages().info(f"This text contains no words{whose}, so the prediction is for an empty text.")
    with st.expander(f"What the model read{whose}: {escape_markdown(tokens.seen_line(encoded))}"):
        seen = tokens.seen_html(encoded)
        report.note_html(seen)
        st.html(seen)


def _number(explanation: Explanation, position: int) -> str:
    return number(explanation.scores[position], "#.2g", signed=explanation.signed)
