"""The common settings of the recurrent runs on Multi30k, which differ only in one setting and their language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nlpviz.text.languages import pair_title
from nlpviz.training import Recipe
from nlpviz.training.translator import TranslatorSettings, translator_recipe
from nlpviz.training.translator_fit import TranslatorFit

SIZES: Mapping[str, Any] = {"dimensions": 192, "units": 256, "dropout": 0.4}
GENERAL: Mapping[str, Any] = {"attention": "global", "score": "general"}
ONE_WAY: Mapping[str, Any] = {"attention": "none", "bidirectional": False}
"""As Sutskever et al. (2014) read the source: an encoder of both directions is the same network when it is reversed."""
SETTINGS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "none": ("no attention", {"attention": "none"}),
    "one-way": ("no attention, unidirectional encoder", ONE_WAY),
    "reversed": ("no attention, reversed source", {**ONE_WAY, "reverse": True}),
    "dot": ("dot attention", {"attention": "global", "score": "dot"}),
    "general": ("general attention", GENERAL),
    "input-feeding": ("general attention, input feeding", {**GENERAL, "input_feeding": True}),
    "concat": ("concat attention", {"attention": "global", "score": "concat"}),
    "local-m": ("local-m attention", {"attention": "local-m", "score": "general", "window": 4}),
    "local-p": ("local-p attention", {"attention": "local-p", "score": "general", "window": 4}),
}
"""What a run's title says of its setting, and the setting."""


ON_GPU: Mapping[str, Any] = {"fit": {"epochs": 30, "precision": "high"}}
"""Steps stay as small as on a CPU, for what they reach was measured there; there are more of them."""


def recurrent(
    source: str, target: str, setting: str, kept_epochs: tuple[int, ...] = (), epochs: int = 18, worth: int = 1
) -> Recipe:
    """Return the recipe of ``multi30k-<source>-<target>-<setting>``: GRUs of one layer."""
    title, changed = SETTINGS[setting]
    config = {**SIZES, **changed}
    fit = TranslatorFit(epochs=epochs)
    return translator_recipe(
        f"multi30k-{source}-{target}-{setting}",
        f"{pair_title(source, target)}, {title}",
        TranslatorSettings(source, target, "seq2seq", config, kept_epochs=kept_epochs, fit=fit, on_gpu=ON_GPU),
        worth,
    )
