"""What ``survey --all`` adds to a classifier that lacks it, the worthiest part first."""

from __future__ import annotations

from nlpviz.run_kinds import Say, Survey
from nlpviz.run_kinds.classifier_survey import (
    PARTS,
    lacks_log,
    log,
    survey_faithfulness,
    surveyed_files,
    with_predictions,
)
from nlpviz.runs import Run
from nlpviz.runs.attention_effects import ATTENTION
from nlpviz.runs.deletions import DELETION
from nlpviz.runs.derived import BEHAVIOURS, NEIGHBOURS
from nlpviz.runs.documents import documents_of
from nlpviz.runs.dynamics import DYNAMICS
from nlpviz.runs.faithfulness import FAITHFULNESS
from nlpviz.runs.influence import INFLUENCE
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.runs.surveys import REGIONS
from nlpviz.runs.units import UNITS

_DOCUMENTS = 300
"""So many test documents show how faithful methods are."""


def _part(title: str, name: str) -> Survey:
    """Return the part of a survey that writes the file ``name``, where the network has what it shows."""
    return Survey(title, lambda run: name in surveyed_files(run) - run.files.keys(), PARTS[name])


def _lacks_predictions(run: Run) -> bool:
    """Return whether the predictions of a surveyed epoch are not there."""
    import pyarrow.parquet as pq

    if PREDICTIONS not in run.files:
        return True
    there = pq.read_schema(run.file(PREDICTIONS)).names
    return any(f"probability.{epoch:02d}" not in there for epoch in run.surveyed)


def _lacks_neighbours(run: Run) -> bool:
    from nlpviz.analysis.projections.drift import FEWEST

    return NEIGHBOURS not in run.files and len(documents_of(run).ids) >= FEWEST


def _neighbours(run: Run, _: Say) -> Run:
    from nlpviz.analysis.projections.drift import keep_neighbours

    return keep_neighbours(run)


def _lacks_behaviours(run: Run) -> bool:
    from nlpviz.run_kinds.behaviours import tells_sentiment

    return BEHAVIOURS not in run.files and tells_sentiment(run)


def _behaviours(run: Run, _: Say) -> Run:
    from nlpviz.data.battery import battery
    from nlpviz.run_kinds.behaviours import probe_epochs
    from nlpviz.runs.behaviours import write_probed

    pairs = battery()
    return write_probed(run, pairs, probe_epochs(run, pairs))


def _lacks_sketches(run: Run) -> bool:
    from nlpviz.analysis.attribution.influence import trains_words

    return INFLUENCE not in run.files and trains_words(run)


def _sketches(run: Run, say: Say) -> Run:
    from nlpviz.run_kinds.influence import sketch

    return sketch(run, say)


def _faithfulness(run: Run, say: Say) -> Run:
    return survey_faithfulness(run, _DOCUMENTS, say)


ON_BEHAVIOURS = Survey("behaviours", _lacks_behaviours, _behaviours)
SURVEYS = (
    _part("n-grams and filters", REGIONS),
    _part("attention", ATTENTION),
    _part("deletion", DELETION),
    _part("state space", DYNAMICS),
    _part("units", UNITS),
    Survey("neighbours", _lacks_neighbours, _neighbours),
    ON_BEHAVIOURS,
    Survey("training log", lacks_log, log),
    Survey("predictions", _lacks_predictions, with_predictions),
    Survey("faithfulness", lambda run: FAITHFULNESS not in run.files, _faithfulness),
    Survey("influence", _lacks_sketches, _sketches),
)
