"""One text read many times, each time without some of its words: what begins alike is read once.

A recurrent network that reads in one direction has the same state after the same words, whatever comes next. So every
few steps the texts that began alike are put together, and only different beginnings are read on. Of the texts without
one word each, half of all steps remain; of those without each set of G neighbouring groups, about 2/G. What the words'
vectors are multiplied by is computed once for all texts.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.networks.cells import RecurrentCell

COVERED, END = -1, -2
"""In place of a word: a zero vector, and nothing after the last word."""
STEPS, ROWS = 16, 128
"""Steps after which texts are compared, and texts that are read at once: what they need stays in the cache."""


def document_vectors(cell: RecurrentCell, words: Tensor, places: NDArray[np.int64], reading: str) -> Tensor:
    """Return the document embeddings (S, H) that a cell makes of S texts of the words of one; no graph is kept.

    Args:
        cell: which reads them from their beginning.
        words: (T, D), the vectors of the text's words.
        places: (S, L), which word stands where in each text, or :data:`COVERED`; padded with :data:`END`.
        reading: of the states: ``"last"``, ``"mean"`` or ``"max"``.
    """
    if not len(places):
        return words.new_zeros(0, cell.units)
    entered = cell.enter(torch.cat([words, words.new_zeros(1, words.shape[1])]))  # (T + 1, G * H): the last is COVERED
    states = tuple(words.new_zeros(1, cell.units) for _ in range(cell.states))
    seen = words.new_full((1, cell.units), -torch.inf if reading == "max" else 0.0)
    history = np.zeros(len(places), dtype=np.int64)
    for start in range(0, places.shape[1], STEPS):
        columns = places[:, start : start + STEPS]
        different, history = np.unique(np.column_stack([history, columns]), axis=0, return_inverse=True)
        order = np.argsort(-(different[:, 1:] != END).sum(axis=1), kind="stable")  # the longest first
        history = np.argsort(order)[history.ravel()]
        parents, steps = different[order, 0], different[order, 1:]
        parts = [
            _read_on(cell, entered, steps[some], tuple(one[parents[some]] for one in (*states, seen)), reading)
            for some in (slice(first, first + ROWS) for first in range(0, len(order), ROWS))
        ]
        *states_after, seen = (torch.cat(of_each) for of_each in zip(*parts, strict=True))
        states = tuple(states_after)
    lengths = torch.from_numpy((places != END).sum(axis=1)).unsqueeze(1)
    result = states[0][history] if reading == "last" else seen[history]
    if reading == "mean":
        result = result / lengths.clamp_min(1)
    return result.where(lengths > 0, 0.0)


def _read_on(
    cell: RecurrentCell, entered: Tensor, steps: NDArray[np.int64], before: tuple[Tensor, ...], reading: str
) -> tuple[Tensor, ...]:
    """Return the states (B, H) after some steps (B, K), and what was seen of all states so far.

    Args:
        cell: that reads.
        entered: (T + 1, G * H).
        steps: the texts in descending order of how many steps they have.
        before: the states before, and what was seen; they may be changed.
        reading: what is seen: the sum of the states, or the maximum of each unit.
    """
    *now, seen = before
    then = tuple(torch.empty_like(one) for one in now)
    activations = entered[torch.from_numpy(np.where(steps == COVERED, len(entered) - 1, steps.clip(min=0)).T)]
    recurring, weights = cell.columns(cell.recurring), cell.recurrent_weights
    reading_on = [len(steps), *(steps != END).sum(axis=0).tolist(), 0]
    ended = tuple(one.clone() for one in now)  # of texts that have no step here
    for pre, (rows, further) in zip(activations, pairwise(reading_on[1:]), strict=True):
        if not rows:
            break
        old, new = tuple(one[:rows] for one in now), tuple(one[:rows] for one in then)
        own = pre[:rows]
        own[:, recurring].addmm_(old[0], weights)
        cell.ahead(own, old, new)
        if reading == "max":
            torch.maximum(seen[:rows], new[0], out=seen[:rows])
        elif reading == "mean":
            seen[:rows] += new[0]
        for end, one in zip(ended, new, strict=True):
            end[further:rows] = one[further:]
        now, then = list(then), tuple(now)
    return (*ended, seen)
