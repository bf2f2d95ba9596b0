"""``new`` writes files that pass all checks at once, and refuses what it cannot write."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nlpviz.commands.templates import TEMPLATES, fields_of, parts_of
from nlpviz.discovery import places
from tests.unit.conftest import Printed

ROOT = Path(__file__).parents[3]
NEW = (
    ("method", "mean-gradient"),
    ("model", "averaged-words"),
    ("view", "Explore", "review-lengths"),
    ("kind", "tagger"),
)
PLACE = {"page": "Explore", "folder": "10_Explore", "stem": "Review_lengths", "number": "70"}

ABOUT = " or ".join((
    "mean-gradient", "mean_gradient", "averaged", "review_lengths", "tagger",
    "test_glossary", "view_is_described", "class_name", "phrases",
))  # fmt: skip
"""The tests of what `NEW` adds, and of what is asked of all files."""


def files_of(folder: Path) -> dict[str, str]:
    """Return the texts of all files below a folder, by path."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with those parts of a checkout that `new` reads and extends; the other folders are empty."""
    (tmp_path / "docs").mkdir()
    for name in ("glossary.md", "views.md"):
        shutil.copy(ROOT / "docs" / name, tmp_path / "docs")
    shutil.copytree(ROOT / "pages", tmp_path / "pages", ignore=shutil.ignore_patterns("__pycache__"))
    for part in (part for what in TEMPLATES for part in parts_of(what, fields_of("x") | PLACE).values()):
        (tmp_path / part.path).parent.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(places, "checkout", lambda: tmp_path)
    return tmp_path


def written(lines: str) -> list[str]:
    """Return the files that `new` says that it wrote."""
    return re.findall(r"^wrote (.*)$", lines, re.MULTILINE)


@pytest.mark.parametrize("words", NEW, ids=" ".join)
def test_it_prints_what_it_wrote(printed: Printed, checkout: Path, words: tuple[str, ...]) -> None:
    before = files_of(checkout)
    lines = printed("new", *words)
    after = files_of(checkout)
    assert set(written(lines)) == after.keys() - before
    assert set(re.findall(r"^extended (.*)$", lines, re.MULTILINE)) == {
        path for path in before if before[path] != after[path]
    }
    assert lines.endswith(".\n"), "what to do next"
    assert "$" not in "".join(after[path] for path in written(lines))


def test_entries_stand_in_their_sections(printed: Printed, checkout: Path) -> None:
    for words in NEW:
        printed("new", *words)
    glossary, views = ((checkout / "docs" / name).read_text(encoding="utf-8") for name in ("glossary.md", "views.md"))
    assert re.search(r"^\| `shapley` .*\n\| `mean-gradient` .*\n\n## Maps", glossary, re.MULTILINE)
    assert re.search(r"^\| `averaged-words` .*\n\| `tagger` .*\n\n## Translation", glossary, re.MULTILINE)
    headings = re.findall(r"^## (.*)$", views, re.MULTILINE)
    place = headings.index("Explore: review lengths")
    assert headings[place - 1 : place + 2] == [
        "Explore: disagreement",
        "Explore: review lengths",
        "One review: saliency",
    ]
    for name, text in (("glossary.md", glossary), ("views.md", views)):
        added = [line for line in text.splitlines() if line not in (ROOT / "docs" / name).read_text(encoding="utf-8")]
        assert len(added) in (2, 3), "nothing else has changed"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("page", "x"), "There is no template 'page'; available: kind, method, model, view."),
        (("method", "Mean gradient"), "'Mean gradient' is not a name: use lower-case words joined by hyphens, 30"),
        (("model", "class"), "'class' is not a name: "),
        (("model", "2d"), "'2d' is not a name: "),
        (("model", "m" * 31), "is not a name: "),
        (("method", "../x"), "'../x' is not a name: "),
        (("method", "Explore", "x"), "Only a view has a page; write `new method x`."),
        (("view", "lengths"), "There is no page with views called ''; available: Explore, One review, Inside the"),
        (("view", "Exploring", "lengths"), "There is no page with views called 'Exploring'; available: Explore, "),
        (("view", "Explore", "map"), "The page Explore already has a view 'Map'."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_written_is_refused(
    printed: Printed, checkout: Path, words: tuple[str, ...], sentence: str
) -> None:
    before = files_of(checkout)
    assert sentence in printed.refused("new", *words)
    assert files_of(checkout) == before


@pytest.mark.parametrize("words", NEW, ids=" ".join)
def test_nothing_is_overwritten(printed: Printed, checkout: Path, words: tuple[str, ...]) -> None:
    *files, test = written(printed("new", *words))
    before = files_of(checkout)
    assert "already" in printed.refused("new", *words)
    assert files_of(checkout) == before
    for file in files:
        (checkout / file).unlink()
    assert printed.refused("new", *words) == f"{test} already exists; choose another name."
    assert not [file for file in files if (checkout / file).exists()], "one that is there is enough"


def test_it_needs_a_checkout(printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "checkout", lambda: None)
    assert (
        printed.refused("new", "method", "x") == "`new` writes into a checkout of the repository, and this is not one."
    )


@pytest.mark.parametrize("name", ["", "-is-the-longest-of-all-names"])
def test_what_is_written_is_in_style_whatever_its_name(printed: Printed, checkout: Path, name: str) -> None:
    """Among all other modules, for the order of imports depends on which there are."""
    shutil.copy(ROOT / "pyproject.toml", checkout)
    for package in ("nlpviz", "tests"):
        shutil.copytree(ROOT / package, checkout / package, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.pyc"))
    files = [
        path
        for what, *more in (("method",), ("model",), ("view", "Explore"), ("kind",))
        for path in written(printed("new", what, *more, f"{what[0]}{name}"))
    ]
    for verb in (("check",), ("format", "--diff")):
        command = [sys.executable, "-m", "ruff", *verb, "--no-cache", *files]
        done = subprocess.run(command, cwd=checkout, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_what_is_written_passes_all_checks(tmp_path: Path) -> None:
    """In a copy of the checkout: style, types, imports, its own tests, contracts, and those of the documentation."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", ":!trained"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in listed.rstrip("\0").split("\0"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / "trained").symlink_to(ROOT / "trained")
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", tmp_path / ".mypy_cache")
    python, folders = (sys.executable, "-m"), ("tests/contracts", "tests/pages", "tests/unit")
    commands = [
        *((*python, "nlpviz", "new", *words) for words in NEW),
        (*python, "ruff", "check", "."),
        (*python, "ruff", "format", "--check", "."),
        (*python, "mypy"),
        (str(Path(sys.executable).with_name("lint-imports")),),
        (*python, "pytest", "-q", "-p", "no:cacheprovider", *folders, "-k", ABOUT),
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NLPVIZ", "PYTEST"))}
    for command in commands:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, f"{command}:\n{done.stdout[-5000:]}{done.stderr[-5000:]}"
