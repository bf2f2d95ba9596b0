"""What figures of a network's memory share: numbers beyond all bounds in words, colours and names of checkpoints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import unit_of_score
from nlpviz.results.memory import SCORE, STATE, TextMemory
from nlpviz.text.vocabulary import shortened

QUANTITIES: Mapping[str, str] = MappingProxyType(
    {STATE: "of the state: ‖∂h_T/∂h_t‖ / √S", SCORE: "of the score: ‖∂score_T/∂x_t‖"}
)
"""What can be shown, as a control names it."""
SHORT: Mapping[str, str] = MappingProxyType({STATE: "gain", SCORE: "gradient"})
_PLAIN = 3  # decimal places up to which a number is written without a power of ten
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def axis(quantity: str, result: Sequence[TextMemory]) -> str:
    """Return what an axis of checkpoints is called: with the unit of the score."""
    if quantity == STATE:
        return "gain ‖∂h_T/∂h_t‖ / √S"
    return f"gradient ‖∂score_T/∂x_t‖ ({unit_of_score(len(result[0].class_names))} per unit of the word vector)"


def power(log: float) -> str:
    """Return a number by its decimal logarithm, with two digits: ``"0.13"``, ``"3.2 × 10⁻⁸"``, ``"0"``."""
    if math.isnan(log):
        return "not a number"
    if math.isinf(log):
        return "0" if log < 0 else "infinite"
    if -_PLAIN <= log < _PLAIN:
        value = 10.0**log
        return f"{value:.0f}" if value >= 9.95 else f"{value:#.2g}"
    exponent = math.floor(log)
    digits = 10.0 ** (log - exponent)
    if digits >= 9.95:  # would be written as 10
        digits, exponent = 1.0, exponent + 1
    return f"{digits:.1f} × 10{str(exponent).translate(_RAISED)}"


def share(log: float) -> str:
    """Return a share by its decimal logarithm: ``"32%"``, ``"0.4%"``, ``"2.1 × 10⁻⁸"``."""
    if -4 <= log <= 0:
        return f"{power(log + 2)}%"
    return power(log)


def titles(result: Sequence[panels.OfCheckpoint]) -> list[str]:
    """Return what each checkpoint is called."""
    return [panel.title for panel in panels.arrange(result)]


def colors(result: Sequence[panels.OfCheckpoint]) -> list[str]:
    """Return a colour for each checkpoint: of one run by the epoch; of several by the run, in its order."""
    runs = list(dict.fromkeys(one.run for one in result))
    if len(runs) > 1:
        return [theme.CATEGORIES[runs.index(one.run) % len(theme.CATEGORIES)] for one in result]
    last = max((one.epoch for one in result), default=0)
    return [theme.epoch_color(one.epoch, last) for one in result]


def dash(one: panels.OfCheckpoint, result: Sequence[panels.OfCheckpoint]) -> str:
    """Return how a checkpoint's line is drawn, so that epochs differ in more than hue."""
    epochs = sorted({other.epoch for other in result if other.run == one.run}, reverse=True)
    return ("solid", "dash", "dot", "dashdot")[epochs.index(one.epoch) % 4]


def labels(one: TextMemory) -> list[str]:
    """Return each word read with its number, shortened and escaped."""
    return [f"{position + 1} {escape(shortened(token.name, 16))}" for position, token in enumerate(one.text.read)]


def finite(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the values with not a number, which no figure draws, for what is infinite."""
    return np.where(np.isfinite(values), values.astype(np.float64), np.nan)


def ticks(lowest: float, highest: float) -> tuple[list[float], list[str]]:
    """Return powers of ten between two logarithms, at most nine, and what stands at them."""
    first, last = math.ceil(lowest - 1e-9), math.floor(highest + 1e-9)
    step = max(math.ceil((last - first) / 8), 1)
    values = [float(value) for value in range(last, first - 1, -step)]
    return values, [_tick(int(value)) for value in values]


def _tick(exponent: int) -> str:
    return f"{10.0**exponent:g}" if -2 <= exponent <= 2 else f"10{str(exponent).translate(_RAISED)}"
