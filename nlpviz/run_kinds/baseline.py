"""What a network should beat: weighted n-grams with logistic regression; no network, no epochs."""

from __future__ import annotations

from nlpviz.run_kinds import Answer, Answers, Column, Criterion, Kind, Say, chosen_epoch, parameters
from nlpviz.run_kinds.accuracy import INTERVAL, MASKED, NOISE, ON_TEST, OWN_FILE, evaluate
from nlpviz.run_kinds.classifier_surveys import ON_BEHAVIOURS
from nlpviz.run_kinds.comparison import difference
from nlpviz.runs import Run
from nlpviz.runs.counts import COUNTS, NGRAMS
from nlpviz.runs.derived import DERIVED
from nlpviz.runs.ngram_weights import WEIGHTS, read_weights
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.runs.word_ratios import RATIOS


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: the strongest n-grams, counts of all, predictions, and all weights where it has them.

    Those of many classes are large: a survey adds them to a run that was published without, as it does the ratios of
    the words.
    """
    return frozenset({NGRAMS, COUNTS, PREDICTIONS} | ({WEIGHTS, RATIOS, *DERIVED} & run.files.keys()))


def _survey(run: Run, say: Say) -> Run:
    """Fit the n-grams again, and write their weights and what they predict for the test texts."""
    from nlpviz.training.baseline import predict_again

    return predict_again(run, say)


def _predictor(run: Run, _epoch: int, _device: str) -> Answers:
    return read_weights(run).probabilities


def _beside(baseline: Run, run: Run) -> Answer:
    """Say whether a network beats the n-grams: only where a paired test on the same texts finds a difference."""
    share, found = baseline.metrics["test"]["accuracy"], difference(run, baseline)
    first = "The baseline without a network ({baseline}, a bag of n-grams) reaches {share:.1%} on the same texts. "
    pieces = {"baseline": baseline.title, "share": share}
    if found is None:
        gap = 100 * (run.metrics["test"]["accuracy"] - share)
        told = "The network differs by {gap} points; significance was not tested."
        return Answer(first + told, pieces | {"gap": f"{gap:+.1f}".replace("-", "−")})
    low, high = sorted(100 * abs(end) for end in found.interval)
    pieces |= {"gap": 100 * abs(found.difference), "side": "above" if found.difference > 0 else "below"}
    if found.significant:
        told = "The network is {gap:.1f} points {side} it (95% interval {low:.1f} to {high:.1f}, McNemar’s test)."
        return Answer(first + told, pieces | {"low": low, "high": high})
    return Answer(first + "The difference is not significant (McNemar’s test).", pieces)


KIND = Kind(
    name="baseline",
    says="is a baseline",
    table="Classifiers",
    headline=ON_TEST,
    criterion=Criterion("test", "accuracy", NOISE),  # it chose nothing: there is no validation split
    evaluate=evaluate,
    columns=(
        Column(ON_TEST.name, ON_TEST.written),
        INTERVAL,
        MASKED,
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    files=_files,
    options=OWN_FILE,
    predictor=_predictor,
    survey=_survey,
    surveys=(ON_BEHAVIOURS,),
    pages=("Inside the model",),
    commands=("behaviours", "churn", "predict"),
    refusals={"embed": "is a baseline rather than a network, so it has no document embeddings"},
    beside=_beside,
    order=15,
)
