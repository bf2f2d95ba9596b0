"""What unit tests share: hypothesis at its own pace, and one small run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says more about the other core than about the code.
settings.register_profile(
    "nlpviz",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("nlpviz")


@pytest.fixture(scope="session")
def toy_trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs with the toy CNN and the toy yardstick, made by their recipes; nobody writes into it."""
    from tests import toy

    folder = tmp_path_factory.mktemp("toy") / "trained"
    with toy.discovered(tmp_path_factory.mktemp("modules")):
        toy.make_runs(folder, ["toy-cnn", "toy-ngrams"])
    return folder


@pytest.fixture
def trained(toy_trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the toy runs for one test, in the place of ``trained/``."""
    folder = tmp_path / "trained"
    shutil.copytree(toy_trained, folder)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return folder


@pytest.fixture
def toy_modules(tmp_path: Path) -> Iterator[None]:
    """The toy corpus and the toy recipes stand where the package looks for its own."""
    from tests import toy

    with toy.discovered(tmp_path / "modules"):
        yield
