"""Which maps of a run are available, and with which settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite

from nlpviz.analysis.projections.projector import Projector, projectors
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import documents_of

NEIGHBOURS = 15
SMALLEST_SAMPLE = 40
"""Of fewer documents, 15 neighbours are no neighbourhood: trustworthiness is defined up to half of them."""
LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class MapSettings:
    """Which maps of a run, and how they are fitted.

    Attributes:
        projector: a name in :func:`projectors`.
        dimensions: two or three.
        epochs: in ascending order; maps are made comparable among these.
        alone: whether each epoch is fitted by itself instead.
        perplexity: of t-SNE; None for its own, and for a projector without.
        seed: of what is drawn at random, the sample among it.
        sample: how many of the run's documents; None for all.
    """

    projector: str
    dimensions: int
    epochs: tuple[int, ...]
    alone: bool = False
    perplexity: float | None = None
    seed: int = 0
    sample: int | None = None


def check(run: Run, settings: MapSettings) -> MapSettings:
    """Return the settings with the perplexity filled in.

    Raises:
        RunError: if there can be no such map; the sentence says what can be.
    """
    projector = projectors().get(settings.projector)
    if projector is None:
        raise RunError(f"Unknown projector {settings.projector!r}; choose from {', '.join(projectors())}.")
    if settings.dimensions not in (2, 3):
        raise RunError(f"A map has 2 or 3 dimensions, not {settings.dimensions}.")
    if not settings.epochs:
        raise RunError(f"The run {run.name!r} has no checkpoints with document embeddings to map.")
    for epoch in settings.epochs:
        run.check_surveyed(epoch)
    if not 0 <= settings.seed <= LARGEST_SEED:
        raise RunError(f"The seed must be between 0 and {LARGEST_SEED:,}, not {settings.seed}.")
    documents = _sample_size(run, settings.sample)
    return replace(settings, perplexity=_perplexity(projector, settings.perplexity, documents))


def _sample_size(run: Run, sample: int | None) -> int:
    kept = len(documents_of(run).ids)
    if kept < SMALLEST_SAMPLE:
        raise RunError(f"The run stores only {kept:,} documents; a map needs at least {SMALLEST_SAMPLE}.")
    if sample is None:
        return kept
    if sample > kept:
        raise RunError(f"A sample of {sample:,} is too large for a map: the run stores only {kept:,} documents.")
    if sample < SMALLEST_SAMPLE:
        raise RunError(f"A sample of {sample} is too small for a map: the minimum is {SMALLEST_SAMPLE}.")
    return sample


def _perplexity(projector: Projector, perplexity: float | None, documents: int) -> float | None:
    """Return the perplexity to use: t-SNE looks at three times as many neighbours, and there must be as many."""
    largest = (documents - 1) / 3
    if projector.perplexity is None:
        if perplexity is not None:
            raise RunError(f"{projector.title} has no perplexity; omit it.")
        return None
    if perplexity is None:
        return min(projector.perplexity, largest)
    if not isfinite(perplexity) or perplexity < 1:
        raise RunError(f"The perplexity must be a finite number of at least 1, not {perplexity:g}.")
    if perplexity > largest:
        raise RunError(
            f"The perplexity {perplexity:,g} is too large for {documents:,} documents: the maximum is {int(largest):,}."
        )
    return perplexity
