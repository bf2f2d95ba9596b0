"""Taggers, which give each word a class: a kind of run with classes, but none of a whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from nlpviz.run_kinds import Column, Curve, Evaluation, Headline, Kind, Measure, Request, chosen_epoch
from nlpviz.run_kinds.contract import Contract
from nlpviz.run_kinds.recipes import measured_again
from nlpviz.runs import Run

if TYPE_CHECKING:
    from torch import Tensor

RIGHT = Headline("Tags right", "tags", "share", ".1%", on="test words")


class Epoch(NamedTuple):
    """What one epoch reached; nothing is known of the loss before training."""

    epoch: int
    loss: float
    share: float


@runtime_checkable
class Tagger(Protocol):
    """What gives each word a class."""

    def tag(self, ids: Tensor) -> Tensor:
        """Return logits (B, T, K) of the tag of each of ``ids`` (B, T)."""
        ...


def _evaluate(run: Run, request: Request) -> Evaluation:
    measured = measured_again(run, None, request)
    return Evaluation({"run": run.name, **measured}, [f"{measured['share']:.1%} of the tags are right"])


KIND = Kind(
    name="toy-tagger",
    says="is a tagger",
    table="Taggers",
    headline=RIGHT,
    evaluate=_evaluate,
    columns=(Column(RIGHT.name, RIGHT.written), Column("Best epoch (validation)", chosen_epoch)),
    record=Epoch,
    measures=(
        Measure("loss", "loss (nats)", (Curve("loss", "train"),), ".3f"),
        Measure("tags right", "tags right", (Curve("share", "validation"),), ".1%"),
    ),
    contract=lambda: Contract(Tagger, lambda module, ids: module.tag(ids), of_words=True),
)
