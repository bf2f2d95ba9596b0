"""What a visitor does to a text, step by step, with branches; the address has it: ``?edits=swap-6-good.delete-3&at=1``.

An address says places and the words that come there, nothing else of the text.
"""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from nlpviz.runs import Run
from nlpviz.text import edit_trail
from nlpviz.text.edit_trail import Trail, Walked
from nlpviz.text.edits import WordEdit
from nlpviz.ui import address, limits, texts, widgets
from nlpviz.ui.frame import escape_markdown, messages

TRAIL, AT, WORD = "edit_trail", "at", "edit_word"  # in the session
_LONGEST = 4_000
"""Characters of a trail in an address."""


class EditedText(NamedTuple):
    """A text and what a visitor made of it.

    Attributes:
        walked: the trail, with the text at each step.
        at: the step that is shown.
    """

    walked: Walked
    at: int

    @property
    def original(self) -> str:
        """The text without edits."""
        return self.walked.texts[0]

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self.walked.texts[self.at]


def ask(run: Run, text: str) -> EditedText:
    """Return the text as the visitor has made it, and let the address say so; say what of an address cannot be done."""
    for key in (TRAIL, AT):
        address.forget_with_text(key)
    address.read_text(TRAIL, "edits", "", limits.most_characters())
    written = str(st.session_state[TRAIL] or "")
    if written and texts.stands_in():
        return _waiting(text, written)
    trail, unread = edit_trail.read(written)
    if unread:
        messages().warning(
            f"The edit {escape_markdown(unread[:60])} in this link is invalid. This edit and all later edits were "
            f"ignored."
        )
    walked = edit_trail.walk(text, trail, run.vocabulary.tokens)
    if walked.problem:
        messages().warning(f"{escape_markdown(walked.problem)} This edit and all later edits were ignored.")
    kept = edit_trail.write(walked.trail)
    st.session_state[TRAIL] = kept
    address.write_text(TRAIL, "edits", kept, "", _LONGEST)
    if len(kept) > _LONGEST:
        messages().info("These edits are too long for a link, so they stay in this tab.")
    steps = [str(step) for step in reversed(range(len(walked.texts)))]
    at = int(widgets.pick(AT, "Step", steps, lambda step: _named(walked, int(step))))
    return EditedText(walked, at)


def _waiting(text: str, written: str) -> EditedText:
    """Return the text that stands in as it is; the edits wait in the address until their own text is there."""
    messages().info("This link’s edits belong to a text that is not available here, so they were not applied.")
    step = st.query_params.get("at")
    if step is not None:
        st.session_state[AT] = step  # heard again when the text is there
    address.write_text(TRAIL, "edits", written, "", _LONGEST)
    address.write(AT, "at", [] if step is None else [step], [])
    return EditedText(Walked((), (text,), (), ""), 0)


def _named(walked: Walked, step: int) -> str:
    return f"{step} · {walked.said[step - 1]}" if step else "0 · the original"


def do(trail: Trail, at: int, done: tuple[WordEdit, ...]) -> None:
    """Take one more step from step ``at``; a callback."""
    new, step = edit_trail.do(trail, at, done)
    st.session_state[TRAIL], st.session_state[AT] = edit_trail.write(new), str(step)
    chosen = st.session_state.get(WORD)
    if done and isinstance(chosen, str):  # the word that came is the one that is chosen
        st.session_state[WORD] = str(done[-1].place)


def go_to(step: int) -> None:
    """Show another step; a callback."""
    st.session_state[AT] = str(step)


def forget() -> None:
    """Begin anew, with no step; a callback."""
    for key in (TRAIL, AT, WORD):
        st.session_state.pop(key, None)
    st.session_state[TRAIL], st.session_state[AT] = "", "0"
