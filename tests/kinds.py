"""Two more kinds of runs, each a kind, a model and a recipe in a temporary folder, as a person would add them.

One of them is what ``new kind`` writes, on the toy corpus.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nlpviz.commands.templates import fields_of, parts_of
from nlpviz.discovery import discover
from nlpviz.training import Options
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from tests import toy

SOURCES = Path(__file__).with_name("toy_kinds")
RUNS = ("toy-letters", "toy-tagger")
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
    packages = ("nlpviz.run_kinds", "nlpviz.networks.architectures", "nlpviz.training.recipes")
    tagger = parts_of("kind", fields_of("toy-tagger"))
    files = {"nlpviz.data": {"toy_texts": "from tests.toy import CORPUS"}} | {
        package: {
            name: (SOURCES / f"language_model_{what}.py").read_text(encoding="utf-8"),
            "toy_tagger": tagger[f"{package.replace('.', '/')}/toy_tagger.py"].text.replace('"imdb"', '"toy"'),
        }
        for package, name, what in zip(
            packages, ("toy_language_model", "toy_bigram", "toy_letters"), ("kind", "model", "recipe"), strict=True
        )
    }
    with pytest.MonkeyPatch.context() as patch:
        for package, modules in files.items():
            toy.add_modules(patch, package, folder / package, modules)
        try:
            yield
        finally:
            discover.cache_clear()


def make_runs(folder: Path) -> None:
    """Train both toy kinds in ``folder``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder))
        for name in RUNS:
            produce(recipes()[name], Options(device="cpu"))
