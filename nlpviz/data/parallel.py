"""Sentences of two or more languages that say the same: what a corpus for translators reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ParallelTexts:
    """One split, sentence by sentence the same in every language.

    Attributes:
        split: its name, as published.
        texts: language -> N sentences as published.
    """

    split: str
    texts: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        """Return the number of sentences of each language, N."""
        return len(next(iter(self.texts.values())))
