"""How the units of a cell correlate with the running prediction, and in which order to show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.gates import PartCourse, running
from nlpviz.results.states import TextStates

ORDERS: Mapping[str, str] = {"clustered": "clustered", "correlation": "by correlation", "stored": "as stored"}
"""How units are ordered: similar courses side by side, from +1 to −1 with the prediction, or as they are stored."""
_SHIFTS, _FEWEST = 50, 6  # of the running prediction in time, each also reversed; words
_OPTIMAL = 400  # units up to which leaves are turned so that neighbours are as alike as the tree allows


def read_course(
    all_states: Sequence[TextStates], part: str, layer: int, target: int, order: str = "clustered"
) -> list[PartCourse]:
    """Return how each unit of a gate or state changes over a text, and its correlation with the running prediction.

    Args:
        all_states: the states of one text at one or more epochs of a run, from
            :func:`nlpviz.analysis.inspection.states.read_states`.
        part: a key of ``TextStates.parts``, or ``"hidden state"``.
        layer: the layer, counted from 0.
        target: the index of the class whose probability is tracked.
        order: how the units are sorted: ``"clustered"``, ``"correlation"`` or ``"stored"``.

    Returns:
        One result per epoch, with Pearson's correlation of each of the H units, shape (H,). The units of all epochs are
        in the order of the last epoch.

    Example:
        >>> from nlpviz.analysis.inspection.gates import read_course
        >>> from nlpviz.analysis.inspection.states import read_states
        >>> from nlpviz.runs import open_run
        >>> states = read_states(open_run("imdb-lstm").load(), "Not a good film.")
        >>> (course,) = read_course([states], "forget gate", 0, 1)
        >>> course.values.shape, course.correlation.shape
        ((5, 116), (116,))
    """
    correlated = [
        correlations(states.values(part)[:, layer], running(states, target).astype(np.float64)) for states in all_states
    ]
    last = all_states[-1].values(part)[:, layer]
    if order == "clustered":
        units = clustered(last)
    elif order == "correlation":
        units = np.argsort(-np.nan_to_num(correlated[-1]), kind="stable")
    else:
        units = np.arange(last.shape[1])
    return [
        PartCourse(states, part, layer, target, one, _by_chance(states.values(part)[:, layer], states, target), units)
        for states, one in zip(all_states, correlated, strict=True)
    ]


def correlations(values: NDArray[np.float32], course: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's correlation of each column of ``values`` (T, H) with ``course`` (T,) or (T, C).

    Returns:
        (H,) or (H, C); not a number where a column or the course is constant, or has fewer than three values.
    """
    columns, others = _standardised(values.astype(np.float64)), _standardised(course)
    result: NDArray[np.float64] = np.clip(columns.T @ others / max(len(values), 1), -1, 1)
    return result if len(values) > 2 else np.full_like(result, np.nan)


def clustered(values: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the order (H,) in which units with similar courses (T, H) are adjacent.

    Average linkage by 1 − Pearson's correlation of their courses; units that never change stand at the end.
    """
    columns = _standardised(values.astype(np.float64))
    moving = np.flatnonzero(np.isfinite(columns).all(axis=0)) if len(values) > 2 else np.array([], dtype=np.intp)
    if len(moving) < 3:
        return np.arange(values.shape[1])
    from scipy.cluster.hierarchy import leaves_list, linkage

    columns = columns[:, moving]
    apart = 1 - (columns.T @ columns / len(values))[np.triu_indices(len(moving), k=1)]
    tree = linkage(np.maximum(apart, 0), method="average", optimal_ordering=len(moving) <= _OPTIMAL)
    still = np.setdiff1d(np.arange(values.shape[1]), moving)
    return np.concatenate([moving[leaves_list(tree)], still])


def _by_chance(values: NDArray[np.float32], states: TextStates, target: int) -> float | None:
    """Return what the largest correlation with a prediction at the wrong time exceeds in one case of 20, at most.

    A course of a few slow turns goes along with many others, and the best of many units with nearly anything: shifted
    round the text, forwards or reversed, the prediction keeps its turns but not their words.
    """
    course = running(states, target).astype(np.float64)
    if len(course) < _FEWEST:
        return None
    shifts = np.unique(np.linspace(2, len(course) - 2, num=min(_SHIFTS, len(course) - 3)).astype(int))
    moved = [np.roll(course, shift) for shift in shifts] + [np.roll(course[::-1], shift) for shift in (0, *shifts)]
    found = np.abs(correlations(values, np.stack(moved, axis=1)))  # (H, S)
    found = found[np.isfinite(found).all(axis=1)]
    return float(np.percentile(found.max(axis=0), 95, method="higher")) if len(found) else None


def _standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return columns of mean 0 and variance 1; not a number where there is no variance."""
    moved = values - values.mean(axis=0) if len(values) else values
    spread = moved.std(axis=0) if len(values) else np.zeros(values.shape[1:])
    with np.errstate(invalid="ignore", divide="ignore"):
        result: NDArray[np.float64] = np.where(spread > 1e-9, moved / spread, np.nan)
    return result
