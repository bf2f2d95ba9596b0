"""Of a small tree: which tests reach what has changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.changed import changed_files

FILES = {
    "app.py": "from nlpviz.ui import frame",
    "pages/10_Words.py": "from nlpviz.ui import frame",
    "pages/10_Words/10_First.py": "from nlpviz.networks import architectures",
    "pages/10_Words/20_Word_map.py": "from nlpviz.ui import maps",
    "nlpviz/__init__.py": "",
    "nlpviz/networks/__init__.py": "",
    "nlpviz/networks/layers.py": "",
    "nlpviz/networks/architectures/__init__.py": (
        'def found():\n    return discover("nlpviz.networks.architectures", "MODEL", str)'
    ),
    "nlpviz/networks/architectures/bag.py": "from nlpviz.networks.layers import dense",
    "nlpviz/ui/__init__.py": "",
    "nlpviz/ui/frame.py": "",
    "nlpviz/ui/maps.py": 'STYLE = "maps.css"',
    "nlpviz/ui/maps.css": "",
    "tests/conftest.py": "",
    "tests/toy_fixtures.py": "import pytest\n\n\n@pytest.fixture\ndef toys():\n    from tests import toy\n",
    "tests/toy.py": "from nlpviz.networks import architectures",
    "tests/unit/conftest.py": "from nlpviz.ui import frame\ndef printed(toys):\n    pass\ndef framed():\n    frame\n",
    "tests/unit/test_layers.py": "from nlpviz.networks.layers import dense",
    "tests/unit/test_models.py": "import nlpviz.networks.architectures",
    "tests/unit/test_fixtures.py": "def test_it(printed):\n    pass",
    "tests/unit/test_framed.py": "def test_it(framed):\n    pass",
    "tests/unit/test_text.py": 'def test_it(patch):\n    patch.setattr("nlpviz.ui.maps.DRAWN", 1)',
    "tests/unit/test_docs.py": 'README = "README.md"',
    "tests/unit/test_all.py": 'def test_it(pytestconfig):\n    pytestconfig.rootpath.rglob("*.py")',
    "tests/pages/test_map.py": 'def test_it(page):\n    page("Words", view="word-map")',
    "tests/pages/test_first.py": 'def test_it(page):\n    page("Words")',
    "tests/pages/test_every.py": "def test_it(page_view):\n    pass",
    "tests/trained/test_runs.py": "",
}


ALL = "docs every first fixtures framed layers map models runs text"
REACHED = {
    "nlpviz/networks/layers.py": "first fixtures layers map models every",
    "nlpviz/networks/architectures/bag.py": "first fixtures map models every",
    "nlpviz/networks/architectures/removed.py": "first fixtures map models every",
    "nlpviz/ui/maps.py": "map text every",
    "nlpviz/ui/maps.css": "map text every",
    "nlpviz/ui/frame.py": "map first framed every",
    "pages/10_Words/20_Word_map.py": "map every",
    "tests/toy.py": "fixtures",
    "tests/unit/conftest.py": "docs fixtures framed layers models text",
    "tests/unit/test_layers.py": "layers",
    "README.md": "docs",
    "trained/one/manifest.json": "runs",
    "requirements.txt": ALL,
    "tests/conftest.py": ALL,
}
"""The tests that a change reaches, besides the one that looks at all files; a page's first view is any test's of it."""
VIEWS = {"nlpviz/ui/maps.py": ["20_Word_map"], "nlpviz/networks/layers.py": ["10_First"]}
SCRIPT = """
import json, sys
from pathlib import Path

sys.path.append(sys.argv[1])  # of the package tests, changed.py is there; the other packages are here
from tests.changed import Reached

root = Path.cwd()
result = {}
for changed in sys.argv[2:]:
    found = Reached(root, {changed})
    tests = [file.stem[5:] for file in root.rglob("test_*.py") if found.test(file)]
    result[changed] = tests, [view.stem for view in root.glob("pages/*/*.py") if found.file(view)]
print(json.dumps(result))
"""


def test_a_change_reaches_who_uses_it(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    for name, source in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    # A process of its own: the package is looked for where Python finds it.
    command = [sys.executable, "-c", SCRIPT, str(pytestconfig.rootpath), *REACHED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert {name: set(tests) - {"all"} for name, (tests, _) in found.items()} == {
        name: set(tests.split()) for name, tests in REACHED.items()
    }
    assert all("all" in tests for tests, _ in found.values())
    assert {name: found[name][1] for name in VIEWS} == VIEWS


def test_what_is_changed_new_and_removed_counts_and_what_is_ignored_does_not(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=N", "-c", "user.email=n@example.org", *words], cwd=tmp_path, check=True)

    for name in ("same", "changed", "removed"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / ".gitignore").write_text("ignored\n", encoding="utf-8")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "all")
    (tmp_path / "removed").unlink()
    for name in ("changed", "new file", "ignored"):
        (tmp_path / name).write_text("new", encoding="utf-8")
    assert changed_files(tmp_path, "HEAD") == {"changed", "removed", "new file"}
