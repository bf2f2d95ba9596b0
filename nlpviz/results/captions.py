"""A network's caption of an image, its attention at each word, and how much of it is correct."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.tokenizers import REVIEWS, TOKENIZERS


@dataclass(frozen=True)
class Caption:
    """The caption of one image.

    Attributes:
        run: the run's name.
        epoch: its number.
        words: T words, the end left out.
        probabilities: (T,), of each word given those before it.
        weights: (T, G, G), how much each place of the grid weighed for each word, or how likely hard attention was to
            look there.
        places: (T, 2), row and column of where hard attention looked; None for soft attention.
        ended: whether it was ended, and not cut off.
    """

    run: str
    epoch: int
    words: tuple[str, ...]
    probabilities: NDArray[np.float32]
    weights: NDArray[np.float32]
    places: NDArray[np.int64] | None
    ended: bool = True

    @property
    def text(self) -> str:
        """The words as a text: no blank before a comma."""
        return TOKENIZERS[REVIEWS].write(self.words)

    @property
    def looked(self) -> NDArray[np.int64]:
        """(T, 2): row and column of the place with the most weight for each word."""
        count, height, width = self.weights.shape
        flat = self.weights.reshape(count, height * width).argmax(axis=1)
        return np.stack(np.divmod(flat, width), axis=1)


class CaptionsMeasured(NamedTuple):
    """What captions of scenes reach whose truth is known.

    Attributes:
        documents: scenes.
        true: share of the captions that are true of their scene.
        grammatical: share that the grammar knows.
        pairs: share of the true captions that name two objects.
        looks: words that name an object of a true caption: its size, colour, shape.
        on_object: share of these for which the place with the most weight touches the object.
        chance: share that any place would reach, by the sizes of the objects on the grid.
        mass: mean share of the weight that lies on places which the object touches.
    """

    documents: int
    true: float
    grammatical: float
    pairs: float
    looks: int
    on_object: float
    chance: float
    mass: float


class CaptionsCompared(NamedTuple):
    """What captions of images have in common with those that people wrote.

    Attributes:
        documents: images.
        references: captions that people wrote of them.
        bleu: 0 to 100, each caption beside all those of its image.
        length: words of a caption, in the mean.
    """

    documents: int
    references: int
    bleu: float
    length: float
