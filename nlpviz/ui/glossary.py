"""The words of the field as the pages use them, read from docs/glossary.md: the one place where they are explained."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import streamlit as st

from nlpviz.discovery import places
from nlpviz.ui import widgets
from nlpviz.ui.frame import bar, escape_markdown

_FILE = places.APP / "docs" / "glossary.md"
_LONGEST = 60


class GlossaryEntry(NamedTuple):
    """One entry.

    Attributes:
        slug: its name in an address, for example ``"deletion-curve"``.
        name: as it is written, for example ``"deletion curve"``; several ways to say it stand with commas.
        symbol: its symbol, shape or unit; may be empty.
        meaning: one or two sentences.
        source: paper or place; may be empty.
        section: the heading under which it stands.
    """

    slug: str
    name: str
    symbol: str
    meaning: str
    source: str
    section: str


@cache
def terms() -> tuple[GlossaryEntry, ...]:
    """Return all entries in the order of the file; of the tables of names, what the pages call them."""
    found: list[GlossaryEntry] = []
    section, columns = "", list[str]()
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section, columns = line[3:], []
        if not line.startswith("| ") or line.startswith("| ---"):
            columns = columns if line.startswith("|") else []
            continue
        row = line.strip().removeprefix("|").removesuffix("|")
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)]
        if not columns:
            columns = cells
            continue
        entry = dict(zip(columns, [*cells, *[""] * len(columns)], strict=False))
        name = entry.get("title") or entry.get("term") or entry.get("symbol", "")
        symbol = entry.get("symbol, shape", "") if "title" not in entry else ""
        meaning = entry.get("meaning") or entry.get("what it is", "")
        found.append(
            GlossaryEntry(_slug(name), name.replace("`", ""), symbol, meaning, entry.get("source", ""), section)
        )
    return tuple(found)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@cache
def linked() -> dict[str, str]:
    """Return the slug of each word that a caption may lead from: every way to say a term, without its remarks."""
    result: dict[str, str] = {}
    for term in terms():
        for said in re.sub(r"\s*\([^)]*\)", "", term.name).split(", "):
            if len(said) > 2 and said.lower() not in result:  # a symbol means something else in a sentence
                result[said.lower()] = term.slug
    return result


def pick() -> tuple[str, str]:
    """Return the slug of the entry that a link asks for, and what the visitor looks for; each may be empty."""
    with bar():
        term = widgets.pick(
            "glossary_term", "Term", {one.slug: one.name for one in terms()}, default=(), parameter="term", index=None,
            placeholder="choose a term",
        )  # fmt: skip
        search = widgets.text(
            "glossary_search", "Search names and meanings", "", _LONGEST, parameter="search",
            placeholder="for example gradient",
        )  # fmt: skip
    return term, " ".join(search.lower().split())


def show(slug: str, search: str) -> None:
    """Show the entry that is asked for, then all that contain what is searched for, by their sections."""
    for term in terms():
        if term.slug == slug:
            with st.container(border=True):
                st.markdown(_entry(term))
                st.caption(escape_markdown(term.section))
    kept = [term for term in terms() if search in f"{term.name} {term.meaning}".lower()]
    if not kept:
        st.info(f"No entry contains {escape_markdown(search)}. Try a shorter word.")
    for section in dict.fromkeys(term.section for term in kept):
        st.header(section, anchor=False)
        st.markdown("\n".join(f"- {_entry(term)}" for term in kept if term.section == section))


def _entry(term: GlossaryEntry) -> str:
    symbol = f" `{term.symbol.replace('`', '')}`" if term.symbol else ""
    source = f" *{escape_markdown(term.source.replace('`', ''))}.*" if term.source else ""
    return f"**{escape_markdown(term.name)}**{symbol}: {escape_markdown(term.meaning.replace('`', ''))}{source}"
