"""Units that follow a typed list of words, searched interactively: over fewer documents, with fewer redraws."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.analysis.inspection.attention_survey import spaced
from nlpviz.analysis.inspection.features import of_words
from nlpviz.analysis.inspection.units import read_courses, search
from nlpviz.analysis.inspection.units_sample import Report, Sample, encode_sample
from nlpviz.data import corpus_named
from nlpviz.results.units import UnitSearch
from nlpviz.runs import Run, TrainedModel
from nlpviz.runs.documents import documents_of

DOCUMENTS, REDRAWS = 200, 200
_READING = 0.6  # of the time


def live_sample(trained: TrainedModel) -> Sample:
    """Return :data:`DOCUMENTS` of the test documents that the run keeps.

    Raises:
        DataError: if the corpus is not on this machine, or damaged.
    """
    run: Run = trained.run
    ids = documents_of(run).ids
    some = [ids[position] for position in spaced(len(ids), DOCUMENTS)]
    find = corpus_named(run.corpus["name"]).find
    return encode_sample(trained, [(name, find(name)) for name in some])


def search_words(
    trained: TrainedModel, sample: Sample, words: Sequence[str], report: Report = lambda _: None
) -> dict[str, UnitSearch]:
    """Return how all units follow a word list and its trace, by the names of these features.

    Args:
        trained: a run's model.
        sample: of :func:`live_sample`.
        words: in the vocabulary's spelling.
        report: progress callback, called with the completed fraction.
    """
    courses = read_courses(trained, sample, lambda share: report(_READING * share))
    result: dict[str, UnitSearch] = {}
    for number, (name, feature) in enumerate(of_words(words).items(), start=1):
        result[name] = search(courses, feature, {}, REDRAWS)
        report(_READING + (1 - _READING) * number / 2)
    return result
