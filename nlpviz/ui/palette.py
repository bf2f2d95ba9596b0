"""The palette: Ctrl-K finds pages, runs and words of the glossary, and goes there without a new session.

It also hears what the browser alone knows: the text that a link brings along in its fragment, which no server is sent,
and the number of a tab that was reloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from nlpviz.ui import cache, frame, glossary, tab

_HERE = Path(__file__).parent
_PARAMETERS = ("view", "run", "term")
_LONGEST = 200

_mount = st.components.v2.component(
    "nlpviz_palette",
    js=(_HERE / "palette.js").read_text(encoding="utf-8"),
    css=(_HERE / "palette.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


class Place(NamedTuple):
    """Where the palette can lead.

    Attributes:
        kind: ``"Page"``, ``"Run"`` or ``"Glossary"``.
        label: what people read and search.
        page: its name in the menu.
        query: the parameters of its address.
    """

    kind: str
    label: str
    page: str
    query: dict[str, str]


def show(pages: Mapping[str, list[Place]], on_text: Callable[[str], object]) -> None:
    """Put the palette on the page; the page ends here where a visitor has chosen a place in it.

    Args:
        pages: the places of each page, by its name in the menu.
        on_text: called with the text that a link's fragment holds.
    """

    def brought(name: str) -> Callable[[], None]:
        take = {"text": on_text, "tab": tab.restore}[name]

        def hear() -> None:
            value = st.session_state[_KEY].get(name)
            if isinstance(value, str):
                take(value)

        return hear

    places = [place._asdict() for there in pages.values() for place in there] + _runs() + _terms()
    data = {"places": places, "pages": list(pages), "tab": tab.number()}
    result = _mount(
        key=_KEY, data=data, on_go_change=_nothing, on_text_change=brought("text"), on_tab_change=brought("tab")
    )
    _go(result.get("go"))


_KEY = "nlpviz_palette"


def _nothing() -> None:
    """A place was chosen: the page leads there when it runs."""


def _go(chosen: object) -> None:
    """Lead to the place that the browser names, if it is a page."""
    if not isinstance(chosen, dict) or not isinstance(chosen.get("page"), str):
        return
    query = chosen.get("query")
    asked = query.items() if isinstance(query, dict) else ()
    file = frame.page_file(chosen["page"][:_LONGEST])
    if file is not None:
        kept = {str(name): str(value)[:_LONGEST] for name, value in asked if name in _PARAMETERS}
        st.switch_page(file, query_params=kept)


def _runs() -> list[dict[str, object]]:
    """Return the places of runs, of which there may be hundreds: as what the browser gets."""
    return [
        {"kind": "Run", "label": f"{run.title} ({name})", "page": "Models", "query": {"run": name}}
        for name, run in cache.runs().items()
    ]


def _terms() -> list[dict[str, object]]:
    return [Place("Glossary", term.name, "Glossary", {"term": term.slug})._asdict() for term in glossary.terms()]
