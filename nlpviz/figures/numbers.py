"""Numbers as people read them."""

from __future__ import annotations

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, form: str = ".2f", *, signed: bool = True) -> str:
    """Return a number with a true minus sign, and zero with none: ``"+0.91"``, ``"−0.20"``, ``"0.00"``.

    Args:
        value: the number.
        form: a format of Python's, without sign.
        signed: whether a positive number has its sign.
    """
    written = f"{value:{'+' if signed else ''}{form}}".replace("-", "−")
    return written if any(digit in "123456789" for digit in written) else written.lstrip("+−")


def unit_of_score(classes: int) -> str:
    """Return what a class score is measured in: of two classes the log-odds, of more a logit, what a softmax takes."""
    return "log-odds" if classes == 2 else "logit"


def unit_of_push(classes: int) -> str:
    """Return what a score along the class direction is measured in: of more than two classes the mean log-odds.

    A class's logit less the mean of the others' is the mean of its log-odds against each of them.
    """
    return "log-odds" if classes == 2 else "mean log-odds"


def percent(share: float) -> str:
    """Return a share as people read it, a small one by its first digit: ``"12.3%"``, ``"0.009%"``, ``"0%"``.

    One below a millionth is written as a power of ten, not in percent: ``"2 × 10⁻⁸"``.
    """
    if share >= 0.001:
        return f"{share:.1%}"
    digit, exponent = f"{share:.0e}".split("e")
    if int(exponent) < -6:
        return f"{digit} × 10{str(int(exponent)).translate(_RAISED)}"
    return f"{100 * share:.1g}%"


def brief(value: float) -> str:
    """Return a number with two digits that count, a very small or large one by a power of ten: ``"1.3 × 10⁻⁹"``."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.2g}".replace("-", "−") if abs(value) < 100 else f"{value:,.0f}".replace("-", "−")
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits} × 10{str(int(exponent)).translate(_RAISED)}".replace("-", "−")


def p_said(p: float) -> str:
    """Return a p value as people write it: ``"p < 0.001"``, ``"p = 0.012"``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
