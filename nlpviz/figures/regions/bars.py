"""The predictive regions of one text at one checkpoint as bars, the strongest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpviz.figures import panels
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.regions import PredictiveRegions, Region
from nlpviz.results.survey import UNCOUNTED

SHOWN, SHOWN_OF_ONE_SIZE = 7, 16  # bars of each size
LISTED = 300
"""Regions of a checkpoint, at most."""


@dataclass(frozen=True)
class RankedRegions:
    """The regions of a text that one checkpoint's pictures show.

    Attributes:
        result: all its regions.
        rank: ``"contribution"`` or ``"norm"``.
        regions: those asked for, the strongest first.
        times: how often each n-gram occurs in the training texts, :data:`~nlpviz.results.survey.UNCOUNTED` if unknown.
        left_out: how many regions more were asked for that hold a part of a rating.
    """

    result: PredictiveRegions
    rank: str
    regions: tuple[Region, ...]
    times: Mapping[tuple[str, ...], int]
    left_out: int = 0

    @property
    def run(self) -> str:
        """The run's name."""
        return self.result.run

    @property
    def epoch(self) -> int:
        """The epoch of the weights."""
        return self.result.epoch

    @property
    def signed(self) -> bool:
        """Whether strengths have a sign."""
        return self.rank == "contribution"

    def strength(self, region: Region) -> float:
        """Return what ``region`` is ranked by."""
        return region.contribution if self.signed else region.norm

    def shown(self) -> list[tuple[int, list[Region]]]:
        """Return the strongest regions of each size, an n-gram that is there more than once only once."""
        sizes = sorted({region.size for region in self.regions})
        count = SHOWN_OF_ONE_SIZE if len(sizes) == 1 else SHOWN
        result = []
        for size in sizes:
            first = {region.words: region for region in reversed(self.regions) if region.size == size}
            members = [region for region in self.regions if region.size == size and first[region.words] is region]
            result.append((size, members[:count]))
        return result


def rank_regions(
    result: PredictiveRegions,
    rank: str,
    size: int | None = None,
    counts: NgramCounts | None = None,
    *,
    unseen: bool = False,
    ratings: bool = True,
) -> RankedRegions:
    """Return the strongest regions of a text, with how often each n-gram stood in training.

    Args:
        result: all its regions.
        rank: ``"contribution"`` or ``"norm"``.
        size: of the regions; None for all.
        counts: of the n-grams of the training texts; None where they are not known.
        unseen: whether only n-grams are wanted that never stood in the training texts.
        ratings: whether those that hold a part of a rating are wanted as well.
    """
    times = _times(result.regions, counts)
    asked = [region for region in result.ranked(rank, size) if not unseen or times[region.words] == 0]
    kept = [region for region in asked if ratings or not result.holds_rating(region)]
    return RankedRegions(result, rank, tuple(kept[:LISTED]), times, len(asked) - len(kept))


def _times(regions: Sequence[Region], counts: NgramCounts | None) -> dict[tuple[str, ...], int]:
    """Return how often each n-gram stood in the training texts."""
    times = dict.fromkeys((region.words for region in regions), UNCOUNTED)
    if counts is None:
        return times
    for size in range(1, counts.longest + 1):
        ngrams = [words for words in times if len(words) == size]
        if ngrams:
            words = [word for ngram in ngrams for word in ngram]
            times.update(
                zip(ngrams, counts.of_each(np.arange(len(words)).reshape(-1, size), words).tolist(), strict=True)
            )
    return times


def in_training(times: int) -> str:
    """Return how often an n-gram occurs in training, in words; nothing where it is not known."""
    if times == UNCOUNTED:
        return ""
    often = "once" if times == 1 else f"{times:,} times"
    return f"occurs {often} in training" if times else "never occurs in training"


def strongest(ranked: Sequence[RankedRegions]) -> float:
    """Return the largest magnitude at any checkpoint: the scale of pictures that are compared."""
    return max((abs(one.strength(region)) for one in ranked for region in one.regions), default=0.0)


def region_bars(ranked: RankedRegions, scale: float, selected: str | None = None) -> FigureView:
    """Return the strongest regions of each size at one checkpoint.

    Args:
        ranked: the text's regions.
        scale: :func:`strongest` of all checkpoints that are compared.
        selected: the id of the region that stands out.
    """
    of_score = f"contribution, {unit_of_score(len(ranked.result.class_names))}"
    unit = of_score if ranked.signed else "norm of the region embedding"
    groups = [_group(ranked, size, members) for size, members in ranked.shown()]
    target, count = ranked.result.class_names[ranked.result.target], len(ranked.regions)
    words = ", ".join(
        f"{region.ngram} {number(ranked.strength(region), signed=ranked.signed)}" for region in ranked.regions[:5]
    )
    return FigureView(
        figure=labelled_bars(groups, unit, scale, signed=ranked.signed, selected=selected),
        alt=f"The strongest regions of the text at epoch {ranked.epoch}, in {unit}: {words or 'no region'}.",
        table=_table(ranked),
        caption=provenance(
            panels.checkpoints([ranked]),
            f"regions by {ranked.rank}" + (f" to the score of {target}" if ranked.signed else ""),
            f"the strongest of {count:,} region{'' if count == 1 else 's'}",
        ),
        name=panels.file_name([ranked], f"regions-{ranked.rank}"),
    )


def _group(ranked: RankedRegions, size: int, members: Sequence[Region]) -> Group:
    rows = []
    for region in members:
        value, times = ranked.strength(region), ranked.times[region.words]
        seen = "" if times == UNCOUNTED else f" · {times:,}×" if times else " · never"
        hover = f"{region.ngram}: {describe(ranked, region)}"
        rows.append(BarRow(region.ngram, value, f"{number(value, signed=ranked.signed)}{seen}", hover, region.id))
    return Group(f"{size} word{'' if size == 1 else 's'}", rows)


def describe(ranked: RankedRegions, region: Region) -> str:
    """Return what is known of a region in plain words: contribution, norm, filters won, how often in training."""
    parts = [
        f"contribution {number(region.contribution)}",
        f"norm {number(region.norm, signed=False)}",
        f"wins {region.won} filter{'' if region.won == 1 else 's'}",
        in_training(ranked.times.get(region.words, UNCOUNTED)),
    ]
    return ", ".join(part for part in parts if part)


def _table(ranked: RankedRegions) -> Table:
    """Return a row for each region, the strongest first."""
    return table_of(
        ("size", "n-gram", "start", "end", "contribution", "norm", "filters won", "occurrences in training"),
        [
            (
                region.size, region.ngram, *region.span, np.float32(region.contribution), np.float32(region.norm),
                region.won, _known(ranked.times[region.words]),
            )
            for region in ranked.regions
        ],
    )  # fmt: skip


def _known(times: int) -> int | None:
    return None if times == UNCOUNTED else times
