"""A denoising autoencoder on 20 Newsgroups: it reads half of a post's words and has to guess all of them."""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="newsgroups",
    class_names=GROUPS,
    architecture="denoising-autoencoder",
    config={"latent": 32, "noise": 0.5},
    fit=CodesFit(epochs=15),
)

RECIPE = codes_recipe("newsgroups-denoising", "Denoising autoencoder on 20 Newsgroups", SETTINGS)
