"""The wheel: it contains what the dashboard needs, and its command works in any folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from importlib.metadata import PathDistribution
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from nlpviz import __version__
from nlpviz.commands import app
from nlpviz.commands.cli import main, parser
from nlpviz.discovery import places
from nlpviz.runs import folders
from tests.waiting import until

ROOT = Path(__file__).parents[2]
FIRST_PAGE = """
import sys
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(sys.argv[1], default_timeout=300).run()
print([one.value for one in [*page.exception, *page.error]], len(page.get("bidi_component")), page.title[0].value)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the repository: built without network, and without a word in the checkout."""
    copy, built = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("built")
    leave = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("app.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    for name in ("nlpviz", "pages", "static", ".streamlit"):
        shutil.copytree(ROOT / name, copy / name, ignore=leave)
    (copy / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "glossary.md", copy / "docs")
    pip("wheel", "--no-build-isolation", "--wheel-dir", str(built), str(copy))
    (file,) = built.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation beside the environment's libraries."""
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--target", str(folder), str(wheel))
    return folder


def pip(*arguments: str) -> None:
    """Run pip without network."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir", *arguments]
    done = subprocess.run([*command, "--no-deps", "--no-index"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def variables(installed: Path, runs: Path) -> dict[str, str]:
    """Return the environment of a person who has installed nlpviz and set NLPVIZ_TRAINED."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(("NLPVIZ", "STREAMLIT"))}
    return {**others, "PYTHONPATH": str(installed), "NLPVIZ_TRAINED": str(runs), "NLPVIZ_CACHE": str(runs / ".cache")}


def said(command: list[str], environment: Mapping[str, str], folder: Path) -> str:
    """Return what a command printed."""
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def get(url: str) -> bytes | None:
    """Return what a server answers; None before it listens."""
    try:
        with urlopen(url, timeout=5) as answer:
            return bytes(answer.read())
    except (URLError, ConnectionError):
        return None


# ------------------------------------------------------------------------------------------------------ the command


def test_usage_says_how_the_command_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    called = {"/usr/bin/nlpviz": "nlpviz", "nlpviz.exe": "nlpviz", "/here/nlpviz/__main__.py": "python -m nlpviz"}
    for file, says in called.items():
        monkeypatch.setattr(sys, "argv", [file])
        assert parser().prog == says


def test_app_starts_streamlit_on_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(app.os, "execv", lambda _, command: started.append(command))
    assert main(["app", "--port", "8600"]) == 0
    assert started[0][-3:] == [str(ROOT / "app.py"), "--server.port", "8600"]


def test_app_says_where_runs_come_from_if_there_are_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    monkeypatch.setattr(app.os, "execv", lambda *_: None)
    assert main(["app"]) == 0
    assert capsys.readouterr().err == f"{folders.NO_RUNS}\n"


def test_runs_are_the_checkouts_unless_nlpviz_is_installed_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert places.checkout() == ROOT.resolve()
    monkeypatch.setattr(places, "APP", places._INSTALLED)
    monkeypatch.chdir(tmp_path)
    assert places.checkout() is None
    monkeypatch.chdir(ROOT)
    assert places.checkout() == Path.cwd()
    monkeypatch.setattr(folders, "PROJECT", None)
    monkeypatch.delenv("NLPVIZ_TRAINED", raising=False)
    assert folders.roots() == (folders.users_folder(),) == (folders.root(),) == (folders.own_root(),)


# -------------------------------------------------------------------------------------------------------- the wheel


@pytest.mark.ci
def test_the_wheel_contains_all_files_of_the_dashboard_and_nothing_beside_nlpviz(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        inside = set(packed.namelist())
    own = f"nlpviz-{__version__}.dist-info/"
    assert {name.split("/")[0] for name in inside} == {"nlpviz", own.rstrip("/")}
    expected = files("nlpviz")
    expected |= {f"nlpviz/dashboard/{name}" for name in files("pages") | files("static")}
    expected |= {f"nlpviz/dashboard/{name}" for name in ("app.py", ".streamlit/config.toml", "docs/glossary.md")}
    assert {name for name in inside if not name.startswith(own)} == expected


def files(folder: str) -> set[str]:
    """Return the files in a folder of the repository, without what Python has compiled."""
    there = (file for file in (ROOT / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(ROOT).as_posix() for file in there}


@pytest.mark.ci
def test_the_installation_names_its_version_and_requirements(installed: Path) -> None:
    (about,) = installed.glob("*.dist-info")
    distribution = PathDistribution(about)
    assert distribution.version == __version__
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    asked = [line for line in lines if line.partition("#")[0].strip()]
    assert len(distribution.requires or []) == len(asked)


@pytest.mark.ci
def test_the_command_lists_runs_in_a_foreign_folder(installed: Path, toy_trained: Path, tmp_path: Path) -> None:
    environment = variables(installed, toy_trained)
    lines = said([str(installed / "bin" / "nlpviz"), "runs"], environment, tmp_path).splitlines()
    assert [line.split()[0] for line in lines] == ["toy-cnn", "toy-ngrams"]


@pytest.mark.ci
def test_the_first_page_runs_from_the_installation(installed: Path, toy_trained: Path, tmp_path: Path) -> None:
    shutil.copytree(toy_trained, tmp_path / "runs")
    page = installed / "nlpviz" / "dashboard" / "app.py"
    environment = variables(installed, tmp_path / "runs")
    errors, components, title = said([sys.executable, "-c", FIRST_PAGE, str(page)], environment, tmp_path).split(" ", 2)
    assert errors == "[]"
    assert int(components) > 1, "a figure among them"
    assert title.startswith("Watch")


@pytest.mark.ci
def test_the_command_serves_the_dashboard_to_this_computer_alone(
    installed: Path, toy_trained: Path, tmp_path: Path
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shutil.copytree(toy_trained, tmp_path / "runs")
    command = [str(installed / "bin" / "nlpviz"), "app", "--port", str(port)]
    environment = variables(installed, tmp_path / "runs")
    with (tmp_path / "log.txt").open("wb") as log:
        server = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=log, stderr=log)
    try:
        until(lambda: get(f"http://127.0.0.1:{port}/_stcore/health") or server.poll() is not None)
        written = (tmp_path / "log.txt").read_text(encoding="utf-8")
        assert get(f"http://127.0.0.1:{port}/_stcore/health") == b"ok", written
        assert f"http://127.0.0.1:{port}" in written, "the configuration was read"
        assert get(f"http://127.0.0.1:{port}/app/static/plotly.min.js") == (ROOT / "static/plotly.min.js").read_bytes()
    finally:
        server.terminate()  # the server itself, which has replaced the command
        server.wait(60)
