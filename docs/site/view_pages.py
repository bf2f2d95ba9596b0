"""A page of the documentation for each view: its question, its picture, what you can do, and “How to read this”.

The last is what the app shows: each view runs once, without a browser, on the committed runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DESCRIPTIONS = ROOT / "docs" / "views.md"
PICTURES = ROOT / "docs" / "pictures" / "views"
SECTION = re.compile(r"^## (?P<name>.+?)\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
APP_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")


class DocumentedView(NamedTuple):
    """A view of the app, or a page that has none.

    Attributes:
        page: its page's name in the menu.
        title: its own name, empty for a page without views.
        slug: its name in addresses, likewise.
        page_file: the page's script.
        file: its own script.
    """

    page: str
    title: str
    slug: str
    page_file: Path
    file: Path

    @property
    def name(self) -> str:
        """``"Toy tasks: live"``."""
        lower = self.title if self.title.isupper() else self.title[:1].lower() + self.title[1:]
        return f"{self.page}: {lower}" if self.title else self.page

    @property
    def document(self) -> str:
        """Return the name of its page on the site, ``"toy-tasks-live"``."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def docstring(self) -> tuple[str, str]:
        """Return its question and the sentence under it."""
        text = ast.get_docstring(ast.parse(self.file.read_text(encoding="utf-8"))) or ""
        question, _, sentence = text.partition("\n")
        return question, " ".join(sentence.split())


def documented_views() -> list[DocumentedView]:
    """Return all views in the order of the menu."""
    from nlpviz.ui.frame import page_files, page_name
    from nlpviz.ui.views import views_of

    return [
        DocumentedView(
            page_name(file), view.title if view else "", view.slug if view else "", file, view.file if view else file
        )
        for file in page_files()
        for view in views_of(file) or [None]
    ]


@cache
def descriptions() -> dict[str, str]:
    """Return what you can do in each view, by its name: the sections of docs/views.md."""
    text = DESCRIPTIONS.read_text(encoding="utf-8")
    return {result["name"]: result["text"].strip() for result in SECTION.finditer(text)}


def how_to_read(view: DocumentedView) -> str:
    """Return what a view shows under “How to read this”, as Markdown; empty where it has none."""
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(view.page_file, default_timeout=300)
    if view.slug:
        app.query_params["view"] = view.slug
    app.run()
    if app.exception:
        raise RuntimeError(f"{view.name}: {app.exception[0].value}")
    folded = [block for block in app.expander if block.label == "How to read this"]
    return "\n\n".join(APP_LINK.sub(r"\1", text) for block in folded for text in _texts(block))


def _texts(block: object) -> Iterator[str]:
    for _, child in sorted(getattr(block, "children", {}).items()):
        if hasattr(child, "children"):
            yield from _texts(child)
        elif child.type in ("markdown", "latex", "caption"):
            yield str(child.value)


def write(folder: Path) -> None:
    """Write a page for each view, and the list of all."""
    folder.mkdir(parents=True)
    views = documented_views()
    for view in views:
        (folder / f"{view.document}.md").write_text(_page(view), encoding="utf-8")
    (folder / "index.md").write_text(_index(views), encoding="utf-8")


def _page(view: DocumentedView) -> str:
    question, sentence = view.docstring
    parts = [f"# {view.name}", f"```{{rst-class}} question\n```\n\n{question}"]
    parts += [sentence] if sentence else []
    if (PICTURES / f"{view.document}.webp").exists():
        parts.append(f"![The view {view.name}](../pictures/views/{view.document}.webp)")
    parts += ["## What you can do", descriptions()[view.name]]
    if reading := how_to_read(view):
        parts += ["## How to read it", re.sub(r"^#+ ", "### ", reading, flags=re.MULTILINE)]
    address = f"{view.page.replace(' ', '_')}{f'?view={view.slug}' if view.slug else ''}"
    where = "/" if view.page_file.stem == "app" else f"/{address}"
    return "\n\n".join([*parts, f"In the running app: `{where}`"]) + "\n"


def _index(views: list[DocumentedView]) -> str:
    lines = ["# Views", "Each view answers one question about a model.", "| View | Question |\n| --- | --- |"]
    lines[-1] += "".join(f"\n| [{view.name}]({view.document}.md) | {view.docstring[0]} |" for view in views)
    toctree = "\n".join(view.document for view in views)
    return "\n\n".join([*lines, f"```{{toctree}}\n:hidden:\n\n{toctree}\n```"]) + "\n"
