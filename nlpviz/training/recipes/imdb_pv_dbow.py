"""PV-DBOW on the 75,000 training and unlabelled film reviews: a review's vector predicts its words.

Test reviews are inferred afterwards. Rate, rows and groups were chosen by the loss of short trainings, the steps of
inference on 2,500 validation reviews.
"""

from __future__ import annotations

from nlpviz.training.paragraph_fit import ParagraphFit
from nlpviz.training.paragraphs import ParagraphSettings, paragraph_recipe

RECIPE = paragraph_recipe(
    "imdb-pv-dbow",
    "PV-DBOW on IMDB",
    ParagraphSettings(
        corpus="imdb",
        class_names=("negative", "positive"),
        architecture="pv-dbow",
        config={"dimensions": 100},
        splits=("train", "unsupervised"),
        measured=(0, 1, 3, 10),
        kept_epochs=(0, 1),
        fit=ParagraphFit(epochs=15, rate=0.1, falls_over=20, group=8, groups=16, shared=64),
    ),
)
