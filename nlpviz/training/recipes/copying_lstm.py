"""Copying by an LSTM."""

from __future__ import annotations

from nlpviz.training.transducer import TransducerSettings, transducer_recipe

RECIPE = transducer_recipe("copying-lstm", "LSTM on copying", TransducerSettings("copying", "plain-lstm"))
