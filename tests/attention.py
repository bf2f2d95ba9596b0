"""Made-up attention for tests of figures: a text of three sentences, a text under self-attention."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.attention import AttendedSentence, TextAttention
from nlpviz.text.vocabulary import EncodedText, Vocabulary, tokenize

CLASSES = ("negative", "<positive>")
SENTENCES = "A <b>dull</b> start.  Then a splendid & moving end! The end?"
WITHIN = ((0.1, 0.7, 0.1, 0.1), (0.05, 0.05, 0.6, 0.05, 0.15, 0.05, 0.05), (0.2, 0.5, 0.3))
WEIGHTS = (0.08, 0.9, 0.02)


def encode(text: str, max_length: int = 99, unknown: tuple[str, ...] = ()) -> EncodedText:
    """Return a text of which every word is known but ``unknown`` ones."""
    words = [word for word in dict.fromkeys(token.word for token in tokenize(text)) if word not in unknown]
    return Vocabulary(words, [1] * len(words)).encode(text, max_length)


def pooled(
    text: str, weights: NDArray[np.float32] | None = None, epoch: int = 1, max_length: int = 99
) -> TextAttention:
    """Return attention that pools over words, random where no weights are given."""
    encoded = encode(text, max_length)
    if weights is None:
        count = len(encoded.ids)
        weights = np.random.default_rng(epoch).dirichlet(np.ones(count)) if count else np.zeros(0)
    probabilities = np.array([0.2, 0.8], np.float32)
    return TextAttention("rnn", epoch, encoded, CLASSES, probabilities, np.asarray(weights, np.float32))


def hierarchical(epoch: int = 1, weights: tuple[float, ...] = WEIGHTS, text: str = SENTENCES) -> TextAttention:
    """Return the attention of three sentences: of a light one, a heavy one and a very light one."""
    encoded = encode(text, unknown=("moving",))
    within = np.concatenate([np.array(row) for row in WITHIN])
    starts = (0, text.index("Then"), text.index("The end"))
    ends = (text.index("  Then"), text.index(" The end"), len(text))
    sizes = np.cumsum([0, *map(len, WITHIN)])
    result = tuple(
        AttendedSentence(int(sizes[position]), int(sizes[position + 1]), starts[position], ends[position], weight)
        for position, weight in enumerate(weights)
    )
    words = within * np.repeat(weights, [len(row) for row in WITHIN])
    return TextAttention(
        "han", epoch, encoded, CLASSES, np.array([0.2, 0.8], np.float32), words.astype(np.float32),
        within.astype(np.float32), result,
    )  # fmt: skip


def self_attending(text: str, epoch: int = 1, layers: int = 2, heads: int = 3, max_length: int = 999) -> TextAttention:
    """Return random self-attention."""
    encoded = encode(text, max_length)
    count = len(encoded.ids)
    drawn = np.random.default_rng(epoch).dirichlet(np.ones(max(count, 1)) * 0.3, size=(layers, heads, count))
    matrices = drawn.astype(np.float32)[..., :count]
    words = matrices.mean(axis=(0, 1, 2)) if count else np.zeros(0, np.float32)
    return TextAttention(
        "transformer", epoch, encoded, CLASSES, np.array([0.2, 0.8], np.float32), words, heads=matrices
    )
