"""``imdb-bigru-attention`` trained on reviews with gaps, as ``imdb-cnn-judge`` is: a judge of explanations.

Madsen, Reddy and Chandar (2024), *Faithfulness Measurable Masked Language Models*; ``imdb_cnn_judge.py`` says why.
"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_bigru_attention import SETTINGS

RECIPE = classifier_recipe(
    "imdb-bigru-judge",
    "BiGRU with attention on IMDB, trained with gaps",
    replace(
        SETTINGS,
        config={**SETTINGS.config, "word_dropout": 0.2},
        fit=replace(SETTINGS.fit, epochs=4, gaps=True, moments=1),
        kept_epochs=(0,),
    ),
)
