"""The words of tree networks: those of the treebank, and those of their initial word vectors."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from nlpviz.runs import open_run
from nlpviz.text.treebank import parts_of
from nlpviz.text.vocabulary import PAD, SPECIALS, UNKNOWN, Vocabulary
from nlpviz.training.vectors import table_of


def with_words_of(vocabulary: Vocabulary, run: str) -> Vocabulary:
    """Return a vocabulary with the words of a run of word vectors after its own; these occur 0 times in training.

    A word that no training tree has, but the vectors know, is then read by its vector.
    """
    others = [word for word in open_run(run).vocabulary.words[len(SPECIALS) :] if word not in vocabulary]
    words, counts = vocabulary.words[len(SPECIALS) :], vocabulary.counts[len(SPECIALS) :].tolist()
    return Vocabulary([*words, *others], [*counts, *[0] * len(others)])


def starting_vectors(run: str, vocabulary: Vocabulary, dimensions: int) -> Tensor:
    """Return vectors (V, D) of the words of ``vocabulary`` from a run of word vectors.

    The vectors' texts are parted in another way: ``n't`` begins as ``not``, and ``well-acted`` as the mean of its
    parts. A word of which the run knows no part gets the mean of all others.

    Raises:
        TrainingError: if the run's vectors have fewer dimensions.
        RunError: if there is no such run, or it holds no word vectors.
    """
    known, table = table_of(run, dimensions)
    vectors = np.zeros((len(vocabulary), dimensions), dtype=np.float32)
    strangers = [UNKNOWN]
    for token_id, word in enumerate(vocabulary.words[len(SPECIALS) :], start=len(SPECIALS)):
        places = [known.positions[part] for part in (word, *parts_of(word)) if part in known.positions]
        if word in known.positions:
            places = places[:1]
        if places:
            vectors[token_id] = table[places].mean(axis=0)
        else:
            strangers.append(token_id)
    found = np.setdiff1d(np.arange(len(SPECIALS), len(vocabulary)), strangers)
    vectors[strangers] = vectors[found].mean(axis=0)
    vectors[PAD] = 0
    return torch.from_numpy(vectors)
