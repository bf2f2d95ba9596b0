"""Words that the network does not know."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.vocabulary import UNKNOWN, EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1 at a word that was read as ``<unk>``."""
    return np.asarray(encoded.ids == UNKNOWN, dtype=np.float32)


FEATURE = Feature(
    name="unknown",
    title="unknown word",
    says="1 at an out-of-vocabulary word, 0 elsewhere",
    course=course,
    order=60,
)
