"""The measures of a classifier: its loss and accuracy over texts, batch by batch, by one process or by several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from nlpviz.networks.architectures import Penalised, SkipsWords, padded
from nlpviz.text.vocabulary import PAD
from nlpviz.training.batches import Labelled, bucketed
from nlpviz.training.devices import sent

if TYPE_CHECKING:
    from accelerate import Accelerator

ASKED, ASKED_OF_A_GPU = 64, 512
"""Texts that are asked about at once where nothing is learnt: on a CPU more of them take longer, for no cache holds
what a network makes of 256 reviews; a GPU is idle with fewer."""


@dataclass(frozen=True)
class LossAndAccuracy:
    """Mean loss (cross-entropy, in nats) and accuracy over some texts."""

    loss: float
    accuracy: float


def asked_at_once(device: torch.device) -> int:
    """Return how many texts a network on ``device`` reads at once."""
    return ASKED_OF_A_GPU if device.type == "cuda" else ASKED


def measure(
    model: nn.Module, examples: Labelled, accelerator: Accelerator, batch_size: int | None = None
) -> LossAndAccuracy:
    """Return the mean loss and the accuracy of ``model`` over ``examples``, without dropout."""
    was_training = model.training
    model.eval()
    device = accelerator.device
    totals = torch.zeros(3, dtype=torch.float64, device=device)  # loss, right answers, texts
    with torch.inference_mode():
        for _, ids, labels, weights in shares(accelerator, examples, batch_size or asked_at_once(device), None):
            logits = model(ids)
            right = predicted_classes(logits) == labels
            totals += (torch.stack([losses(logits, labels), right, torch.ones_like(weights)]) @ weights).double()
    model.train(was_training)
    loss, right_answers, count = accelerator.reduce(totals, "sum").tolist()
    return LossAndAccuracy(loss / max(count, 1), right_answers / max(count, 1))


@torch.inference_mode()
def logits_of(model: nn.Module, examples: Labelled, device: torch.device) -> NDArray[np.float32]:
    """Return the logits of ``examples`` (N, C), without dropout, in the order of their lengths."""
    model.eval()
    batches = bucketed(np.array([len(ids) for ids in examples.ids], dtype=np.int64), ASKED, None)
    found = (model(padded([examples.ids[position] for position in batch]).to(device)) for batch in batches)
    logits = [some.logits if isinstance(some, Penalised) else some for some in found]
    return np.asarray(torch.cat(logits).float().cpu().numpy())


def updated_share(model: SkipsWords, examples: Labelled, accelerator: Accelerator) -> float:
    """Return the share of the words of ``examples`` at which ``model`` updates its state."""
    device = accelerator.device
    totals = torch.zeros(2, dtype=torch.float64, device=device)  # updates, words
    with torch.inference_mode():
        for _, ids, _, weights in shares(accelerator, examples, asked_at_once(device), None):
            counts = torch.stack([model.updated(ids).sum(dim=1), (ids != PAD).sum(dim=1)])
            totals += (counts @ weights).double()
    updates, words = accelerator.reduce(totals, "sum").tolist()
    return float(updates / max(words, 1))


def shares(
    accelerator: Accelerator, examples: Labelled, batch_size: int, rng: np.random.Generator | None
) -> Iterator[tuple[int, Tensor, Tensor, Tensor]]:
    """Yield, for each batch, its size and this process's ids (b, T), labels (b,) and weights (b,).

    A process left without a text takes the batch's first one with weight 0, so that all step together.
    """
    lengths = np.fromiter((len(ids) for ids in examples.ids), dtype=np.int64, count=len(examples))
    batches = bucketed(lengths, batch_size, rng)
    show = accelerator.is_main_process and rng is not None
    for batch in tqdm(batches, unit="batch", leave=False, disable=None if show else True):
        share = batch[accelerator.process_index :: accelerator.num_processes]
        weights = torch.ones(max(len(share), 1), device=accelerator.device)
        if not len(share):
            share, weights = batch[:1], weights * 0
        ids = padded([examples.ids[position] for position in share])
        labels = torch.from_numpy(examples.labels[share].astype(np.int64))
        yield len(batch), sent(ids, accelerator.device), sent(labels, accelerator.device), weights


def losses(logits: Tensor | Penalised, labels: Tensor) -> Tensor:
    """Return the cross-entropy of each text, (B,): of one sigmoid neuron where C = 1, of a softmax else.

    What a model pays besides is added to it.
    """
    if isinstance(logits, Penalised):
        return losses(logits.logits, labels) + logits.penalty
    if logits.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(logits[:, 0], labels.to(logits.dtype), reduction="none")
    return functional.cross_entropy(logits, labels, reduction="none")


def predicted_classes(logits: Tensor) -> Tensor:
    """Return the most probable class of each text, (B,)."""
    return (logits[:, 0] > 0).long() if logits.shape[1] == 1 else logits.argmax(dim=1)
