"""A page as one HTML file: what it says, draws and lists is noted as it is shown, and written when a visitor asks."""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from nlpviz.ui.page_parts import Heard, PagePart, listen

if TYPE_CHECKING:  # what draws is not needed before a figure is there
    from nlpviz.figures.page import Section
    from nlpviz.figures.view import FigureView

_HEARD: ContextVar[tuple[Heard, Callable[[], None]] | None] = ContextVar("heard", default=None)
"""What was shown so far, in the thread in which a page's script runs; None where no page does, as in a fragment."""

_NOT_OF_NUMBERS = {"view", "tour", "step", "guess", "present"}
"""Parameters of an address that say nothing of what is computed."""


class PageFile(NamedTuple):
    """What a page shows.

    Attributes:
        title: its question.
        parts: from top to bottom.
    """

    title: str
    parts: list[PagePart]


_COLLECTED: list[PageFile] | None = None
"""What pages show, for a program that runs them without a browser; None in the app."""


@contextmanager
def collecting() -> Iterator[list[PageFile]]:
    """Collect what pages show instead of offering it; for a program that runs them one after the other."""
    global _COLLECTED  # noqa: PLW0603 - a page's script runs in a thread of its own
    _COLLECTED = []
    try:
        yield _COLLECTED
    finally:
        _COLLECTED = None


def begin() -> None:
    """Begin anew: a page's script runs."""
    heard = Heard()
    _HEARD.set((heard, listen(heard)))


def leave_out(parameter: str) -> None:
    """Let no file name a parameter of an address that says nothing of what is computed, such as what is folded."""
    _NOT_OF_NUMBERS.add(parameter)


def note_figure(view: FigureView, key: str) -> None:
    """Note a figure that is shown next; its key names it."""
    _follow(PagePart(figure=view, key=key))


def note_html(html: str) -> None:
    """Note a coloured text that is shown next; every piece of text in it is escaped."""
    _follow(PagePart(html=html))


def offer(title: str, place: str) -> None:
    """Offer the page as one file, if it shows a figure or a coloured text; the page ends.

    Args:
        title: its question.
        place: where it is: the names of page and view.
    """
    heard = _HEARD.get()
    _HEARD.set(None)  # a fragment that runs later, perhaps in the same thread, draws what stands there already
    if heard is None:
        return
    heard[1]()
    if _COLLECTED is not None:
        _COLLECTED.append(PageFile(title, heard[0].parts()))
        return
    if not heard[0].draws():
        return
    asked = [name for name in st.query_params if name not in _NOT_OF_NUMBERS]
    said = ", ".join(f"{name} {' '.join(st.query_params.get_all(name))}" for name in asked)
    source = f"{place}{f' ({said})' if said else ''}"
    name = "-".join(["nlpviz", *place.lower().replace(":", "").split()])
    st.download_button(
        "Download this page (HTML)", data=_writing(title, source, heard[0]), file_name=f"{name}.html",
        mime="text/html", on_click="ignore", icon=":material/download:", type="tertiary",
        help="The figures in the file stay interactive offline. Texts that you typed are included if they "
        "appear on the page.",
    )  # fmt: skip


def _writing(title: str, source: str, heard: Heard) -> Callable[[], str]:
    """Return what writes the file when it is asked for."""

    def write() -> str:
        from nlpviz import __version__
        from nlpviz.figures.page import page_html

        return page_html(title, list(map(section, heard.parts())), f"{source} · nlpviz {__version__}", fonts())

    return write


def section(part: PagePart) -> Section:
    """Return a part of a page as a part of a file."""
    from nlpviz.figures.page import Section

    columns = [(share, list(map(section, inside))) for share, inside in part.columns]
    return Section("", [part.html] if part.html else [], [part.figure] if part.figure else [], columns)


@functools.cache
def fonts() -> str:
    """Return rules in CSS that hold the pages' font; empty where Streamlit brings no such file."""
    rules = []
    for style, name in (("normal", "SourceSansVF-Upright.*.woff2"), ("italic", "SourceSansVF-Italic.*.woff2")):
        for file in sorted(Path(st.__file__).with_name("static").rglob(name))[:1]:
            data = base64.b64encode(file.read_bytes()).decode()
            rules.append(
                f'@font-face{{font-family:"Source Sans";font-weight:200 900;font-style:{style};'
                f"src:url(data:font/woff2;base64,{data})}}"
            )
    return "".join(rules)


def _follow(part: PagePart) -> None:
    heard = _HEARD.get()
    if heard is not None:
        heard[0].follow(part)
