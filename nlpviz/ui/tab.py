"""What a tab of the browser keeps when it is reloaded, in the server's memory: the visitor's word vectors.

A reload begins a new session. The tab then shows the number that an earlier session gave it, drawn at random and kept
by the browser for this tab alone (``sessionStorage``); whoever does not know it gets nothing.
"""

from __future__ import annotations

import secrets

import streamlit as st
from lru import LRU

_THINGS, _NUMBER = "tab contents", "tab number"  # in the session
_TABS = 4  # whose things outlive a session; the one that was drawn longest ago gives way
_BYTES, _LONGEST = 24, 64


def kept(name: str) -> dict[str, object]:
    """Return what this tab keeps under ``name``: whatever is put into it outlives a reload."""
    things: dict[str, dict[str, object]] = st.session_state.setdefault(_THINGS, {})
    return things.setdefault(name, {})


def number() -> str:
    """Return the number that the browser is to keep."""
    held = str(st.session_state.setdefault(_NUMBER, secrets.token_urlsafe(_BYTES)))
    if any(st.session_state.get(_THINGS, {}).values()):
        hold()
    return held


def hold() -> None:
    """Let what this tab keeps outlive a reload from now on."""
    _kept()[str(st.session_state.setdefault(_NUMBER, secrets.token_urlsafe(_BYTES)))] = st.session_state[_THINGS]


def restore(shown: str) -> None:
    """Let this session keep what an earlier one did that gave the tab this number; an unknown number gives nothing."""
    things = _kept().get(shown) if len(shown) <= _LONGEST else None
    if things and not any(st.session_state.get(_THINGS, {}).values()):
        st.session_state[_NUMBER], st.session_state[_THINGS] = shown, things


@st.cache_resource(show_spinner=False)
def _kept() -> LRU[str, dict[str, dict[str, object]]]:
    return LRU(_TABS)
