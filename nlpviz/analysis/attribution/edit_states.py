"""A text after some edits, as a network reads it: a swapped word is another id, a deleted one is gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution.edit_candidates import EditCandidate


class State(NamedTuple):
    """A text after some edits.

    Attributes:
        row: what the network reads, (T',).
        ids: the same without the numbers of sentences.
        words: of its tokens.
        origin: where each of them is in the original.
        done: the edits, in order: a place of the original and the word that came there, ``""`` for none.
        left: the probability of the class whose prediction is to turn.
    """

    row: NDArray[np.int64]
    ids: NDArray[np.int64]
    words: tuple[str, ...]
    origin: NDArray[np.int64]
    done: tuple[tuple[int, str], ...]
    left: float


def after(state: State, one: EditCandidate, vocabulary: Sequence[str]) -> State:
    """Return a text after one more edit."""
    place, word = one.place, "" if one.id < 0 else vocabulary[one.id]
    done = tuple(sorted((*state.done, (int(state.origin[place]), word))))
    if not word:
        arrays = [np.delete(values, place) for values in (state.row, state.ids, state.origin)]
        words = state.words[:place] + state.words[place + 1 :]
        return State(arrays[0], arrays[1], words, arrays[2], done, state.left)
    row, ids = state.row.copy(), state.ids.copy()
    row[place] += one.id - ids[place]  # the number of the sentence stays
    ids[place] = one.id
    words = (*state.words[:place], word, *state.words[place + 1 :])
    return State(row, ids, words, state.origin, done, state.left)
