"""One question of each section of Google's analogies, of common words, to begin with.

Mikolov, Chen, Corrado and Dean (2013), section 4.1; a : b :: c : d is written b - a + c.
"""

from __future__ import annotations

from typing import NamedTuple


class AnalogyExample(NamedTuple):
    """An expression, the expected answer, and the section whose relation it shows."""

    section: str
    expression: str
    expected: str


EXAMPLES = (
    AnalogyExample("family", "king - man + woman", "queen"),
    AnalogyExample("capital-common-countries", "france - paris + berlin", "germany"),
    AnalogyExample("capital-world", "austria - vienna + budapest", "hungary"),
    AnalogyExample("currency", "yen - japan + europe", "euro"),
    AnalogyExample("city-in-state", "illinois - chicago + houston", "texas"),
    AnalogyExample("gram1-adjective-to-adverb", "rapidly - rapid + slow", "slowly"),
    AnalogyExample("gram2-opposite", "unknown - known + certain", "uncertain"),
    AnalogyExample("gram3-comparative", "bigger - big + cold", "colder"),
    AnalogyExample("gram4-superlative", "largest - large + small", "smallest"),
    AnalogyExample("gram5-present-participle", "playing - play + write", "writing"),
    AnalogyExample("gram6-nationality-adjective", "italian - italy + spain", "spanish"),
    AnalogyExample("gram7-past-tense", "walked - walking + singing", "sang"),
    AnalogyExample("gram8-plural", "cars - car + dog", "dogs"),
    AnalogyExample("gram9-plural-verbs", "speaks - speak + write", "writes"),
)
