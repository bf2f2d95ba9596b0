"""One question of each section of Google's analogies, of common words, to begin with.

Mikolov, Chen, Corrado and Dean (2013), section 4.1; a : b :: c asks for the word nearest to b - a + c.
"""

from __future__ import annotations

from typing import NamedTuple


class AnalogyExample(NamedTuple):
    """An expression, the expected answer, and the section whose relation it shows."""

    section: str
    expression: str
    expected: str


EXAMPLES = (
    AnalogyExample("family", "man : king :: woman", "queen"),
    AnalogyExample("capital-common-countries", "paris : france :: berlin", "germany"),
    AnalogyExample("capital-world", "vienna : austria :: budapest", "hungary"),
    AnalogyExample("currency", "japan : yen :: europe", "euro"),
    AnalogyExample("city-in-state", "chicago : illinois :: houston", "texas"),
    AnalogyExample("gram1-adjective-to-adverb", "rapid : rapidly :: slow", "slowly"),
    AnalogyExample("gram2-opposite", "known : unknown :: certain", "uncertain"),
    AnalogyExample("gram3-comparative", "big : bigger :: cold", "colder"),
    AnalogyExample("gram4-superlative", "large : largest :: small", "smallest"),
    AnalogyExample("gram5-present-participle", "play : playing :: write", "writing"),
    AnalogyExample("gram6-nationality-adjective", "italy : italian :: spain", "spanish"),
    AnalogyExample("gram7-past-tense", "walking : walked :: singing", "sang"),
    AnalogyExample("gram8-plural", "car : cars :: dog", "dogs"),
    AnalogyExample("gram9-plural-verbs", "speak : speaks :: write", "writes"),
)
