"""Maps of words: which words, their positions at each epoch, and the position of one more vector.

A word is mapped by the direction of its vector: Euclidean distances between directions rank neighbours as cosines do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.projector import (
    Embeddings,
    FittedMap,
    Fitting,
    Progress,
    Projector,
    projectors,
    quietly,
)
from nlpviz.analysis.projections.quality import trustworthiness
from nlpviz.analysis.projections.settings import LARGEST_SEED, NEIGHBOURS
from nlpviz.results.projection import WordMap
from nlpviz.results.vectors import WordVectors
from nlpviz.runs import RunError

FUNCTION_WORDS = 100
"""So many of the commonest words are left out: *the*, *of*, *is* say little of meaning and lie together."""
FEWEST, FEWEST_TSNE = 4, 12
"""Words of a map; of fewer, t-SNE's neighbourhoods would be everything there is."""


@dataclass(frozen=True)
class WordMapSettings:
    """How words are mapped.

    Attributes:
        projector: a name in :func:`nlpviz.analysis.projections.projectors`.
        dimensions: two or three.
        reference: the place, among the spaces, of the epoch whose principal axes PCA takes.
        seed: of what is drawn at random.
        perplexity: of t-SNE; None for its own, and for a projector without.
    """

    projector: str
    dimensions: int
    reference: int = -1
    seed: int = 0
    perplexity: float | None = None


def skipped(vectors: WordVectors) -> int:
    """Return how many of the commonest words a map leaves out."""
    return skipped_of(len(vectors))


def skipped_of(words: int) -> int:
    """Return how many of the commonest words a map leaves out, by the number of words: of few words, one in ten."""
    return min(FUNCTION_WORDS, words // 10)


def common_words(spaces: Sequence[WordVectors], count: int) -> tuple[str, ...]:
    """Return the ``count`` commonest words of the first space that all spaces know, after the skipped words."""
    first, *others = spaces
    known = (word for word in first.words[skipped(first) :] if all(word in other.positions for other in others))
    return tuple(word for word, _ in zip(known, range(count), strict=False))


def word_maps(
    spaces: Sequence[WordVectors],
    epochs: Sequence[int | None],
    words: Sequence[str],
    settings: WordMapSettings,
    progress: Progress = quietly,
) -> tuple[WordMap, ...]:
    """Return a map of ``words`` for each space; the same every time.

    Args:
        spaces: of successive epochs, each with all the words.
        epochs: what a caption calls them, in the same order.
        words: each once.
        settings: which maps.
        progress: called with the completed fraction; an exception from it ends the computation.

    Raises:
        RunError: if there can be no such map; the sentence says what can be.
    """
    projector = _check(spaces, words, settings)
    points = [directions_of(space, words) for space in spaces]
    reference = range(len(spaces))[settings.reference]
    perplexity = _perplexity(projector, settings, len(words))
    fitting = Fitting(
        reference, settings.dimensions, settings.seed, perplexity, lambda share, doing: progress(0.95 * share, doing)
    )
    maps = projector.project(points, fitting)
    comparable = projector.comparable.format(reference=epochs[reference]) if len(spaces) > 1 else ""
    result = []
    for position, (space, epoch, own, positions) in enumerate(zip(spaces, epochs, points, maps, strict=True)):
        progress(0.95 + 0.05 * position / len(maps), f"evaluating the map of epoch {epoch}")
        neighbours = min(NEIGHBOURS, (len(words) - 1) // 2)
        result.append(
            WordMap(
                source=space.source,
                projector=projector.name,
                epoch=epoch,
                words=tuple(words),
                coordinates=positions.astype(np.float32),
                trustworthiness=trustworthiness(own, positions, neighbours),
                neighbours=neighbours,
                comparable=comparable,
                share=_share(own, positions) if projector.exact else None,
                seed=settings.seed,
                perplexity=perplexity,
                features=space.dimensions,
            )
        )
    return tuple(result)


def place_directions(
    word_map: WordMap, space: WordVectors, reference: WordVectors, directions: Embeddings
) -> Embeddings:
    """Return the positions of other directions (M, D) on a finished map, shape (M, dimensions).

    For PCA that is their very place; t-SNE has no formula for it, and finds one that suits their neighbours.

    Args:
        word_map: which stays as it is.
        space: of its epoch.
        reference: the space of the reference epoch with which it was fitted.
        directions: rows of length 1, in the space of the map's epoch.

    Raises:
        RunError: if the projector cannot place a word.
    """
    projector = projectors()[word_map.projector]
    if projector.transform is None:
        raise RunError(f"{projector.title} cannot add new words to an existing map.")
    if not len(directions):
        return np.zeros((0, word_map.dimensions), dtype=np.float32)
    fitted_map = FittedMap(
        embeddings=directions_of(space, word_map.words),
        coordinates=word_map.coordinates,
        reference=directions_of(reference, word_map.words),
        seed=word_map.seed,
        perplexity=word_map.perplexity,
    )
    return projector.transform(fitted_map, np.asarray(directions, dtype=np.float32))


def mean_direction(vectors: WordVectors, positions: Sequence[int]) -> NDArray[np.float32] | None:
    """Return the mean of the vectors in the rows ``positions``, scaled to length 1, shape (D,); None where it is zero.

    Each word counts as often as it stands in ``positions``.
    """
    rows = list(positions)
    if not rows:
        return None
    mean = (vectors.directions[rows] * vectors.lengths[rows][:, None]).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return None if length == 0 else np.asarray(mean / length, dtype=np.float32)


def directions_of(space: WordVectors, words: Sequence[str]) -> NDArray[np.float32]:
    """Return the directions of ``words``, all of them known, shape (n, D)."""
    return np.asarray(space.directions[[space.positions[word] for word in words]])


def _share(points: Embeddings, positions: Embeddings) -> float:
    """Return which part of the variance of ``points`` is that of ``positions``, their shadow on some axes."""
    whole = float(points.var(axis=0, dtype=np.float64).sum())
    return float(positions.var(axis=0, dtype=np.float64).sum()) / whole if whole else 0.0


def _check(spaces: Sequence[WordVectors], words: Sequence[str], settings: WordMapSettings) -> Projector:
    """Return the projector, or say in a sentence why there can be no such map."""
    projector = projectors().get(settings.projector)
    if projector is None:
        raise RunError(f"Unknown projector {settings.projector!r}; choose from {', '.join(projectors())}.")
    if settings.dimensions not in (2, 3):
        raise RunError(f"A map has 2 or 3 dimensions, not {settings.dimensions}.")
    narrowest = min(space.dimensions for space in spaces)
    if narrowest < settings.dimensions:
        raise RunError(
            f"Vectors with only {narrowest} dimensions cannot be mapped to {settings.dimensions} dimensions."
        )
    fewest = FEWEST if projector.perplexity is None else FEWEST_TSNE
    if len(words) < fewest:
        raise RunError(f"A {projector.title} map needs at least {fewest} words from the vocabulary, not {len(words)}.")
    if not 0 <= settings.seed <= LARGEST_SEED:
        raise RunError(f"The seed must be between 0 and {LARGEST_SEED:,}, not {settings.seed}.")
    return projector


def _perplexity(projector: Projector, settings: WordMapSettings, words: int) -> float | None:
    """Return the perplexity to use: t-SNE looks at three times as many neighbours, and there must be as many."""
    if projector.perplexity is None:
        return None
    perplexity = projector.perplexity if settings.perplexity is None else settings.perplexity
    if not isfinite(perplexity) or perplexity < 1:
        raise RunError(f"The perplexity must be a finite number of at least 1, not {perplexity:g}.")
    return min(perplexity, (words - 1) / 3)
