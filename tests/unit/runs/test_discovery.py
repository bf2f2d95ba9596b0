"""One new file is found; what two files disagree about is refused."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.attribution import explain, methods
from nlpviz.analysis.projections import projectors
from nlpviz.data import corpora
from nlpviz.discovery import DiscoveryError, discover
from nlpviz.networks.architectures import architectures
from nlpviz.runs import Run
from nlpviz.training.recipes import recipes
from tests import toy


@dataclass(frozen=True)
class Thing:
    """What the modules of these tests export."""

    name: str


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, str]], None]]:
    """Write a package ``things`` of these modules; it is forgotten afterwards."""
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)

    def write(modules: dict[str, str]) -> None:
        for name, source in modules.items():
            text = f"from {__name__} import Thing\n{source}\n"
            (tmp_path / "things" / f"{name}.py").write_text(text)

    monkeypatch.setitem(sys.modules, __name__, sys.modules[Thing.__module__])
    yield write
    for name in [name for name in sys.modules if name.partition(".")[0] == "things"]:
        del sys.modules[name]
    discover.cache_clear()


def test_every_module_with_the_constant_is_found_by_name(package: Callable[[dict[str, str]], None]) -> None:
    package({"b": "THING = Thing('second')", "a": "THING = Thing('zeroth')", "c": "OTHER = 1", "d": "THING = None"})
    things = discover("things", "THING", Thing)
    assert things == {"second": Thing("second"), "zeroth": Thing("zeroth")}
    assert list(things) == ["second", "zeroth"]
    assert discover("things", "THING", Thing) is things, "modules are visited once"


def test_constant_of_another_type_is_refused(package: Callable[[dict[str, str]], None]) -> None:
    package({"a": "THING = Thing('a')", "b": "THING = 'b'"})
    with pytest.raises(DiscoveryError, match=r"^things\.b\.THING is a str, not a Thing$"):
        discover("things", "THING", Thing)


def test_name_used_twice_is_refused(package: Callable[[dict[str, str]], None]) -> None:
    package({"a": "THING = Thing('same')", "b": "THING = Thing('same')"})
    with pytest.raises(DiscoveryError, match=r"^things\.b uses the name 'same', which another module of things has$"):
        discover("things", "THING", Thing)


def test_module_that_cannot_be_imported_is_not_passed_over(package: Callable[[dict[str, str]], None]) -> None:
    package({"a": "THING = Thing('a')", "b": "import nowhere_to_be_found"})
    with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
        discover("things", "THING", Thing)


@pytest.mark.parametrize(
    ("registry", "known"),
    [
        (architectures, "cnn"),
        (methods, "saliency"),
        (projectors, "pca"),
        (corpora, "imdb"),
        (recipes, "imdb-cnn"),
        (recipes, "imdb-ngrams"),
    ],
)
def test_what_the_package_brings_is_found(registry: Callable[[], dict[str, Thing]], known: str) -> None:
    assert known in registry()
    assert all(name == thing.name for name, thing in registry().items())
    assert list(registry()) == sorted(registry())


METHOD = """
from dataclasses import replace
from nlpviz.analysis.attribution import Attributed, saliency


def attribute(score, embedded):
    return Attributed(embedded[0].norm(dim=1), embedded[0])


METHOD = replace(saliency.METHOD, name="length", title="Vector length", attribute=attribute)
"""


def test_new_method_is_one_file(toy_trained: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        toy.add_modules(patch, "nlpviz.analysis.attribution", tmp_path, {"length": METHOD})
        assert "length" in methods()
        trained = Run.open(toy_trained / "toy-cnn").load()
        result = explain(trained, "splendid film", "length")
        weights = trained.module.embedding.weight[result.encoded.ids]
        np.testing.assert_allclose(result.scores, weights.norm(dim=1).numpy(), rtol=1e-6)
    discover.cache_clear()
    assert "length" not in methods()


MODEL = """
from dataclasses import dataclass
from torch import nn
from nlpviz.networks.architectures import Architecture, ParameterTerm


@dataclass(frozen=True)
class MeanConfig:
    vocabulary_size: int
    dimensions: int = 16


class Mean(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.dimensions, padding_idx=0)
        self.output = nn.Linear(config.dimensions, 1)

    def forward(self, ids):
        return self.classify(self.embed(ids), self.mask(ids))

    def embed(self, ids):
        return self.embedding(ids)

    def mask(self, ids):
        return ids != 0

    def encode(self, embedded, mask):
        return (embedded * mask.unsqueeze(-1)).sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)

    def classify(self, embedded, mask):
        return self.output(self.encode(embedded, mask))

    def parameter_terms(self):
        rows, d = self.config.vocabulary_size, self.config.dimensions
        return (ParameterTerm("word embeddings", f"{rows} × {d}", rows * d), ParameterTerm("output", f"{d} + 1", d + 1))


MODEL = Architecture(name="mean", title="Mean", source="This test, 2026", config=MeanConfig, build=Mean)
"""


def test_new_architecture_is_one_file(tmp_path: Path) -> None:
    """It is trained, stored, loaded and explained with nothing else touched."""
    with pytest.MonkeyPatch.context() as patch:
        toy.add_modules(patch, "nlpviz.networks.architectures", tmp_path / "models", {"mean": MODEL})
        with toy.discovered(tmp_path / "modules"):
            toy.make_runs(tmp_path / "trained", ["toy-mean"], maps=False)
        run = Run.open(tmp_path / "trained" / "toy-mean")
        assert run.architecture == "mean"
        assert run.parameter_count == sum(weight.numel() for weight in run.load().module.parameters())
        result = explain(run.load(), "a splendid film", "gradient-input")
        (strongest,) = result.strongest(1)
        assert result.encoded.read[strongest].word == "splendid"
    discover.cache_clear()
    assert "mean" not in architectures()
