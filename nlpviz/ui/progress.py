"""What takes seconds: computed at once under a bar that says how far that is, then kept for all visitors, bounded.

What a function cached by Streamlit draws, it draws again from then on: a bar that moves cannot be in one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import streamlit as st
from lru import LRU

from nlpviz.ui import limits

Result = TypeVar("Result")
Report = Callable[[float], object]
"""Progress callback, called with the completed fraction."""


def computed(key: Hashable, doing: str, compute: Callable[[Report], Result]) -> Result:
    """Return the result of ``compute``, or what it was for the same ``key``.

    Args:
        key: what is computed, and of what: names, a run's fingerprint and numbers.
        doing: what the page says meanwhile.
        compute: takes what it tells which share is done, 0 to 1.
    """
    if (known := _kept().get(key)) is not None:
        return cast("Result", known)
    bar = st.progress(0.0, text=doing)
    result = compute(lambda share: bar.progress(min(share, 1.0), text=doing))
    bar.empty()
    _kept()[key] = result
    return result


def known(key: Hashable) -> bool:
    """Return whether :func:`computed` has the result for ``key``, so that it answers at once."""
    return key in _kept()


@st.cache_resource(show_spinner=False)
def _kept() -> LRU[Hashable, object]:
    return LRU(limits.entries(64))  # what a network remembers of 400 words takes 1.3 MB
