"""The loss of a language model on a text: as one stream, or, where a GPU compares epochs, in rows side by side."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from nlpviz.networks.language_networks import LanguageNetwork

READ_AT_ONCE = 512
"""Words that are read at once where a text is measured: the state is carried from one piece to the next.

On a CPU as quick as any number for recurrent layers; of 2,048, attention over 128 words took seven times as long.
"""
ROWS_ON_A_GPU, CONTEXT = 64, 512
"""A GPU measures an epoch in so many rows, which begin with so many words of context each."""
PREDICTED_AT_ONCE = 4_096
"""Words whose logits are computed at once: of a vocabulary of 100,000 they take 1.6 GB."""
_IGNORED = -100  # as torch's cross-entropy has it: a target that does not count


def rows_on(device: torch.device) -> int:
    """Return in how many rows an epoch is measured on ``device``."""
    return ROWS_ON_A_GPU if device.type == "cuda" else 1


@torch.inference_mode()
def mean_loss(model: LanguageNetwork, text: NDArray[np.int64], boundary: int, rows: int = 1) -> float:
    """Return the mean cross-entropy of the words of ``text``, in nats, over the whole softmax.

    In one row it is the definition of perplexity: the text is one stream, and each word has all words before it as its
    context. In several rows, which a GPU reads side by side, a word has those of its row before it: 512 at least, but
    at the beginning of the text. That is an estimate, by which epochs are compared: in 64 rows 0.00005 nats above the
    4.62038 of ``wikitext2-lstm``, and less than 0.00001 off the 1.27020 of ``shakespeare-lstm``, on validation texts.
    What a run says of its validation and test texts is measured in one row, when it is finished.
    """
    device = next(model.parameters()).device
    before, words = (torch.from_numpy(side).to(device) for side in in_rows(text, boundary, rows))
    state, total = model.start(len(words)), torch.zeros((), dtype=torch.float64, device=device)
    for read, came in zip(*(torch.split(side, READ_AT_ONCE, dim=1) for side in (before, words)), strict=True):
        hidden, state = model.read_on(model.embed(read), state)
        parts = (torch.split(one.flatten(0, 1), PREDICTED_AT_ONCE) for one in (hidden, came))
        for some, targets in zip(*parts, strict=True):
            total += functional.cross_entropy(model.predict(some), targets, ignore_index=_IGNORED, reduction="sum")
    return total.item() / max(len(text), 1)


def in_rows(text: NDArray[np.int64], boundary: int, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a text in rows (R, T): the word before each place, and the word there, or ``_IGNORED`` where none counts.

    Each word of the text counts once. The first row begins with the text and counts all its words. Each other row
    begins with :data:`CONTEXT` words that count in the row before. A short text has fewer rows.
    """
    rows = max(min(rows, len(text) // CONTEXT), 1)
    context = CONTEXT if rows > 1 else 0
    length = -(-(len(text) - context) // rows)
    filled = context + rows * length - len(text)
    before = np.concatenate([[boundary], text[:-1], np.full(filled, boundary)])
    words = np.concatenate([text, np.full(filled, _IGNORED)])
    places = length * np.arange(rows)[:, None] + np.arange(context + length)
    found = words[places]
    found[1:, :context] = _IGNORED
    return before[places], found
