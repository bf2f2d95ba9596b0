"""What the recurrent runs on Multi30k share, so that they differ in their attention and their language alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nlpviz.text.languages import pair_title
from nlpviz.training import Recipe
from nlpviz.training.translator import TranslatorSettings, translator_recipe
from nlpviz.training.translator_fit import TranslatorFit

SIZES: Mapping[str, Any] = {"dimensions": 192, "units": 256, "dropout": 0.4}
ATTENTIONS: Mapping[str, Mapping[str, Any]] = {
    "none": {"attention": "none"},
    "dot": {"attention": "global", "score": "dot"},
    "general": {"attention": "global", "score": "general"},
    "concat": {"attention": "global", "score": "concat"},
    "local-m": {"attention": "local-m", "score": "general", "window": 4},
    "local-p": {"attention": "local-p", "score": "general", "window": 4},
}


ON_GPU: Mapping[str, Any] = {"epochs": 30, "precision": "high"}
"""Steps stay as small as on a CPU, for what they reach was measured there; there are more of them."""


def recurrent(
    source: str, target: str, attention: str, kept_epochs: tuple[int, ...] = (), epochs: int = 18, worth: int = 1
) -> Recipe:
    """Return the recipe of ``multi30k-<source>-<target>-<attention>``: a bidirectional encoder, GRUs of one layer."""
    config = {**SIZES, **ATTENTIONS[attention]}
    fit = TranslatorFit(epochs=epochs)
    return translator_recipe(
        f"multi30k-{source}-{target}-{attention}",
        f"{pair_title(source, target)}, {'no' if attention == 'none' else attention} attention",
        TranslatorSettings(source, target, "seq2seq", config, kept_epochs=kept_epochs, fit=fit, on_gpu=ON_GPU),
        worth,
    )
