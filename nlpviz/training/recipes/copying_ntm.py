"""Copying by a neural Turing machine."""

from __future__ import annotations

from nlpviz.training.transducer import TransducerSettings, transducer_recipe

RECIPE = transducer_recipe(
    "copying-ntm", "Neural Turing machine on copying", TransducerSettings("copying", "neural-turing-machine")
)
