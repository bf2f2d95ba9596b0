"""A long valley with steep sides: a bowl fifty times as curved one way as the other."""

from nlpviz.experiments.feedforward import Array, Surface


def loss(x: Array, y: Array) -> Array:
    """Return the loss, element by element."""
    return 0.5 * (x * x + 50 * y * y)


def gradient(x: float, y: float) -> tuple[float, float]:
    """Return its derivatives by x and by y."""
    return x, 50 * y


SURFACE = Surface(
    name="ravine",
    title="Ravine",
    says="The curvature across the ravine is 50 times the curvature along it, so no learning rate suits both.",
    formula=r"\tfrac12 (x^2 + 50 y^2)",
    loss=loss,
    gradient=gradient,
    x=(-4.0, 1.0),
    y=(-1.2, 1.2),
    start=(-3.5, 0.9),
)
