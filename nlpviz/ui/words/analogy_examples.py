"""One question of each section of Google's analogies, of common words, to begin with.

Mikolov, Chen, Corrado and Dean (2013), section 4.1; a : b :: c : d is written b - a + c.
"""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """An expression, the word that it should come out at, and the section whose relation it shows."""

    section: str
    expression: str
    expected: str


EXAMPLES = (
    Example("family", "king - man + woman", "queen"),
    Example("capital-common-countries", "france - paris + berlin", "germany"),
    Example("capital-world", "austria - vienna + budapest", "hungary"),
    Example("currency", "yen - japan + europe", "euro"),
    Example("city-in-state", "illinois - chicago + houston", "texas"),
    Example("gram1-adjective-to-adverb", "rapidly - rapid + slow", "slowly"),
    Example("gram2-opposite", "unknown - known + certain", "uncertain"),
    Example("gram3-comparative", "bigger - big + cold", "colder"),
    Example("gram4-superlative", "largest - large + small", "smallest"),
    Example("gram5-present-participle", "playing - play + write", "writing"),
    Example("gram6-nationality-adjective", "italian - italy + spain", "spanish"),
    Example("gram7-past-tense", "walked - walking + singing", "sang"),
    Example("gram8-plural", "cars - car + dog", "dogs"),
    Example("gram9-plural-verbs", "speaks - speak + write", "writes"),
)
