"""``imdb-cnn-static`` trained on reviews with gaps: a judge of explanations to which removed words are no surprise.

Faithfulness is measured by removing words. A network that has never read such texts may answer them by chance, so that
what is measured is its surprise and not the explanation (Hooker et al. 2019). Madsen, Reddy and Chandar (2024),
*Faithfulness Measurable Masked Language Models*, train with up to all words masked. Here words are left out, as
:mod:`nlpviz.analysis.attribution.faithfulness` leaves them out, of each review a share drawn anew in every epoch. A few
words are covered by zero vectors besides, as occlusion, LIME and Shapley values cover them.

On the test reviews it is right in 90.8 %, with half of the words left out in 86.2 % and with four fifths in 78.9 %. On
5,000 of them ``imdb-cnn-static``, which covered half of its words by zero vectors, reaches 90.8, 86.1 and 78.1 %: that
network is hardly surprised by gaps either.
"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_cnn import SETTINGS

RECIPE = classifier_recipe(
    "imdb-cnn-judge",
    "CNN on IMDB, trained with gaps",
    replace(
        SETTINGS,
        config={**SETTINGS.config, "static": True, "word_dropout": 0.2},
        fit=replace(SETTINGS.fit, epochs=10, gaps=True, moments=1),
        kept_epochs=(0,),
    ),
)
