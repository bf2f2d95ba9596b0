"""A classifier's predictions for every document, several times per epoch, without any effect on the training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.networks.architectures import padded
from nlpviz.runs.files import write_whole
from nlpviz.runs.training_log import levels_of
from nlpviz.training.batches import Labelled, bucketed
from nlpviz.training.devices import sent
from nlpviz.training.measures import LossAndAccuracy, asked_at_once, losses, predicted_classes

if TYPE_CHECKING:
    from accelerate import Accelerator


class Moment(NamedTuple):
    """Predictions for N documents: levels of log-odds, uint8 (N,), and the predicted classes, int16 (N,).

    Of two classes the log-odds are the last one's, so that the classes are in them; of more, the own label's.
    """

    levels: NDArray[np.uint8]
    predicted: NDArray[np.int16]


class MomentLog:
    """Predicts all texts at moments of a training, and keeps an epoch's predictions in one hidden file.

    A stopped training repeats its last epoch, and with it that epoch's moments; those of finished epochs lie there.
    """

    def __init__(
        self, texts: Labelled, parts: Sequence[NDArray[np.integer]], folder: Path, accelerator: Accelerator
    ) -> None:
        """Ask about ``texts``, and write into ``folder``.

        Args:
            texts: those trained on, those held out and those of the test split among them.
            parts: the positions of those trained on, and of those held out.
            folder: of the run.
            accelerator: of the training.
        """
        self.texts = texts
        self.parts = parts
        self.folder = folder
        self.accelerator = accelerator
        lengths = np.array([len(row) for row in texts.ids], dtype=np.int64)
        self._batches = bucketed(lengths, asked_at_once(accelerator.device), None)
        self._taken: list[Moment] = []
        self._losses = np.zeros(0)
        self.seconds = 0.0  # that asking took in this epoch

    def take(self, model: nn.Module) -> None:
        """Ask ``model`` about all texts, without dropout and gradients; no random number is drawn."""
        started, was_training = perf_counter(), model.training
        model.eval()
        moment, self._losses = ask(model, self.texts, self._batches, self.accelerator)
        self._taken.append(moment)
        model.train(was_training)
        self.seconds += perf_counter() - started

    def measured(self, model: nn.Module) -> list[LossAndAccuracy]:
        """Return how well the latest moment's weights do on the texts trained on, and on those held out.

        Before training there is no moment: ``model`` is asked.
        """
        if not self._taken:
            self.take(model)
        right = self._taken[-1].predicted == self.texts.labels
        return [LossAndAccuracy(*(_mean(values[part]) for values in (self._losses, right))) for part in self.parts]

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


def ask(
    model: nn.Module, texts: Labelled, batches: Sequence[NDArray[np.int64]], accelerator: Accelerator
) -> tuple[Moment, NDArray[np.float64]]:
    """Return the predictions of a network in evaluation mode for all texts, and its loss on each text (nats), (N,).

    Under a launcher each process asks about its share. No answer is waited for before all have been asked for.

    Args:
        model: answers with logits (B, C).
        texts: N of them.
        batches: positions of texts of like length, every one once.
        accelerator: of the training.
    """
    said, lost = torch.zeros((2, len(texts)), dtype=torch.int64), torch.zeros(len(texts), dtype=torch.float64)
    shares = [batch[accelerator.process_index :: accelerator.num_processes] for batch in batches]
    shares = [share for share in shares if len(share)]
    with torch.inference_mode():
        rows = (padded([texts.ids[position] for position in share]) for share in shares)
        answers = [model(sent(ids, accelerator.device)) for ids in rows]
        if answers:
            asked, logits = np.concatenate(shares), torch.cat(answers).double().cpu()
            labels = torch.from_numpy(texts.labels[asked].astype(np.int64))
            said[0, asked] = torch.from_numpy(levels_of(_log_odds(logits, labels).numpy()).astype(np.int64))
            said[1, asked] = predicted_classes(logits)
            lost[asked] = losses(logits, labels)
    levels, classes = accelerator.reduce(said.to(accelerator.device), "sum").cpu().numpy()
    moment = Moment(levels.astype(np.uint8), classes.astype(np.int16))
    return moment, accelerator.reduce(lost.to(accelerator.device), "sum").cpu().numpy()


def moments_of(epochs: int, an_epoch: int) -> list[float]:
    """Return the moments of ``epochs`` epochs after the one before training, in epochs."""
    return [step / an_epoch for step in range(epochs * an_epoch + 1)]


def marks(batches: int, an_epoch: int) -> list[int]:
    """Return after how many batches of an epoch each of its moments is, the last one after all."""
    return [-(-batches * part // an_epoch) for part in range(1, an_epoch + 1)]


def _log_odds(logits: Tensor, labels: Tensor) -> Tensor:
    """Return log-odds (B,) from logits (B, C) and labels (B,): of the last of two classes, of more the label's."""
    if logits.shape[1] == 1:
        return logits[:, 0]
    if logits.shape[1] == 2:
        return logits[:, 1] - logits[:, 0]
    own = labels[:, None]
    return logits.gather(1, own)[:, 0] - logits.scatter(1, own, -torch.inf).logsumexp(dim=1)


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _save(path: Path, *, levels: NDArray[np.uint8], predicted: NDArray[np.int16]) -> None:
    with path.open("wb") as stream:  # a path would be given an ending
        np.savez_compressed(stream, allow_pickle=False, levels=levels, predicted=predicted)
