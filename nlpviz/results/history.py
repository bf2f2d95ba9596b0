"""The cost and measures of each epoch of a run, and how they are drawn: the columns of each panel, horizontal lines.

A kind of run has a record of its own: a frozen dataclass or a named tuple of numbers whose first field is ``epoch``. A
number that there is not is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class WordEpoch(NamedTuple):
    """The cost and measures of one epoch of word vectors.

    Attributes:
        epoch: its number; 0 is before training.
        loss: the model's own, a prediction's or a pair's; NaN where there is none.
        accuracy: on the analogy questions, by 3CosAdd.
        seconds: of its pass.
    """

    epoch: int
    loss: float
    accuracy: float
    seconds: float


@dataclass(frozen=True)
class TranslatorEpoch:
    """The cost and measures of one epoch of a translator.

    Attributes:
        epoch: its number; 0 is before training.
        train_loss: nats a target word, on as many training sentences as there are validation sentences.
        validation_loss: the same on the validation sentences.
        validation_bleu: of their greedy translations, case left out.
        gradient_norm: the mean over its steps before clipping.
        seconds: of its pass.
    """

    epoch: int
    train_loss: float
    validation_loss: float
    validation_bleu: float
    gradient_norm: float
    seconds: float


class EpochBleu(NamedTuple):
    """BLEU of one epoch on the test sentences whose source has ``shortest`` to ``longest`` tokens."""

    epoch: int
    shortest: int
    longest: int
    sentences: int
    bleu: float


@dataclass(frozen=True)
class LanguageEpoch:
    """The cost and measures of one epoch of a language model.

    Attributes:
        epoch: its number; 0 is before training.
        train_loss: nats per word or character, on the beginning of the training text.
        validation_loss: the same on the whole validation text.
        gradient_norm: the mean over its steps before clipping.
        seconds: of its pass.
    """

    epoch: int
    train_loss: float
    validation_loss: float
    gradient_norm: float
    seconds: float


@dataclass(frozen=True)
class CodesEpoch:
    """The cost and measures of one epoch of an autoencoder of documents, read without dropout or corruption.

    Attributes:
        epoch: its number; 0 is before training.
        train_reconstruction: nats a word, on as many training documents as there are validation documents.
        reconstruction: the same on the validation documents.
        divergence: KL of the code's distribution from the prior, nats a validation document; NaN where a code is none.
        bound: upper bound of -log p, nats a word of the validation documents; NaN where there is none.
        information: estimated mutual information of document and code, nats; NaN where a code is no distribution.
        active: units of the code that are active on the validation documents.
        penalty_weight: what the penalty was multiplied by in the epoch's last step.
        seconds: of its pass.
    """

    epoch: int
    train_reconstruction: float
    reconstruction: float
    divergence: float
    bound: float
    information: float
    active: int
    penalty_weight: float
    seconds: float


@dataclass(frozen=True)
class TransducerEpoch:
    """The cost and measures of one epoch of a network with an output after every step.

    Attributes:
        epoch: its number; 0 is before training.
        train_loss: nats an answered bit, the mean over its steps; NaN before training.
        validation_loss: the same on validation sequences of trained lengths.
        validation_error: share of their bits that are wrong.
        gradient_norm: the mean over its steps before clipping; NaN before training.
        seconds: of its steps.
    """

    epoch: int
    train_loss: float
    validation_loss: float
    validation_error: float
    gradient_norm: float
    seconds: float


@dataclass(frozen=True)
class CaptionEpoch:
    """The cost and measures of one epoch of a captioning network.

    Attributes:
        epoch: its number; 0 is before training.
        train_loss: nats a word, the mean over its steps; NaN before training.
        validation_loss: the same on the validation images.
        validation_true: share of their captions that are true; NaN where nobody knows the truth.
        gradient_norm: the mean over its steps before clipping; NaN before training.
        seconds: of its steps.
    """

    epoch: int
    train_loss: float
    validation_loss: float
    validation_true: float
    gradient_norm: float
    seconds: float


@dataclass(frozen=True)
class EpochRecord:
    """The cost and measures of one epoch of a classifier; ``gradient_norm`` is its mean over steps before clipping."""

    epoch: int
    train_loss: float
    train_accuracy: float
    validation_loss: float
    validation_accuracy: float
    gradient_norm: float
    seconds: float


@dataclass(frozen=True)
class ParagraphEpoch:
    """The cost and measures of one epoch of paragraph vectors; NaN where not measured.

    Attributes:
        epoch: its number; 0 is before training.
        train_loss: nats a prediction, while vectors were still changing.
        train_accuracy: of the logistic regression on the training texts that it was fitted to.
        validation_accuracy: of the same on the validation texts.
        strength: C of that regression, the inverse of its penalty, chosen on the validation texts.
        seconds: of its pass.
    """

    epoch: int
    train_loss: float
    train_accuracy: float
    validation_accuracy: float
    strength: float
    seconds: float


def columns(record: type[Any]) -> tuple[str, ...]:
    """Return the names of a record's fields, which are the columns of the file."""
    return tuple(getattr(record, "_fields", None) or record.__dataclass_fields__)


@dataclass(frozen=True)
class RunHistory:
    """All epochs of one run.

    Attributes:
        run: its name.
        title: what people call it.
        best_epoch: the chosen one; None as long as none is.
        seed: of its training.
        device: on which it was trained.
        records: one for each epoch, the first one first, all of one type.
    """

    run: str
    title: str
    best_epoch: int | None
    seed: int
    device: str
    records: Sequence[Any]


class Curve(NamedTuple):
    """One column of a history, and what people call what it was measured on: ``"train"``, ``"validation"``."""

    column: str
    name: str


@dataclass(frozen=True)
class Measure:
    """One panel of training curves.

    Attributes:
        name: what people call it, for example ``"accuracy"``.
        title: of its axis, with the unit.
        curves: the columns that are drawn in it.
        form: how its numbers are written, for example ``".1%"``.
        from_zero: whether its axis begins at zero.
    """

    name: str
    title: str
    curves: tuple[Curve, ...]
    form: str
    from_zero: bool = True


class Level(NamedTuple):
    """A number of one run as a line across a panel: the run's title, the number, the panel's name, what it is of."""

    title: str
    value: float
    measure: str
    on: str
