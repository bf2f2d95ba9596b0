"""What docs/coverage.md says of the references: every row whole, every name in it there, no equation left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from nlpviz.commands.cli import parser
from nlpviz.ui.glossary import terms
from tests.conftest import views_of_pages
from tests.unit.test_docs import view_name

ROOT = Path(__file__).resolve().parents[2]
COVERAGE = ROOT / "docs" / "coverage.md"
DOCUMENTS = ("000", "001", "002", "003", "004")
TIXIER = {"equation": range(1, 24), "figure": range(1, 15)}
"""Numbers of the notes' equations and figures; those of slides are of the papers that they quote."""

COLUMNS = 4
CODE = re.compile(r"`([^`]+)`")
LIST = r"(?:`[^`]+`|, | and )+"
GLOSSARY = re.compile(r"[Gg]lossary: ((?:\*[^*]+\*(?:, )?)+)")
ABSENT = "Not shown"
NUMBERED = r"{kind}s? ((?:\d+(?:, | and | to )?)+)"


class Row(NamedTuple):
    """A row of a table: the document that its section is about (empty for the index of systems), and its cells."""

    document: str
    cells: tuple[str, ...]


def rows(text: str) -> Iterator[Row]:
    """Yield the rows of all tables below the first heading of the second level, without their headers."""
    document, header = "", True
    for line in text[text.index("\n## ") :].splitlines():
        if heading := re.match(r"## (\d{3}):", line):
            document = heading[1]
        header = header if line.startswith("|") else True
        if line.startswith("| ---"):
            header = False
        elif line.startswith("|") and not header:
            yield Row(document, tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]))


# ------------------------------------------------------------------------------------------------------- what there is


def file_in(*folders: str) -> Callable[[str], bool]:
    """Return whether one of ``folders`` has the module of a name, as discovery asks of it."""
    return lambda name: any((ROOT / folder / f"{name.replace('-', '_')}.py").is_file() for folder in folders)


def is_run(name: str) -> bool:
    """Return whether a run is committed or has a recipe."""
    return (ROOT / "trained" / name / "run.json").is_file() or file_in("nlpviz/training/recipes")(name)


@cache
def commands() -> frozenset[str]:
    """Return the names of all commands."""
    return frozenset(next(one for one in parser()._actions if one.choices and one.dest == "==SUPPRESS==").choices or ())


@cache
def views() -> frozenset[str]:
    """Return what the README calls every view."""
    return frozenset(view_name(page, view) for page, view in views_of_pages(ROOT))


@cache
def glossary() -> frozenset[str]:
    """Return all terms of the glossary."""
    return frozenset(term.name for term in terms())


KINDS: dict[str, Callable[[str], bool]] = {
    "run": is_run,
    "command": lambda name: name in commands(),
    "model": file_in("nlpviz/networks/architectures", "nlpviz/word_vectors/learning"),
    "cell": file_in("nlpviz/networks/cells"),
    "optimiser": file_in("nlpviz/experiments/optimisers"),
    "task": file_in("nlpviz/experiments/toys/tasks"),
    "corpus": file_in("nlpviz/data"),
    "benchmark": file_in("benchmarks"),
}
PLURALS = {"corpora": "corpus"}
KIND = re.compile(rf"\b({'|'.join(KINDS)}|corpora)s? ({LIST})")


def missing(cell: str) -> Iterator[str]:
    """Yield every name of a cell that leads nowhere."""
    yield from (f"view {name}" for name in re.findall(r"\*\*([^*]+)\*\*", cell) if name not in views())
    for kind, listed in KIND.findall(cell):
        kind = PLURALS.get(kind, kind)
        yield from (f"{kind} {name}" for name in CODE.findall(listed) if not KINDS[kind](name))
    for listed in GLOSSARY.findall(cell):
        yield from (f"term {name}" for name in re.findall(r"\*([^*]+)\*", listed) if name not in glossary())
    loose = [name for name in CODE.findall(KIND.sub("", cell)) if not name.startswith("nn.")]
    yield from (f"{name}: a name of what?" for name in loose)


def leads_somewhere(cell: str) -> bool:
    """Return whether a cell names anything that can be looked at."""
    return bool(re.search(r"\*\*[^*]+\*\*", cell) or KIND.search(cell))


def faults(text: str) -> list[str]:
    """Return all that is wrong with the rows of a document, a line each."""
    found = []
    for document, cells in rows(text):
        place = f"{document or 'index'}, {cells[0] if cells else ''}"
        if len(cells) != COLUMNS or not all(re.search(r"\w", cell) for cell in cells):
            found.append(f"{place}: an empty cell")
            continue
        shown = cells[2] if document else cells[1]
        if not shown.startswith(ABSENT) and not leads_somewhere(shown):
            found.append(f"{place}: nothing to look at")
        if shown.startswith(ABSENT) and shown != ABSENT:
            found.append(f"{place}: not shown, and shown")
        checked = cells[2:] if document else cells[1:]
        found += [f"{place}: no {name}" for cell in checked for name in missing(cell)]
    return found


def numbers(text: str, kind: str) -> set[int]:
    """Return the numbers of the equations, or the figures, that a cell names: 16, 17 and 20 to 22."""
    found: set[int] = set()
    for listed in re.findall(NUMBERED.format(kind=kind), text):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", listed):
            found |= set(range(int(first), int(last or first) + 1))
    return found


# --------------------------------------------------------------------------------------------------------------- tests


def test_every_row_is_whole_and_leads_somewhere() -> None:
    found = faults(COVERAGE.read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("kind", TIXIER)
def test_every_numbered_equation_and_figure_of_the_notes_has_a_row(kind: str) -> None:
    there = [row.cells[1] for row in rows(COVERAGE.read_text(encoding="utf-8")) if row.document == "000"]
    assert set(TIXIER[kind]) - set().union(*(numbers(cell, kind) for cell in there)) == set()


def test_every_document_has_its_rows_each_item_once() -> None:
    there = list(rows(COVERAGE.read_text(encoding="utf-8")))
    assert {row.document for row in there} == {"", *DOCUMENTS}
    items = [(row.document, *row.cells[:2]) for row in there]
    assert sorted(item for item in set(items) if items.count(item) > 1) == []


def test_readers_are_led_to_it() -> None:
    assert "(docs/coverage.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "coverage.md" in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ("A | B | **Words: map** |", "an empty cell"),
        ("A | B | **Words: map** | –", "an empty cell"),
        ("A | B | **Words: map**", "an empty cell"),
        ("A | B | the page of words | C", "nothing to look at"),
        ("A | B | Not shown, but run `imdb-cnn` | C", "not shown, and shown"),
        ("A | B | **Words: mop** | C", "no view Words: mop"),
        ("A | B | runs `imdb-cnn` and `imdb-cmm` | C", "no run imdb-cmm"),
        ("A | B | command `explian` | C", "no command explian"),
        ("A | B | model `cnn`, cell `lstmm` | C", "no cell lstmm"),
        ("A | B | corpora `imdb`, `imbd` | C", "no corpus imbd"),
        ("A | B | **Words: map**; glossary: *CBOW*, *CBOV* | C", "no term CBOV"),
        ("A | B | **Words: map** | of `imdb-cnn`", "no imdb-cnn: a name of what?"),
    ],
)
def test_what_is_wrong_is_found(cells: str, fault: str) -> None:
    table = f"# Title\n\n## 000: Notes\n\n| item | in | where | remark |\n| --- | --- | --- | --- |\n| {cells} |\n"
    assert [found.rpartition("A: ")[2] for found in faults(table.replace("| |", "|  |"))] == [fault]


def test_numbers_are_read_in_lists_and_ranges() -> None:
    assert numbers("section 2, equations 16, 17 and 20 to 22, figure 9", "equation") == {16, 17, 20, 21, 22}
    assert numbers("section 2, equations 16 and 17, figures 9 and 10", "figure") == {9, 10}
