"""The units of a language model, searched for every feature of its texts at every kept epoch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.features import features_of
from nlpviz.analysis.inspection.units import extremes, read_courses, search
from nlpviz.analysis.inspection.units_sample import encode_sample
from nlpviz.language.logit_difference import ask
from nlpviz.results.units import UnitSearch, UnitSurvey
from nlpviz.runs import Run
from nlpviz.runs.units import write_units
from nlpviz.text.vocabulary import SPECIALS

Say = Callable[[str], None]


def survey_language_units(
    run: Run, sample: Sequence[tuple[str, str]], weights: NDArray[np.float32], say: Say = lambda _: None
) -> Run:
    """Search the units at every kept epoch, and write the results into the run's folder.

    Args:
        run: a recurrent language model's.
        sample: ids and texts of pieces of the test text, each cut to what is read at once.
        weights: of the most frequent words, for sentiment; empty where the corpus has no labels.
        say: called with a line of text about each step.

    Raises:
        RunError: if the run is no recurrent language model.
    """
    asked = ask(run)  # its units are those of the network, whatever it is asked
    by_word = dict(zip(run.vocabulary.words[len(SPECIALS) :], weights.tolist(), strict=False))
    encoded = encode_sample(asked.load(), sample)
    epochs: dict[int, Mapping[str, UnitSearch]] = {}
    best = UnitSurvey({}, {}, {}, float("nan"), 0)
    for epoch in run.surveyed:
        say(f"Searching the units of epoch {epoch} on {len(encoded.ids):,} segments of the test text")
        courses = read_courses(asked.load(epoch), encoded)
        found = {name: search(courses, one, by_word) for name, one in features_of(run.tokenizer).items()}
        epochs[epoch] = found
        if epoch == run.best_epoch:
            ranked = dict.fromkeys(position for one in found.values() if one.ever for position in one.ranked())
            places = {courses.units[one].id: extremes(courses.values[:, one], encoded) for one in ranked}
            best = UnitSurvey(found, places, {}, float("nan"), 0)
    return write_units(run, epochs, best, weights)
