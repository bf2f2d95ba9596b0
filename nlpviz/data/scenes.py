"""Scenes of coloured shapes that the project draws, with captions of a grammar: what is true of a scene is known.

As ShapeWorld (Kuhnle and Copestake 2017) does it. A caption names one object, or two and how they stand to each other:
"a red square above a small blue circle". Some pairs of colour and shape are never drawn for training
(:data:`UNSEEN`), so that a caption of them has to be put together anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from nlpviz.data import Corpus, DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIDE = 64
"""Pixels of an image, in width and height."""
COLORS = {
    "red": (213, 47, 47),
    "green": (46, 140, 66),
    "blue": (38, 92, 196),
    "yellow": (238, 196, 34),
    "purple": (132, 62, 160),
    "pink": (236, 128, 176),
}
SHAPES = ("circle", "square", "triangle", "diamond", "cross")
SIZES = {"small": 6, "large": 10}
"""Half the width of an object, in pixels."""
UNSEEN = frozenset(
    {("red", "diamond"), ("green", "circle"), ("blue", "triangle"), ("yellow", "cross"), ("purple", "square")}
)
"""Pairs of colour and shape that no training scene has."""
RELATIONS = {"above": (0, -1), "below": (0, 1), "to the left of": (-1, 0), "to the right of": (1, 0)}
"""In which direction the first object stands from the second one; y grows downwards."""
MOST = 4
"""Objects of a scene."""
BACKGROUND = 236
_MARGIN, _BETWEEN = 3, 3
"""Pixels between an object and the edge, and between two objects."""
_APART = 6
"""Pixels by which two centres differ at least where one is above, below or beside the other."""
_TRIES = 200
_SEEDS = {"validation": 2**31, "test": 2**31 + 1, "unseen": 2**31 + 2}
SCENES = 1_000
"""Of each split that is held out. In the split ``unseen`` every object is of a pair that no training scene has."""


class Shape(NamedTuple):
    """One object: colour, shape and size by name, the pixel of its centre."""

    color: str
    shape: str
    size: str
    x: int
    y: int

    @property
    def radius(self) -> int:
        """Half its width and height, in pixels."""
        return SIZES[self.size]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom, the last two excluded."""
        return self.x - self.radius, self.y - self.radius, self.x + self.radius + 1, self.y + self.radius + 1

    @property
    def words(self) -> str:
        """What it is called with its size: ``"small blue circle"``."""
        return f"{self.size} {self.color} {self.shape}"


Scene = tuple[Shape, ...]


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


@dataclass(frozen=True)
class CaptionedImages:
    """Images with captions.

    Attributes:
        images: uint8 (N, 3, S, S).
        captions: of each image one or several, as words.
        scenes: what is drawn; empty where nobody knows.
    """

    images: NDArray[np.uint8]
    captions: tuple[tuple[tuple[str, ...], ...], ...]
    scenes: tuple[Scene, ...] = ()

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.images)


# ------------------------------------------------------------------------------------------------------------ drawing


def allowed(scene: Sequence[Shape]) -> Scene:
    """Return a scene that can be drawn.

    Raises:
        DataError: if it has no object or too many, or one of them is unknown or reaches over the edge.
    """
    if not scene:
        raise DataError("The scene is empty: there is nothing to say of it. Place an object first.")
    if len(scene) > MOST:
        raise DataError(f"A scene has at most {MOST} objects, not {len(scene)}.")
    for one in scene:
        if one.color not in COLORS or one.shape not in SHAPES or one.size not in SIZES:
            raise DataError(f"There is no {one.size} {one.color} {one.shape}: {described()}")
        left, top, right, bottom = one.box
        if min(left, top) < 0 or max(right, bottom) > SIDE:
            raise DataError(f"The {one.words} at {one.x}, {one.y} reaches over the edge of {SIDE} pixels.")
    return tuple(scene)


def parsed(text: str) -> Scene:
    """Return the scene that ``text`` lists: ``"small red square 20 24; large blue circle 44 40"``.

    Raises:
        DataError: if it cannot be read as one, or cannot be drawn.
    """
    scene = []
    for part in text.split(";"):
        if not (said := part.split()):
            continue
        if len(said) != 5 or not all(one.lstrip("-").isdecimal() and len(one) < 6 for one in said[3:]):
            raise DataError(
                f"{' '.join(said)[:60]!r} is no object: write size, colour, shape and its centre, such as "
                '"small red square 20 24", objects parted by semicolons.'
            )
        size, color, shape = (one.lower() for one in said[:3])
        scene.append(Shape(color, shape, size, int(said[3]), int(said[4])))
    return allowed(scene)


def written(scene: Sequence[Shape]) -> str:
    """Return a scene as :func:`parsed` reads it."""
    return "; ".join(f"{one.words} {one.x} {one.y}" for one in scene)


def at(scene: Scene, x: int, y: int) -> int | None:
    """Return the place in ``scene`` of the topmost object whose box holds a pixel; None where there is none."""
    for place in reversed(range(len(scene))):
        left, top, right, bottom = scene[place].box
        if left <= x < right and top <= y < bottom:
            return place
    return None


def described() -> str:
    """Return what objects can be, in a sentence."""
    return f"colours are {', '.join(COLORS)}; shapes {', '.join(SHAPES)}; sizes {', '.join(SIZES)}."


def render(scene: Sequence[Shape]) -> NDArray[np.uint8]:
    """Return the image of a scene, uint8 (3, S, S); later objects lie over earlier ones."""
    import numpy as np

    image = np.full((3, SIDE, SIDE), BACKGROUND, dtype=np.float32)
    for one in scene:
        left, top, right, bottom = one.box
        color = np.array(COLORS[one.color], dtype=np.float32)[:, None, None]
        under = image[:, top:bottom, left:right]
        under += _covered(one.shape, one.radius) * (color - under)
    return image.round().astype(np.uint8)


@cache
def _covered(shape: str, radius: int) -> NDArray[np.float32]:
    """Return the share of each pixel of its box that an object covers: two by two samples, so that edges are soft."""
    import numpy as np

    width = 2 * radius + 1
    places = ((np.arange(2 * width) + 0.5) / 2 - 0.5 - radius).astype(np.float32)
    inside = _inside(shape, radius, places[None, :], places[:, None])
    return np.asarray(inside.reshape(width, 2, width, 2).mean(axis=(1, 3), dtype=np.float32))


def _inside(shape: str, radius: int, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which points, by their distance from the centre, lie in an object; x (1, W) and y (H, 1)."""
    import numpy as np

    if shape == "circle":
        return np.asarray(x**2 + y**2 <= radius**2)
    if shape == "square":
        return np.asarray(np.maximum(abs(x), abs(y)) <= 0.88 * radius)
    if shape == "diamond":
        return np.asarray(abs(x) + abs(y) <= radius)
    if shape == "triangle":
        return np.asarray((y <= 0.8 * radius) & (abs(x) <= 0.55 * (y + radius)))
    return np.asarray((np.minimum(abs(x), abs(y)) <= 0.34 * radius) & (np.maximum(abs(x), abs(y)) <= radius))


def draw(random: np.random.Generator, *, unseen: bool = False, most: int = MOST) -> Scene:
    """Return a scene of one to ``most`` objects that do not touch.

    Args:
        random: where it is drawn from.
        unseen: whether each object is of a pair that no training scene has; else none is.
        most: objects at most.
    """
    pairs = [(color, shape) for color in COLORS for shape in SHAPES if ((color, shape) in UNSEEN) == unseen]
    scene: list[Shape] = []
    wanted = int(random.integers(1, most + 1))
    for _ in range(_TRIES):
        color, shape = pairs[int(random.integers(len(pairs)))]
        size = tuple(SIZES)[int(random.integers(len(SIZES)))]
        reach = SIZES[size] + _MARGIN
        x, y = (int(place) for place in random.integers(reach, SIDE - reach, size=2))
        one = Shape(color, shape, size, x, y)
        if all(max(abs(x - other.x), abs(y - other.y)) > one.radius + other.radius + _BETWEEN for other in scene):
            scene.append(one)
        if len(scene) == wanted:
            break
    return tuple(scene)


# ----------------------------------------------------------------------------------------------------------- captions


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


# ------------------------------------------------------------------------------------------------------------- splits


def some(random: np.random.Generator, count: int, *, unseen: bool = False) -> CaptionedImages:
    """Return so many scenes with a caption each."""
    import numpy as np

    scenes = tuple(draw(random, unseen=unseen) for _ in range(count))
    captions = tuple((write(random, scene),) for scene in scenes)
    return CaptionedImages(np.stack([render(scene) for scene in scenes]), captions, scenes)


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


def words() -> Iterator[str]:
    """Yield every word of the grammar once."""
    yield from dict.fromkeys(
        ["a", *SIZES, *COLORS, *SHAPES, *(word for relation in RELATIONS for word in relation.split())]
    )


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
    read=held_out,
    find=find,
    document="scene",
    written="drawn scenes of coloured shapes, with captions of a grammar",
    drawn=True,
)
