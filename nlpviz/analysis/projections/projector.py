"""What a projector is, which settings it takes, and how the available projectors are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlpviz.discovery import discover
from nlpviz.runs.codes import BAGS, CODES
from nlpviz.stats.principal_axes import PrincipalAxes, principal_axes

Embeddings = NDArray[np.float32]
Progress = Callable[[float, str], None]
"""Progress callback, called with the completed fraction and a description; an exception stops the computation."""


def quietly(_share: float, _doing: str) -> None:
    """Ignore the progress."""


def part_of(progress: Progress, index: int, count: int, said: str = "") -> Progress:
    """Return a callback that reports the part at ``index`` of ``count`` to ``progress``, with ``said`` before it."""
    return lambda share, doing: progress((index + share) / count, said + doing)


@dataclass(frozen=True)
class Fitting:
    """How the maps of successive epochs are to be fitted.

    Attributes:
        reference: the position of the reference epoch among them.
        dimensions: of a map, two or three.
        seed: of what is drawn at random.
        perplexity: for a projector that has one; None for its own.
        progress: called with the completed fraction; may raise to stop.
    """

    reference: int
    dimensions: int
    seed: int = 0
    perplexity: float | None = None
    progress: Progress = quietly


@dataclass(frozen=True)
class FittedMap:
    """A map that new points are placed on.

    Attributes:
        embeddings: of the documents on the map, (N, E).
        coordinates: their positions, (N, 2) or (N, 3).
        reference: the same documents' embeddings of the reference epoch, (N, E).
        seed: with which the map was fitted.
        perplexity: with which the map was fitted; None for a projector without.
    """

    embeddings: Embeddings
    coordinates: Embeddings
    reference: Embeddings
    seed: int
    perplexity: float | None

    @cached_property
    def reference_axes(self) -> PrincipalAxes:
        """The principal axes of the reference epoch, as many as the map has dimensions."""
        return principal_axes(self.reference, self.coordinates.shape[1])


@dataclass(frozen=True)
class Projector:
    """What a module under ``nlpviz.analysis.projections`` exports as ``PROJECTOR``.

    Attributes:
        name: in links and files.
        title: how people call it.
        source: the paper.
        comparable: one sentence that says how it makes maps of successive epochs comparable.
        reading: one or two sentences: what the map shows, and what it does not.
        project: from the embeddings (N, E) of successive epochs and a :class:`Fitting`: one map (N, dimensions) an
            epoch.
        transform: from a map and the embeddings (M, E) of other texts: their positions (M, dimensions); None where the
            projector has no way to place one.
        exact: whether ``transform`` gives the very place that the projector would, and not an approximation.
        perplexity: its default; None where it has no perplexity.
    """

    name: str
    title: str
    source: str
    comparable: str
    reading: str
    project: Callable[[Sequence[Embeddings], Fitting], list[Embeddings]]
    transform: Callable[[FittedMap, Embeddings], Embeddings] | None = None
    exact: bool = False
    perplexity: float | None = None


def projectors() -> dict[str, Projector]:
    """Return every projector, by name."""
    return discover("nlpviz.analysis.projections", "PROJECTOR", Projector)


_WITHOUT_PROJECTOR = {CODES: "Codes, plotted directly", BAGS: "PCA"}
"""What a map is called that no projector of this package made of embeddings."""


def title_of(name: str) -> str:
    """Return the displayed name of a map's method."""
    return _WITHOUT_PROJECTOR[name] if name in _WITHOUT_PROJECTOR else projectors()[name].title
