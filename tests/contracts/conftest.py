"""Every architecture, method and projector that is found, and a toy run of each classifier.

What an architecture has no part in is not collected: a test or a module marked ``architectures(meet=Protocol)``
is for the networks that meet it, and a test of a method for those that the method applies to.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from torch import nn

from nlpviz.attribution import methods
from nlpviz.kinds import kinds
from nlpviz.models import Architecture, architectures, untrained_instance
from nlpviz.projections import projectors
from nlpviz.runs import Run, TrainedModel
from tests import toy

FIFTY = {"vocabulary_size": 50}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``architecture``, ``classifier``, ``kind`` and so on with each one that it is for."""
    names = metafunc.fixturenames
    protocols = [mark.kwargs["meet"] for mark in metafunc.definition.iter_markers("architectures")]
    able = [one for one in toy.classifiers().values() if all(isinstance(untrained(one), each) for each in protocols)]
    if "classifier" in names and "method" in names:
        pairs = [(one, method) for one in able for method in methods().values() if method.applies(untrained(one))]
        ids = [f"{one.name}-{method.name}" for one, method in pairs]
        metafunc.parametrize(("classifier", "method"), pairs, ids=ids)
    elif "classifier" in names:
        metafunc.parametrize("classifier", able, ids=[one.name for one in able])
    elif "method" in names:
        metafunc.parametrize("method", list(methods().values()), ids=list(methods()))
    for name, discovered in {"architecture": architectures, "kind": kinds, "projector": projectors}.items():
        if name in names:
            metafunc.parametrize(name, list(discovered().values()), ids=list(discovered()))


def untrained(architecture: Architecture) -> nn.Module:
    """Return a network of the default size over fifty words."""
    module = untrained_instance(architecture.name, FIFTY)
    assert module is not None
    return module


@pytest.fixture(scope="session")
def toy_runs(toy_classifiers: Callable[[str], Path]) -> Callable[[Architecture], Run]:
    """Return the run of an architecture, of its default size, on the toy corpus; trained when first asked for."""
    return lambda architecture: Run.open(toy_classifiers(architecture.name))


@pytest.fixture
def run(classifier: Architecture, toy_runs: Callable[[Architecture], Run]) -> Run:
    """The toy run of ``classifier``."""
    return toy_runs(classifier)


@pytest.fixture
def trained(run: Run) -> TrainedModel:
    """The model of the toy run's best epoch."""
    return run.load()
