"""What unit tests share: hypothesis at its own pace, and one small run."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from nlpviz.commands.cli import main

# How long an example takes says more about the other core than about the code.
settings.register_profile(
    "nlpviz",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("nlpviz")


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


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """Run a command on the toy runs; what it printed is kept."""
    return Printed(capsys)


class Printed:
    """A command line whose output is read back."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Read what ``capsys`` catches."""
        self.capsys = capsys

    def __call__(self, *arguments: str, code: int = 0) -> str:
        """Return standard output of a command that ends with ``code``; standard error is kept in ``error``."""
        assert main(arguments) == code
        output, self.error = self.capsys.readouterr()
        return output

    def json(self, *arguments: str) -> Any:
        """Return what a command prints with ``--json``, which is JSON and nothing else, on neither stream."""
        output = self(*arguments, "--json")
        assert self.error == ""
        return json.loads(output)

    def refused(self, *arguments: str) -> str:
        """Return the one line in which a command is refused; the exit code is 2, and nothing else is printed."""
        assert self(*arguments, code=2) == ""
        assert self.error.startswith("nlpviz: ")
        assert self.error.count("\n") == 1
        assert "Traceback" not in self.error
        return self.error.removeprefix("nlpviz: ").strip()
