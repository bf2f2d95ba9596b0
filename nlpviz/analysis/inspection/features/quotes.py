"""Inside quotation marks, as in Karpathy, Johnson and Fei-Fei (2016), *Visualizing and Understanding RNNs*, 4.2."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.vocabulary import EncodedText

LONGEST = 40
"""Words: a quotation that nobody closed ends here."""
_OPENING, _CLOSING = frozenset("“„«"), frozenset("”»")


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1 from an opening mark to its closing one, both included, for :data:`LONGEST` words at most."""
    result, left = np.zeros(len(encoded.ids), np.float32), 0
    for position, token in enumerate(encoded.read):
        mark = token.word[0]
        closes = mark in _CLOSING or (mark == '"' and left > 0)
        result[position] = left > 0
        if closes:
            left = 0
        elif mark in _OPENING or mark == '"':
            result[position], left = 1, LONGEST
        else:
            left = max(left - 1, 0)
    return result


FEATURE = Feature(
    name="quotes",
    title="inside quotes",
    says=f"1 from an opening quotation mark to the closing mark (at most {LONGEST} words), 0 elsewhere",
    course=course,
    order=30,
)
