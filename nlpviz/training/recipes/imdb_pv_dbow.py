"""PV-DBOW on the 75,000 training and unlabelled film reviews: a review's vector predicts its words.

Test reviews are inferred afterwards. Rate, rows and groups were chosen by the loss of short trainings, the steps of
inference on 2,500 validation reviews. How many words and tokens inference reads was chosen by five-fold
cross-validation on 12,000 training reviews, with word vectors of an earlier training: 88.3, 88.8 and 89.2 % with 3,000,
5,000 and 10,000 words, 88.7 % with 400 tokens in place of 1,000.
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
        kept_vocabulary=20_002,
        max_length=1_000,
        measured=(0, 1, 4, 8),
        kept_epochs=(0,),
        fit=ParagraphFit(epochs=12, rate=0.1, group=8, groups=16, shared=64),
    ),
)
