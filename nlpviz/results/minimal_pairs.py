"""Two texts that differ in one respect, and the expected predictions of a classifier for them.

The kinds of tests are those of Ribeiro, Wu, Guestrin and Singh (2020), section 2.2.
"""

from __future__ import annotations

from typing import NamedTuple

HIGHER, LOWER, SAME = "higher", "lower", "same"
LABELS = {
    f"{first}/{second}": (first == "positive", second == "positive")
    for first in ("positive", "negative")
    for second in ("positive", "negative")
}
"""What is expected of both texts of a pair -> whether each is positive."""
EXPECTATIONS = (*LABELS, HIGHER, LOWER, SAME)
"""What may be expected of a pair: two labels, or what the second text does to the probability of *positive*."""


class MinimalPair(NamedTuple):
    """Two texts that differ in one thing.

    Attributes:
        capability: what is tested, for example ``"negation"``.
        template: what it was made of; for user pairs the capability once more.
        first: a text.
        second: the other one.
        expected: one of :data:`EXPECTATIONS`.
        misspelt: whether the second text may hold words that a run does not know.
    """

    capability: str
    template: str
    first: str
    second: str
    expected: str
    misspelt: bool = False

    @property
    def test(self) -> str:
        """The kind of test: ``"minimum functionality"``, ``"directional expectation"`` or ``"invariance"``."""
        if self.expected in LABELS:
            return "minimum functionality"
        return "invariance" if self.expected == SAME else "directional expectation"
