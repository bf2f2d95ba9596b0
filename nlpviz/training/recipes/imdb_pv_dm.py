"""PV-DM on the 25,000 training film reviews: a review's vector and the words around a place predict the word there.

Fewer texts and shorter vectors than PV-DBOW has: a pass costs twice as much, and each word takes two vectors.
"""

from __future__ import annotations

from nlpviz.training.paragraph_fit import ParagraphFit
from nlpviz.training.paragraphs import ParagraphSettings, paragraph_recipe

RECIPE = paragraph_recipe(
    "imdb-pv-dm",
    "PV-DM on IMDB",
    ParagraphSettings(
        corpus="imdb",
        class_names=("negative", "positive"),
        architecture="pv-dm",
        config={"dimensions": 50},
        vocabulary_size=10_002,
        max_length=1_000,
        measured=(0, 2, 4),
        kept_epochs=(),
        beside="imdb-pv-dbow",
        fit=ParagraphFit(epochs=6, rate=0.2, group=4, groups=16, shared=64),
    ),
)
