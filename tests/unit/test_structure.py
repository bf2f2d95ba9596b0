"""How nlpviz hangs together, in numbers: packages at its root, imports between them, and how deep they lie."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import grimp
import pytest

MOST_PACKAGES = 18  # with `server` and `__main__`
MOST_ARROWS = 89
MOST_FLOORS = 9


@pytest.fixture(scope="module")
def imported(pytestconfig: pytest.Config) -> dict[str, set[str]]:
    """Return, for each package or module at the root of nlpviz, those that it imports."""
    graph = grimp.build_graph(
        "nlpviz",
        exclude_type_checking_imports=True,
        cache_dir=str(pytestconfig.rootpath / ".import_linter_cache"),
    )
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
