"""In a play, the line that names who speaks: after a blank line, up to its colon."""

from __future__ import annotations

from collections.abc import Mapping

import regex

from nlpviz.analysis.inspection.features import Course, Feature, of_characters_alone, within
from nlpviz.text.vocabulary import EncodedText

_NAME = regex.compile(r"(?:\A|(?<=\n\n))[^\n:]{1,40}:(?=\n|\Z)")


def course(encoded: EncodedText, weights: Mapping[str, float]) -> Course:  # noqa: ARG001
    """Return 1 from the first letter of a speaker's name to the colon after it."""
    return within(encoded, _NAME)


FEATURE = Feature(
    name="speaker",
    title="speaker’s name",
    says="1 in a line that names a speaker (after a blank line, ending with a colon), 0 elsewhere",
    course=course,
    ahead=True,
    order=29,
    suits=of_characters_alone,
)
