"""Every architecture, method and projector that is found, and a toy run of each classifier.

What an architecture has no part in is not collected: a test or a module marked ``architectures(meet=Protocol)``
is for the networks that meet it, and a test of a method for those that the method applies to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from torch import nn

from nlpviz.attribution import methods
from nlpviz.models import Architecture, architectures
from nlpviz.projections import projectors
from nlpviz.runs import Run, TrainedModel


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``architecture``, ``method`` or ``projector`` with each one that it is for."""
    asked = metafunc.fixturenames
    protocols = [mark.kwargs["meet"] for mark in metafunc.definition.iter_markers("architectures")]
    able = [
        one for one in architectures().values() if all(isinstance(untrained(one), protocol) for protocol in protocols)
    ]
    if "architecture" in asked and "method" in asked:
        pairs = [(one, method) for one in able for method in methods().values() if method.applies(untrained(one))]
        names = [f"{one.name}-{method.name}" for one, method in pairs]
        metafunc.parametrize(("architecture", "method"), pairs, ids=names)
    elif "architecture" in asked:
        metafunc.parametrize("architecture", able, ids=[one.name for one in able])
    elif "method" in asked:
        metafunc.parametrize("method", list(methods().values()), ids=list(methods()))
    if "projector" in asked:
        metafunc.parametrize("projector", list(projectors().values()), ids=list(projectors()))


@cache
def untrained(architecture: Architecture) -> nn.Module:
    """Return a network of the default size over fifty words."""
    return architecture.build(architecture.config(vocabulary_size=50)).eval()


@pytest.fixture(scope="session")
def toy_runs(toy_classifiers: Callable[[str], Path]) -> Callable[[Architecture], Run]:
    """Return the run of an architecture, of its default size, on the toy corpus; trained when first asked for."""
    return lambda architecture: Run.open(toy_classifiers(architecture.name))


@pytest.fixture
def run(architecture: Architecture, toy_runs: Callable[[Architecture], Run]) -> Run:
    """The toy run of ``architecture``."""
    return toy_runs(architecture)


@pytest.fixture
def trained(run: Run) -> TrainedModel:
    """The model of the toy run's best epoch."""
    return run.load()
