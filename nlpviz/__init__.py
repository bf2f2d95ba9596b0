"""See what small neural networks for language learnt: models, training, explanations and figures."""

__version__ = "0.9.0"
