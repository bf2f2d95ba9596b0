"""A network trained on texts without some of their words: remove and retrain (Hooker et al. 2019).

Trainings are many, so that each is shortened: fewer texts, their first words alone, few epochs at a higher rate, no
words dropped at random, no files. On held-out texts that did better than the recipe's own settings in as few steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.networks.architectures import architectures, class_probabilities, padded
from nlpviz.runs import Run
from nlpviz.training import accelerator_for
from nlpviz.training.batches import Labelled, bucketed
from nlpviz.training.devices import set_precision
from nlpviz.training.fit import FitSettings
from nlpviz.training.measures import measure
from nlpviz.training.sampled import HELD_OUT, TEST, TRAINED, Shortened, ShortTexts, settings_of
from nlpviz.training.short import short_epochs
from nlpviz.training.vectors import is_language_model, start_from_language_model, vectors_of_run

if TYPE_CHECKING:
    from accelerate import Accelerator


class Retrainer:
    """Retrains a run's network many times: nothing is written, and no training text is measured."""

    def __init__(self, run: Run, short: Shortened, device: str) -> None:
        """Take the run's recipe, shortened; ``device`` as in :class:`nlpviz.training.Options`.

        Raises:
            TrainingError: if no recipe trains the run, or the device is not there.
        """
        self._settings, self._short = settings_of(run), short
        self._vocabulary, self._accelerator = run.vocabulary, accelerator_for(device)
        self._vectors: Tensor | None = None

    def right(self, sample: ShortTexts, rows: Sequence[NDArray[np.int64]], seed: int) -> NDArray[np.bool_]:
        """Return whether a network trained on ``rows`` classifies each test text rightly.

        The epoch is chosen on the texts held out, by accuracy and then by loss.

        Args:
            sample: labels and parts of the N texts.
            rows: the N texts, masked by :mod:`nlpviz.training.masking`.
            seed: of initial weights, order and dropout.
        """
        train, held, test = (_part(sample, rows, part) for part in (TRAINED, HELD_OUT, TEST))
        recipe, short = self._settings.fit, self._short
        fit = replace(recipe, epochs=short.epochs, seed=seed, learning_rate=short.rate * recipe.learning_rate)
        torch.manual_seed(seed)
        set_precision(fit.precision)
        model = _best(self._model(), train, held, fit, self._accelerator)
        predicted = np.empty(len(test), dtype=np.int64)
        with torch.inference_mode():
            for positions in bucketed(np.array([len(row) for row in test.ids]), 256, None):
                batch = padded([test.ids[position] for position in positions]).to(self._accelerator.device)
                predicted[positions] = class_probabilities(model(batch)).argmax(dim=1).cpu().numpy()
        result: NDArray[np.bool_] = predicted == test.labels
        return result

    def _model(self) -> nn.Module:
        """Return the network before training, with its initial word vectors, and without word dropout."""
        architecture, begun = architectures()[self._settings.architecture], self._settings.fit.starts_from
        sizes = {**self._settings.config, "vocabulary_size": len(self._vocabulary)}
        config = architecture.config(**(sizes | {"word_dropout": 0.0} if "word_dropout" in sizes else sizes))
        model = architecture.build(config)
        if begun and is_language_model(begun):
            start_from_language_model(model, begun)
        elif begun:
            weight = model.get_parameter("embedding.weight")
            if self._vectors is None:
                self._vectors, _ = vectors_of_run(begun, self._vocabulary, weight.shape[1])
            weight.data.copy_(self._vectors)
        return model.to(self._accelerator.device)


def _best(
    model: nn.Module, train: Labelled, held: Labelled, settings: FitSettings, accelerator: Accelerator
) -> nn.Module:
    """Return ``model`` as it was after the epoch that is best on the texts held out."""
    best, kept = (-1.0, 0.0), model
    for network in short_epochs(model, train, settings):
        found = measure(network, held, accelerator)
        if (found.accuracy, -found.loss) > best:
            best, kept = (found.accuracy, -found.loss), deepcopy(network)
    return kept.eval()


def _part(sample: ShortTexts, rows: Sequence[NDArray[np.int64]], part: int) -> Labelled:
    positions = np.flatnonzero(sample.parts == part)
    return Labelled(rows, sample.labels).take(positions)
