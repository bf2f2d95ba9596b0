"""The smallest edits that change a prediction, the reduced text that keeps it, and the fluency of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from nlpviz.text.edits import WordEdit

ANY, NEAR, DELETE = "any", "near", "delete"
WAYS = {ANY: "any word", NEAR: "a similar word", DELETE: "nothing (delete)"}
"""What may come in a word's place, by name."""
ADDED_BITS = 4.0
"""Bits that an edited word may add: the text then becomes at most sixteen times less probable for it."""
FULL, EACH_WORD, EACH_BIT = 100, 10, 2
"""Of the score of :func:`fooling_score`."""


MOST, MOST_EDITS = 3, 6
"""Edits of a search by default, and at most."""
SECONDS = 20.0
"""That a search takes at most."""


class Settings(NamedTuple):
    """How a search is made: what may come in a word's place, edits and bits at most, seconds."""

    ways: tuple[str, ...] = tuple(WAYS)
    most: int = MOST
    threshold: float = ADDED_BITS
    seconds: float = SECONDS


class BitsRead(NamedTuple):
    """A text as a language model read it.

    Attributes:
        words: how many tokens were read.
        bits: their surprisals in sum.
    """

    words: int
    bits: float

    @property
    def mean(self) -> float:
        """Bits a word; 0 of a text without any."""
        return self.bits / self.words if self.words else 0.0


def added_bits(before: BitsRead, after: BitsRead) -> float:
    """Return how many bits an edited text has beyond as many words at the original's mean.

    With as many words as before it is the difference of the two sums; a word that is inserted adds only what it has
    beyond the mean, and one that is deleted saves no more.
    """
    return after.bits - after.words * before.mean


def fooling_score(edited: int, added: float) -> int:
    """Return what it is worth to turn a prediction with so many edited words and added bits: 100 at most, 0 at least.

    A text that reads more like English than before gains nothing by that.
    """
    return max(0, round(FULL - EACH_WORD * edited - EACH_BIT * max(added, 0.0)))


class FoundEdits(NamedTuple):
    """Edits that turn a prediction, as a network confirmed by reading the edited text.

    Attributes:
        edits: of the original text, the last place first.
        said: what they do, as a clause.
        text: after them.
        probability: of the class that was predicted before.
        predicted: the index of the class that is predicted now.
        added: bits that they add, by a language model; None where none was asked.
    """

    edits: tuple[WordEdit, ...]
    said: str
    text: str
    probability: float
    predicted: int
    added: float | None


@dataclass(frozen=True)
class EditSearch:
    """A search for the smallest edits that turn a prediction.

    Attributes:
        run: whose network.
        epoch: of its weights.
        class_names: the classes.
        predicted: the index of the class that is predicted for the original.
        probability: of that class.
        ways: what might come in a word's place, of :data:`WAYS`.
        most: edits at most.
        threshold: bits that each edited word may add; None where no language model was asked.
        language_model: its title; empty for none.
        found: those with the fewest edits, best first.
        nearest: the probability of the predicted class after the best edits that did not turn it.
        read: texts that the network read.
        gradients: how often its gradient was computed.
        unlike_english: candidates that were dropped because they add too many bits.
        stopped: whether the time ran out before all was tried.
        beyond: tokens of the text that were not edited, since only its beginning is.
    """

    run: str
    epoch: int
    class_names: tuple[str, ...]
    predicted: int
    probability: float
    ways: tuple[str, ...]
    most: int
    threshold: float | None
    language_model: str
    found: tuple[FoundEdits, ...]
    nearest: float
    read: int
    gradients: int
    unlike_english: int
    stopped: bool
    beyond: int

    @property
    def fewest(self) -> int | None:
        """How many words the smallest edits change; None where nothing was found."""
        return len(self.found[0].edits) if self.found else None

    @property
    def best_score(self) -> int | None:
        """The best score of what was found; None where nothing was, or no language model was asked."""
        scores = [fooling_score(len(one.edits), one.added) for one in self.found if one.added is not None]
        return max(scores, default=None)


@dataclass(frozen=True)
class Reduction:
    """A text reduced to few words while the prediction stays.

    Attributes:
        predicted: the name of the class.
        words: what is left, in order.
        places: their numbers in the text, from 0.
        tokens: how many there were.
        before: the probability of the class for the whole text.
        after: for what is left.
        read: texts that the network read.
        stopped: whether the time ran out before no word could go.
    """

    predicted: str
    words: tuple[str, ...]
    places: tuple[int, ...]
    tokens: int
    before: float
    after: float
    read: int
    stopped: bool
