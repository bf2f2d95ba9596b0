"""Who uses whom: by imports, fixtures, and names of pages and files.

Edges go from who uses to what is used. Nodes are files, by their path from the root; a fixture or another name of a
conftest is a node of its own, so that a test depends on what its fixtures use, and not on what their neighbours do.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

_PACKAGES = ("nlpviz", "tests", "benchmarks")
_DOTTED = re.compile(rf"\b(?:{'|'.join(_PACKAGES)})(?:\.\w+)*\b")
_FROM = re.compile(rf"\bfrom ((?:{'|'.join(_PACKAGES)})(?:\.\w+)*) import (\w+(?:, *\w+)*)")
_DISCOVERS = re.compile(r'\bdiscover\("([\w.]+)"')


class Edges:
    """What each node uses, in ``used``."""

    def __init__(self, root: Path, changed: set[str]) -> None:
        """Look from ``root``; of what nobody imports, only what has ``changed`` is a node."""
        self.root = root
        self.used: dict[str, set[str]] = defaultdict(set)
        self._add_package()
        self.pages = [self._name(file) for file in (root / "app.py", *sorted((root / "pages").rglob("*.py")))]
        for page in self.pages:
            self.used[page] |= self._imports(ast.parse((root / page).read_text(encoding="utf-8")))
        for file in sorted((root / "benchmarks").rglob("*.py")):
            self.used[self._name(file)] |= self._imports(ast.parse(file.read_text(encoding="utf-8")))
        self.fixtures = [*sorted((root / "tests").rglob("conftest.py")), root / "tests" / "toy_fixtures.py"]
        for file in self.fixtures:
            self._add_fixtures(file)
        for file in sorted((root / "tests").rglob("*.py")):
            if file not in self.fixtures:
                self._add_test(file)
        self._add_named(changed)

    def _name(self, file: Path) -> str:
        return file.relative_to(self.root).as_posix()

    def _module(self, dotted: str) -> str | None:
        """Return the file of the module that ``dotted`` is or lies in; of a conftest's name its own node."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            path = "/".join(parts[:end])
            for name in (f"{path}.py", f"{path}/__init__.py"):
                if (self.root / name).is_file():
                    holds_fixtures = name.endswith(("/conftest.py", "/toy_fixtures.py"))
                    return f"{name}::{parts[end]}" if holds_fixtures and end < len(parts) else name
        return None

    def _add_package(self) -> None:
        """Add who imports whom in nlpviz, and what is found there by its folder."""
        import grimp

        graph = grimp.build_graph(
            "nlpviz", exclude_type_checking_imports=True, cache_dir=str(self.root / ".import_linter_cache")
        )
        for module in graph.modules:
            name = self._module(module)
            assert name is not None
            self.used[name] |= {str(self._module(one)) for one in graph.find_modules_directly_imported_by(module)}
            for package in _DISCOVERS.findall((self.root / name).read_text(encoding="utf-8")):
                self.used[name] |= {str(self._module(one)) for one in graph.find_children(package)}

    def _imports(self, tree: ast.AST) -> set[str]:
        """Return what is imported anywhere in ``tree``, and what its texts name or import."""
        dotted: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                dotted |= {one.name for one in node.names}
            elif isinstance(node, ast.ImportFrom):
                dotted |= {f"{node.module}.{one.name}" for one in node.names}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                dotted |= {one for one in _DOTTED.findall(node.value) if "." in one}
                dotted |= {
                    f"{one}.{name}" for one, names in _FROM.findall(node.value) for name in re.split(", *", names)
                }
        found = {self._module(one) for one in dotted if one.split(".")[0] in _PACKAGES}
        return {one for one in found if one is not None}

    def _add_fixtures(self, file: Path) -> None:
        """Add a node for each name of a conftest."""
        tree, name = ast.parse(file.read_text(encoding="utf-8")), self._name(file)
        imported = {
            alias.asname or alias.name: self._imports(ast.Module([node], []))
            for node in tree.body
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        own = {one: node for node in tree.body for one in _names(node)}
        for one, node in own.items():
            words = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            used = {name, *self._imports(node), *self._asked(file, node)}
            used |= {f"{name}::{word}" for word in words & own.keys() - {one}}
            self.used[f"{name}::{one}"] |= used.union(*(imported[word] for word in words & imported.keys()))
            if one.startswith("pytest_") or "autouse=True" in ast.unparse(node):
                self.used[f"{name}::*"].add(f"{name}::{one}")

    def _asked(self, file: Path, tree: ast.AST) -> set[str]:
        """Return the fixtures that functions in ``tree`` may ask for."""
        asked = {part.arg for part in ast.walk(tree) if isinstance(part, ast.arg)}
        asked |= {
            part.value for part in ast.walk(tree) if isinstance(part, ast.Constant) and isinstance(part.value, str)
        }
        return {f"{self._name(one)}::{word}" for one in self._above(file) for word in asked}

    def _above(self, file: Path) -> list[Path]:
        """Return the conftests of a file's folder and those above, and the fixtures that all share."""
        return [one for one in self.fixtures if one.name != "conftest.py" or file.is_relative_to(one.parent)]

    def _add_test(self, file: Path) -> None:
        """Add what a test or a helper uses: imports, fixtures, pages by their names, or the whole tree."""
        source, name = file.read_text(encoding="utf-8"), self._name(file)
        tree = ast.parse(source)
        self.used[name] |= self._imports(tree) | self._asked(file, tree)
        for one in self._above(file):
            self.used[name] |= {self._name(one), f"{self._name(one)}::*"} if one.name == "conftest.py" else set()
        if name.startswith(("tests/pages/", "tests/browser/")):
            self.used[name] |= self._pages_named(source)
        if '"-m", "nlpviz"' in source:
            self.used[name].add("nlpviz/__main__.py")
        if file.name.startswith("test_") and "rootpath" in source and "glob(" in source:
            self.used[name].add("*")

    def _pages_named(self, source: str) -> set[str]:
        """Return the pages that a test names, with the view that is shown first and those that it names."""
        named: set[str] = set()
        for page in self.pages:
            path = Path(page)
            shown = _title(path.stem)
            if path.parent.name == "pages" and re.search(rf"\b{shown}\b", source.replace("_", " ")):
                views = [one for one in self.pages if Path(one).parent == path.with_suffix("")]
                told = [one for one in views[1:] if _title(Path(one).stem).lower().replace(" ", "-") in source]
                named |= {page, *views[:1], *told}
        return named

    def _add_named(self, changed: set[str]) -> None:
        """Add who names a changed file that nobody imports, or its folder; who looks at all files uses it too."""
        for name in changed:
            self.used["*"].add(name)
            path = Path(name)
            if name.startswith("nlpviz/") and (path.suffix != ".py" or not (self.root / name).exists()):
                beside = list((self.root / name).parent.glob("*.py"))
                naming = [file for file in beside if path.name in file.read_text(encoding="utf-8")]
                for file in naming or beside:
                    self.used[self._name(file)].add(name)
            elif path.suffix != ".py" or not name.startswith(("nlpviz/", "tests/", "pages/", "benchmarks/")):
                words = {path.name, path.parts[0]} - {"tests", "trained"}
                for file in (self.root / "tests").rglob("*.py"):
                    if any(f"{word}" in file.read_text(encoding="utf-8") for word in words):
                        self.used[self._name(file)].add(name)


def _names(node: ast.stmt) -> list[str]:
    """Return what a statement of a module defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [one.id for one in targets if isinstance(one, ast.Name)]


def _title(stem: str) -> str:
    """Return a page's name in the menu: ``Your texts`` for ``78_Your_texts``."""
    return stem.partition("_")[2].replace("_", " ")
