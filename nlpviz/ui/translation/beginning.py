"""The words with which a translation is to begin: typed, or clicked in a figure.

What a person typed never gets into an address. Words that were clicked do where the sentence is a ready example, as the
numbers that they have in the network's vocabulary: ``?begin=17-203``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.analysis.inspection.translation import LONGEST_PREFIX, prefix_ids
from nlpviz.results.alignment import TranslationError
from nlpviz.runs import Run
from nlpviz.text.languages import title
from nlpviz.ui import address
from nlpviz.ui.frame import explain_error
from nlpviz.ui.translation import cache

_LONGEST = 20 * LONGEST_PREFIX  # characters
_PARAMETER = "begin"
_NUMBERS = re.compile(r"[0-9]{1,9}(-[0-9]{1,9})*")
_FIELD, _CLICKED, _LINKED = "translation_begin", "translation_forced", "translation_linked"  # in the session


class Clicked(NamedTuple):
    """Words that were clicked.

    Attributes:
        run: the network whose words they are.
        ids: in its target vocabulary.
        typed: whether the first of them were typed by a person.
    """

    run: str
    ids: tuple[int, ...]
    typed: bool = False


def ask(run: Run, *, ready: bool) -> str | tuple[int, ...]:
    """Return the words with which the translation is to begin: as typed, or the ids of those that were clicked.

    The field in which they are typed is :func:`draw`'s, below the figure.

    Args:
        run: whose network translates.
        ready: whether the sentence is a ready example, so that a link can hold the words.
    """
    if ready:
        if address.withdrawn(_LINKED, _PARAMETER):
            free()
        _follow_link(run)
    clicked = _clicked()
    own = clicked if clicked is not None and clicked.run == run.name else None
    prefix = own.ids if own is not None else str(st.session_state.get(_FIELD) or "")
    if prefix:
        st.button("Remove the prefix", key="translate_freely", on_click=free, type="tertiary", icon=":material/undo:")
    if ready:
        linked = "-".join(map(str, own.ids)) if own is not None and not own.typed else ""
        address.write(_LINKED, _PARAMETER, [linked], [""])
    else:
        address.leave_out(_LINKED, parameter=_PARAMETER)
    return prefix


def draw(run: Run) -> None:
    """Draw the field for these words; :func:`ask` reads it as it was left."""
    st.text_input(
        f"Forced prefix ({title(run.recipe['target'])})", key=_FIELD, persist_state="session",
        on_change=_typed, max_chars=_LONGEST, placeholder="The translation must begin with these words", width=480,
    )  # fmt: skip


def _follow_link(run: Run) -> None:
    """Let the translation begin with the words that a link names, or say why it cannot."""
    st.session_state[_LINKED] = ""  # what it is afterwards comes from a new address
    address.read_text(_LINKED, _PARAMETER, "", _LONGEST)
    linked = st.session_state[_LINKED]
    if not linked:
        return
    if not _NUMBERS.fullmatch(linked):
        explain_error(
            f"The link sets {_PARAMETER} to {linked[:80]}, which is not a list of word numbers such as 17-203."
        )
        return
    try:
        force(run, prefix_ids(cache.languages(run), [int(number) for number in linked.split("-")]))
    except TranslationError as error:
        explain_error(str(error))


def force(run: Run, ids: Sequence[int]) -> None:
    """Let the translation begin with these words of the run's target language, and the field say so: for a click.

    Nothing can follow the end of a sentence: where one is among the words, all stays as it is.
    """
    languages, before = cache.languages(run), _clicked()
    if languages.eos in ids:
        return
    typed = before.typed if before is not None else bool(st.session_state.get(_FIELD))
    st.session_state[_CLICKED] = Clicked(run.name, tuple(ids), typed)
    st.session_state[_FIELD] = languages.written(languages.target.words[token_id] for token_id in ids)


def free() -> None:
    """Let the translation begin as the network likes."""
    st.session_state[_CLICKED] = None
    st.session_state[_FIELD] = ""


def _clicked() -> Clicked | None:
    held = st.session_state.get(_CLICKED)
    return None if held is None else Clicked(*held)


def _typed() -> None:
    """Other words were typed: those that were clicked give way."""
    st.session_state[_CLICKED] = None
