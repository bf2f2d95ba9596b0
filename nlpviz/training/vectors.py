"""Initial word vectors: skip-gram with negative sampling on the training and the unlabelled texts.

Mikolov, Sutskever, Chen, Corrado and Dean (2013), *Distributed Representations of Words and Phrases and their
Compositionality*; gensim's implementation. The labels of the unlabelled texts are unknown and not needed; the
test texts are never read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from nlpviz.runs import open_run
from nlpviz.runs.files import write_whole
from nlpviz.runs.vectors import read_vectors
from nlpviz.training import TrainingError
from nlpviz.vocabulary import PAD, SPECIALS, UNKNOWN, Vocabulary


@dataclass(frozen=True)
class SkipGram:
    """How initial word vectors are trained.

    Attributes:
        dimensions: of a vector.
        window: words to either side that a word predicts, at most.
        negative: words drawn against each true neighbour.
        subsample: frequent words are dropped by this threshold.
        epochs: passes over the texts.
    """

    dimensions: int = 100
    window: int = 5
    negative: int = 5
    subsample: float = 1e-4
    epochs: int = 2


def initial_vectors(
    vocabulary: Vocabulary,
    texts: Callable[[], Iterable[NDArray[np.integer]]],
    settings: SkipGram,
    seed: int,
    cache: Path,
) -> Tensor:
    """Return vectors (V, D) of the words of ``vocabulary``, trained on encoded ``texts``.

    The padding's vector is zero, and the unknown word's the mean of all others. One thread, so that a seed
    gives the same vectors again; they are kept in ``cache``.

    Args:
        vocabulary: whose words get a vector.
        texts: called for an iterable of int arrays (T,): the texts as ids of ``vocabulary``.
        settings: of the training.
        seed: of the initial vectors and of what is drawn.
        cache: a folder.
    """
    words = hashlib.sha256("\n".join(vocabulary.words).encode()).hexdigest()
    key = hashlib.sha256(json.dumps([asdict(settings), seed, words]).encode()).hexdigest()[:16]
    path = cache / f"skip-gram-{key}.safetensors"
    try:
        return load_file(path)["vectors"]
    except (OSError, SafetensorError, KeyError):
        vectors = _train(len(vocabulary), texts, settings, seed)
    cache.mkdir(parents=True, exist_ok=True)
    write_whole(path, lambda partial: save_file({"vectors": vectors}, partial))
    return vectors


def vectors_of_run(run: str, vocabulary: Vocabulary, dimensions: int) -> tuple[Tensor, int]:
    """Return vectors (V, D) of the words of ``vocabulary`` from a run of word vectors, and how many it knows.

    A word that the run does not know gets the mean of the others, as the unknown word does.

    Raises:
        TrainingError: if the run's vectors have other dimensions, or know none of the words.
        RunError: if there is no such run, or it holds no word vectors.
    """
    found = read_vectors(open_run(run))
    if found.dimensions != dimensions:
        raise TrainingError(f"The vectors of {run} have {found.dimensions} dimensions, and the network {dimensions}.")
    places = [found.places.get(word) for word in vocabulary.words]
    known = [token_id for token_id in range(len(SPECIALS), len(vocabulary)) if places[token_id] is not None]
    if not known:
        raise TrainingError(f"{run} knows none of the words that the network reads.")
    vectors = np.zeros((len(vocabulary), dimensions), dtype=np.float32)
    for token_id in known:
        vectors[token_id] = found.vector(int(places[token_id] or 0))
    strangers = np.setdiff1d(np.arange(UNKNOWN, len(vocabulary)), known)
    vectors[strangers] = vectors[known].mean(axis=0)
    return torch.from_numpy(vectors), len(known)


def _train(size: int, texts: Callable[[], Iterable[NDArray[np.integer]]], settings: SkipGram, seed: int) -> Tensor:
    """Return the vectors (V, D), ids in the vocabulary's order."""
    from gensim.models import Word2Vec

    # Unknown words are left out: they would be everyone's neighbour.
    sentences = [[int(token_id) for token_id in text if token_id != UNKNOWN] for text in texts()]
    trained = Word2Vec(
        sentences,
        vector_size=settings.dimensions,
        window=settings.window,
        negative=settings.negative,
        sample=settings.subsample,
        epochs=settings.epochs,
        sg=1,
        min_count=1,
        workers=1,
        seed=seed + 1,
    ).wv
    vectors = np.zeros((size, settings.dimensions), dtype=np.float32)
    for token_id in range(len(SPECIALS), size):
        if token_id in trained:
            vectors[token_id] = trained[token_id]
    vectors[UNKNOWN] = vectors[len(SPECIALS) :].mean(axis=0)
    vectors[PAD] = 0
    return torch.from_numpy(vectors)
