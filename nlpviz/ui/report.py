"""A page as one HTML file: what it says and draws is noted as it is shown, and written when a visitor asks for it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

if TYPE_CHECKING:  # what draws is not needed before a figure is there
    from nlpviz.figures.view import FigureView


class _Part(NamedTuple):
    """What stands on a page: HTML, every text in it escaped, or a figure."""

    html: str = ""
    figure: FigureView | None = None


_PARTS: ContextVar[list[_Part] | None] = ContextVar("parts", default=None)
"""What was shown so far, in the thread in which a page's script runs; None where no page does, as in a fragment."""

_NOT_OF_NUMBERS = ("view", "tour", "step", "guess", "present")
"""Parameters of an address that say nothing of what is computed."""


def begin() -> None:
    """Begin anew: a page's script runs."""
    _PARTS.set([])


def note_figure(view: FigureView) -> None:
    """Note a figure that is shown."""
    _note(_Part(figure=view))


def note_html(html: str) -> None:
    """Note a coloured text that is shown; every piece of text in it is escaped."""
    _note(_Part(html=html))


def note_sentence(markdown: str) -> None:
    """Note an answer in words: its Markdown stands in the file as it is read, without its signs."""
    from nlpviz.figures.tokens import literal

    plain = _unescaped(markdown)
    _note(_Part(html=f"<p>{literal(plain)}</p>"))


def offer(title: str, place: str) -> None:
    """Offer the page as one file, if it shows a figure or a coloured text; the page ends.

    Args:
        title: its question.
        place: where it is: the names of page and view.
    """
    parts = _PARTS.get() or []
    _PARTS.set(None)  # a fragment that runs later, perhaps in the same thread, draws what stands there already
    if not parts:
        return
    asked = [name for name in st.query_params if name not in _NOT_OF_NUMBERS]
    said = ", ".join(f"{name} {' '.join(st.query_params.get_all(name))}" for name in asked)
    source = f"{place}{f' ({said})' if said else ''}"
    name = "-".join(["nlpviz", *place.lower().replace(":", "").split()])
    st.download_button(
        "This page as one HTML file", data=_writing(title, source, parts), file_name=f"{name}.html",
        mime="text/html", on_click="ignore", icon=":material/download:", type="tertiary",
        help="Its figures stay alive without a network. A text that you typed is in it where the page shows it.",
    )  # fmt: skip


def _writing(title: str, source: str, parts: list[_Part]) -> Callable[[], str]:
    """Return what writes the file when it is asked for."""

    def write() -> str:
        from nlpviz import __version__
        from nlpviz.figures.page import Section, page_html
        from nlpviz.figures.tokens import literal

        sections = [
            Section(
                "", [one.html] if one.figure is None else [f"<p>{literal(one.figure.alt)}</p>"], list(_figures(one))
            )
            for one in parts
        ]
        return page_html(title, sections, f"{source} · nlpviz {__version__}")

    return write


def _figures(part: _Part) -> list[FigureView]:
    return [] if part.figure is None else [part.figure]


def _note(part: _Part) -> None:
    parts = _PARTS.get()
    if parts is not None:
        parts.append(part)


def _unescaped(markdown: str) -> str:
    """Return Markdown as it is read: without emphasis, and each escaped sign as itself."""
    read, escaped = [], False
    for sign in markdown:
        if escaped or sign not in "\\*`":
            read.append(sign)
        escaped = sign == "\\" and not escaped
    return "".join(read).replace("\u2060", "")
