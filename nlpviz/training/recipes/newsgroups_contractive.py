"""A contractive autoencoder on 20 Newsgroups: its code hardly moves when a post changes a little."""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="newsgroups",
    class_names=GROUPS,
    architecture="contractive-autoencoder",
    config={"latent": 32, "contraction": 0.1},
    fit=CodesFit(epochs=15),
)

RECIPE = codes_recipe("newsgroups-contractive", "Contractive autoencoder on 20 Newsgroups", SETTINGS)
