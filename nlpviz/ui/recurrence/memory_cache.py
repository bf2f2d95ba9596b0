"""The pages' only way to a network's memory: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeVar

import streamlit as st
from lru import LRU

from nlpviz.results.clipping import Descent, LossSurface
from nlpviz.results.memory import TextMemory
from nlpviz.results.replaced_words import ReplacedWords
from nlpviz.runs import Run
from nlpviz.ui import cache

if TYPE_CHECKING:
    from nlpviz.runs import TrainedModel

Result = TypeVar("Result", TextMemory, ReplacedWords)


def memory(run: Run, epoch: int, text: str) -> TextMemory:
    """Return what the network of one epoch still depends on after each word of ``text``, computed at once."""
    from nlpviz.reading.memory import read_memory

    return _computed(run, epoch, text, "Going back through the text", read_memory)


def replaced(run: Run, epoch: int, text: str) -> ReplacedWords:
    """Return how its score moves when each word of ``text`` is replaced, computed at once."""
    from nlpviz.reading.replaced import replace_words

    def read(trained: TrainedModel, text: str, report: Callable[[float], object]) -> ReplacedWords:
        return replace_words(trained, text, report=report)

    return _computed(run, epoch, text, "Replacing every word", read)


def _computed(
    run: Run, epoch: int, text: str, doing: str, read: Callable[[TrainedModel, str, Callable[[float], object]], Result]
) -> Result:
    """Return what ``read`` finds; meanwhile the page says how far that is."""
    key = (doing, run.name, run.fingerprint, epoch, text)
    known: object = _kept().get(key)
    if known is not None:
        return known  # type: ignore[return-value]
    bar = st.progress(0.0, text=doing)
    result = read(cache.model(run, epoch), text, lambda share: bar.progress(min(share, 1.0), text=doing))
    bar.empty()
    _kept()[key] = result
    return result


@st.cache_resource(show_spinner=False)
def _kept() -> LRU[Hashable, object]:
    # What a cached function draws, it draws again: a bar that moves cannot be in one. Of 400 words: 1.3 MB each.
    return LRU(48)


@st.cache_resource(max_entries=1, show_spinner=False)
def surface() -> LossSurface:
    """Return the loss surface with a wall."""
    from nlpviz.reading.clipping import loss_surface

    return loss_surface()


@st.cache_resource(max_entries=64, show_spinner=False)
def descent(start: tuple[float, float], rate: float, threshold: float | None) -> Descent:
    """Return where gradient descent leads on it."""
    from nlpviz.reading.clipping import descend

    return descend(start, rate, threshold)
