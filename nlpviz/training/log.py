"""What a classifier in training says of every document, several times an epoch, without changing what is trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.models import padded
from nlpviz.runs.files import write_whole
from nlpviz.runs.training_log import levels_of
from nlpviz.training.batches import Labelled, bucketed

if TYPE_CHECKING:
    from accelerate import Accelerator

BATCH = 64
"""Texts that are asked about at once: a CNN reads film reviews in half the time of 256, whose maps fit no cache."""


class Moment(NamedTuple):
    """What was said of N documents: levels of log-odds, uint8 (N,), and the predicted classes, int16 (N,).

    Of two classes the log-odds are the last one's, so that the classes are in them; of more, the own label's.
    """

    levels: NDArray[np.uint8]
    predicted: NDArray[np.int16]


class MomentLog:
    """Asks the weights about all texts at moments of a training, and keeps an epoch's answers in one hidden file.

    A stopped training repeats its last epoch, and with it that epoch's moments; those of finished epochs lie there.
    """

    def __init__(self, texts: Labelled, folder: Path, accelerator: Accelerator) -> None:
        """Ask about ``texts``, those held out and those of the test split among them; write into ``folder``."""
        self.texts = texts
        self.folder = folder
        self.accelerator = accelerator
        self._batches = bucketed(np.array([len(row) for row in texts.ids], dtype=np.int64), BATCH, None)
        self._taken: list[Moment] = []
        self.seconds = 0.0  # that asking took in this epoch

    def take(self, model: nn.Module) -> None:
        """Ask ``model`` about all texts, without dropout and gradients; no random number is drawn."""
        started, was_training = perf_counter(), model.training
        model.eval()
        self._taken.append(ask(model, self.texts, self._batches, self.accelerator))
        model.train(was_training)
        self.seconds += perf_counter() - started

    def keep(self, epoch: int) -> None:
        """Write what was taken since the epoch before; call it before the state of the training is written."""
        levels = np.stack([moment.levels for moment in self._taken])
        predicted = np.stack([moment.predicted for moment in self._taken])
        self._taken, self.seconds = [], 0.0
        if self.accelerator.is_main_process:
            write_whole(self._file(epoch), lambda partial: _save(partial, levels=levels, predicted=predicted))

    def kept(self, epochs: int) -> list[Moment]:
        """Return all moments of the first ``epochs`` epochs, the one before training first."""
        moments = []
        for epoch in range(epochs):
            with np.load(self._file(epoch), allow_pickle=False) as stored:
                moments += [Moment(*both) for both in zip(stored["levels"], stored["predicted"], strict=True)]
        return moments

    def _file(self, epoch: int) -> Path:
        return self.folder / f".log-{epoch:02d}.npz"


def ask(model: nn.Module, texts: Labelled, batches: Sequence[NDArray[np.int64]], accelerator: Accelerator) -> Moment:
    """Return what a network in evaluation mode says of all texts; under a launcher each process asks about its share.

    Args:
        model: answers with logits (B, C).
        texts: N of them.
        batches: positions of texts of like length, every one once.
        accelerator: of the training.
    """
    said = torch.zeros((2, len(texts)), dtype=torch.int64)
    with torch.inference_mode():
        for batch in batches:
            share = batch[accelerator.process_index :: accelerator.num_processes]
            if not len(share):
                continue
            ids = padded([texts.ids[position] for position in share]).to(accelerator.device)
            log_odds, predicted = _said(model(ids).double().cpu(), texts.labels[share])
            said[0, share] = torch.from_numpy(levels_of(log_odds.numpy()).astype(np.int64))
            said[1, share] = predicted
    levels, classes = accelerator.reduce(said.to(accelerator.device), "sum").cpu().numpy()
    return Moment(levels.astype(np.uint8), classes.astype(np.int16))


def moments_of(epochs: int, an_epoch: int) -> list[float]:
    """Return the moments of ``epochs`` epochs after the one before training, in epochs."""
    return [step / an_epoch for step in range(epochs * an_epoch + 1)]


def marks(batches: int, an_epoch: int) -> list[int]:
    """Return after how many batches of an epoch each of its moments is, the last one after all."""
    return [-(-batches * part // an_epoch) for part in range(1, an_epoch + 1)]


def _said(logits: Tensor, labels: NDArray[np.integer]) -> tuple[Tensor, Tensor]:
    """Return log-odds (B,) and predicted classes (B,) from logits (B, C)."""
    if logits.shape[1] == 1:
        return logits[:, 0], (logits[:, 0] > 0).long()
    if logits.shape[1] == 2:
        log_odds = logits[:, 1] - logits[:, 0]
        return log_odds, (log_odds > 0).long()
    own = torch.from_numpy(labels.astype(np.int64))[:, None]
    others = logits.scatter(1, own, -torch.inf).logsumexp(dim=1)
    return logits.gather(1, own)[:, 0] - others, logits.argmax(dim=1)


def _save(path: Path, *, levels: NDArray[np.uint8], predicted: NDArray[np.int16]) -> None:
    with path.open("wb") as stream:  # a path would be given an ending
        np.savez_compressed(stream, allow_pickle=False, levels=levels, predicted=predicted)
