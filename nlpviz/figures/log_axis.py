"""Logarithmic axes whose numbers all have the common size: Plotly's own powers are larger, its 2 and 5 smaller."""

from __future__ import annotations

import math
from typing import Any

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_STEPS = ((1.2, (1, 2, 3, 5, 7)), (2.2, (1, 2, 5)), (4.2, (1, 3)))  # decades up to which these digits stand
_TICKS = 8
_PAD = 0.03  # of the axis


def log_axis(low: float, high: float) -> dict[str, Any]:
    """Return an axis from ``low`` to ``high``, both above zero, with a little room beyond them."""
    first, last = math.log10(low), math.log10(max(high, 1.05 * low))
    pad = _PAD * (last - first)
    first, last = first - pad, last + pad
    digits = next((digits for decades, digits in _STEPS if last - first <= decades), (1,))
    step = max(math.ceil((last - first) / _TICKS), 1)
    every = [
        (exponent, digit)
        for exponent in range(math.floor(first), math.ceil(last) + 1)
        for digit in digits
        if exponent % step == 0 and first <= exponent + math.log10(digit) <= last
    ]
    return {
        "type": "log",
        "range": [first, last],
        "tickvals": [digit * 10.0**exponent for exponent, digit in every],
        "ticktext": [_tick(exponent, digit) for exponent, digit in every],
    }


def _tick(exponent: int, digit: int) -> str:
    if -3 <= exponent <= 5:
        return f"{digit * 10.0**exponent:,.{max(-exponent, 0)}f}"
    power = f"10{str(exponent).translate(_RAISED)}"
    return power if digit == 1 else f"{digit} × {power}"
