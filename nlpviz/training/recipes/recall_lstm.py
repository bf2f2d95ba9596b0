"""Associative recall by an LSTM."""

from __future__ import annotations

from nlpviz.training.transducer import TransducerSettings, transducer_recipe

RECIPE = transducer_recipe(
    "recall-lstm", "Associative recall, LSTM", TransducerSettings("associative-recall", "plain-lstm")
)
