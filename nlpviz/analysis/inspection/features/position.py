"""How many words were read before this one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.vocabulary import EncodedText


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 0, 1, 2, …"""  # noqa: D415
    return np.arange(len(encoded.ids), dtype=np.float32)


FEATURE = Feature(
    name="position",
    title="position in the text",
    says="number of preceding words",
    course=course,
    unit="words",
    of_place=True,
    order=10,
    suits=lambda _: True,
)
