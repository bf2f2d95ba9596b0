"""Example sentences with their trees, bracketed by hand: written for this project, copied from no corpus."""

from __future__ import annotations

from nlpviz.data.sentences import ExampleSentence

SENTENCES = (
    ExampleSentence(
        "contrast", "A contrast with “but”", "tree",
        "((((The plot) (is thin)) ,) (but ((the actors) ((are wonderful) .))))",
    ),
    ExampleSentence(
        "negated-praise", "Negated praise", "tree", "((The film) ((((is n't) ((a (very good)) comedy))) .))"
    ),
    ExampleSentence(
        "negated-blame", "Negated criticism", "tree", "(It (((is n't) ((a (bad film)) (at all))) .))"
    ),
    ExampleSentence(
        "scope", "The scope of “not”", "tree", "(((not (boring (and predictable))) ,) (just slow))"
    ),
    ExampleSentence(
        "intensified", "Intensified praise", "tree",
        "((An (astonishingly (moving (, (beautifully acted))))) (love story))",
    ),
    ExampleSentence(
        "wish", "Counterfactual praise", "tree", "(It ((could (have (been (a masterpiece)))) .))"
    ),
)  # fmt: skip
