"""A variational autoencoder on 20 Newsgroups most of whose units collapse to the prior.

Its KL divergence has its whole weight from the first step, its learning rate is high, its decoder has a hidden layer: a
unit that says little in the first steps costs more than it tells, and is given up. ``newsgroups-vae-annealed``,
``newsgroups-vae-free-bits`` and ``newsgroups-vae-batch-norm`` are this recipe with a single setting changed.
"""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit

SETTINGS = CodesSettings(
    corpus="newsgroups",
    class_names=GROUPS,
    architecture="variational-autoencoder",
    config={"latent": 32, "hidden": 32, "decoder_hidden": 32},
    kept_documents=1_000,
    fit=CodesFit(epochs=12, learning_rate=1e-2),
    remedy="nothing",
)

RECIPE = codes_recipe("newsgroups-vae-collapsed", "Collapsed VAE on 20 Newsgroups", SETTINGS)
