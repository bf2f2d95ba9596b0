"""Language models, measured by their perplexity: a kind of run that knows no accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from nlpviz.run_kinds import (
    EPOCH,
    Answer,
    Column,
    Curve,
    Evaluation,
    Headline,
    Kind,
    Measure,
    Request,
    chosen_epoch,
    parameters,
)
from nlpviz.run_kinds.contract import Contract
from nlpviz.run_kinds.recipes import measured_again
from nlpviz.runs import Run
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.weights import weights_file

if TYPE_CHECKING:
    from torch import Tensor

PERPLEXITY = Headline(
    "Perplexity", "test", "perplexity", ".2f", unit="perplexity ", more_is_better=False, drawn="perplexity"
)


@dataclass(frozen=True)
class Epoch:
    """What one epoch reached."""

    epoch: int
    train_perplexity: float
    validation_perplexity: float
    seconds: float


@runtime_checkable
class LanguageModel(Protocol):
    """What predicts the next word."""

    def next_words(self, ids: Tensor) -> Tensor:
        """Return logits (B, T, V) of the word that follows each of ``ids`` (B, T)."""
        ...


def _evaluate(run: Run, request: Request) -> Evaluation:
    epoch = request.epoch_of(run)
    measured = measured_again(run, epoch, request)
    return Evaluation({"run": run.name, "epoch": epoch, **measured}, [f"perplexity {measured['perplexity']:.2f}"])


def _learnt(run: Run, history: Sequence[Epoch]) -> tuple[Answer, ...]:
    pieces = {"before": history[0].validation_perplexity, "test": run.metrics["test"]["perplexity"]}
    return (Answer("Before training the perplexity is {before:.1f}; on test texts it is **{test:.1f}**.", pieces),)


KIND = Kind(
    name="toy-language-model",
    says="is a language model",
    table="Language models",
    headline=PERPLEXITY,
    evaluate=_evaluate,
    columns=(
        Column(PERPLEXITY.name, PERPLEXITY.written),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=Epoch,
    measures=(
        Measure(
            "perplexity",
            "perplexity",
            (Curve("train_perplexity", "train"), Curve("validation_perplexity", "validation")),
            ".2f",
        ),
    ),
    files=lambda run: frozenset({VOCABULARY, HISTORY, *map(weights_file, run.epochs)}),
    learnt=_learnt,
    reading=lambda _: "**Perplexity** is the exponential of the mean cross-entropy of a word.",
    options=(EPOCH,),
    contract=lambda: Contract(LanguageModel, lambda module, ids: module.next_words(ids), of_words=True),
)
