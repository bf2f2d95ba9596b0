"""How fluent an edited text is: the surprisal that a language model adds to it.

Candidates are judged twice. What comes before a place says how surprising each word would be there, for all words at
once; then the few that are left are read in a window round the place, which also holds what comes after.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from nlpviz.language.surprisal import Asked, surprisal
from nlpviz.results.edits import BitsRead, added_bits
from nlpviz.text.vocabulary import UNKNOWN

AROUND = 12
"""Words before and after an edit that its window holds."""
_AT_ONCE = 64
_NATS = log(2)  # a bit


def read(asked: Asked, text: str) -> BitsRead:
    """Return a text as a language model read it; a token without a probability adds no bits."""
    nats = surprisal(asked, text).nats
    return BitsRead(len(nats), float(np.nansum(nats)) / _NATS)


def added(asked: Asked, before: str, after: str) -> float:
    """Return the bits that ``after`` has beyond as many words at the mean of ``before``."""
    return added_bits(read(asked, before), read(asked, after))


def expected(asked: Asked, words: Sequence[str], candidates: Sequence[str]) -> NDArray[np.float32]:
    """Return by how many bits each of the candidates would surprise more than the word that is there, (T, N).

    Only what comes before each of the T words counts. A candidate that the language model does not know is infinitely
    surprising.
    """
    ids, columns = asked.vocabulary.ids(words), asked.vocabulary.ids(candidates)
    result = np.empty((len(ids), len(columns)), dtype=np.float32)
    state = asked.model.begin()
    for start in range(0, len(ids), _AT_ONCE):
        piece = ids[start : start + _AT_ONCE]
        logs = asked.model.distributions(state, piece)[:-1]
        own = logs[np.arange(len(piece)), piece]
        result[start : start + len(piece)] = (own[:, None] - logs[:, columns]) / _NATS
        state = asked.model.after(state, piece)
    result[:, columns == UNKNOWN] = np.inf
    return result


def in_windows(
    asked: Asked, words: Sequence[str], candidates: Sequence[tuple[int, str]], mean: float
) -> NDArray[np.float64]:
    """Return the bits that each candidate adds as a window round it shows, (N,).

    Args:
        asked: the language model.
        words: the text.
        candidates: places of the text, and the word that would come there; ``""`` for none.
        mean: bits a word of the whole text: what a word that goes saves.
    """
    ids = asked.vocabulary.ids(words)
    spans = {place: (max(place - AROUND, 0), place + 1 + AROUND) for place, _ in candidates}
    own = _bits(asked, [ids[start:stop] for start, stop in spans.values()])
    before = dict(zip(spans, own, strict=True))
    edited = []
    for place, word in candidates:
        start, stop = spans[place]
        middle = asked.vocabulary.ids([word] if word else [])
        edited.append(np.concatenate([ids[start:place], middle, ids[place + 1 : stop]]))
    after = _bits(asked, edited)
    saved = [before[place] - (0.0 if word else mean) for place, word in candidates]
    return after - np.array(saved, dtype=np.float64)


def _bits(asked: Asked, windows: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Return the bits of each window, (N,); those of one length are read together."""
    result = np.zeros(len(windows))
    lengths = np.array([len(window) for window in windows])
    for length in set(lengths.tolist()) - {0}:
        some = np.flatnonzero(lengths == length)
        for start in range(0, len(some), _AT_ONCE):
            batch = some[start : start + _AT_ONCE]
            logs = asked.model.texts(np.stack([windows[at] for at in batch])).astype(np.float64)
            result[batch] = -np.where(np.isfinite(logs), logs, 0).sum(axis=1) / _NATS
    return result
