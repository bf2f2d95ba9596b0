"""How the loss of each word falls with the number of words before it that a language model was allowed to read.

Khandelwal, He, Qi and Jurafsky (2018), *Sharp Nearby, Fuzzy Far Away: How Neural Language Models Use Context*,
section 3. What lies further back is not read: the words that are kept stand at the beginning of a text.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from nlpviz.analysis.inspection.memory import affordable
from nlpviz.language.logit_difference import NextOfTwo
from nlpviz.results.context_loss import ContextLoss
from nlpviz.runs import RunError, TrainedModel

KEPT = (1, 2, 4, 8, 16, 32, 64)
_STEPS = 40_000  # words that are read at once, rows times steps


def lose_context(trained: TrainedModel, text: str, report: Callable[[float], object] = lambda _: None) -> ContextLoss:
    """Return the loss of each word of ``text`` with 1, 2, 4, … words before it, and with all.

    Args:
        trained: a language model that is asked for two words.
        text: anything.
        report: progress callback, called with the completed fraction.

    Raises:
        RunError: if the model predicts no words.
    """
    module, encoded = trained.module, affordable(trained, text)
    if not isinstance(module, NextOfTwo):
        raise RunError(f"The run {trained.run.name!r} is not a language model but a {trained.run.kind}.")
    words = len(encoded.ids)
    kept = (*(count for count in KEPT if count < words - 1), max(words - 1, 0))
    ids = torch.from_numpy(encoded.ids)
    with torch.inference_mode():
        embedded = module.embed(ids.unsqueeze(0))[0]
        whole = _losses(module, module.hidden(embedded.unsqueeze(0))[0, :-1], ids) if words else embedded.new_zeros(0)
        rows = []
        for place, count in enumerate(kept):
            nats = whole.clone()
            at_once = max(_STEPS // max(count, 1), 1)
            for first in range(count + 1, words, at_once):  # words that have more before them
                some = range(first, min(first + at_once, words))
                windows = torch.stack([embedded[at - count : at] for at in some])
                nats[some.start : some.stop] = _losses(
                    module, module.hidden(windows)[:, -1], ids[some.start : some.stop]
                )
            rows.append(nats)
            report((place + 1) / len(kept))
    return ContextLoss(trained.run.name, trained.epoch, encoded, kept, torch.stack(rows).float().numpy().copy())


def _losses(module: NextOfTwo, hidden: Tensor, ids: Tensor) -> Tensor:
    """Return −log p of ``ids`` (N,) as they are predicted from hidden states (N, H); not a number where p is 0."""
    logits = module.network.predict(module.network.shown(hidden))
    nats = logits.logsumexp(dim=1) - logits.gather(1, ids.unsqueeze(1)).squeeze(1)
    return nats.where(nats.isfinite(), torch.full_like(nats, np.nan))
