"""Which single edits of a text are worth reading: allowed, likely in their place, then by the first-order estimate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import regex
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.analysis.attribution.first_order import MarginEstimate, word_table
from nlpviz.results.edits import ANY, DELETE, NEAR
from nlpviz.runs import TrainedModel
from nlpviz.text.vocabulary import SPECIALS, Vocabulary

NEIGHBOURS = 15
"""Words near a word, by the cosine of the network's own word vectors."""
EACH = 8
"""Candidates of one place at most, so that one word does not take all."""
_WORD = regex.compile(r"\p{L}[\p{L}'’]*")


class EditCandidate(NamedTuple):
    """One edit of a text.

    Attributes:
        place: of the token in the text as it is.
        id: of the word that would come there; -1 deletes it.
        gain: of the margin, by the first-order estimate.
    """

    place: int
    id: int
    gain: float


class Allowed(NamedTuple):
    """The edits of one text that may be tried.

    Attributes:
        columns: ids of the words that may come, (N,).
        near: which of them are near each token, (T, N); None where any may come.
        likely: which of them a language model finds likely enough after what comes before, (T, N); None where none is
            asked.
        delete: whether a word may go.
    """

    columns: NDArray[np.int64]
    near: NDArray[np.bool_] | None
    likely: NDArray[np.bool_] | None
    delete: bool


def is_word(word: str) -> bool:
    """Return whether a token is a word, not a mark or a number."""
    return _WORD.fullmatch(word) is not None


def columns_of(vocabulary: Vocabulary, ways: Collection[str], known: Collection[str] | None) -> NDArray[np.int64]:
    """Return the ids of the words that may enter a text, (N,): if there is a language model, only its words."""
    if not {ANY, NEAR} & set(ways):
        return np.empty(0, dtype=np.int64)
    words = enumerate(vocabulary.words[len(SPECIALS) :], start=len(SPECIALS))
    return np.array([at for at, word in words if is_word(word) and (known is None or word in known)], dtype=np.int64)


def near_words(table: Tensor, ids: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of the words ``columns`` (N,) are among the nearest of each token of ``ids`` (T,), (T, N)."""
    directions = table / table.norm(dim=1, keepdim=True).clamp_min(1e-12)
    unique, back = np.unique(ids, return_inverse=True)
    cosines = (directions[unique] @ directions[columns].T).numpy()
    cosines[unique[:, None] == columns] = -np.inf
    kept = min(NEIGHBOURS, len(columns))
    best = np.argpartition(-cosines, kept - 1, axis=1)[:, :kept]
    result = np.zeros(cosines.shape, dtype=bool)
    np.put_along_axis(result, best, True, axis=1)
    result[unique < len(SPECIALS)] = False  # an unknown word has the vector of all unknown words
    return result[back]


def allowed(ways: Sequence[str], columns: NDArray[np.int64], near: NDArray[np.bool_] | None) -> Allowed:
    """Return the edits that may be tried, before a language model scores them."""
    return Allowed(columns, None if ANY in ways else near, None, DELETE in ways)


def best(
    estimate: MarginEstimate,
    may: Allowed,
    ids: NDArray[np.int64],
    origin: NDArray[np.int64],
    open_places: NDArray[np.bool_],
    count: int,
) -> list[EditCandidate]:
    """Return the candidates with the largest gains.

    Args:
        estimate: of the text as it is.
        may: what may be tried of the original text.
        ids: of the text as it is, (T',).
        origin: where each of its tokens is in the original, (T',).
        open_places: which of the original's tokens may be edited, (T,).
        count: of candidates at most.
    """
    free = open_places[origin]
    gains = estimate.swapped[:, may.columns]  # a copy
    gains[~free] = -np.inf
    gains[ids[:, None] == may.columns] = -np.inf
    if may.near is not None:
        gains[~may.near[origin]] = -np.inf
    if may.likely is not None:
        gains[~may.likely[origin]] = -np.inf
    found = _swaps(gains, may.columns)
    if may.delete:
        found += [EditCandidate(at, -1, float(estimate.deleted[at])) for at in np.flatnonzero(free).tolist()]
    return sorted((one for one in found if one.gain > 0), key=lambda one: -one.gain)[:count]


def _swaps(gains: NDArray[np.float32], columns: NDArray[np.int64]) -> list[EditCandidate]:
    """Return the best few of each place."""
    kept = min(EACH, gains.shape[1])
    if not kept:
        return []
    top = np.argpartition(-gains, kept - 1, axis=1)[:, :kept]
    return [
        EditCandidate(place, int(columns[column]), float(gains[place, column]))
        for place, row in enumerate(top.tolist())
        for column in row
        if np.isfinite(gains[place, column])
    ]


def nearest_words(trained: TrainedModel, word: str, count: int = 8) -> tuple[str, ...]:
    """Return a word's nearest neighbours in the network's own vectors; none for an unknown word."""
    vocabulary = trained.vocabulary
    if word not in vocabulary:
        return ()
    columns = columns_of(vocabulary, (NEAR,), None)
    table = word_table(trained)
    own = table[vocabulary.id(word)]
    cosines = torch.cosine_similarity(table[columns], own.unsqueeze(0)).numpy()
    order = [int(columns[at]) for at in np.argsort(-cosines)[: count + 1]]
    return tuple(vocabulary.words[at] for at in order if at != vocabulary.id(word))[:count]
