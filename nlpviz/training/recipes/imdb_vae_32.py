"""A variational autoencoder on IMDB: a review becomes a Gaussian in 32 dimensions.

Bars: a perplexity bound below that of LDA on the same words and reviews, half of the units active.
"""

from __future__ import annotations

from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="imdb",
    class_names=("negative", "positive"),
    architecture="variational-autoencoder",
    config={"latent": 32, "hidden": 64},
    validation=2_500,
    fit=CodesFit(epochs=15, annealing=5),
)

RECIPE = codes_recipe("imdb-vae-32", "32-unit VAE on IMDB", SETTINGS, worth=2)
