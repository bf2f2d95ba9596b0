"""Two more kinds of runs, each a kind, a model and a recipe in a temporary folder, as a person would add them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nlpviz.discovery import discover
from nlpviz.training import Options
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from tests import toy

SOURCES = Path(__file__).with_name("toy_kinds")
RUNS = ("toy-letters", "toy-tags")
STRANGER = """
from dataclasses import dataclass
from torch import nn
from nlpviz.networks.architectures import Architecture

@dataclass(frozen=True)
class Config:
    vocabulary_size: int

class Nothing(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def parameter_terms(self):
        return ()

MODEL = Architecture("toy-stranger", "Nothing", "Nobody 2026", Config, Nothing)
"""
"""A model that meets the contract of no kind."""


@contextmanager
def discovered(folder: Path) -> Iterator[None]:
    """Let the package find the toy kinds with their models, recipes and corpus, as it finds its own."""
    files = {
        "nlpviz.data": {"toy_texts": "from tests.toy import CORPUS"},
        "nlpviz.run_kinds": {
            "toy_language_model": _source("language_model_kind"),
            "toy_tagger": _source("tagger_kind"),
        },
        "nlpviz.networks.architectures": {
            "toy_bigram": _source("language_model_model"),
            "toy_word_tagger": _source("tagger_model"),
        },
        "nlpviz.training.recipes": {
            "toy_letters": _source("language_model_recipe"),
            "toy_tags": _source("tagger_recipe"),
        },
    }
    with pytest.MonkeyPatch.context() as patch:
        for package, modules in files.items():
            toy.add_modules(patch, package, folder / package, modules)
        try:
            yield
        finally:
            discover.cache_clear()


def _source(name: str) -> str:
    return (SOURCES / f"{name}.py").read_text(encoding="utf-8")


def make_runs(folder: Path) -> None:
    """Train both toy kinds in ``folder``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder))
        for name in RUNS:
            produce(recipes()[name], Options(device="cpu"))
