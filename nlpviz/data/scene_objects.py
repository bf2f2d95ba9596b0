"""Scenes of coloured shapes: their objects, what may be drawn, how a scene is written, and drawn by chance.

As ShapeWorld (Kuhnle and Copestake 2017) does it. Some pairs of colour and shape are never drawn for training
(:data:`UNSEEN`), so that a caption of them has to be put together anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from nlpviz.data import DataError

if TYPE_CHECKING:
    import numpy as np

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
MOST = 4
"""Objects of a scene."""
BACKGROUND = 236
_MARGIN, _BETWEEN = 3, 3
"""Pixels between an object and the edge, and between two objects."""
_TRIES = 200


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


def allowed(scene: Sequence[Shape]) -> Scene:
    """Return a scene that can be drawn.

    Raises:
        DataError: if it has no object or too many, or one of them is unknown or reaches over the edge.
    """
    if not scene:
        raise DataError("The scene is empty. Add an object first.")
    if len(scene) > MOST:
        raise DataError(f"A scene has at most {MOST} objects, not {len(scene)}.")
    for one in scene:
        if one.color not in COLORS or one.shape not in SHAPES or one.size not in SIZES:
            raise DataError(f"Unknown object {one.size} {one.color} {one.shape}: {described()}")
        left, top, right, bottom = one.box
        if min(left, top) < 0 or max(right, bottom) > SIDE:
            raise DataError(f"The {one.words} at {one.x}, {one.y} extends beyond the {SIDE}-pixel image.")
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
                f"{' '.join(said)[:60]!r} is not a valid object. Specify size, colour, shape and centre, such as "
                '"small red square 20 24", and separate objects with semicolons.'
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
