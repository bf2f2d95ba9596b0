"""Beale's function: a flat valley between steep walls (Beale 1958)."""

from nlpviz.experiments.feedforward import Array, Surface


def loss(x: Array, y: Array) -> Array:
    """Return the loss, element by element."""
    return (1.5 - x + x * y) ** 2 + (2.25 - x + x * y**2) ** 2 + (2.625 - x + x * y**3) ** 2


def gradient(x: float, y: float) -> tuple[float, float]:
    """Return its derivatives by x and by y."""
    first, second, third = 1.5 - x + x * y, 2.25 - x + x * y**2, 2.625 - x + x * y**3
    by_x = 2 * (first * (y - 1) + second * (y**2 - 1) + third * (y**3 - 1))
    return by_x, 2 * x * (first + 2 * y * second + 3 * y**2 * third)


SURFACE = Surface(
    name="beale",
    title="Beale",
    says="Steep walls around a flat, curved valley; the minimum is at (3, 0.5).",
    formula=r"(1.5 - x + xy)^2 + (2.25 - x + xy^2)^2 + (2.625 - x + xy^3)^2",
    loss=loss,
    gradient=gradient,
    x=(-1.5, 4.5),
    y=(-2.0, 2.0),
    start=(1.0, 1.5),
)
