"""Rosenbrock's banana: a curved valley that is easy to find and slow to follow (Rosenbrock 1960)."""

from nlpviz.experiments.feedforward import Array, Surface


def loss(x: Array, y: Array) -> Array:
    """Return the loss, element by element."""
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


def gradient(x: float, y: float) -> tuple[float, float]:
    """Return its derivatives by x and by y."""
    return -2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)


SURFACE = Surface(
    name="rosenbrock",
    title="Rosenbrock",
    says="A curved valley with a nearly flat floor; the minimum is at (1, 1).",
    formula=r"(1 - x)^2 + 100 (y - x^2)^2",
    loss=loss,
    gradient=gradient,
    x=(-2.0, 2.0),
    y=(-1.0, 3.0),
    start=(-1.5, 2.0),
)
