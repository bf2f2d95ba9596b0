"""A variational autoencoder on IMDB with two units: its codes are a map as they are."""

from __future__ import annotations

from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="variational-autoencoder",
    config={"latent": 2, "hidden": 64, "word_dropout": 0.1},
    validation=2_500,
    fit=CodesFit(epochs=15, annealing=3),
)

RECIPE = codes_recipe("imdb-vae-2", "2-unit VAE on IMDB", SETTINGS, worth=2)
