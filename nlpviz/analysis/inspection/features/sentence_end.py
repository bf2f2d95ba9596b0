"""The last token of each sentence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.sentences import sentences
from nlpviz.text.vocabulary import EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1 at the last token of each sentence that was read to its end."""
    result = np.zeros(len(encoded.tokens), np.float32)
    result[[sentence.last - 1 for sentence in sentences(encoded.text, encoded.tokens)]] = 1
    return result[: len(encoded.ids)]


FEATURE = Feature(
    name="sentence-end",
    title="end of a sentence",
    says="1 at the last token of a sentence, 0 elsewhere",
    course=course,
    order=40,
)
