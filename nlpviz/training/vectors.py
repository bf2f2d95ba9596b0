"""Initial word vectors of a classifier: those of a run of word vectors, which no label has touched."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from nlpviz.runs import open_run
from nlpviz.runs.vectors import read_vectors
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN, Vocabulary
from nlpviz.training import TrainingError


def vectors_of_run(run: str, vocabulary: Vocabulary, dimensions: int) -> tuple[Tensor, int]:
    """Return vectors (V, D) of the words of ``vocabulary`` from a run of word vectors, and how many it knows.

    A word that the run does not know gets the mean of the others, as the unknown word does.

    Raises:
        TrainingError: if the run's vectors have other dimensions, or know none of the words.
        RunError: if there is no such run, or it holds no word vectors.
    """
    result = read_vectors(open_run(run))
    if result.dimensions != dimensions:
        raise TrainingError(f"The vectors of {run} have {result.dimensions} dimensions, and the network {dimensions}.")
    positions = [result.positions.get(word) for word in vocabulary.words]
    known = [token_id for token_id in range(len(SPECIALS), len(vocabulary)) if positions[token_id] is not None]
    if not known:
        raise TrainingError(f"{run} knows none of the words that the network reads.")
    vectors = np.zeros((len(vocabulary), dimensions), dtype=np.float32)
    for token_id in known:
        vectors[token_id] = result.vector(int(positions[token_id] or 0))
    strangers = np.setdiff1d(np.arange(UNKNOWN, len(vocabulary)), known)
    vectors[strangers] = vectors[known].mean(axis=0)
    return torch.from_numpy(vectors), len(known)
