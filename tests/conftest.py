"""What tests of every folder share."""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from tests.made import choose_place, written_into

# One thread: on two busy cores it is an order of magnitude faster than two, and sums come out the same every
# time. Set before anything imports torch, so that tests without torch do not wait for it, and processes that
# tests start inherit it.
os.environ["OMP_NUM_THREADS"] = "1"

# No deadline, for a busy machine is not a bug; in CI the same examples every time.
settings.register_profile("nlpviz", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("nlpviz")

pytest_plugins = ["tests.changed", "tests.toy_fixtures"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add how wide the suite runs; see CONTRIBUTING, "The tests"."""
    parser.addoption(
        "--width",
        choices=("test", "ci", "all"),
        default="test",
        help="test: neither `ci` nor `slow`; ci: `ci`, and a third of `slow`, drawn by the commit; all: everything",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose where what is made once stands: before any of the code that makes it is imported."""
    choose_place(config)


def pytest_collectstart() -> None:
    """Look for no garbage: what is imported stays, and looking through it took five seconds of each process."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From here on look for it in what tests make, and not in what was collected."""
    gc.freeze()
    gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``page_file`` with app.py and every page on the disk; for ``page_view``, with each view.

    A view is a page's file and the file of one of its views, None for a page that is a single view; a test that asks
    for ``page_script`` gets every file of both sorts.
    """
    root = metafunc.config.rootpath
    places = views_of_pages(root)
    if "page_file" in metafunc.fixturenames:
        files = _files(places)
        metafunc.parametrize("page_file", files, ids=[file.stem for file in files])
    if "page_script" in metafunc.fixturenames:
        scripts = [*_files(places), *(view for _, view in places if view is not None)]
        metafunc.parametrize("page_script", scripts, ids=[str(file.relative_to(root)) for file in scripts])
    if "page_view" in metafunc.fixturenames:
        names = [file.stem if view is None else f"{file.stem}-{view.stem}" for file, view in places]
        metafunc.parametrize("page_view", places, ids=names)


def _files(places: list[tuple[Path, Path | None]]) -> list[Path]:
    return list(dict.fromkeys(file for file, _ in places))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is wider than asked for; what takes minutes runs first, so that it does not end last alone."""
    left_out = [item for item in items if not _in_width(config, item)]
    config.hook.pytest_deselected(items=left_out)
    without = set(left_out)
    items[:] = [item for item in items if item not in without]
    items.sort(key=lambda item: item.path.name != "test_rehearsal.py")


def _in_width(config: pytest.Config, item: pytest.Item) -> bool:
    """Return whether ``item`` is run at the width that was asked for."""
    if item.get_closest_marker("slow"):
        return drawn(config, item.nodeid)
    return config.getoption("width") != "test" or not item.get_closest_marker("ci")


def drawn(config: pytest.Config, name: str) -> bool:
    """Return whether what is slow is run for ``name``.

    That is always at full width, never in `make test`, and in CI for a third of the names, drawn by the commit's hash:
    the chance that ten commits leave a name out is 1.7%.
    """
    width = config.getoption("width")
    if width != "ci":
        return bool(width == "all")
    number = hashlib.sha256(f"{_commit(config.rootpath)} {name}".encode()).digest()
    return int.from_bytes(number[:8]) % 3 == 0


@cache
def _commit(root: Path) -> str:
    """Return the hash of the commit that stands in ``root``; empty where there is no history."""
    answer = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
    return answer.stdout.strip()


@cache
def views_of_pages(root: Path) -> list[tuple[Path, Path | None]]:
    """Return every page's file with that of each of its views; with None where the page is a single view."""
    files = [root / "app.py", *sorted((root / "pages").glob("[0-9]*_*.py"))]
    views = {file: sorted(file.with_suffix("").glob("[0-9]*_*.py")) for file in files}
    return [(file, view) for file in files for view in views[file] or [None]]


@pytest.fixture
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether a test does what is slow, too: of a page that is open already it needs no visit of its own."""
    return drawn(request.config, request.node.nodeid)


@pytest.fixture(scope="session")
def in_ci(pytestconfig: pytest.Config) -> bool:
    """Whether more is run than `make test` does."""
    return bool(pytestconfig.getoption("width") != "test")


@pytest.fixture(scope="session", autouse=True)
def _nobody_writes_into_what_is_made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail at the end if a file has changed in what was made once."""
    yield
    assert not written_into(tmp_path_factory), "tests wrote into what was made for all"


@pytest.fixture(scope="session")
def imdb_archive() -> Path:
    """The IMDB reviews' archive; without it, a test skips on a person's machine and fails in CI."""
    return _archive("imdb")


@pytest.fixture(scope="session")
def newsgroups_archive() -> Path:
    """The archive of 20 Newsgroups; without it, a test skips on a person's machine and fails in CI."""
    return _archive("newsgroups")


@pytest.fixture(scope="session")
def multi30k_archive() -> Path:
    """The first file of Multi30k; without any of them, a test skips on a person's machine and fails in CI."""
    return _archive("multi30k")


def _archive(corpus: str) -> Path:
    from nlpviz.data import corpora
    from nlpviz.data.files import CorpusMissing, locate

    try:
        first, *_ = corpora()[corpus].parts or (corpora()[corpus],)
        return locate(first)
    except CorpusMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
