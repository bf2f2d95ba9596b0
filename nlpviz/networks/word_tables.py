"""Word vectors of which the rare ones are shorter: less of a network goes to words that it seldom meets.

Rare words are most of a vocabulary and little of a text. They have fewer numbers each and a projection to the full
length (Baevski and Auli 2019, *Adaptive Input Representations*, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.text.vocabulary import PAD

SHRINK = 4
"""Each band of rarer words has vectors that are so many times shorter than those of the band before."""


class Banded:
    """What configs with cutoffs have in common; each is a dataclass of its own fields.

    Attributes:
        cutoffs: the ids at which a band of rarer words begins, which have shorter vectors.
    """

    cutoffs: tuple[int, ...]

    def __post_init__(self) -> None:
        """Take cutoffs as a manifest holds them: JSON has lists."""
        object.__setattr__(self, "cutoffs", tuple(self.cutoffs))


class WordTable(nn.Module):
    """V vectors of D numbers; with cutoffs, those of rarer words are shorter ones, projected.

    Attributes:
        cutoffs: the ids at which each band begins, and V.
    """

    def __init__(
        self, size: int, dimensions: int, cutoffs: tuple[int, ...] = (), trained_bands: int | None = None
    ) -> None:
        """Build it, with random vectors and zero for the padding.

        Args:
            size: V.
            dimensions: D.
            cutoffs: ids at which another band begins, ascending, none of them 0.
            trained_bands: the first so many are trained, the others stay as they are initialised; None trains all.

        Raises:
            ValueError: if the cutoffs do not ascend.
        """
        super().__init__()
        inner = tuple(cutoff for cutoff in cutoffs if cutoff < size)
        self.cutoffs = (0, *inner, size)
        if any(later <= earlier for earlier, later in pairwise(self.cutoffs)):
            raise ValueError(f"the cutoffs {cutoffs} must increase between 0 and {size}")
        self.size, self.dimensions = size, dimensions
        self.bands = nn.ParameterList()
        self.projections = nn.ParameterList()
        for band, (first, end) in enumerate(pairwise(self.cutoffs)):
            width = max(dimensions // SHRINK**band, 1)
            self.bands.append(torch.randn(end - first, width) * dimensions**-0.5)
            if band:
                self.projections.append(torch.randn(width, dimensions) * width**-0.5)
        self.bands[0].data[PAD] = 0
        self._trained = len(self.bands) if trained_bands is None else trained_bands
        for table in (*self.bands[self._trained :], *self.projections[max(self._trained - 1, 0) :]):
            table.requires_grad_(False)

    def vectors(self, ids: Tensor) -> Tensor:
        """Return the vectors (K, D) of ``ids`` (K,), which ascend."""
        if not ids.is_cpu:
            return self.of_all_bands(ids)
        ends = torch.searchsorted(ids, torch.tensor(self.cutoffs[1:], device=ids.device)).tolist()
        found = [
            self._projected(band, table[ids[first:end] - start])
            for band, (table, start, first, end) in enumerate(
                zip(self.bands, self.cutoffs, (0, *ends), ends, strict=False)
            )
            if end > first
        ]
        return torch.cat(found) if found else self.bands[0][:0]

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vectors (B, T, D) of ``ids`` (B, T)."""
        if len(self.bands) == 1:
            return cast("Tensor", self.bands[0][ids])
        if not ids.is_cpu:
            return self.of_all_bands(ids)
        words, where = torch.unique(ids, return_inverse=True)
        return self.vectors(words)[where]

    def of_all_bands(self, ids: Tensor) -> Tensor:
        """Return the vectors (..., D) of ``ids`` (...): a vector of each band for each id, and the right one of these.

        How many ids a band has would have to be known first, and a GPU waited for. A wrong id's remainder spreads the
        vectors that are left out over a band: the gradients of a single row would be added one after the other.
        """
        found = ids.new_zeros((), dtype=self.bands[0].dtype)
        for band, (first, end) in enumerate(pairwise(self.cutoffs)):
            rows = self._projected(band, functional.embedding((ids - first) % (end - first), self.bands[band]))
            found = torch.where(((ids >= first) & (ids < end)).unsqueeze(-1), rows, found)
        return found

    def scores(self, states: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return ``states`` (..., D) times the vectors of all words (..., V), or of ascending ``candidates`` (K,)."""
        if candidates is not None:
            return states @ self.vectors(candidates).T
        return torch.cat([brought @ table.T for brought, table in self.by_band(states)], dim=-1)

    def by_band(self, states: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield ``states`` (..., D) brought to the length of each band's vectors (..., d), and these vectors (K, d)."""
        yield states, self.bands[0]
        for table, projection in zip(list(self.bands)[1:], self.projections, strict=True):
            yield states @ projection.T, table

    def _projected(self, band: int, rows: Tensor) -> Tensor:
        return rows @ self.projections[band - 1] if band else rows

    def term(self) -> tuple[str, int]:
        """Return the formula of the number of parameters that are trained, and the number."""
        trained = (*self.bands[: self._trained], *self.projections[: max(self._trained - 1, 0)])
        shapes = [tuple(table.shape) for table in trained]
        return " + ".join(f"{rows:,} × {width}" for rows, width in shapes), sum(rows * width for rows, width in shapes)
