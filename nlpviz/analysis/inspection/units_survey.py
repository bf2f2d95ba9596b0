"""The units of a run searched for every feature at every kept epoch, and the best of them ablated at the best epoch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.attention_survey import spaced
from nlpviz.analysis.inspection.features import features_of
from nlpviz.analysis.inspection.units import UnitCourses, extremes, read_courses, search
from nlpviz.analysis.inspection.units_ablation import RANDOM_UNITS, ablate, can_ablate, output_of
from nlpviz.analysis.inspection.units_sample import encode_sample
from nlpviz.analysis.inspection.word_weights import naive_bayes_weights
from nlpviz.results.units import UNIT_PARTS, Unit, UnitSearch, UnitSurvey
from nlpviz.runs import Run, TrainedModel
from nlpviz.runs.units import write_units
from nlpviz.text.vocabulary import SPECIALS

_ABLATED = 4  # best units of each feature
_READ_MOST = 3  # units on which the output layer relies most
_HELD_IN = 1000  # documents
_SEED = 0  # of the units that are drawn

Say = Callable[[str], None]


def survey_units(
    run: Run,
    sample: Sequence[tuple[str, str]],
    documents: tuple[Sequence[str], NDArray[np.integer]],
    training: tuple[Sequence[str], NDArray[np.integer]],
    say: Say = lambda _: None,
) -> Run:
    """Search the units at every kept epoch, ablate the best ones of the best epoch, and write it into the run's folder.

    Args:
        run: whose network reads word by word.
        sample: ids and texts of the test documents over which units are correlated.
        documents: texts of the test documents of the ablation, and their labels.
        training: texts on which the weights of words are counted, and their labels; the last class is positive.
        say: called with a line of text about each step.

    Raises:
        RunError: if the network does not read word by word.
    """
    texts, labels = training
    weights = naive_bayes_weights(run.vocabulary, texts, labels == len(run.class_names) - 1)
    by_word = dict(zip(run.vocabulary.words[len(SPECIALS) :], weights.tolist(), strict=False))
    encoded = encode_sample(run.load(), sample)
    epochs: dict[int, Mapping[str, UnitSearch]] = {}
    best = None
    for epoch in run.surveyed:
        say(f"Searching the units of epoch {epoch} on {len(encoded.ids):,} test documents")
        trained = run.load(epoch)
        courses = read_courses(trained, encoded)
        epochs[epoch] = {name: search(courses, one, by_word) for name, one in features_of(run.tokenizer).items()}
        if epoch == run.best_epoch:
            best = _of_best(trained, courses, epochs[epoch], documents, say)
    assert best is not None, "the best epoch is always stored"
    return write_units(run, epochs, best, weights)


def _of_best(
    trained: TrainedModel,
    courses: UnitCourses,
    searches: Mapping[str, UnitSearch],
    documents: tuple[Sequence[str], NDArray[np.integer]],
    say: Say,
) -> UnitSurvey:
    """Return the searches of the best epoch with places and ablations."""
    ranked = dict.fromkeys(position for one in searches.values() if one.ever for position in one.ranked())
    largest = {courses.units[position].id: extremes(courses.values[:, position], courses.sample) for position in ranked}
    if not can_ablate(trained):
        return UnitSurvey(dict(searches), largest, {}, float("nan"), 0)
    texts, labels = documents
    some = spaced(len(texts), _HELD_IN)
    held = [
        (unit, float(courses.values[:, courses.units.index(unit)].mean()), random)
        for unit, random in _held(courses.units, searches, _read_most(trained, courses))
    ]
    accuracy, ablations = ablate(
        trained, ([trained.encode(texts[position]) for position in some], labels[some]), held, say
    )
    return UnitSurvey(dict(searches), largest, ablations, accuracy, len(some))


def _read_most(trained: TrainedModel, courses: UnitCourses) -> list[Unit]:
    """Return the outputs on which the prediction relies most, by the output layer's weight times the unit's spread."""
    from nlpviz.networks.sequences import StepwiseClassifier

    assert isinstance(trained.module, StepwiseClassifier), "ablation needs a network that reads word by word"
    weights = trained.module.output.weight.abs().amax(dim=0).numpy()
    sizes = {
        unit: float(weights[unit.number] * courses.values[:, column].std())
        for column, unit in enumerate(courses.units)
        if unit == output_of(unit)
    }
    return sorted(sizes, key=lambda unit: -sizes[unit])[:_READ_MOST]


def _held(
    units: Sequence[Unit], searches: Mapping[str, UnitSearch], read_most: Sequence[Unit]
) -> list[tuple[Unit, bool]]:
    """Return the outputs to hold, and whether they are drawn at random.

    They are those of each feature's best units in the last layer, the ones that are read most, and others at random.
    """
    chosen: dict[Unit, bool] = {}
    for one in searches.values():
        outputs = [output_of(one.units[position]) for position in one.ranked(len(one.units))] if one.ever else []
        chosen |= dict.fromkeys(list(dict.fromkeys(unit for unit in outputs if unit))[:_ABLATED], False)
    chosen |= dict.fromkeys(read_most, False)
    others = [unit for unit in units if unit.part == UNIT_PARTS[0] and output_of(unit) and unit not in chosen]
    drawn = np.random.default_rng(_SEED).permutation(len(others))[:RANDOM_UNITS]
    return [*chosen.items(), *((others[position], True) for position in sorted(drawn.tolist()))]
