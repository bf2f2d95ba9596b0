"""A page and its views: one place with one address; of its views only the chosen one is computed.

A page is a file of ``pages/``. What belongs together is one page with views: the scripts in the folder of the same
name, in the order of their numbers, each with a question of its own. A new view is one file there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import NamedTuple

import streamlit as st

from nlpviz.data import DataError
from nlpviz.discovery.read_once import ReadOnce
from nlpviz.runs import RunError
from nlpviz.runs.folders import NO_RUNS
from nlpviz.ui import address, cache, frame, glossary, palette, plotly_view, report, texts, tour_bar
from nlpviz.ui.search_terms import also_called

_PARAMETER = "view"


class View(NamedTuple):
    """One view of a page.

    Attributes:
        slug: its name in the address, for example ``"top-n-grams"``.
        title: what people read, for example ``"Top n-grams"``.
        file: its script.
    """

    slug: str
    title: str
    file: Path


def views_of(page: Path) -> list[View]:
    """Return the views of a page in the order of their numbers; none of a page that is a single view."""
    folder = page.with_suffix("")
    return _views_in(folder) if folder.is_dir() else []


@ReadOnce
def _views_in(folder: Path) -> list[View]:
    files = sorted(folder.glob("[0-9]*_*.py"))
    titles = [frame.page_name(file) for file in files]
    return [View(title.lower().replace(" ", "-"), title, file) for title, file in zip(titles, files, strict=True)]


@contextmanager
def page(docstring: str | None, file: str) -> Iterator[None]:
    """Hold a page that is a single view, from its title to its end: the first statement of its script.

    What is wrong with a run or a corpus becomes one sentence, with which the page ends.
    """
    with address.kept(frame.page_name(Path(file))), cache.listed_once():
        tour_bar.enter()
        _begin(frame.page_name(Path(file)))
        frame.ask(docstring or frame.page_name(Path(file)))
        _say_if_no_run()
        with _explained():
            yield
            report.offer((docstring or "").partition("\n")[0], frame.page_name(Path(file)))


def show(file: str) -> None:
    """Show a page that has views: the control that chooses one, and the chosen one."""
    name, there = frame.page_name(Path(file)), views_of(Path(file))
    key, slugs = f"view of {name}", [view.slug for view in there]
    titles = {view.slug: view.title for view in there}
    with address.kept(name), cache.listed_once():
        tour_bar.enter()
        chosen = there[slugs.index(address.read_view(key, _PARAMETER, slugs))]
        _begin(chosen.title, name, view=chosen.slug)
        with st.container(key="nlpviz_views"):
            st.segmented_control(
                f"{name}: views", slugs, format_func=titles.__getitem__, key=key, required=True,
                label_visibility="collapsed", persist_state="session",
            )  # fmt: skip
        address.write(key, _PARAMETER, [chosen.slug], slugs[:1])
        docstring, code = _compiled(chosen.file)
        frame.ask(docstring)
        _say_if_no_run()
        with _explained():
            exec(code, {"__name__": "__view__", "__file__": str(chosen.file)})
            report.offer(docstring.partition("\n")[0], f"{name}: {chosen.title}")


def _begin(*names: str, view: str = "") -> None:
    """Draw what stands over every page, and the tour under it; the captions of its figures lead to the glossary."""
    plotly_view.link_terms(glossary.linked())
    frame.begin_page(*names)
    there = places()
    palette.show(there, tour_bar.beginnings(), texts.restore, texts.restore_all)
    tour_bar.show(names[-1], view, there)


def _say_if_no_run() -> None:
    """Say where trained runs come from if there are none."""
    if not cache.runs() and not cache.problems():
        st.info(NO_RUNS)


def places() -> dict[str, list[palette.Place]]:
    """Return the pages by name, each with its views."""
    result = {}
    for file in frame.page_files():
        name = frame.page_name(file)
        result[name] = [
            palette.Place("Page", f"{name}: {one.title}", name, {"view": one.slug}, also_called(name, one.slug))
            for one in views_of(file)
        ] or [palette.Place("Page", name, name, {}, also_called(name))]
    return result


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (RunError, DataError) as error:
        frame.explain_error(str(error))


@ReadOnce
def _compiled(file: Path) -> tuple[str, CodeType]:
    """Return the question of a view with its sentence, and its code."""
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    return ast.get_docstring(tree) or frame.page_name(file), compile(tree, str(file), "exec")
