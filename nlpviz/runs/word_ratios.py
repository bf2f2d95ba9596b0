"""The log-count ratio of each word of a corpus's training texts, in its baseline's folder: ``word-ratios.parquet``.

As :mod:`nlpviz.runs.ngram_weights` keeps weights: by the hash of the word, in 512ths of a natural logarithm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.runs.ngram_weights import read_weights, write_weights

RATIOS = "word-ratios.parquet"
_FEWEST = 2  # training texts that a word stands in


def counted(texts: Iterable[Sequence[str]], labels: NDArray[np.integer], classes: int) -> NgramWeights:
    """Return r = log((p / |p|) / (q / |q|)) of each word that occurs in at least two texts (Wang and Manning 2012).

    p is one more than the number of texts of a class that have the word, q the same of all others; of two classes the
    second one is asked for, of more each.

    Args:
        texts: each a list of words.
        labels: (N,), class indices.
        classes: how many there are.
    """
    has: list[Counter[str]] = [Counter() for _ in range(classes)]
    for words, label in zip(texts, labels.tolist(), strict=True):
        has[label].update(set(words))
    total = sum(has, Counter())
    kept = sorted(word for word, count in total.items() if count >= _FEWEST)
    every = np.array([total[word] for word in kept], dtype=np.float64)
    rows = []
    for label in range(classes) if classes > 2 else (1,):
        own = np.array([has[label][word] for word in kept], dtype=np.float64)
        p, q = own + 1, every - own + 1
        rows.append(np.log(p / p.sum()) - np.log(q / q.sum()))
    return NgramWeights.of(kept, np.stack(rows), np.zeros(len(rows)), 1)


def write_ratios(folder: Path, ratios: NgramWeights) -> None:
    """Write them into the folder of a baseline."""
    write_weights(folder, ratios, RATIOS)


def word_ratios(corpus: str) -> NgramWeights | None:
    """Return the ratios of the words of a corpus's training texts, if a run keeps them.

    Raises:
        RunError: if they are damaged.
    """
    from nlpviz.runs import list_runs

    for run in list_runs()[0].values():
        if run.corpus["name"] == corpus and RATIOS in run.files:
            return run.kept("word ratios", lambda one: read_weights(one, RATIOS))
    return None
