"""The initial weights of a classifier: the vectors of a run of word vectors, or the weights of a language model."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nlpviz.results.vectors import WordVectors
from nlpviz.runs import open_run
from nlpviz.runs.language import KIND
from nlpviz.runs.vectors import read_vectors
from nlpviz.stats.principal_axes import principal_axes
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN, Vocabulary
from nlpviz.training import TrainingError


def vectors_of_run(run: str, vocabulary: Vocabulary, dimensions: int) -> tuple[Tensor, int]:
    """Return vectors (V, D) of the words of ``vocabulary`` from a run of word vectors, and how many it knows.

    A word that the run does not know gets the mean of the others, as the unknown word does.

    Raises:
        TrainingError: if the run's vectors have fewer dimensions, or know none of the words.
        RunError: if there is no such run, or it holds no word vectors.
    """
    result, table = table_of(run, dimensions)
    positions = [result.positions.get(word) for word in vocabulary.words]
    known = [token_id for token_id in range(len(SPECIALS), len(vocabulary)) if positions[token_id] is not None]
    if not known:
        raise TrainingError(f"{run} has no vector for any word in the network’s vocabulary.")
    vectors = np.zeros((len(vocabulary), dimensions), dtype=np.float32)
    for token_id in known:
        vectors[token_id] = table[int(positions[token_id] or 0)]
    strangers = np.setdiff1d(np.arange(UNKNOWN, len(vocabulary)), known)
    vectors[strangers] = vectors[known].mean(axis=0)
    return torch.from_numpy(vectors), len(known)


def table_of(run: str, dimensions: int) -> tuple[WordVectors, NDArray[np.float32]]:
    """Return the word vectors of a run, and all of them (N, D) with as many dimensions as a network has.

    Where they have more, they are projected onto their first principal axes, which keep most of their variance: their
    mean is then at 0.

    Raises:
        TrainingError: if they have fewer.
        RunError: if there is no such run, or it holds no word vectors.
    """
    known = read_vectors(open_run(run))
    if known.dimensions < dimensions:
        raise TrainingError(
            f"The vectors of {run} have {known.dimensions} dimensions, but the network needs {dimensions}."
        )
    vectors = known.directions * known.lengths[:, None]
    if known.dimensions > dimensions:
        vectors = principal_axes(vectors, dimensions).project(vectors).astype(np.float32)
    return known, vectors


def is_language_model(run: str) -> bool:
    """Return whether the run is a language model, not one of word vectors.

    Raises:
        RunError: if there is no such run.
    """
    return open_run(run).kind == KIND


def start_from_language_model(model: nn.Module, run: str) -> None:
    """Give a recurrent classifier a language model's word vectors and recurrent layers, of its best epoch.

    Dai and Le (2015), *Semi-supervised Sequence Learning*, section 2.

    Raises:
        TrainingError: if the two are not of the same sizes.
        RunError: if the run is damaged.
    """
    trained = open_run(run).load().module.state_dict()
    taken = {
        name.replace("words.", "embedding.", 1): weight
        for name, weight in trained.items()
        if name.startswith(("words.", "encoder."))
    }
    own = model.state_dict()
    if wrong := [name for name, weight in taken.items() if name not in own or own[name].shape != weight.shape]:
        raise TrainingError(f"The layer sizes of {run} do not match the network: {', '.join(wrong)}.")
    model.load_state_dict(own | taken)
