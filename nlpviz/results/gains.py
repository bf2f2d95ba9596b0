"""Where one language model predicts a test text better than another, and where not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gain:
    """The tokens of one group.

    Attributes:
        grouping: what the tokens are grouped by, for example ``"words since its last occurrence"``.
        group: its name, for example ``"1-10"``.
        tokens: how many.
        nats: their mean surprisal by the first model.
        other_nats: by the other one.
        low: the lower end of a 95% interval of the mean difference ``other_nats - nats``; NaN of too few tokens.
        high: its upper end.
    """

    grouping: str
    group: str
    tokens: int
    nats: float
    other_nats: float
    low: float
    high: float

    @property
    def gain(self) -> float:
        """By how many nats per token the first model is less surprised; negative where it is more surprised."""
        return self.other_nats - self.nats
