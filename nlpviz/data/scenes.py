"""Scenes of coloured shapes that the project draws, with captions of a grammar: what is true of a scene is known.

Those of training are drawn as they are needed, none of an unseen pair (:mod:`nlpviz.data.scene_objects`); those that
are held out are drawn of fixed seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nlpviz.data import Corpus, DataError
from nlpviz.data.captioned import CaptionedImages, ImageSource
from nlpviz.data.scene_captions import words, write
from nlpviz.data.scene_objects import COLORS, MOST, draw
from nlpviz.data.scene_pictures import render

if TYPE_CHECKING:
    import numpy as np

_SEEDS = {"validation": 2**31, "test": 2**31 + 1, "unseen": 2**31 + 2}
TESTED = {"test": "scenes like those of training", "unseen": "scenes of unseen pairs"}
"""The splits that a network is measured on, and what they are."""
_BEGINS = {1: 0.04, 2: 0.12}
"""The most objects of a scene until so much of the training is done."""
SCENES = 1_000
"""Of each split that is held out. In the split ``unseen`` every object is of a pair that no training scene has."""


def some(random: np.random.Generator, count: int, *, unseen: bool = False, most: int = MOST) -> CaptionedImages:
    """Return so many scenes of up to ``most`` objects with a caption each."""
    import numpy as np

    scenes = tuple(draw(random, unseen=unseen, most=most) for _ in range(count))
    captions = tuple((write(random, scene),) for scene in scenes)
    return CaptionedImages(np.stack([render(scene) for scene in scenes]), captions, scenes)


class DrawnScenes:
    """The training scenes: there are as many as anyone wants, none of an unseen pair.

    A training begins with one object a scene, then up to two (a curriculum, Bengio et al. 2009): where there is nothing
    else to look at, colours and shapes are learnt before there is any attention to speak of.
    """

    def __len__(self) -> int:
        """Return how many are stored: none, all are drawn."""
        return 0

    def words(self) -> Iterator[Sequence[str]]:
        """Yield the words of the grammar, each of them once."""
        yield tuple(words())

    def alike(self) -> Sequence[Sequence[str]]:
        """Return the colours: of them alone the grammar lets a shape follow that some never have in training."""
        return (tuple(COLORS),)

    def some(self, random: np.random.Generator, count: int, done: float = 1.0) -> CaptionedImages:
        """Return so many scenes with a caption each, of few objects while little of the training is ``done``."""
        return some(random, count, most=next((most for most, until in _BEGINS.items() if done < until), MOST))


def read(split: str) -> ImageSource:
    """Return the scenes of a split: those of training drawn as they are needed, the others as :func:`held_out` has it.

    Raises:
        DataError: if there is no such split.
    """
    return DrawnScenes() if split == "train" else held_out(split)


def held_out(split: str, count: int = SCENES) -> CaptionedImages:
    """Return the first scenes of a split.

    Raises:
        DataError: if there is no such split.
    """
    import numpy as np

    if split not in _SEEDS:
        raise DataError(f"The scenes have no split {split!r}; they have {', '.join(_SEEDS)}.")
    return some(np.random.default_rng(_SEEDS[split]), count, unseen=split == "unseen")


def content() -> str:
    """Return the hash of all held-out scenes and captions, hexadecimal: a run says by it what it was measured on."""
    import hashlib

    found = hashlib.sha256()
    for split in _SEEDS:
        some_held_out = held_out(split)
        found.update(some_held_out.images.tobytes())
        found.update("\n".join(" ".join(captions[0]) for captions in some_held_out.captions).encode())
    return found.hexdigest()


def find(name: str) -> str:
    """Refuse: there are no texts."""
    raise DataError(f"The scenes have no texts, and none called {name!r}.")


CORPUS = Corpus(
    name="scenes",
    title="synthetic scenes",
    file="",
    url="https://arxiv.org/abs/1704.04517",
    size=0,
    sha256=("7915174af921d383f57328e2b9b52f3adf8cfe84fe36c39092a8ddc9ddd94e70",),
    licence="Drawn by the project: there is no file.",
    citation="After Alexander Kuhnle and Ann Copestake (2017): ShapeWorld, A new test methodology for multimodal "
    "language understanding",
    read=read,
    find=find,
    document="scene",
    written="drawn scenes of coloured shapes, with captions of a grammar",
    held_out=("validation", *TESTED),
    drawn=True,
)
