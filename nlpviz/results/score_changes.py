"""How an edit changed the scores of words: those of two texts, aligned."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import NamedTuple, TypeVar

from nlpviz.results.explanation import Explanation
from nlpviz.text.aligned import align

Item = TypeVar("Item")


class ScoreChange(NamedTuple):
    """What an edit made of one word's score: of a word of both texts, or of one that only one of them has.

    Attributes:
        words: as they are in the original and in the edited text; ``""`` where it is not there.
        places: their numbers among the tokens that were read, from 0; -1 where it is not there.
        scores: before and after; NaN where it is not there.
    """

    words: tuple[str, str]
    places: tuple[int, int]
    scores: tuple[float, float]

    @property
    def size(self) -> float:
        """How far the score moved; of a word that only one text has, the magnitude of its score."""
        before, after = (0.0 if isnan(score) else score for score in self.scores)
        return abs(after - before)


def score_changes(before: Explanation, after: Explanation) -> list[ScoreChange]:
    """Return what became of the score of each token that was read in one of two texts, in their order.

    Where as many words come as go, each stands for the one in its place.
    """
    words = [[token.word for token in one.encoded.read] for one in (before, after)]
    scores = before.scores.tolist(), after.scores.tolist()
    changes = []
    for block in align(*words):
        (first, last), (start, stop) = block.before, block.after
        if last - first == stop - start:
            pairs = list(zip(range(first, last), range(start, stop), strict=True))
        else:
            pairs = [*((place, -1) for place in range(first, last)), *((-1, place) for place in range(start, stop))]
        changes += [
            ScoreChange(
                words=(_at(words[0], places[0], ""), _at(words[1], places[1], "")),
                places=places,
                scores=(_at(scores[0], places[0], nan), _at(scores[1], places[1], nan)),
            )
            for places in pairs
        ]
    return changes


def _at(values: Sequence[Item], place: int, missing: Item) -> Item:
    return values[place] if place >= 0 else missing
