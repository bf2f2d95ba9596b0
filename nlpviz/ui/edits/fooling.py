"""A game: turn the prediction without changing the meaning; and a pair that is worth keeping."""

from __future__ import annotations

import streamlit as st

from nlpviz.data.own_texts.minimal_pairs import LONGEST, UNNAMED, round_difference
from nlpviz.figures.numbers import number
from nlpviz.figures.tokens import counted
from nlpviz.results.edits import EACH_BIT, EACH_WORD, FULL, EditSearch, fooling_score
from nlpviz.results.minimal_pairs import EXPECTATIONS, SAME, MinimalPair
from nlpviz.run_kinds.behaviours import tells_sentiment
from nlpviz.ui.assessment import kept_pairs
from nlpviz.ui.edits.compared import TextPair
from nlpviz.ui.edits.trail import EditedText
from nlpviz.ui.frame import answer, escape_markdown, lead_to
from nlpviz.ui.text_hash import text_hash


def play(found: TextPair, edited: EditedText, search: EditSearch | None) -> bool:
    """Show the score of the edits on the page, and return whether the visitor says that the meaning is the same."""
    same = st.checkbox(
        "The meaning is the same: a reader would give both texts the same label",
        key=f"edit same {text_hash(edited.original, edited.text)}", disabled=not found.words,
    )  # fmt: skip
    if not found.words:
        st.markdown("Edit the text until the prediction flips without changing its meaning, then tick the box.")
    elif not found.turns:
        st.markdown("The prediction has not flipped yet.")
    elif not same:
        st.markdown(
            "The prediction has flipped. The flip counts only if the meaning is the same; in that case, tick the box."
        )
    else:
        _tell_score(found)
    best = None if search is None else search.best_score
    if search is not None and best is not None:
        answer(
            "The search’s best score for this text is **{best}**, with {words}. The search does not check the meaning, "
            "which often changes.",
            best=best, words=counted(search.fewest or 0, "edited word"),
        )  # fmt: skip
    return bool(same)


def _tell_score(found: TextPair) -> None:
    if found.strange:
        st.markdown("This text has no score, because the language model cannot score a word outside its vocabulary.")
        return
    added = found.added or 0.0
    bits = f"{number(max(added, 0.0), '.1f', signed=False)}" if found.added is not None else "0 (no language model)"
    answer(
        "**Score {score}** = {full} − {each} × {words} edited − {bit} × {bits} bits added, at least 0.",
        score=fooling_score(found.words, added), full=FULL, each=EACH_WORD, words=found.words, bit=EACH_BIT, bits=bits,
    )  # fmt: skip


def keep(found: TextPair, edited: EditedText, same: bool) -> None:
    """Offer to keep the two texts as a minimal pair, and show those that were kept."""
    if not tells_sentiment(found.run):
        st.markdown("Minimal pairs test sentiment. Choose a model with the classes negative and positive.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_keep_pair"):
        expected = st.selectbox(
            "What should a network predict for the two texts?", EXPECTATIONS, key=f"edit expected {same}",
            index=EXPECTATIONS.index(SAME) if same else None, placeholder="choose",
            help="The labels of both texts, or how the edit should change the probability of positive.",
        )  # fmt: skip
        st.button(
            "Save this pair", icon=":material/bookmark_add:", on_click=_keep, args=(edited, expected),
            disabled=not found.words or expected is None, width="content", key="edit_keep",
        )  # fmt: skip
    if problem := st.session_state.pop(kept_pairs.PROBLEM, ""):
        st.info(escape_markdown(str(problem)))
    pairs = kept_pairs.pairs()
    if pairs:
        kept_pairs.show(pairs)
        lead_to("Inside the model", "Test networks on these pairs", "behaviours", asked_pairs=kept_pairs.KEPT)


def _keep(edited: EditedText, expected: str) -> None:
    cut = round_difference(edited.original, edited.text)
    if cut is None:
        st.session_state[kept_pairs.PROBLEM] = (
            f"The sentences that differ have more than {LONGEST:,} characters or no words, so they cannot form a pair."
        )
        return
    kept_pairs.add(MinimalPair(UNNAMED, UNNAMED, *cut, expected))
