"""A plain autoencoder on 20 Newsgroups: what a code of 32 numbers keeps of a post when nothing is asked of it."""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="newsgroups",
    class_names=GROUPS,
    architecture="autoencoder",
    config={"latent": 32},
    fit=CodesFit(epochs=15),
)

RECIPE = codes_recipe("newsgroups-autoencoder", "32-unit autoencoder on 20 Newsgroups", SETTINGS)
