"""Capital letters."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature, of_characters_alone
from nlpviz.text.vocabulary import EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1 at a capital letter."""
    return np.array([token.word.isupper() for token in encoded.read], dtype=np.float32)


FEATURE = Feature(
    name="capital",
    title="capital letter",
    says="1 at a capital letter, 0 elsewhere",
    course=course,
    order=36,
    suits=of_characters_alone,
)
