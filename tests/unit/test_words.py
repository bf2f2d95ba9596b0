"""What people read is said as people in the field say it: phrases made up at home do not come back."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.better_words import BETTER, BETTER_IN_CODE

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/*.md", "benchmarks/README.md", "trained/*/README.md")
SOURCES = ("nlpviz", "pages", "benchmarks", "docs")
Texts = Callable[[Path], tuple[tuple[str, str], ...]]


def said_in_python(file: Path) -> Iterator[str]:
    """Yield the strings of a module, ``{}`` for what a format fills in; a page's docstring too, which it shows."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside |= {id(value) for value in node.values}
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | inside:
            yield node.value
    if file.name == "app.py" or "pages" in file.parts:
        yield ast.get_docstring(tree) or ""


@cache
def said(root: Path) -> tuple[tuple[str, str], ...]:
    """Return all that people read below a folder: (file, text with single spaces)."""
    modules = [*root.glob("app.py"), *root.glob("nlpviz/**/*.py"), *root.glob("pages/**/*.py")]
    found = [(file, text) for file in sorted(modules) for text in said_in_python(file)]
    written = [file for pattern in (*DOCUMENTS, "nlpviz/**/*.js") for file in sorted(root.glob(pattern))]
    found += [(file, file.read_text(encoding="utf-8")) for file in written]
    return tuple((str(file.relative_to(root)), " ".join(text.split())) for file, text in found)


def remarks(source: str) -> Iterator[str]:
    """Yield the docstrings of a module, and its comments; successive lines of comments are one text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    comment = r"(?:^|(?<=\s))#:? .*(?:\n[ \t]*#.*)*"
    yield from (re.sub(r"\n\s*#:?", " ", text) for text in re.findall(comment, source, re.MULTILINE))


@cache
def remarked(root: Path) -> tuple[tuple[str, str], ...]:
    """Return all docstrings and comments below a folder: (file, text with single spaces)."""
    modules = [*root.glob("app.py"), *(one for top in SOURCES for one in root.glob(f"{top}/**/*.py"))]
    return tuple(
        (str(file.relative_to(root)), " ".join(text.split()))
        for file in sorted(modules)
        for text in remarks(file.read_text(encoding="utf-8"))
    )


def places(root: Path, phrase: str, texts: Texts = said) -> list[str]:
    """Return where a phrase, a regular expression, is read: the file, and the words around it."""
    pattern = re.compile(phrase, re.IGNORECASE)
    return [
        f"{name}: …{text[max(result.start() - 40, 0) : result.end() + 40]}…"
        for name, text in texts(root)
        for result in pattern.finditer(text)
    ]


def test_phrases_made_up_at_home_are_nowhere() -> None:
    assert [f"{place}, better: {better}" for phrase, better in BETTER.items() for place in places(ROOT, phrase)] == []


def test_docstrings_and_comments_hold_no_phrases_made_up_at_home() -> None:
    assert [
        f"{place}, better: {better}"
        for phrase, better in BETTER_IN_CODE.items()
        for place in places(ROOT, phrase, remarked)
    ] == []


def test_apostrophes_in_pages_are_typographic() -> None:
    """Documents are set by Sphinx, which curls them itself."""
    found = places(ROOT, r"(?<=[a-z*}\])])(?<!n)'(?:s|t|re|ll|ve|d)\b|(?<=n)'s\b")
    skipped = ("nlpviz/ui/code.py", "nlpviz/text/")
    assert [one for one in found if ".py: " in one and not one.startswith(skipped)] == []


@pytest.mark.parametrize(
    "text",
    [
        '"""Work.\n\nArgs:\n    report: is\n        told the share.\n"""',
        "LIMIT = 3  # of a person's own texts",
        "# The corpus may not be\n# had.\n",
        'MODES = ("a",)\n"""Modes of which two, of which one is kept."""',
    ],
)
def test_a_phrase_is_found_in_docstrings_and_comments(tmp_path: Path, text: str) -> None:
    (tmp_path / "nlpviz").mkdir()
    (tmp_path / "nlpviz" / "work.py").write_text(text, encoding="utf-8")
    assert [place for phrase in BETTER_IN_CODE for place in places(tmp_path, phrase, remarked)]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("nlpviz/ui/words.py", 'label = "Ask for"'),
        ("nlpviz/figures/plane.py", 'name = (f"{word} comes "\n        "out at {other}")'),
        ("pages/Words.py", '"""Words.\n\nIn like\ncompany.\n"""'),
        ("app.py", 'header("The reviews part")'),
        ("nlpviz/ui/map.js", 'button.title = "Abandon";'),
        ("README.md", "| Epoch\nchosen |"),
        ("trained/run/README.md", "It is a small model made to be looked at."),
    ],
)
def test_a_phrase_is_found_wherever_people_read_it(tmp_path: Path, file: str, text: str) -> None:
    target = tmp_path / file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    assert [place for phrase in BETTER for place in places(tmp_path, phrase)]


def test_what_nobody_reads_may_say_anything(tmp_path: Path) -> None:
    (tmp_path / "nlpviz").mkdir()
    (tmp_path / "nlpviz" / "analogies.py").write_text(
        '"""What a sum comes out at."""\n# taken away\n', encoding="utf-8"
    )
    assert not [place for phrase in BETTER for place in places(tmp_path, phrase)]
