"""Controls and the page's address: a link reproduces what is on screen, and says it by name, ``?run=imdb-cnn&epoch=3``.

Streamlit's own binding writes what people read of an option into the address, drops a wrong value in silence, and
forgets it on the next page. Here the address holds the option itself, a wrong one is named in a sentence, and a choice
stays with the visitor from page to page. When both speak, the address wins where it has changed since it was written.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.ui.frame import escape_markdown

_SHOWN = 20
_OF_TEXT = "controls that name a position in the text"  # in the session


def read(key: str, parameter: str, options: Sequence[str], default: Sequence[str], *, many: bool = False) -> None:
    """Give the control ``key`` its value before it is drawn: from the address, from before, or the default.

    Args:
        key: of the control, which must have ``persist_state="session"``.
        parameter: its name in the address.
        options: what may stand there.
        default: the value where nobody said anything; empty for none.
        many: whether the control holds a list.
    """
    requested = st.query_params.get_all(parameter)
    known = [value for value in requested if value in options]
    if requested and requested != st.session_state.get(_written(key)):
        if len(known) < len(requested):
            _refuse(parameter, [value for value in requested if value not in options], options)
        if known:
            st.session_state[key] = known if many else known[0]
    held = st.session_state.get(key)
    values = held if many else [held]
    if key not in st.session_state or any(value not in options for value in values or () if value is not None):
        st.session_state[key] = list(default) if many else next(iter(default), None)


def leave_out(key: str, parameter: str, options: Sequence[str]) -> None:
    """Take a parameter out of the address where there is nothing to choose, and name what it asks for in vain.

    What the control ``key`` held stays for when it is there again.

    Args:
        key: of the control that is not drawn.
        parameter: its name in the address.
        options: the only value, which a link may name; none where nothing of the kind is there.
    """
    requested = st.query_params.get_all(parameter)
    unknown = [value for value in requested if value not in options]
    if unknown and requested != st.session_state.get(_written(key)):
        _refuse(parameter, unknown, options)
    write(key, parameter, [], [])


def read_text(key: str, parameter: str, default: str, most: int) -> None:
    """Give the text field ``key`` its value before it is drawn; for a few words, never for a review.

    Args:
        key: of the field, which must have ``persist_state="session"``.
        parameter: its name in the address.
        default: the text where nobody said anything.
        most: characters that an address may hand over.
    """
    requested = st.query_params.get_all(parameter)[:1]
    if requested and requested != st.session_state.get(_written(key)):
        st.session_state[key] = requested[0][:most]
    if not isinstance(st.session_state.get(key), str):
        st.session_state[key] = default


def write_text(key: str, parameter: str, text: str, default: str, most: int) -> None:
    """Let the address say what stands in the text field ``key``, unless that is the default or too long."""
    write(key, parameter, [text] if len(text) <= most else [], [default])


def write(key: str, parameter: str, values: Sequence[str], default: Sequence[str]) -> None:
    """Let the address say what the control ``key`` shows, and nothing where that is the default."""
    wanted = [] if list(values) == list(default) else list(values)
    if st.query_params.get_all(parameter) != wanted:
        if wanted:
            st.query_params[parameter] = wanted
        else:
            st.query_params.pop(parameter, None)
    st.session_state[_written(key)] = wanted


def forget_with_text(key: str) -> None:
    """Let the control ``key`` be forgotten when another text is shown: it names a position in the text."""
    st.session_state.setdefault(_OF_TEXT, set()).add(key)


def text_changed() -> None:
    """Forget what was named by its position in a text: it means nothing in another one."""
    for key in st.session_state.get(_OF_TEXT, ()):
        st.session_state.pop(key, None)


def _refuse(parameter: str, unknown: Sequence[str], options: Sequence[str]) -> None:
    """Say what the address asks for in vain, and what there is."""
    requested = escape_markdown(", ".join(unknown)[:80])
    there = (escape_markdown(", ".join(options[:_SHOWN])) or "none") + (", …" if len(options) > _SHOWN else "")
    st.warning(f"The address asks for the {parameter} {requested}, which is not there. There is: {there}.")


def _written(key: str) -> str:
    return f"{key} in the address"
