"""A saddle between two minima: a descent that begins near its ridge sees no slope sideways."""

from nlpviz.experiments.feedforward import Array, Surface


def loss(x: Array, y: Array) -> Array:
    """Return the loss, element by element."""
    return 0.5 * x * x - 0.5 * y * y + 0.25 * y**4


def gradient(x: float, y: float) -> tuple[float, float]:
    """Return its derivatives by x and by y."""
    return x, y**3 - y


SURFACE = Surface(
    name="saddle",
    title="Saddle",
    says="The gradient is 0 at the origin, which is not a minimum. The surface descends to both sides of it, gently "
    "at first.",
    formula=r"\tfrac12 x^2 - \tfrac12 y^2 + \tfrac14 y^4",
    loss=loss,
    gradient=gradient,
    x=(-1.8, 1.8),
    y=(-1.6, 1.6),
    start=(-1.5, 0.001),
    lowest=-0.25,
)
