"""A plain autoencoder on 20 Newsgroups with two units: its codes are a map as they are."""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="newsgroups",
    class_names=GROUPS,
    architecture="autoencoder",
    config={"latent": 2, "hidden": 64},
    fit=CodesFit(epochs=15),
)

RECIPE = codes_recipe("newsgroups-autoencoder-2", "2-unit autoencoder on 20 Newsgroups", SETTINGS)
