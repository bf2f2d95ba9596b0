"""What a visitor typed: the last texts of each purpose, so that a sentence to translate overwrites no review.

They stay in the session and in the browser's tab (``sessionStorage``), from which they come back when it is reloaded.
"""

from __future__ import annotations

import json

import streamlit as st

from nlpviz.ui import limits

MOST = 5
"""Texts of a purpose that are kept."""
OLDER = "own "
"""A control's option for a text that was typed before begins so; its place follows: ``"own 1"``."""
REVIEW, BEGINNING, TREE = "review", "beginning", "tree sentence"
_TEXTS = "typed texts"  # in the session: by purpose, the latest first
_PURPOSES = 32
_LONGEST_PURPOSE = 80


def latest(purpose: str) -> str | None:
    """Return the text that was typed or chosen last; None where nobody typed any."""
    texts = _texts().get(purpose)
    return texts[0] if texts else None


def kept(purpose: str) -> tuple[str, ...]:
    """Return the texts of a purpose, the latest first."""
    return tuple(_texts().get(purpose, ()))


def note(purpose: str, text: str) -> None:
    """Keep a text as the latest of its purpose; what is longer than the server reads is cut."""
    text = text[: limits.most_characters()]
    before = [one for one in kept(purpose) if one != text and one.strip()]
    _texts()[purpose] = [text, *before][:MOST]


def begin(purpose: str) -> None:
    """Let there be a text, empty where nobody typed any."""
    if latest(purpose) is None:
        note(purpose, "")


def older(purpose: str) -> dict[str, str]:
    """Return the texts that were typed before the latest, by a control's option for each."""
    return {f"{OLDER}{place}": text for place, text in enumerate(kept(purpose)) if place}


def taken(purpose: str, option: object) -> bool:
    """Return whether an option of a control was such a text, which is the latest from now on."""
    text = older(purpose).get(option) if isinstance(option, str) else None
    if text is not None:
        note(purpose, text)
    return text is not None


def stored() -> str:
    """Return all that the tab is to keep, as JSON; empty where nothing was typed."""
    texts = {purpose: texts for purpose, texts in _texts().items() if any(one.strip() for one in texts)}
    return json.dumps(texts) if texts else ""


def restore(packed: str) -> bool:
    """Take what a reloaded tab has kept, unless something was typed since; return whether there was any text."""
    try:
        every = json.loads(packed)
    except (ValueError, RecursionError):
        return False
    if stored() or not isinstance(every, dict):
        return False
    for purpose, texts in list(every.items())[:_PURPOSES]:
        if isinstance(texts, list) and len(purpose) <= _LONGEST_PURPOSE:
            for text in reversed(texts[:MOST]):
                if isinstance(text, str):
                    note(purpose, text)
    return bool(stored())


def privacy() -> str:
    """Return what becomes of what a visitor types on this server."""
    if limits.alone():
        return "What you type stays on this computer and is not part of the address."
    return "What you type is sent only to this nlpviz server and is not part of the address."


def _texts() -> dict[str, list[str]]:
    texts: dict[str, list[str]] = st.session_state.setdefault(_TEXTS, {})
    return texts
