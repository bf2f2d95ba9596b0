"""The search for the smallest edits that turn a prediction: its settings, what it found, what is left of the text."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures import tokens
from nlpviz.figures.numbers import number
from nlpviz.results.edits import (
    ADDED_BITS,
    MOST,
    MOST_EDITS,
    WAYS,
    EditSearch,
    Reduction,
    Settings,
)  # fmt: skip
from nlpviz.runs import Run
from nlpviz.ui import address, progress, widgets
from nlpviz.ui.edits import cache, trail
from nlpviz.ui.edits.trail import EditedText
from nlpviz.ui.frame import answer, escape_markdown

_WAYS, _ASKED = "become", "the search that was asked for"  # in the session
_MOST_BITS = 40.0


def show(run: Run, epoch: int, edited: EditedText, model: Run | None) -> EditSearch | None:
    """Offer the search, and show what it found; None before a visitor asked for it."""
    settings = _settings(model)
    key = cache.key(run, epoch, edited.original, settings, model)
    if st.button("Search for edits", icon=":material/search:", key="edit_search"):
        st.session_state[_ASKED] = key
    if st.session_state.get(_ASKED) != key and not progress.known(key):
        st.caption("The search takes up to 20 seconds. Using any other control stops the search.")
        return None
    found, reduction = cache.searched(run, epoch, edited.original, settings, model)
    _tell(run, found, model)
    _offer(edited, found)
    if reduction is not None:
        _tell_reduction(reduction)
    return found


def _settings(model: Run | None) -> Settings:
    """Return how the visitor wants the search made."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_edit_search"):
        ways = widgets.pick_some(
            _WAYS, "Replace a word with", WAYS, list(WAYS), parameter="become",
            shown=lambda chosen: [way for way in WAYS if way in chosen] or list(WAYS),
        )  # fmt: skip
        explained = "The maximum number of words that are edited together."
        most = widgets.number("most", "Maximum edits", MOST, (1, MOST_EDITS), 1, explained)
        threshold = ADDED_BITS
        if model is not None:
            threshold = widgets.number(
                "bits", "Maximum bits added per word", ADDED_BITS, (0.0, _MOST_BITS), 1.0,
                f"At {ADDED_BITS:g} bits, each edited word may make the text {2**ADDED_BITS:g} times less probable.",
            )  # fmt: skip
        else:
            address.leave_out("bits")
    return Settings(tuple(ways), most, threshold)


def _tell(run: Run, found: EditSearch, model: Run | None) -> None:
    """Say what was found, or that nothing was, and what that took."""
    label = found.class_names[found.predicted]
    if found.found:
        sentence = "**{fewest}** can flip {label} ({share:.0%}). The search found no smaller edit."
    else:
        sentence = (
            "No flip of {label} ({share:.0%}) was found with at most {most}; the nearest miss leaves it at "
            "{nearest:.0%}. Other edits may still flip it."
        )
    answer(
        sentence + (" The search reached its time limit." if found.stopped else ""),
        fewest=tokens.counted(found.fewest or 0, "edited word"),
        label=label,
        share=found.probability,
        most=tokens.counted(found.most, "edit"),
        nearest=found.nearest,
    )
    judged = ""
    if model is not None:
        judged = (
            f" {tokens.counted(found.unlike_english, 'candidate')} dropped for adding more than "
            f"{found.threshold or 0:g} bits per edited word, according to {escape_markdown(model.title)}."
        )
    beyond = f" Only the beginning was edited; the last {tokens.counted(found.beyond, 'token')} were not edited."
    st.caption(
        f"{tokens.counted(found.read, 'text')} read by {escape_markdown(run.title)}, "
        f"{tokens.counted(found.gradients, 'gradient')} computed.{judged}{beyond * bool(found.beyond)}"
    )


def _offer(edited: EditedText, found: EditSearch) -> None:
    """List what was found, each with a button that makes it a step."""
    for rank, one in enumerate(found.found):
        with st.container(horizontal=True, vertical_alignment="center", key=f"nlpviz_found_{rank}"):
            share, label = one.probability, found.class_names[one.predicted]
            bits = "" if one.added is None else f", {number(one.added, '.1f')} bits of surprisal"
            st.button(
                "Apply", on_click=trail.do, args=(edited.walked.trail, 0, one.edits), key=f"edit_take_{rank}",
                width="content",
            )  # fmt: skip
            st.markdown(
                f"**{escape_markdown(one.said)}**: {escape_markdown(label)}, as "
                f"{escape_markdown(found.class_names[found.predicted])} falls from {found.probability:.0%} to "
                f"{_below_half(share)}{bits}"
            )


def _below_half(share: float) -> str:
    """Return a probability in percent, with a decimal where it would else read 50%."""
    written = f"{share:.0%}"
    return f"{share:.1%}" if written == "50%" else written


def _tell_reduction(reduction: Reduction) -> None:
    """Say to how few words the text can be reduced."""
    st.markdown("**Input reduction: the fewest words that keep the prediction**")
    words = " ".join(reduction.words)
    sentence = (
        "Reduced from {tokens:,} words to {count}, the text is still predicted as **{label}**, {after:.0%} (before: "
        "{before:.0%}): “{words}”. {read} read."
    )
    answer(
        sentence + (" The reduction reached its time limit." if reduction.stopped else ""),
        count=f"{len(reduction.words):,}", tokens=reduction.tokens, label=reduction.predicted,
        after=reduction.after, before=reduction.before, read=tokens.counted(reduction.read, "text"),
        words=words if len(words) <= 300 else f"{words[:299]}…",
    )  # fmt: skip
