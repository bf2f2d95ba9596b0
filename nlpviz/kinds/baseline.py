"""What a network should beat: weighted n-grams with logistic regression; no network, no epochs."""

from __future__ import annotations

from nlpviz.kinds import Answer, Column, Criterion, Kind, Say, chosen_epoch, parameters
from nlpviz.kinds.accuracy import NOISE, ON_TEST, evaluate
from nlpviz.runs import Run
from nlpviz.runs.counts import COUNTS, NGRAMS
from nlpviz.runs.predictions import PREDICTIONS


def _files(_: Run) -> frozenset[str]:
    """Return the files of a run: the strongest n-grams, the counts of all, what is predicted for the test texts."""
    return frozenset({NGRAMS, COUNTS, PREDICTIONS})


def _survey(run: Run, say: Say) -> Run:
    """Fit the n-grams again, for their weights are not stored, and write what they predict for the test texts."""
    from nlpviz.training.baseline import predict_again

    return predict_again(run, say)


def _beside(baseline: Run, run: Run) -> Answer:
    """Say by how much a network beats the n-grams, or does not."""
    reached, share = run.metrics["test"]["accuracy"], baseline.metrics["test"]["accuracy"]
    return Answer(
        "A bag of n-grams without a network ({baseline}) reaches {share:.1%} on the same texts: the network is"
        " {gap:.1f} points {side} it.",
        {
            "baseline": baseline.title,
            "share": share,
            "gap": 100 * abs(reached - share),
            "side": "above" if reached > share else "below",
        },
    )


KIND = Kind(
    name="baseline",
    says="is a baseline",
    table="Classifiers",
    headline=ON_TEST,
    criterion=Criterion("test", "accuracy", NOISE),  # it chose nothing: there is no validation split
    evaluate=evaluate,
    columns=(
        Column(ON_TEST.name, ON_TEST.written, brief=True),
        Column("Epoch chosen", chosen_epoch),
        Column("Parameters", parameters, brief=True),
    ),
    files=_files,
    survey=_survey,
    beside=_beside,
    order=15,
)
