"""Every architecture, method and projector that is found, and a toy run of each classifier."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nlpviz.attribution import methods
from nlpviz.kinds import kinds
from nlpviz.models import Architecture, architectures
from nlpviz.projections import projectors
from nlpviz.runs import Run, TrainedModel
from tests import toy

DISCOVERED = {
    "architecture": architectures,
    "classifier": toy.classifiers,
    "kind": kinds,
    "method": methods,
    "projector": projectors,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``architecture``, ``classifier``, ``kind`` and so on with each one there is."""
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
        if not (folder / name).exists():
            with toy.discovered(tmp_path_factory.mktemp("modules")):
                toy.make_runs(folder, [name], maps=False)
        return Run.open(folder / name)

    return run


@pytest.fixture
def run(classifier: Architecture, toy_runs: Callable[[Architecture], Run]) -> Run:
    """The toy run of ``classifier``."""
    return toy_runs(classifier)


@pytest.fixture
def trained(run: Run) -> TrainedModel:
    """The model of the toy run's best epoch."""
    return run.load()
