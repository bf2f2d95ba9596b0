"""Sentiment so far: the running sum of the words' bag-of-words weights, independent of any network."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.tokenizers import REVIEWS
from nlpviz.text.vocabulary import EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:
    """Return the sum of the weights of the words up to each, itself included."""
    return np.cumsum([weights.get(token.word, 0.0) for token in encoded.read]).astype(np.float32)


FEATURE = Feature(
    name="sentiment",
    title="sentiment so far",
    says="the sum of the naive-Bayes weights (log-odds, counted on training texts) of all words so far",
    course=course,
    unit="log-odds",
    of_last_class=True,
    order=45,
    suits=lambda tokenizer: tokenizer.name == REVIEWS,  # for what has labels
)
