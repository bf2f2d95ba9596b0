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

from nlpviz.runs.files import write_whole
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
