"""Which regions of a text a page shows: their size and checkpoints, their ranking, and the selected region."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.figures.regions.bars import RankedRegions, rank_regions
from nlpviz.figures.regions.boxes import boxed
from nlpviz.results.regions import STEPS, PredictiveRegions, Region
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import compare, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.regions import cache

IN_TRAINING = ("any", "never")
"""Which n-grams are shown: all, or those that never occurred in the training texts."""


def pick_size(run: Run) -> int | None:
    """Return the region size that the visitor chose; None for all."""
    sizes = [str(size) for size in run.config.get("region_sizes", ())]
    names = {"all": "all", **{size: f"{size} word{'' if size == '1' else 's'}" for size in sizes}}
    chosen = widgets.pick("size", "Size", names)
    return None if chosen == "all" else int(chosen)


def regions_beside(checkpoints: Sequence[Checkpoint], text: str, target: str) -> tuple[Call[PredictiveRegions], ...]:
    """Return the regions of ``text`` at each checkpoint, all of the same class.

    Args:
        checkpoints: the chosen run's first.
        text: anything.
        target: a class's name; any other word takes the class that the chosen run's last epoch predicts.
    """
    return compare.of_one_class(
        checkpoints, target, lambda run, epoch, wanted: cache.predictive_regions(run, epoch, text, wanted)
    )


def rank_beside(
    result: Sequence[Call[PredictiveRegions]],
    corpus: str,
    rank: str,
    size: int | None,
    *,
    unseen: bool,
    ratings: bool = True,
) -> tuple[Call[RankedRegions], ...]:
    """Return the strongest regions of each checkpoint, by :func:`nlpviz.figures.regions.bars.rank_regions`.

    Args:
        result: of one text.
        corpus: on whose training texts the networks were trained.
        rank: ``"contribution"`` or ``"norm"``.
        size: of the regions; None for all.
        unseen: whether only n-grams are wanted that never stood in the training texts.
        ratings: whether those that hold a part of a rating are wanted as well.
    """
    counts = cache.ngram_counts(corpus)
    if unseen and counts is None:
        st.info("It is unknown which n-grams never occurred in training, because no run stores n-gram counts.")
    return tuple(Call(rank_regions, one, rank, size, counts, unseen=unseen, ratings=ratings) for one in result)


def pick_region(ranked: Sequence[RankedRegions]) -> Region | None:
    """Return the region that the visitor chose, as the first run's last epoch sees it; None where there is none.

    Every region that one of the pictures shows can be chosen; at first it is the strongest that was asked for.
    """
    chosen = panels.reference(ranked)
    shown = [
        region.id
        for one in (chosen, *ranked)
        for region in [*(own for _, members in one.shown() for own in members), *boxed(one)]
    ]
    there = {region.id: region for region in chosen.result.regions}
    steps = [region.id for region in chosen.result.ranked("contribution")[:STEPS]]  # also those of another size
    regions = {key: there[key] for key in dict.fromkeys(shown) if key in there}
    if not regions:
        return None
    order = sorted(regions, key=lambda key: -abs(chosen.strength(regions[key])))
    order += [key for key in steps if key not in regions]
    regions |= {key: there[key] for key in steps}
    names = {
        key: f"{regions[key].ngram}  {number(chosen.strength(regions[key]), signed=chosen.signed)}" for key in order
    }
    return regions[widgets.pick("region", "N-gram", order, names.__getitem__, of_text=True)]
