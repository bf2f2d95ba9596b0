"""What a map of words shows: the words of one panel, and what is marked in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.results.projection import WordMap
from nlpviz.results.word_queries import Neighbour

NEAR, PAIR = theme.CATEGORIES[2], theme.MAGNITUDE
"""Colours of the neighbours, and of the pairs with their segments."""


@dataclass(frozen=True)
class WordPanel:
    """One map and what is shown on it.

    Attributes:
        map: where the words lie.
        title: the panel's, for example ``"Epoch 5"``.
        note: the text next to the trustworthiness under it, such as the run's name; may be empty.
        placed: words that the map was not fitted to, and where they were put afterwards.
        nearest: the neighbours of the chosen word in the original space, nearest first.
        review: where the average of a typed review goes; empty for none.
        full: the title that no other panel has, for the table and the description; empty where ``title`` is that.
    """

    map: WordMap
    title: str
    note: str = ""
    placed: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    nearest: tuple[Neighbour, ...] = ()
    review: tuple[float, ...] = ()
    full: str = ""

    @property
    def full_title(self) -> str:
        """What tells the panel from all others beside it, whatever stands over it on a narrow screen."""
        return self.full or self.title

    def positions(self) -> dict[str, NDArray[np.float32]]:
        """Return where every word is drawn, the fitted ones first."""
        fitted = dict(zip(self.map.words, self.map.coordinates, strict=True))
        return fitted | {
            word: np.array(position, np.float32) for word, position in self.placed.items() if word not in fitted
        }


@dataclass(frozen=True)
class WordMapStyle:
    """What a map shows besides places.

    Attributes:
        word: the chosen one; empty for none.
        pairs: words that are joined by segments, where both are drawn.
        relation: what these pairs are called.
        height: of the figure where its panels stand in one row, in pixels.
        about: which words these are, for the caption.
        view: what the zoom belongs to: another one begins anew.
        outdated: what is said over a map that stands in for another one, which is dimmed; empty for none.
    """

    word: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    relation: str = "pairs"
    height: int = 560
    about: str = ""
    view: str = ""
    outdated: str = ""


class LegendGroup(NamedTuple):
    """What words may be on a map, and how they are marked there.

    Attributes:
        group: distinguishes them; their names need not, for a relation may be called like the chosen word.
        name: in the legend; empty for none there.
        words: those of the panel, each in one group alone.
        symbol: of their marks, as Plotly calls it.
        color: of their marks.
        size: of their marks on a flat map, in pixels.
    """

    group: str
    name: str
    words: list[str]
    symbol: str
    color: str
    size: float


def legend_groups(panel: WordPanel, style: WordMapStyle) -> list[LegendGroup]:
    """Return what the words of a panel are; a later group lies on those before it."""
    positions = panel.positions()
    near = [one.word for one in panel.nearest if one.word in positions and one.word != style.word]
    chosen = [word for word in (style.word,) if word in positions]
    told = {*near, *chosen}
    paired = {word for pair in style.pairs for word in pair} - told
    return [
        LegendGroup("rest", "", [word for word in positions if word not in told | paired], "circle", theme.MUTED, 5),
        LegendGroup("pairs", style.relation, [word for word in positions if word in paired], "square", PAIR, 7),
        LegendGroup("near", f"nearest to {style.word}", near, "diamond", NEAR, 9),
        LegendGroup("chosen", style.word or "no word", chosen, "circle", theme.INK, 11),
    ]
