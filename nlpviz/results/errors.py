"""Where a classifier errs on labelled texts: by the words, length or group of a text, and with what confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from nlpviz.stats.significance import LEVEL, Interval


class ErrorWord(NamedTuple):
    """A word, and how often texts that contain it are misclassified.

    Attributes:
        word: in the vocabulary's spelling.
        texts: that hold it.
        errors: of them, misclassified.
        share: errors among the texts that hold it.
        interval: of the share, 95%.
        outside: the share of errors among all other texts.
        odds_ratio: how many times the odds of an error are those of the other texts.
        p: of Fisher's exact test, two-sided.
        q: the same adjusted for all words that were tested (Benjamini and Hochberg).
    """

    word: str
    texts: int
    errors: int
    share: float
    interval: Interval
    outside: float
    odds_ratio: float
    p: float
    q: float

    @property
    def significant(self) -> bool:
        """Whether it is among the discoveries at a false discovery rate of 5%."""
        return self.q < LEVEL


@dataclass(frozen=True)
class ErrorWords:
    """The words associated with errors, or with correct predictions, the lowest p-value first.

    That a word goes with errors does not say that it causes them.

    Attributes:
        words: some of those that were tested.
        tested: how many words were.
        least: texts that hold a word that is tested, at least.
        texts: N.
        errors: misclassified among them.
    """

    words: tuple[ErrorWord, ...]
    tested: int
    least: int
    texts: int
    errors: int


class Slice(NamedTuple):
    """A part of the texts, selected by their length or a column of the file.

    Attributes:
        name: what they share: ``"12 to 30 tokens"``, a value of the column.
        texts: how many.
        accuracy: on them.
        interval: of the accuracy, 95%.
        rest: the accuracy on all other texts; NaN where there are none.
        p: of Fisher's exact test, two-sided: whether the accuracy is that of the others.
        q: the same adjusted for the slices beside it (Benjamini and Hochberg).
    """

    name: str
    texts: int
    accuracy: float
    interval: Interval
    rest: float
    p: float
    q: float

    @property
    def significant(self) -> bool:
        """Whether it is among the discoveries at a false discovery rate of 5%."""
        return self.q < LEVEL


@dataclass(frozen=True)
class Slices:
    """All texts in slices, each text in one.

    Attributes:
        by: what distinguishes them: ``"length"``, or a column's name.
        slices: in order: of lengths and numbers the least first, of values the most frequent first.
        accuracy: on all texts.
        others: values that are too rare to have a slice of their own; they share the last one.
    """

    by: str
    slices: tuple[Slice, ...]
    accuracy: float
    others: int = 0


class ConfidentError(NamedTuple):
    """A text that is misclassified.

    Attributes:
        row: its number in the file.
        text: the text itself.
        label: index of its class.
        predicted: index of the predicted class.
        probability: of the predicted class.
    """

    row: int
    text: str
    label: int
    predicted: int
    probability: float
