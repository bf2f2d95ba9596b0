"""Paragraph vectors: a vector for each text, found by descent, and a logistic regression over them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from nlpviz.results.history import ParagraphEpoch
from nlpviz.results.projection import Projection
from nlpviz.run_kinds import EPOCH, Answer, Answers, Column, Curve, Evaluation, Kind, Measure, Request, chosen_epoch
from nlpviz.run_kinds.accuracy import INTERVAL, ON_TEST, ON_VALIDATION
from nlpviz.run_kinds.contract import Contract
from nlpviz.run_kinds.parts import Say
from nlpviz.run_kinds.recipes import measured_again
from nlpviz.runs import Run
from nlpviz.runs.derived import DERIVED
from nlpviz.runs.documents import DOCUMENTS, MAPS
from nlpviz.runs.paragraphs import KIND as NAME
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.weights import all_weights
from nlpviz.stats.significance import wilson


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: words, weights, what every epoch makes of test documents, maps of them."""
    from nlpviz.analysis.projections.settings import SMALLEST_SAMPLE
    from nlpviz.runs.documents import documents_of

    maps = {MAPS} if DOCUMENTS in run.files and len(documents_of(run).ids) >= SMALLEST_SAMPLE else set()
    return frozenset(
        {VOCABULARY, HISTORY, DOCUMENTS, *all_weights(run.epochs, run.files)} | maps | (DERIVED & run.files.keys())
    )


def evaluate(run: Run, request: Request) -> Evaluation:
    """Return the accuracy of an epoch on the test texts, inferred and judged again.

    Raises:
        RunError: if the run keeps no such epoch.
    """
    epoch = request.epoch_of(run)
    measured = measured_again(run, epoch, request)
    low, high = wilson(measured["accuracy"], measured["documents"])
    line = (
        f"{run.name}, epoch {epoch}: accuracy {measured['accuracy']:.2%} (95% interval {low:.2%} to {high:.2%}), "
        f"loss {measured['loss']:.3f} nats, {measured['documents']:,.0f} test documents, inferred with seed 0"
    )
    return Evaluation({"run": run.name, "epoch": epoch, **measured, "interval": [low, high]}, [line])


def _learnt(run: Run, history: Sequence[ParagraphEpoch]) -> tuple[Answer, ...]:
    chosen, first, test = next(one for one in history if one.epoch == run.best_epoch), history[0], run.metrics["test"]
    low, high = wilson(test["accuracy"], test["documents"])
    sentence = (
        "Best epoch (validation): {epoch}. A logistic regression on the vectors classifies {validation:.1%} of the "
        "validation texts correctly; on random word vectors (epoch 0), {before:.1%}. Its test accuracy, measured "
        "once on {documents:,.0f} texts, is **{test:.1%}** (95% interval {low:.1%} to {high:.1%})."
    )
    pieces = {
        "epoch": chosen.epoch,
        "validation": chosen.validation_accuracy,
        "test": test["accuracy"],
        "low": low,
        "high": high,
        "documents": test["documents"],
        "before": first.validation_accuracy,
    }
    return (Answer(sentence, pieces),)


def _reading(run: Run) -> str:
    negative = run.config["negative"]
    return f"""
**Loss** is the negative-sampling loss in nats per predicted word with its {negative} negative samples, averaged over
an epoch while the vectors were still changing; an uninformed model has a loss of {(1 + negative) * log(2):.2f}. No
labels are used to train the vectors. **Accuracy** is measured with a logistic regression on the document vectors,
refitted at each epoch shown in the plot. The regularisation strength is the best of {len(run.recipe["strengths"])}
values on {run.corpus["validation"]:,} validation texts, so these accuracies are slightly optimistic. Every vector was
inferred by {run.config["steps"]} gradient steps with fixed word vectors and seed 0.
"""


def _predictor(run: Run, epoch: int, device: str) -> Answers:
    from nlpviz.training.answers import answers_of

    return answers_of(run, epoch, device)


def _maps(run: Run, seed: int, say: Say) -> Sequence[Projection]:
    from nlpviz.run_kinds.classifier_survey import maps

    return maps(run, seed, say)


def _finish(run: Run, say: Say) -> Run:
    """Add maps of the documents, where they are enough."""
    from nlpviz.analysis.projections.settings import SMALLEST_SAMPLE
    from nlpviz.runs.documents import documents_of

    if len(documents_of(run).ids) >= SMALLEST_SAMPLE:
        _maps(run, 0, say)
    return Run.open(run.folder)


def _survey(run: Run, say: Say) -> Run:
    """Write what is predicted for all test documents at the chosen epoch."""
    from nlpviz.training.paragraph_card import write_paragraph_card
    from nlpviz.training.predictions import predict_run

    return predict_run(run, say, (run.best_epoch,), write_paragraph_card)


def _contract() -> Contract:
    from nlpviz.networks.architectures import InfersDocuments

    return Contract(InfersDocuments, lambda module, ids: module(ids))


KIND = Kind(
    name=NAME,
    says="is a set of paragraph vectors",
    table="Paragraph vectors",
    headline=ON_TEST,
    criterion=ON_VALIDATION,
    evaluate=evaluate,
    columns=(
        Column(ON_TEST.name, ON_TEST.written),
        INTERVAL,
        Column("Best epoch (validation)", chosen_epoch),
        Column("Words", lambda run: f"{run.config['vocabulary_size']:,} × {run.config['dimensions']}"),
    ),
    record=ParagraphEpoch,
    measures=(
        Measure("loss", "training loss (nats per prediction)", (Curve("train_loss", "train"),), ".3f"),
        Measure(
            "accuracy",
            "accuracy of the regression",
            (Curve("train_accuracy", "train"), Curve("validation_accuracy", "validation")),
            ".1%",
            from_zero=False,
        ),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH,),
    predictor=_predictor,
    finish=_finish,
    maps=_maps,
    survey=_survey,
    commands=("behaviours", "drift", "embed", "infer", "predict", "project", "survey"),
    pages=("Explore",),
    contract=_contract,
    worth=lambda run: (run.metrics["test"]["documents"], run.metrics["test"]["accuracy"]),
    order=17,
)
