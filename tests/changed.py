"""Which tests reach what has changed since a commit: ``make test-changed``."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from tests.edges import Edges

_FOR_ALL = re.compile(r"pyproject\.toml|requirements.*\.txt")


_BY_PAGE = re.compile(r"\bpage_(?:view|file|script)\b")
_REACHED = pytest.StashKey["Reached"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the commit since which changes count."""
    parser.addoption("--changed", metavar="COMMIT", help="only tests that reach what has changed since this commit")


def pytest_configure(config: pytest.Config) -> None:
    """Ask what has changed."""
    if commit := config.getoption("changed"):
        config.stash[_REACHED] = Reached(config.rootpath, changed_files(config.rootpath, commit))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file out that reaches no change."""
    reached = config.stash.get(_REACHED, None)
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if reached and is_test and not reached.test(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test that visits every page or view, leave in those that reach a change."""
    if reached := config.stash.get(_REACHED, None):
        left_out = [item for item in items if not reached.file(item.path) and not _visits_changed(reached, item)]
        config.hook.pytest_deselected(items=left_out)
        without = set(left_out)
        items[:] = [item for item in items if item not in without]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where nothing is reached, nothing is wrong."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.stash.get(_REACHED, None):
        session.exitstatus = pytest.ExitCode.OK


def _visits_changed(reached: Reached, item: pytest.Item) -> bool:
    """Return whether the page or the view that ``item`` visits reaches a change."""
    visited: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
    files = [visited.get("page_file"), visited.get("page_script"), *visited.get("page_view", ())]
    return any(reached.file(file) for file in files if file is not None)


def changed_files(root: Path, commit: str) -> set[str]:
    """Return the files in which the working tree differs from where it left ``commit``, new ones among them."""
    asked = (
        ("diff", "--name-only", "--no-renames", "--merge-base", commit),
        ("ls-files", "--others", "--exclude-standard"),
    )
    answers = [
        subprocess.run(["git", *one, "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
        for one in asked
    ]
    return {name for answer in answers for name in answer.split("\0") if name}


class Reached:
    """What reaches the changed files of a tree."""

    def __init__(self, root: Path, changed: set[str]) -> None:
        """Look from ``root``."""
        self.root, self.changed = root, changed
        self.all = any(_FOR_ALL.fullmatch(name) for name in changed)

    def file(self, path: Path) -> bool:
        """Return whether a test, a page or another file uses, in the end, what has changed."""
        name = path.relative_to(self.root).as_posix()
        return self.all or name in self._reached or bool(name.startswith("tests/trained/") and self._runs)

    def test(self, path: Path) -> bool:
        """Return whether a file of tests does, or visits pages of which one does."""
        pages = (self.root / "app.py", *(self.root / "pages").rglob("*.py"))
        visits = _BY_PAGE.search(path.read_text(encoding="utf-8"))
        return self.file(path) or bool(visits and any(map(self.file, pages)))

    @cached_property
    def _runs(self) -> bool:
        return any(name.startswith("trained/") for name in self.changed)

    @cached_property
    def _reached(self) -> set[str]:
        """The nodes from which a path leads to what has changed."""
        users = defaultdict(set)
        for node, used in Edges(self.root, self.changed).used.items():
            for one in used:
                users[one].add(node)
        reached, new = set(self.changed), set(self.changed)
        while new:
            new = {user for one in new for user in users[one]} - reached
            reached |= new
        return reached
