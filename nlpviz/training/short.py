"""Many short trainings: the loop of :mod:`nlpviz.training.fit` in one process.

It lacks what lets a long training be stopped and looked at: nothing is written, and no training text is measured.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from nlpviz.networks.architectures import padded
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.batches import Labelled, bucketed
from nlpviz.training.fit import FitSettings, optimizer_of
from nlpviz.training.measures import losses


def short_epochs(
    model: nn.Module, train: Labelled, settings: FitSettings, counted: NDArray[np.bool_] | None = None
) -> Iterator[nn.Module]:
    """Yield the averaged network after each epoch, in evaluation mode; it goes on to change: who keeps one copies it.

    Args:
        model: as it begins, on the device that is to train it.
        train: N texts.
        settings: of the training; its seed draws order and dropout.
        counted: (N,), False for texts whose loss has the weight 0; by default all count. A text that does not count
            stays in its batch, so that no other one meets other companions or another mask.
    """
    device = next(model.parameters()).device
    optimizer, average = optimizer_of(model, settings), WeightAverage(model, settings.averaging)
    lengths = np.array([len(row) for row in train.ids], dtype=np.int64)
    weights = np.ones(len(train), dtype=np.float32) if counted is None else counted.astype(np.float32)
    for epoch in range(1, settings.epochs + 1):
        model.train()
        torch.manual_seed(settings.seed * 10_000 + epoch * 100)
        for batch in bucketed(lengths, settings.batch_size, np.random.default_rng([settings.seed, epoch])):
            labels = torch.from_numpy(train.labels[batch].astype(np.int64)).to(device)
            optimizer.zero_grad()
            each = losses(model(padded([train.ids[one] for one in batch]).to(device)), labels)
            # Of the whole batch, so that the others count as much as they do with all.
            torch.autograd.backward((each * torch.from_numpy(weights[batch]).to(device)).sum() / len(batch))
            if settings.clip:
                nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
            optimizer.step()
            average.update()
        yield average.module.eval()
