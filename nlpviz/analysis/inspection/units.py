"""Which units of a network follow a feature of the text, against what chance would find.

The cells of Karpathy, Johnson and Fei-Fei (2016), *Visualizing and Understanding Recurrent Networks*, section 4.2, were
picked by eye. Here every unit is searched, and the best one has to beat the best one of searches for nothing
(:mod:`nlpviz.analysis.inspection.units_null`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection import units_null
from nlpviz.analysis.inspection.features import Feature
from nlpviz.analysis.inspection.units_sample import Report, Sample, read_units, units_of
from nlpviz.results.units import RANKED, Bins, Largest, Unit, UnitSearch
from nlpviz.runs import TrainedModel

BINS = 8
NGRAM = 5
"""Words of an n-gram after which a unit was largest."""
CHARACTERS = 20
"""The same of a network that reads characters: about four words."""
_EXTREMES = 4  # documents at each end


@dataclass(frozen=True)
class UnitCourses:
    """Every unit of one epoch after every word of a sample.

    Attributes:
        run: whose network.
        epoch: of its weights.
        units: U of them.
        values: (W, U).
        sample: the W words' documents.
    """

    run: str
    epoch: int
    units: tuple[Unit, ...]
    values: NDArray[np.float32]
    sample: Sample

    @cached_property
    def standard(self) -> NDArray[np.float32]:
        """The values with mean 0 and variance 1."""
        return units_null.standardised(self.values)


def read_courses(trained: TrainedModel, sample: Sample, report: Report = lambda _: None) -> UnitCourses:
    """Return every unit of a run's model after every word of a sample; ``report`` gets the completed fraction."""
    values = read_units(trained, sample, report)
    return UnitCourses(trained.run.name, trained.epoch, units_of(trained), values, sample)


def search(
    courses: UnitCourses, about: Feature, weights: Mapping[str, float], redraws: int = units_null.REDRAWS
) -> UnitSearch:
    """Return how all units follow one feature, which may be the same at all words.

    Args:
        courses: of the units.
        about: the feature.
        weights: of words, for sentiment.
        redraws: of each null.
    """
    units, sample, values = courses.units, courses.sample, courses.standard
    course = sample.courses(about, weights)
    low, high = (np.full(len(units), np.nan, dtype=np.float32) for _ in range(2))
    r, bins, thresholds, p = np.zeros(len(units), np.float32), {}, [float("nan")], 1.0
    ever = bool(course.min() != course.max())
    if ever:
        r = units_null.correlations(values, course)
        nulls = [units_null.shifted(values, course, sample.starts, redraws)]
        if not about.of_place and len(sample.ids) > 1:
            nulls.append(units_null.swapped(values, course, sample.starts, redraws))
        thresholds, p = [null.threshold for null in nulls], max(null.p(float(np.abs(r).max())) for null in nulls)
        first = np.argsort(-np.abs(r), kind="stable")[:RANKED]
        low[first], high[first] = units_null.intervals(values[:, first], course, sample.starts)
        bins = {units[one].id: binned(about, course, courses.values[:, one]) for one in first}
    return UnitSearch(
        run=courses.run,
        epoch=courses.epoch,
        feature=about.name,
        units=units,
        r=r,
        low=low,
        high=high,
        shifted=thresholds[0],
        swapped=thresholds[1] if len(thresholds) > 1 else float("nan"),
        p=p,
        words=len(course),
        documents=len(sample.ids),
        redraws=redraws,
        mean=float(course.mean()),
        ever=ever,
        bins=bins,
    )


def binned(about: Feature, course: NDArray[np.float32], values: NDArray[np.float32]) -> Bins:
    """Return the mean of a unit (W,) where the feature (W,) has similar values.

    Of a feature that holds or does not there are two bins, else :data:`BINS` of as many words each, or fewer where
    many words have one value.
    """
    if about.is_binary:
        edges = np.array([0.0, 0.5, 1.0])
    else:
        edges = np.unique(np.quantile(course, np.linspace(0, 1, BINS + 1)))
    of_word = np.searchsorted(edges[1:-1], course, side="right")
    counts = np.bincount(of_word, minlength=max(len(edges) - 1, 1))
    there = counts > 0
    means = [np.bincount(of_word, one, minlength=len(counts))[there] / counts[there] for one in (course, values)]
    return Bins(*(mean.astype(np.float32) for mean in means))


def extremes(values: NDArray[np.float32], sample: Sample) -> tuple[Largest, ...]:
    """Return where a unit (W,) is largest, then where it is smallest: the last words read, one place per document."""
    result = []
    for pick in (np.argmax, np.argmin):
        parts = np.split(values, sample.starts[1:-1])
        rows = sample.starts[:-1] + np.array([pick(part) for part in parts])
        order = np.argsort(values[rows], kind="stable")
        chosen = order[::-1][:_EXTREMES] if pick is np.argmax else order[:_EXTREMES]
        result += [_largest(int(rows[document]), int(document), values, sample) for document in chosen]
    return tuple(result)


def _largest(row: int, document: int, values: NDArray[np.float32], sample: Sample) -> Largest:
    """Return the place of a row: the words that had been read last, the document and the unit's value."""
    place = row - int(sample.starts[document])
    most, between = (CHARACTERS, "") if sample.of_characters else (NGRAM, " ")
    words = sample.encoded[document].read[max(place + 1 - most, 0) : place + 1]
    return Largest(between.join(token.name for token in words), sample.ids[document], float(values[row]))
