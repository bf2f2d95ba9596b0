"""Minimal pairs that a visitor kept, in their session: listed, downloaded as a file, asked of networks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import cast

import streamlit as st

from nlpviz.data.own_texts.minimal_pairs import MOST_PAIRS, unusable, written
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.ui import address, widgets
from nlpviz.ui.assessment.choice import BATTERY, AskedPairs

KEPT = "kept"
PROBLEM = "why a pair was not kept"  # in the session
_PAIRS, _ASKED = "kept minimal pairs", "asked_pairs"  # in the session
_TITLES = {BATTERY: "Built-in pairs", KEPT: "Your saved pairs"}


def pairs() -> tuple[MinimalPair, ...]:
    """Return the pairs of this session."""
    return cast("tuple[MinimalPair, ...]", st.session_state.get(_PAIRS, ()))


def add(pair: MinimalPair) -> None:
    """Keep a pair, once; of one that cannot be asked, say why in the session's :data:`PROBLEM`."""
    there = pairs()
    why = unusable(pair.first, pair.second, pair.expected)
    if why:
        st.session_state[PROBLEM] = f"This pair cannot be saved: it {why}."
    elif pair not in there and len(there) < MOST_PAIRS:
        st.session_state[_PAIRS] = (*there, pair)


def forget() -> None:
    """Keep no pair any longer; a callback."""
    st.session_state.pop(_PAIRS, None)


def show(there: Sequence[MinimalPair]) -> None:
    """Show the pairs that were kept, to be downloaded in the form in which they are read."""
    st.dataframe(
        {
            "first": [one.first for one in there],
            "second": [one.second for one in there],
            "expected": [one.expected for one in there],
        },
        hide_index=True,
    )
    with st.container(horizontal=True, key="nlpviz_kept_pairs"):
        st.download_button(
            "Download as CSV", written(there), "minimal-pairs.csv", "text/csv", icon=":material/download:",
            on_click="ignore", width="content",
        )  # fmt: skip
        st.button("Remove all", on_click=forget, width="content", key="forget_kept_pairs")
    st.caption(
        "Your pairs stay in this browser tab. On *Inside the model: behaviours*, you can test models on these pairs "
        "or on the downloaded file."
    )


def pick() -> AskedPairs | None:
    """Return the pairs that were kept, where the visitor asks for them; None for the battery."""
    there = pairs()
    if not there:
        address.leave_out(_ASKED, options=[BATTERY])
        return None
    if widgets.pick(_ASKED, "Pairs", [BATTERY, KEPT], _TITLES.__getitem__) == BATTERY:
        return None
    token = hashlib.sha256(written(there).encode()).hexdigest()
    return AskedPairs(there, "your saved pairs", f"kept {token}", is_own=True)
