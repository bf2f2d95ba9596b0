"""Captions of scenes, of a grammar: how they are written, what they say, and whether that is true.

A caption names one object, or two and how they stand to each other: "a red square above a small blue circle".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nlpviz.data.scene_objects import COLORS, SHAPES, SIZES, Scene, Shape

if TYPE_CHECKING:
    import numpy as np

RELATIONS = {"above": (0, -1), "below": (0, 1), "to the left of": (-1, 0), "to the right of": (1, 0)}
"""In which direction the first object stands from the second one; y grows downwards."""
_APART = 6
"""Pixels by which two centres differ at least where one is above, below or beside the other."""


class Mention(NamedTuple):
    """What a caption says of one object, the size empty where it says none, and its words: positions from and to."""

    size: str
    color: str
    shape: str
    start: int
    stop: int

    def fits(self, one: Shape) -> bool:
        """Return whether ``one`` is what is said."""
        return (self.color, self.shape) == (one.color, one.shape) and self.size in ("", one.size)


class Claim(NamedTuple):
    """What a caption says: one object, or two with how the first one stands to the second."""

    mentions: tuple[Mention, ...]
    relation: str


def relation_of(first: Shape, second: Shape) -> str:
    """Return how the first object stands to the second one, by the axis on which they are farther apart."""
    x, y = first.x - second.x, first.y - second.y
    direction = (0, 1 if y > 0 else -1) if abs(y) >= abs(x) else (1 if x > 0 else -1, 0)
    return next(name for name, one in RELATIONS.items() if one == direction)


def write(random: np.random.Generator, scene: Scene) -> tuple[str, ...]:
    """Return a true caption: of one object where there is no other, else of two; half of the sizes are named."""
    if len(scene) == 1:
        return _named(random, scene[0])
    first, second = (scene[int(place)] for place in random.choice(len(scene), size=2, replace=False))
    return (*_named(random, first), *relation_of(first, second).split(), *_named(random, second))


def _named(random: np.random.Generator, one: Shape) -> tuple[str, ...]:
    return ("a", *((one.size,) if random.random() < 0.5 else ()), one.color, one.shape)


_OBJECT = rf"a(?: ({'|'.join(SIZES)}))? ({'|'.join(COLORS)}) ({'|'.join(SHAPES)})"
_CAPTION = re.compile(rf"{_OBJECT}(?: ({'|'.join(RELATIONS)}) {_OBJECT})?")


def claim_of(words: Sequence[str]) -> Claim | None:
    """Return what a caption says; None where it is none of the grammar."""
    text = " ".join(words)
    found = _CAPTION.fullmatch(text)
    if found is None:
        return None
    groups = [found.groups()[:3], *([found.groups()[4:]] if found[4] else [])]
    mentions, start = [], 0
    for place, (size, color, shape) in enumerate(groups):
        stop = start + 3 + bool(size)
        mentions.append(Mention(size or "", color, shape, start, stop))
        start = stop + (len(found[4].split()) if place == 0 and found[4] else 0)
    return Claim(tuple(mentions), found[4] or "")


def meant(claim: Claim, scene: Scene) -> tuple[Shape, ...] | None:
    """Return objects of which a claim is true, one for each mention; None where it is true of none."""
    first, *others = claim.mentions
    for one in scene:
        if not first.fits(one):
            continue
        if not others:
            return (one,)
        for other in scene:
            if other is not one and others[0].fits(other) and _stands(one, other, claim.relation):
                return one, other
    return None


def is_true(words: Sequence[str], scene: Scene) -> bool:
    """Return whether a caption is of the grammar and true of a scene."""
    claim = claim_of(words)
    return claim is not None and meant(claim, scene) is not None


def _stands(first: Shape, second: Shape, relation: str) -> bool:
    x, y = RELATIONS[relation]
    return (first.x - second.x) * x + (first.y - second.y) * y >= _APART


def words() -> Iterator[str]:
    """Yield every word of the grammar once."""
    yield from dict.fromkeys(
        ["a", *SIZES, *COLORS, *SHAPES, *(word for relation in RELATIONS for word in relation.split())]
    )
