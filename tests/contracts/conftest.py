"""Every architecture, method and projector that is found, and a toy run of each classifier."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nlpviz.attribution import methods
from nlpviz.models import Architecture, Classifier, architectures
from nlpviz.projections import projectors
from nlpviz.runs import Run, TrainedModel
from tests import toy

DISCOVERED = {"architecture": architectures, "method": methods, "projector": projectors}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``architecture``, ``method`` or ``projector`` with each one there is."""
    for name, discovered in DISCOVERED.items():
        if name in metafunc.fixturenames:
            found = discovered()
            metafunc.parametrize(name, list(found.values()), ids=list(found))


@pytest.fixture(scope="session")
def toy_runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Architecture], Run]:
    """Return the run of an architecture, of its default size, on the toy corpus; trained when it is first asked for."""
    folder = tmp_path_factory.mktemp("toy") / "trained"

    def run(architecture: Architecture) -> Run:
        name = f"toy-{architecture.name}"
        if not isinstance(architecture.build(architecture.config(vocabulary_size=50)), Classifier):
            pytest.skip(f"{architecture.name} is no classifier")
        if not (folder / name).exists():
            with toy.discovered(tmp_path_factory.mktemp("modules")):
                toy.make_runs(folder, [name], maps=False)
        return Run.open(folder / name)

    return run


@pytest.fixture
def run(architecture: Architecture, toy_runs: Callable[[Architecture], Run]) -> Run:
    """The toy run of ``architecture``."""
    return toy_runs(architecture)


@pytest.fixture
def trained(run: Run) -> TrainedModel:
    """The model of the toy run's best epoch."""
    return run.load()
