"""The position in a line: Karpathy, Johnson and Fei-Fei (2016), section 4.2, found a cell that tracks it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.tokenizers import REVIEWS
from nlpviz.text.vocabulary import EOS, EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return how many tokens of its line precede each token; the end of a line is its last token."""
    result, begun = np.zeros(len(encoded.ids), np.float32), 0
    for position, token in enumerate(encoded.read):
        result[position] = position - begun
        if token.word == EOS:
            begun = position + 1
    return result


FEATURE = Feature(
    name="line-position",
    title="position in the line",
    says="number of preceding tokens in the same line",
    course=course,
    unit="tokens",
    order=11,
    suits=lambda tokenizer: tokenizer.name != REVIEWS,  # which have no lines
)
