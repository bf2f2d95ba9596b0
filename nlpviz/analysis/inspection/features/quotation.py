"""Inside quotation marks, read off the characters, as in Karpathy, Johnson and Fei-Fei (2016), section 4.2.

Plays quote between apostrophes, which also stand for letters left out. So a quotation begins before a capital letter
and ends after a punctuation mark.
"""

from __future__ import annotations

from collections.abc import Mapping

import regex

from nlpviz.analysis.inspection.features import Course, Feature, of_characters_alone, within
from nlpviz.text.vocabulary import EncodedText

LONGEST = 200
"""Characters: what nobody closed within so many is no quotation."""
_QUOTED = regex.compile(
    rf"""
      "[^"]{{1,{LONGEST}}}" | [“„][^”]{{1,{LONGEST}}}”
    | (?<![\w'])'(?=\p{{Lu}})(?:[^'\n]|\n(?!\n)|(?<=\w)'(?=\w)){{1,{LONGEST}}}?(?<=[.,!?;:])'(?!\w)
    """,
    regex.VERBOSE,
)


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1 from an opening mark to its closing one, both included."""
    return within(encoded, _QUOTED)


FEATURE = Feature(
    name="quotation",
    title="inside quotes",
    says=f"1 from an opening quotation mark to the closing mark (at most {LONGEST} characters), 0 elsewhere",
    course=course,
    ahead=True,
    order=30,
    suits=of_characters_alone,
)
