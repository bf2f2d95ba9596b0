"""Associative recall by an LSTM, after as many steps as the neural Turing machine took."""

from __future__ import annotations

from nlpviz.training.transducer import TransducerFit, TransducerSettings, transducer_recipe

RECIPE = transducer_recipe(
    "recall-lstm",
    "LSTM on associative recall",
    TransducerSettings("associative-recall", "plain-lstm", fit=TransducerFit(epochs=80)),
)
