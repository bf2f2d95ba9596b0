"""Short trainings that leave documents out: how much do predictions change?

Everything but the documents is held still: initial weights, batches and their order, dropout. A document that is left
out stays in its batch with the weight 0, so that no other one meets other companions or another mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.networks.architectures import architectures, class_probabilities, padded
from nlpviz.runs import Run
from nlpviz.training import TrainingError
from nlpviz.training.batches import Labelled
from nlpviz.training.fit import FitSettings
from nlpviz.training.short import short_epochs
from nlpviz.training.vectors import is_language_model, vectors_of_run


@dataclass(frozen=True)
class SmallTraining:
    """What is made less of in a recipe, so that it can be trained dozens of times.

    Attributes:
        epochs: passes over the documents.
        words: read of each document.
        batch_size: documents a step.
        every: of so many documents in a row the first one alone is trained on.
    """

    epochs: int = 4
    words: int = 200
    batch_size: int = 32
    every: int = 12

    def said(self, run: Run) -> str:
        """Return what was done, for people: it follows "trained"."""
        passes = "one epoch" if self.epochs == 1 else f"{self.epochs} epochs"
        before = int(run.recipe["fit"]["batch_size"])
        return (
            f"for {passes} instead of {run.best_epoch}, on the first {self.words} words"
            + (f" of one document in {self.every}" if self.every > 1 else " of each document")
            + f", with batches of {self.batch_size} instead of {before}" * (self.batch_size != before)
        )


def settings_of(run: Run, short: SmallTraining) -> FitSettings:
    """Return a run's settings, shortened.

    Raises:
        TrainingError: if it begins with a language model, whose layers would have to be taken over.
    """
    fit = FitSettings(**run.recipe["fit"])
    if fit.starts_from and is_language_model(fit.starts_from):
        raise TrainingError(
            f"{run.name} starts from a language model, so it cannot be retrained with documents left out."
        )
    return replace(fit, epochs=short.epochs, batch_size=short.batch_size, moments=0)


def retrained(run: Run, train: Labelled, counted: NDArray[np.bool_], settings: FitSettings) -> Iterator[nn.Module]:
    """Return the networks of the run's recipe after each epoch of a training in which only some documents count.

    Args:
        run: whose architecture, words and initial word vectors are taken.
        train: all N documents.
        counted: (N,), False for those that are left out.
        settings: of the training; its seed draws initial weights, order and dropout.
    """
    return short_epochs(_initial(run, settings), train, settings, counted)


def log_odds(
    model: nn.Module, rows: Sequence[NDArray[np.integer]], classes: NDArray[np.integer]
) -> NDArray[np.float32]:
    """Return the log-odds (R,) of one class each of R texts, for a network in evaluation mode."""
    found: list[Tensor] = []
    with torch.inference_mode():
        for row, one in zip(rows, classes, strict=True):
            found.append(torch.logit(class_probabilities(model(padded([row])).double())[0, int(one)], eps=1e-12))
    return torch.stack(found).float().numpy() if found else np.zeros(0, np.float32)


def _initial(run: Run, settings: FitSettings) -> nn.Module:
    torch.manual_seed(settings.seed)
    architecture = architectures()[run.architecture]
    model = architecture.build(architecture.config(**run.config))
    if settings.starts_from:
        table = model.get_parameter("embedding.weight")
        table.data.copy_(vectors_of_run(settings.starts_from, run.vocabulary, table.shape[1])[0])
    return model
