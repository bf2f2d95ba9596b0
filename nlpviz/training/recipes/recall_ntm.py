"""Associative recall by a neural Turing machine."""

from __future__ import annotations

from nlpviz.training.transducer import TransducerSettings, transducer_recipe

RECIPE = transducer_recipe(
    "recall-ntm",
    "Associative recall, neural Turing machine",
    TransducerSettings("associative-recall", "neural-turing-machine"),
)
