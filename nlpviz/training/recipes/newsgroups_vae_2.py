"""A variational autoencoder on 20 Newsgroups with two units: its codes are a map as they are."""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="newsgroups",
    class_names=GROUPS,
    architecture="variational-autoencoder",
    config={"latent": 2, "hidden": 64, "word_dropout": 0.1},
    fit=CodesFit(epochs=25, annealing=5),
)

RECIPE = codes_recipe("newsgroups-vae-2", "2-unit VAE on 20 Newsgroups", SETTINGS, worth=2)
