"""A variational autoencoder on 20 Newsgroups: a post becomes a Gaussian in 32 dimensions.

Bars: a perplexity bound below that of LDA on the same words and posts, half of the units active.
"""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="newsgroups",
    class_names=GROUPS,
    architecture="variational-autoencoder",
    config={"latent": 32, "hidden": 64},
    fit=CodesFit(epochs=25, annealing=10),
)

RECIPE = codes_recipe("newsgroups-vae-32", "32-unit VAE on 20 Newsgroups", SETTINGS, worth=2)
