"""Example sentences with their trees, bracketed by hand: written for this project, copied from no corpus."""

from __future__ import annotations

from typing import NamedTuple


class BracketedSentence(NamedTuple):
    """One sentence.

    Attributes:
        id: a short name for a link.
        title: two to five words for a menu.
        text: in brackets, as :func:`nlpviz.text.trees.parse` reads them.
    """

    id: str
    title: str
    text: str


SENTENCES = (
    BracketedSentence(
        "contrast", "A contrast with “but”",
        "((((The plot) (is thin)) ,) (but ((the actors) ((are wonderful) .))))",
    ),
    BracketedSentence(
        "negated-praise", "Negated praise", "((The film) ((((is n't) ((a (very good)) comedy))) .))"
    ),
    BracketedSentence(
        "negated-blame", "Negated criticism", "(It (((is n't) ((a (bad film)) (at all))) .))"
    ),
    BracketedSentence(
        "scope", "The scope of “not”", "(((not (boring (and predictable))) ,) (just slow))"
    ),
    BracketedSentence(
        "intensified", "Intensified praise", "((An (astonishingly (moving (, (beautifully acted))))) (love story))"
    ),
    BracketedSentence(
        "wish", "Counterfactual praise", "(It ((could (have (been (a masterpiece)))) .))"
    ),
)  # fmt: skip
