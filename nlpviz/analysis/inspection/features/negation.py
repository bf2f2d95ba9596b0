"""Negation in force: from a negator up to the next punctuation mark.

The span is that of Das and Chen (2001), as Pang, Lee and Vaithyanathan (2002), *Thumbs up?*, section 6.1, mark it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpviz.analysis.inspection.features import Course, Feature
from nlpviz.text.vocabulary import EncodedText

NEGATORS = frozenset(
    {
        *("barely", "cannot", "hardly", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere"),
        *("scarcely", "without", "aint", "cant", "didnt", "doesnt", "dont", "isnt", "wasnt", "wont", "wouldnt"),
    }
)


def negates(word: str) -> bool:
    """Return whether a word, in the vocabulary's spelling, negates what follows it."""
    return word in NEGATORS or word.endswith("n't")


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1 from a negator on, 0 from the next punctuation mark on."""
    result, holds = np.zeros(len(encoded.ids), np.float32), False
    for position, token in enumerate(encoded.read):
        if negates(token.word):
            holds = True
        elif token.word[0] in ".,;:!?":
            holds = False
        result[position] = holds
    return result


FEATURE = Feature(
    name="negation",
    title="negation scope",
    says="1 from a negator (not, n't, never, no, …) up to the next punctuation mark, 0 elsewhere",
    course=course,
    order=20,
)
