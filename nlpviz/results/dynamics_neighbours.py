"""The documents whose log-odds went the same way through a training as those of one document, or of one course.

A course is what the averaged weights said at each moment (:mod:`nlpviz.results.training_log`): two documents are near
where the log-odds of their labels, in nats, differ little at all moments, whatever the documents say. Log-odds are
compared, not probabilities: the probabilities of all texts that are learnt at once would be alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.training_log import TrainingLog


@dataclass(frozen=True)
class CourseNeighbours:
    """The K documents of a log whose courses are nearest, the nearest first.

    Attributes:
        moments: float32 (C,), in epochs, at which courses were compared.
        positions: intp (K,), of the documents in the log.
        ids: how the corpus calls them; empty where the log has none.
        distances: float32 (K,), the root mean square of the differences over the moments, in nats.
        middle: the median distance of all documents of the log, in nats: how far any document is.
    """

    moments: NDArray[np.float32]
    positions: NDArray[np.intp]
    ids: tuple[str, ...]
    distances: NDArray[np.float32]
    middle: float


def neighbours_of_document(
    log: TrainingLog, position: int, count: int = 10, among: NDArray[np.bool_] | None = None
) -> CourseNeighbours:
    """Return the ``count`` documents whose courses are nearest to that of the document at ``position``.

    Args:
        log: N documents at M moments.
        position: of the document, 0 to N - 1; it is not its own neighbour.
        count: at most so many.
        among: (N,), which documents may be neighbours; None for all.

    Raises:
        IndexError: if the log has no such document.
    """
    if not 0 <= position < len(log.log_odds):
        raise IndexError(f"a log of {len(log.log_odds):,} documents has no document {position}")
    others = np.ones(len(log.log_odds), dtype=bool) if among is None else among.copy()
    others[position] = False
    return _nearest(log, log.log_odds[position], np.arange(len(log.moments)), count, others)


def neighbours_of_course(
    log: TrainingLog, epochs: Sequence[float], course: NDArray[np.floating], count: int = 10
) -> CourseNeighbours:
    """Return the ``count`` documents whose courses are nearest to log-odds that were measured at some epochs.

    The course is compared with the log-odds of a document's label. A typed text has no known label: its course is
    the log-odds of the class that a person chose.

    Args:
        log: N documents at M moments.
        epochs: at which the course was measured, E of them; those that the log has as moments are compared.
        course: (E,), log-odds of one class against all others, in nats; cut as the log cuts its own.
        count: at most so many.

    Raises:
        ValueError: if the log has none of the epochs as a moment, or epochs and course differ in length.
    """
    values = np.asarray(course, dtype=np.float32)
    if values.shape != (len(epochs),):
        raise ValueError("a course of values needs one number per epoch")
    places = [np.flatnonzero(np.isclose(log.moments, epoch, atol=1e-4)) for epoch in epochs]
    shared = [at for at, found in enumerate(places) if len(found)]
    if not shared:
        raise ValueError("the log covers none of these epochs")
    most = float(np.abs(log.log_odds).max(initial=0))
    at = np.array([places[one][0] for one in shared])
    return _nearest(log, np.clip(values[shared], -most, most), at, count, np.ones(len(log.log_odds), dtype=bool))


def _nearest(
    log: TrainingLog, course: NDArray[np.float32], at: NDArray[np.integer], count: int, others: NDArray[np.bool_]
) -> CourseNeighbours:
    """Return the nearest of the documents marked in ``others`` to ``course``, (C,), at the moments ``at``."""
    differences = log.log_odds[:, at] - course
    distances = np.sqrt(np.mean(differences**2, axis=1, dtype=np.float64))
    allowed = np.flatnonzero(others)
    order = allowed[np.argsort(distances[allowed], kind="stable")][: max(count, 0)]
    return CourseNeighbours(
        moments=log.moments[at],
        positions=order,
        ids=tuple(log.ids[position] for position in order) if log.ids else (),
        distances=distances[order].astype(np.float32),
        middle=float(np.median(distances[allowed])) if len(allowed) else 0.0,
    )
