"""What is known of a run after its training: of one with classes, from what it predicts for its test split."""

from __future__ import annotations

import numpy as np

from nlpviz.results.assessment import Assessment
from nlpviz.run_kinds import history, kind_of
from nlpviz.run_kinds.listing import baseline_of, known_runs
from nlpviz.run_kinds.own_evaluation import temperature_of
from nlpviz.run_kinds.own_report_lines import assessment_lines
from nlpviz.runs import Run
from nlpviz.runs.predictions import PREDICTIONS, predictions_of


def of_test_split(run: Run, epoch: int | None = None) -> Assessment | None:
    """Return how good a run is on its corpus's test split at ``epoch``, by default the best one.

    Read off the run's own files: neither corpus nor network is asked. Of more than two classes the loss, the Brier
    score and what a temperature makes of them are not known, for the run keeps the probability of the predicted class.

    Returns:
        None of a run that does not say what it predicts for its test documents.

    Raises:
        RunError: if its file is damaged, or it keeps no such epoch.
    """
    from nlpviz.analysis.inspection.assessment import assess, assess_predicted

    if PREDICTIONS not in run.files:
        return None
    stored = predictions_of(run, epoch)
    named = (run.name, stored.epoch, f"the test split of {run.corpus['name']}")
    if len(run.class_names) != 2:
        return assess_predicted(named, run.class_names, stored.predicted, stored.labels)
    second = stored.predicted.of_last(2)
    probabilities = np.stack([1 - second, second], axis=1)
    return assess(named, run.class_names, probabilities, stored.labels, temperature_of(run, stored.epoch))


def said(run: Run) -> list[str]:
    """Return what a run reached, in lines: with classes on its test split, beside the baseline on its corpus.

    Raises:
        RunError: if a file is damaged.
    """
    whole = of_test_split(run)
    if whole is None:
        return [one.sentence.replace("**", "").format(**one.pieces) for one in kind_of(run).learnt(run, history(run))]
    baseline = baseline_of(run, list(known_runs()[0].values()))
    beside = None if baseline is None else kind_of(baseline).beside
    if baseline is None or beside is None:
        return assessment_lines(whole)
    answer = beside(baseline, run)
    return [*assessment_lines(whole), answer.sentence.format(**answer.pieces)]
