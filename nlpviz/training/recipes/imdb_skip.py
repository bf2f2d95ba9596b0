"""The GRU of ``imdb-gru`` with a gate that skips words, each of which costs when it is read.

It learns more slowly than the plain one, and so takes up to 20 epochs. On validation, 1.7e-4 nats a word did no worse
than 1.4e-4 and 1e-4, with which it read more of them.
"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.recipes.imdb_lstm import COMMON, SETTINGS

RECIPE = classifier_recipe(
    "imdb-skip",
    "Skip GRU on IMDB",
    replace(
        SETTINGS,
        architecture="skip-rnn",
        config={**COMMON, "cell": "gru", "units": 139, "budget": 1.7e-4},
        fit=replace(SETTINGS.fit, epochs=20),
    ),
    worth=2,
)
