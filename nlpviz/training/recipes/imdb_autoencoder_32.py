"""A plain autoencoder on IMDB: what a code of 32 numbers keeps of a review when nothing is asked of it."""

from __future__ import annotations

from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="autoencoder",
    config={"latent": 32},
    validation=2_500,
    kept_epochs=(0, 1),
    fit=CodesFit(epochs=10),
)

RECIPE = codes_recipe("imdb-autoencoder-32", "Autoencoder of 32 units on IMDB", SETTINGS)
