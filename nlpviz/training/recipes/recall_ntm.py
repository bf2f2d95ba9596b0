"""Associative recall by a neural Turing machine: after some thousand steps it finds the item, quite suddenly."""

from __future__ import annotations

from nlpviz.training.transducer import TransducerFit, TransducerSettings, transducer_recipe

RECIPE = transducer_recipe(
    "recall-ntm",
    "Neural Turing machine on associative recall",
    TransducerSettings("associative-recall", "neural-turing-machine", fit=TransducerFit(epochs=80)),
)
