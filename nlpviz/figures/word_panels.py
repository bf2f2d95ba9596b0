"""What a map of words shows: the words of one panel, and what is marked in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlpviz.projection import WordMap
from nlpviz.relations import Neighbour


@dataclass(frozen=True)
class WordPanel:
    """One map and what is shown on it.

    Attributes:
        map: where the words lie.
        title: the panel's, for example ``"Epoch 5"``.
        note: what stands beside the trust under it, such as the run's name; may be empty.
        placed: words that the map was not fitted to, and where they were put afterwards.
        nearest: the neighbours of the chosen word in the original space, nearest first.
        review: where the average of a typed review goes; empty for none.
    """

    map: WordMap
    title: str
    note: str = ""
    placed: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    nearest: tuple[Neighbour, ...] = ()
    review: tuple[float, ...] = ()

    def places(self) -> dict[str, NDArray[np.float32]]:
        """Return where every word is drawn, the fitted ones first."""
        fitted = dict(zip(self.map.words, self.map.coordinates, strict=True))
        return fitted | {word: np.array(place, np.float32) for word, place in self.placed.items() if word not in fitted}


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
    """

    word: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    relation: str = "pairs"
    height: int = 560
    about: str = ""
    view: str = ""
