"""How many tokens remain in the sentence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.sentences import sentences
from nlpviz.text.vocabulary import EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return how many tokens of its sentence follow each token, 0 at the last one."""
    left = [np.arange(one.last - one.first)[::-1] for one in sentences(encoded.text, encoded.tokens)]
    return np.concatenate([*left, np.empty(0)])[: len(encoded.ids)].astype(np.float32)


FEATURE = Feature(
    name="to-sentence-end",
    title="distance to the sentence end",
    says="number of tokens remaining in the sentence",
    course=course,
    unit="tokens",
    ahead=True,
    order=41,
)
