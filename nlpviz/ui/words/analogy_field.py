"""The fields for an analogy: the expression, the word that is expected, examples, the method, the switch."""

from __future__ import annotations

import re
from typing import NamedTuple

import streamlit as st

from nlpviz.ui import widgets
from nlpviz.ui.frame import escape_markdown, more
from nlpviz.ui.words.analogy_examples import EXAMPLES, AnalogyExample
from nlpviz.ui.words.lists import LONGEST_EXPRESSION
from nlpviz.word_vectors.analogies import METHODS
from nlpviz.word_vectors.expressions import expected as named_answer
from nlpviz.word_vectors.lookup import UnknownWord

_IN_THE_ADDRESS = 200  # characters
_SWITCH = {"out": "Exclude", "in": "Include"}


class AnalogyQuery(NamedTuple):
    """What is asked of every source.

    Attributes:
        typed: the expression.
        expected: the word that is hoped for; empty for none.
        method: one of :data:`nlpviz.word_vectors.analogies.METHODS`.
        excludes: whether the typed words are left out of the answers.
    """

    typed: str
    expected: str
    method: str
    excludes: bool


def pick_typed() -> tuple[str, str]:
    """Return the expression and the expected word that the visitor typed, or those of an example."""
    first = EXAMPLES[0]
    typed = widgets.text(
        "analogy", "Analogy", first.expression, _IN_THE_ADDRESS, max_chars=LONGEST_EXPRESSION,
        on_change=_forget_expected, placeholder="paris : france :: tokyo",
        help="a : b :: c, or words with + and −: king − man + woman.",
    )  # fmt: skip
    expected = widgets.text(
        "expected", "Expected", first.expected if typed == first.expression else "", _IN_THE_ADDRESS,
        max_chars=LONGEST_EXPRESSION, placeholder="any word",
        help="Optional: the expected answer, whose rank is shown.",
    )  # fmt: skip
    return typed, expected.strip() or named_answer(typed)


def _forget_expected() -> None:
    """What was expected of the last expression says nothing of this one."""
    st.session_state["expected"] = ""


def pick_question(typed: str, expected: str) -> AnalogyQuery:
    """Return what is asked, by the method and with the switch that the visitor chose."""
    with more():
        return _pick_method(typed, expected)


def _pick_method(typed: str, expected: str) -> AnalogyQuery:
    method = widgets.pick("method", "Method", METHODS)
    switch = widgets.pick(
        "typed_words", "Input words", _SWITCH, parameter="typed", draw=st.segmented_control, required=True,
        help="The word nearest to the result is usually an input word, so these are excluded by default.",
    )  # fmt: skip
    return AnalogyQuery(typed, expected, method, switch == next(iter(_SWITCH)))


def pick_example() -> None:
    """Show a field that puts an example of one of the 14 sections into the expression."""
    st.selectbox(
        "Example", EXAMPLES, index=None, format_func=_named, key="analogy_example", on_change=_take_example,
        placeholder="14 relations",
    )  # fmt: skip


def _named(example: AnalogyExample) -> str:
    return f"{example.section}: {example.expression}"


def _take_example() -> None:
    example = st.session_state["analogy_example"]
    if example is not None:
        st.session_state["analogy"], st.session_state["expected"] = example.expression, example.expected
        st.session_state["analogy_example"] = None


def offer(typed: str, unknown: UnknownWord, position: int) -> None:
    """Show the spellings of an unknown word of the expression as buttons that put them in its place.

    Args:
        typed: the expression.
        unknown: the word.
        position: of the source on the page.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("Did you mean", width="content")
        for number, word in enumerate(unknown.spellings):
            mended = re.sub(rf"(?<!\w){re.escape(unknown.typed)}(?!\w)", word.replace("\\", r"\\"), typed)
            st.button(
                escape_markdown(word),
                key=f"spelling_{position}_{number}",
                type="tertiary",
                on_click=widgets.set_to("analogy"),
                args=(mended,),
            )
