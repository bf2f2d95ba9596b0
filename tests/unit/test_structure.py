"""How nlpviz hangs together, in numbers: packages at its root, imports between them, and what a view consists of."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

import grimp
import pytest

from tests.conftest import views_of_pages

MOST_PACKAGES = 18  # with `server` and `__main__`
MOST_ARROWS = 90
MOST_FLOORS = 9
SHARED_BY = 3  # a module that no more views reach belongs to them
MOST_FILES, MOST_LINES = 8, 900  # in the median of all views


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("nlpviz", exclude_type_checking_imports=True, cache_dir=None)


@pytest.fixture(scope="module")
def imported(graph: grimp.ImportGraph) -> dict[str, set[str]]:
    """Return, for each package or module at the root of nlpviz, those that it imports."""
    arrows: dict[str, set[str]] = defaultdict(set)
    for module in graph.modules - {"nlpviz"}:
        own = module.split(".")[1]
        others = {other.split(".")[1] for other in graph.find_modules_directly_imported_by(module) if other != "nlpviz"}
        arrows[own] |= others - {own}
    return arrows


def test_the_root_holds_few_packages(imported: dict[str, set[str]]) -> None:
    assert len(imported) <= MOST_PACKAGES, sorted(imported)


def test_packages_import_few_others(imported: dict[str, set[str]]) -> None:
    assert sum(map(len, imported.values())) <= MOST_ARROWS


def test_packages_lie_on_few_floors(imported: dict[str, set[str]]) -> None:
    @cache
    def floor(package: str) -> int:
        return 1 + max(map(floor, imported[package]), default=0)

    assert max(map(floor, sorted(imported))) <= MOST_FLOORS


def test_a_view_consists_of_few_files(graph: grimp.ImportGraph, pytestconfig: pytest.Config) -> None:
    root = pytestconfig.rootpath
    reached = {script or page: set(modules_of(script or page, graph)) for page, script in views_of_pages(root)}
    count = Counter(module for modules in reached.values() for module in modules)
    files, lines = [], []
    for view, modules in reached.items():
        chain = [view, *(file_of(module, root) for module in modules if count[module] <= SHARED_BY)]
        files.append(len(chain))
        lines.append(sum(len(file.read_text(encoding="utf-8").splitlines()) for file in chain))
    assert median(files) <= MOST_FILES
    assert median(lines) <= MOST_LINES


def modules_of(view: Path, graph: grimp.ImportGraph) -> Iterator[str]:
    """Yield the modules of nlpviz that a view imports, directly or indirectly."""
    seen: set[str] = set()
    for node in ast.walk(ast.parse(view.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("nlpviz"):
            for name in (alias.name for alias in node.names):
                module = f"{node.module}.{name}"
                module = module if module in graph.modules else node.module
                seen |= {module, *graph.find_upstream_modules(module)}
    yield from seen


def file_of(module: str, root: Path) -> Path:
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
