"""Networks that classify texts: accuracy on the test texts, documents with embeddings and maps, a survey of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from nlpviz.results.history import EpochRecord
from nlpviz.run_kinds import EPOCH, Answer, Answers, Column, Curve, Kind, Measure, chosen_epoch, parameters
from nlpviz.run_kinds.accuracy import INTERVAL, LABELS, MASKED, ON_TEST, ON_VALIDATION, OWN_FILE, evaluate
from nlpviz.run_kinds.classifier_survey import essentials, finish, maps, survey, surveyed_files
from nlpviz.run_kinds.classifier_surveys import SURVEYS
from nlpviz.run_kinds.contract import Contract
from nlpviz.runs import Run
from nlpviz.runs.derived import DERIVED
from nlpviz.runs.documents import DOCUMENTS, MAPS
from nlpviz.runs.faithfulness import FAITHFULNESS
from nlpviz.runs.influence import INFLUENCE
from nlpviz.runs.initial_weights import before_training
from nlpviz.runs.left_out import LEFT_OUT
from nlpviz.runs.more_seeds import SEEDS
from nlpviz.runs.planted import PLANTED
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.runs.roar import ROAR
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.training_log import TRAINING_LOG
from nlpviz.runs.weights import all_weights
from nlpviz.stats.significance import wilson

__all__ = ["KIND", "before_training"]

_OF_REGIONS = """
The **parameters** are counted as in Tixier (2018), section 5.3: (V + 2) × d for the word embeddings (two extra rows:
padding and the unknown word), h × d × n_f + n_f for each region size h, and one weight for each filter plus a bias at
the end.
"""


_ASKED_FOR = frozenset({TRAINING_LOG, PLANTED, SEEDS, FAITHFULNESS, ROAR, INFLUENCE, LEFT_OUT}) | DERIVED
"""What a training or a command of its own leaves, where somebody asked for it."""


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: words, weights, documents with maps, and the survey of what the network has."""
    own = {VOCABULARY, HISTORY, DOCUMENTS, MAPS}
    own |= all_weights(run.epochs, run.files)
    return frozenset(own | {PREDICTIONS} | ((_ASKED_FOR | surveyed_files(run)) & set(run.files)))


def _learnt(run: Run, history: Sequence[EpochRecord]) -> tuple[Answer, ...]:
    chosen, test = next(record for record in history if record.epoch == run.best_epoch), run.metrics["test"]
    sentence = (
        "Best epoch (validation): {epoch}, with {validation:.1%} on the validation texts and {train:.1%} on the "
        "training texts. The test accuracy, measured once on {documents:,.0f} texts, is **{test:.1%}** (95% interval "
        "{low:.1%} to {high:.1%})."
    )
    low, high = wilson(test["accuracy"], test["documents"])
    pieces = {
        "epoch": chosen.epoch,
        "validation": chosen.validation_accuracy,
        "train": chosen.train_accuracy,
        "test": test["accuracy"],
        "low": low,
        "high": high,
        "documents": test["documents"],
    }
    if run.best_epoch == history[-1].epoch:
        sentence += " This epoch is the last one trained, so more training might help."
    return (Answer(sentence, pieces),)


def _reading(run: Run) -> str:
    even = log(len(run.class_names))
    return f"""
**Loss** is the mean cross-entropy in nats ({even:.2f} if the model gives all classes the same probability), and
**accuracy** is the share of correct predictions. Both are measured after each epoch, without dropout. If the
validation loss rises while the training loss falls, the network has begun to memorise its training texts (overfitting).
The validation texts are {run.corpus["validation"]:,} texts from the training split. Judging by the order of the
corpus, the validation texts and the remaining training texts are about different films. No choice was based on the test
split.
{_OF_REGIONS if "region_sizes" in run.config else ""}"""


def _contract() -> Contract:
    from nlpviz.networks.architectures import Classifier

    return Contract(Classifier, lambda module, ids: module(ids))


def _predictor(run: Run, epoch: int, device: str) -> Answers:
    from nlpviz.training.answers import answers_of

    return answers_of(run, epoch, device)


def _worth(run: Run) -> tuple[float, ...]:
    """Most test documents, for a toy's perfect answers prove little, then most epochs kept, then accuracy."""
    return run.metrics["test"]["documents"], len(run.epochs), run.metrics["test"]["accuracy"]


KIND = Kind(
    name="classifier",
    says="is a classifier",
    table="Classifiers",
    headline=ON_TEST,
    criterion=ON_VALIDATION,
    evaluate=evaluate,
    columns=(
        Column(ON_TEST.name, ON_TEST.written),
        INTERVAL,
        MASKED,
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=EpochRecord,
    measures=(
        Measure("loss", "loss (nats)", (Curve("train_loss", "train"), Curve("validation_loss", "validation")), ".3f"),
        Measure(
            "accuracy",
            "accuracy",
            (Curve("train_accuracy", "train"), Curve("validation_accuracy", "validation")),
            ".1%",
            from_zero=False,
        ),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH, LABELS, *OWN_FILE),
    predictor=_predictor,
    finish=finish,
    essentials=essentials,
    maps=maps,
    survey=survey,
    surveys=SURVEYS,
    commands=(
        "attend",
        "behaviours",
        "cartography",
        "churn",
        "deletion",
        "drift",
        "embed",
        "explain",
        "edits",
        "faithfulness",
        "filters",
        "gates",
        "influence",
        "leave-out",
        "memory",
        "plant",
        "predict",
        "project",
        "rationales",
        "regions",
        "roar",
        "seeds",
        "states",
        "survey",
        "units",
    ),
    pages=("Explore", "One review", "Recurrent networks", "Inside the model"),
    contract=_contract,
    worth=_worth,
    order=10,
)
