"""An order in which similar items are adjacent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def chain(likeness: NDArray[np.floating], first: int) -> list[int]:
    """Return the positions of M so that each is followed by the one of those left that is most like it.

    Args:
        likeness: (M, M), symmetric; higher is more alike, and what is not a number is least. The diagonal is not read.
        first: the position that begins.
    """
    values = np.nan_to_num(likeness, nan=-np.inf)
    order, left = [first], set(range(len(values))) - {first}
    while left:
        order.append(max(sorted(left), key=lambda one: values[order[-1], one]))
        left.remove(order[-1])
    return order
