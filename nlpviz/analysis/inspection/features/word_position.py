"""How many letters of the word have been read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature, of_characters_alone
from nlpviz.text.vocabulary import EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1, 2, … at the letters of a word and the apostrophes in it, and 0 between words."""
    result, letters = np.zeros(len(encoded.ids), np.float32), 0
    for position, token in enumerate(encoded.read):
        goes_on = token.word.isalpha() or (letters > 0 and token.word in "'’-")
        letters = letters + 1 if goes_on else 0
        result[position] = letters
    return result


FEATURE = Feature(
    name="word-position",
    title="position in the word",
    says="number of characters of the word up to and including this one; 0 between words",
    course=course,
    unit="characters",
    order=12,
    suits=of_characters_alone,
)
