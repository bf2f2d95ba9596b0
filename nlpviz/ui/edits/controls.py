"""What can be done to a word of the edited text: swap, delete, negate it, insert before it; or type the text anew."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from nlpviz.figures.tokens import MAX_TOKENS, blanked
from nlpviz.runs import Run
from nlpviz.text import edit_trail
from nlpviz.text.edits import LONGEST_WORDS, WordEdit, change, negate
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import limits, widgets
from nlpviz.ui.edits import cache, trail
from nlpviz.ui.edits.trail import EditedText
from nlpviz.ui.frame import escape_markdown, messages
from nlpviz.ui.text_hash import text_hash

_WORDS, _NOTE, _FREE = "edit_words", "what an edit lacks", "edited text"  # in the session


def show(run: Run, epoch: int, edited: EditedText) -> None:
    """Draw the controls of the chosen word, of the trail, and the field to edit the text freely."""
    if note := st.session_state.pop(_NOTE, ""):
        messages().info(str(note))
    tokens = run.vocabulary.tokens(edited.text)[:MAX_TOKENS]
    full = len(edited.walked.trail) >= edit_trail.MOST
    if full:
        messages().info(f"At most {edit_trail.MOST} steps are stored. Return to an earlier step or remove all edits.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_edit_controls"):
        places = [str(place) for place in range(len(tokens))]
        place = 0
        if places:
            place = int(
                widgets.pick(
                    trail.WORD, "Word", places, lambda one: f"{int(one) + 1} · {shortened(tokens[int(one)].word)}",
                    of_text=True,
                )
            )  # fmt: skip
        # in a form, whose first button Enter presses
        with (
            st.form("edit_word_form", border=False),
            st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_edit_word"),
        ):
            st.text_input("Replacement", key=_WORDS, max_chars=LONGEST_WORDS, placeholder="such as not")
            for label, icon, act, needs in (
                ("Swap", "swap_horiz", _swap, True), ("Insert before", "add", _insert, False),
                ("Delete", "delete", _delete, True), ("Negate", "block", _negate, True),
            ):  # fmt: skip
                st.form_submit_button(
                    label, icon=f":material/{icon}:", on_click=act, args=(run, edited, place), width="content",
                    disabled=full or (needs and not tokens), key=f"edit_{label.split()[0].lower()}",
                )  # fmt: skip
            if len(tokens) and place == len(tokens) - 1:
                st.form_submit_button(
                    "Insert at the end", icon=":material/add:", on_click=_insert, args=(run, edited, place + 1),
                    width="content", disabled=full, key="edit_append",
                )  # fmt: skip
    if tokens:
        _near(run, epoch, edited, place, full=full)
    _show_trail_buttons(run, edited, full=full)


def _show_trail_buttons(run: Run, edited: EditedText, *, full: bool) -> None:
    at, steps = edited.at, len(edited.walked.trail)
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_edit_trail"):
        back = edit_trail.undo(edited.walked.trail, at)
        st.button(
            "Undo", icon=":material/undo:", on_click=trail.go_to, args=(back,), disabled=not at, width="content",
            help="Return to the previous step; the undone step remains available as a branch.",
        )  # fmt: skip
        st.button(
            "Original", icon=":material/first_page:", on_click=trail.go_to, args=(0,), disabled=not at, width="content"
        )
        st.button(
            "Remove all edits", icon=":material/restart_alt:", on_click=trail.forget, disabled=not steps,
            width="content",
        )  # fmt: skip
        with st.popover("Edit freely", icon=":material/edit_note:", width="content"):
            key = f"{_FREE} {at} {steps} {text_hash(edited.text)}"
            st.text_area("The edited text", edited.text, key=key, height=200, max_chars=limits.most_characters())
            st.button("Apply", on_click=_take, args=(run, edited, key), disabled=full, key="edit_take")


def _near(run: Run, epoch: int, edited: EditedText, place: int, *, full: bool) -> None:
    """Offer the words near the chosen one, each a click away."""
    words = cache.near(run, epoch, run.vocabulary.tokens(edited.text)[place].word)
    if not words:
        return
    key = f"edit_near {edited.at} {place}"
    st.pills(
        "Nearest words in the network’s own vectors (click to swap)", words, key=key, disabled=full,
        on_change=_swap_near, args=(key, edited, place), format_func=escape_markdown,
    )  # fmt: skip


def _do(edited: EditedText, *done: WordEdit) -> None:
    trail.do(edited.walked.trail, edited.at, done)


def _with_words(act: Callable[[str], None]) -> None:
    words = " ".join(blanked(str(st.session_state.get(_WORDS) or ""))[0].split())
    if not words:
        st.session_state[_NOTE] = "Type a replacement."
        return
    act(words)
    st.session_state[_WORDS] = ""


def _swap(run: Run, edited: EditedText, place: int) -> None:  # noqa: ARG001 - all that edit are called alike
    _with_words(lambda words: _do(edited, WordEdit(place, 1, words)))


def _insert(run: Run, edited: EditedText, place: int) -> None:  # noqa: ARG001
    _with_words(lambda words: _do(edited, WordEdit(place, 0, words)))


def _delete(run: Run, edited: EditedText, place: int) -> None:  # noqa: ARG001
    _do(edited, WordEdit(place, 1))


def _negate(run: Run, edited: EditedText, place: int) -> None:
    _do(edited, negate(edited.text, place, run.vocabulary.tokens))


def _swap_near(key: str, edited: EditedText, place: int) -> None:
    chosen = st.session_state.get(key)
    if isinstance(chosen, str):
        _do(edited, WordEdit(place, 1, chosen))


def _take(run: Run, edited: EditedText, key: str) -> None:
    typed, _ = blanked(str(st.session_state.get(key) or ""))
    made = change(edited.text, typed, run.vocabulary.tokens)
    if made:
        _do(edited, *made)
    else:
        st.session_state[_NOTE] = "The text was not changed."
