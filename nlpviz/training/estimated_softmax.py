"""A softmax over some of the words, for training: its denominator is estimated without bias.

The softmax over all words takes more time than all recurrent layers together. In training, the words of the batch and
the commonest ones are counted as they are, and a few others, drawn at random, stand for the rest of them, each weighted
by how many it stands for (Bengio and Senécal 2003; Jean, Cho, Memisevic and Bengio 2015). All that is measured and kept
is of the whole softmax.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.training.devices import sent


class Candidates(NamedTuple):
    """The words of one step's softmax.

    Attributes:
        kept: ids that are counted as they are, ascending: the batch's words and the commonest ones.
        drawn: ids that stand for all others.
        share: how many of these each of the drawn ones stands for.
    """

    kept: NDArray[np.int64]
    drawn: NDArray[np.int64]
    share: float


class Logits(NamedTuple):
    """The inputs of a step's loss.

    Attributes:
        right: logits of the words that came, (N,).
        denominator: log of the sum of exponentials over all words, estimated, (N,).
        evenly: the mean logit over all words, estimated, (N,), for smoothed labels.
    """

    right: Tensor
    denominator: Tensor
    evenly: Tensor


def candidates(
    targets: NDArray[np.int64], ids: range, common: int, sampled: int, rng: np.random.Generator
) -> Candidates:
    """Return the words of a softmax over ``ids``.

    Args:
        targets: the words that came, each one of ``ids``.
        ids: all that may come, the commonest ones first.
        common: those below it are counted as they are at every step.
        sampled: words that are drawn for the rest; 0 counts all as they are.
        rng: draws them.
    """
    if not sampled:
        return Candidates(np.arange(ids.start, ids.stop), np.zeros(0, dtype=np.int64), 1.0)
    kept = np.union1d(targets, np.arange(ids.start, min(common, ids.stop)))
    rest = np.setdiff1d(np.arange(ids.start, ids.stop), kept, assume_unique=True)
    drawn = rng.choice(rest, min(sampled, len(rest)), replace=False)
    return Candidates(kept, drawn, len(rest) / max(len(drawn), 1))


def estimated(predict: Callable[[Tensor], Tensor], targets: Tensor, chosen: Candidates) -> Logits:
    """Return the logits of ``targets`` (N,) and the estimated denominator.

    Args:
        predict: returns the logits (N, K) of candidates (K,), which ascend.
        targets: ids that stand among those that are kept.
        chosen: the words of the softmax.
    """
    ids = np.concatenate([chosen.kept, chosen.drawn])
    share = np.where(np.arange(len(ids)) < len(chosen.kept), 1.0, chosen.share)
    order = np.argsort(ids, kind="stable")
    ascending = sent(torch.from_numpy(ids[order]), targets.device)
    weights = sent(torch.from_numpy(share[order].astype(np.float32)), targets.device)
    logits = predict(ascending)  # (N, K)
    right = logits.gather(1, torch.searchsorted(ascending, targets).unsqueeze(1)).squeeze(1)
    denominator = (logits + weights.log()).logsumexp(dim=1)
    return Logits(right, denominator, logits @ (weights / weights.sum()))
