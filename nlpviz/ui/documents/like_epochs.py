"""Which epochs of two runs are alike, so that they stand side by side: the best ones, and those of one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nlpviz.results.projection import Projection
from nlpviz.runs import Run


def like_pairs(runs: Mapping[str, Run], maps: Sequence[Projection]) -> list[tuple[int, int]]:
    """Return the positions of maps that are of like epochs, the first run's before the other's; the best ones last.

    Args:
        runs: by name, the first one's first.
        maps: of all of them; of one run alone there are no pairs.
    """
    if len(runs) < 2:
        return []
    (first, one), (second, other) = list(runs.items())[:2]
    own, others = ({shown.epoch: at for at, shown in enumerate(maps) if shown.run == name} for name in (first, second))
    alike = [(epoch, epoch) for epoch in sorted(own) if epoch not in (one.best_epoch, other.best_epoch)]
    alike.append((one.best_epoch, other.best_epoch))
    return [(own[epoch], others[like]) for epoch, like in alike if epoch in own and like in others]


def side_by_side(runs: Mapping[str, Run], maps: tuple[Projection, ...]) -> tuple[Projection, ...]:
    """Return the maps so that like epochs of two runs stand in one row; those without their like come after them."""
    pairs = like_pairs(runs, maps)
    order = [position for pair in pairs for position in pair]
    return tuple(maps[position] for position in [*order, *(at for at in range(len(maps)) if at not in order)])
