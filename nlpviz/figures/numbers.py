"""Numbers as people read them."""

from __future__ import annotations


def number(value: float, form: str = ".2f", *, signed: bool = True) -> str:
    """Return a number with a true minus sign, and zero with none: ``"+0.91"``, ``"−0.20"``, ``"0.00"``.

    Args:
        value: the number.
        form: a format of Python's, without sign.
        signed: whether a positive number has its sign.
    """
    written = f"{value:{'+' if signed else ''}{form}}".replace("-", "−")
    return written if any(digit in "123456789" for digit in written) else written.lstrip("+−")


def percent(share: float) -> str:
    """Return a share as people read it, a small one by its first digit: ``"12.3%"``, ``"0.009%"``, ``"0%"``."""
    return f"{share:.1%}" if share >= 0.001 else f"{100 * share:.1g}%"
