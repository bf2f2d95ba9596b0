"""What tests of every folder share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# One thread: on two busy cores it is an order of magnitude faster than two, and sums come out the same every
# time. Set before anything imports torch, so that tests without torch do not wait for it, and processes that
# tests start inherit it.
os.environ["OMP_NUM_THREADS"] = "1"

# No deadline, for a busy machine is not a bug; in CI the same examples every time.
settings.register_profile("nlpviz", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("nlpviz")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``page_file`` with app.py and with every page on the disk."""
    if "page_file" in metafunc.fixturenames:
        root = metafunc.config.rootpath
        files = [root / "app.py", *sorted((root / "pages").glob("*.py"))]
        metafunc.parametrize("page_file", files, ids=[file.stem for file in files])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep what shares fixtures in one process where tests run in several: a file, and all that use the browser."""
    from xdist.scheduler import LoadScopeScheduling

    class Grouped(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "tests/browser" if nodeid.startswith("tests/browser/") else nodeid.split("::", 1)[0]

    return Grouped(config, log)


@pytest.fixture(scope="session")
def imdb_archive() -> Path:
    """The IMDB reviews' archive; without it, a test skips on a person's machine and fails in CI."""
    from nlpviz.data import corpora
    from nlpviz.data.files import CorpusMissing, locate

    try:
        return locate(corpora()["imdb"])
    except CorpusMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
