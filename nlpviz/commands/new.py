"""``new WHAT NAME``: write the files of a method, a model, a view or a kind of run, as a small example to change."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from nlpviz.commands import Command, UsageError, named
from nlpviz.commands.templates import NEXT, TEMPLATES, TemplatePart, fields_of, parts_of
from nlpviz.discovery import places


def _place_of_view(root: Path, page: str | None, title: str) -> dict[str, str]:
    """Return what the template of a view may name besides: its page, and a number after those of the other views.

    Raises:
        UsageError: if there is no such page, or it has such a view.
    """
    pages = {
        folder.name.partition("_")[2].replace("_", " "): folder for folder in sorted((root / "pages").glob("[0-9]*_*/"))
    }
    folder = named(pages, page or "", "page with views called")
    views = {file.stem.partition("_")[2]: int(file.stem.partition("_")[0]) for file in folder.glob("[0-9]*_*.py")}
    stem = title.replace(" ", "_")
    if stem in views:
        raise UsageError(f"The page {page} already has a view {title!r}.")
    return {"page": str(page), "folder": folder.name, "stem": stem, "number": f"{min(max(views.values()) + 10, 99)}"}


def _extended(document: str, part: TemplatePart) -> str:
    """Return a document with an entry at the end of the last section whose heading begins as the part says."""
    *_, section = re.finditer(rf"^## {re.escape(str(part.heading))}.*?(?=^## |\Z)", document, re.MULTILINE | re.DOTALL)
    before, after = document[: section.end()].rstrip("\n"), document[section.end() :]
    gap = "\n" if part.text.startswith("|") else "\n\n"
    return f"{before}{gap}{part.text}\n{after}".rstrip("\n") + "\n"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=f"what to write: {', '.join(TEMPLATES)}")
    parser.add_argument("page", metavar="PAGE", nargs="?", help="for a view: the page, for example Explore")
    parser.add_argument("name", metavar="NAME", help="its name: lower-case words joined by hyphens")


def _run(options: argparse.Namespace) -> None:
    named(TEMPLATES, options.what, "template")
    root = places.checkout()
    if root is None:
        raise UsageError("`new` writes into a checkout of the repository, and this is not one.")
    fields = fields_of(options.name)
    if options.what == "view":
        fields |= _place_of_view(root, options.page, fields["title"])
    elif options.page is not None:
        raise UsageError(f"Only a view has a page; write `new {options.what} {options.name}`.")
    parts = parts_of(options.what, fields)
    following = parts.pop(NEXT)
    if there := [part.path for part in parts.values() if part.heading is None and (root / part.path).exists()]:
        raise UsageError(f"{there[0]} already exists; choose another name.")
    for part in parts.values():
        file = root / part.path
        text = part.text if part.heading is None else _extended(file.read_text(encoding="utf-8"), part)
        file.write_text(text, encoding="utf-8")
        print(f"{'wrote' if part.heading is None else 'extended'} {part.path}")
    print(following.text.strip("\n"))


COMMAND = Command(
    "new",
    "write the files of a new method, model, view or kind of run: a small example to change",
    _add_arguments,
    _run,
)
