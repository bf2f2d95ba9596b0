"""A coloured text, and what can be taken away of it: a picture (PNG, SVG) or the text with its colours, to be pasted.

The picture is drawn in the browser from what is on the page: words, colours and lines stand as the visitor sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from nlpviz.ui import plotly_view, report

_HERE = Path(__file__).parent


class MomentText(NamedTuple):
    """A coloured text at one moment, with caption and name of its files as :func:`show` takes them."""

    html: str
    caption: str
    name: str


_mount = st.components.v2.component(
    "nlpviz_coloured_text",
    js="\n".join(
        (_HERE / script).read_text(encoding="utf-8")
        for script in ("coloured_text.js", "picture.js", "clock.js", "corner_menu.js")
    ),
    css="\n".join((_HERE / sheet).read_text(encoding="utf-8") for sheet in ("coloured_text.css", "corner_menu.css")),
    isolate_styles=False,  # it reads the text that stands over it
)


def show_moments(
    moments: Mapping[str, MomentText], shown: str, clock: str, *, on_click: Callable[[str], object] | None = None
) -> None:
    """Show a coloured text at one of several moments: at the one that its clock shows.

    Args:
        moments: what is shown, by the value of its frame in the figure that leads (:mod:`nlpviz.figures.moments`).
        shown: the moment to begin with.
        clock: what text and figures share.
        on_click: as for :func:`show`.
    """
    blocks = (
        f'<div data-moment="{escape(value, quote=True)}"{" hidden" * (value != shown)}>{one.html}</div>'
        for value, one in moments.items()
    )
    said = {value: {"caption": one.caption, "name": one.name} for value, one in moments.items()}
    _show("".join(blocks), {"clock": clock, "shown": shown, "moments": said}, on_click)


def show(
    html: str, *, caption: str, name: str, on_click: Callable[[str], object] | None = None, edits: bool = False
) -> None:
    """Show a coloured text with its key, and at its corner the menu of what can be exported.

    Args:
        html: the text and the key to its colours; every piece of text in it is escaped.
        caption: where it comes from, as :func:`nlpviz.figures.view.provenance` writes it.
        name: of its files, without an ending.
        on_click: called with the ``data-id`` of a clicked word, before the page runs again. A control must offer the
            same choice, for words cannot be reached by keyboard.
        edits: whether a click elsewhere on it opens the view's text, to be edited in its place.
    """
    _show(html, {"caption": caption, "name": name, "editable": edits}, on_click)


def _show(html: str, about: Mapping[str, object], on_click: Callable[[str], object] | None) -> None:
    report.note_html(html)
    st.html(html)
    key = f"nlpviz_coloured_text_{plotly_view.place()}"

    def clicked() -> None:
        identifier = st.session_state[key].get("clicked")
        if on_click is not None and identifier is not None:
            on_click(str(identifier))

    _mount(key=key, data={**about, "clickable": on_click is not None}, on_clicked_change=clicked)
