"""The palette: Ctrl-K finds pages, tours, runs, words and terms, and goes there without a new session.

It also hears what the browser alone knows: the text that a link brings along in its fragment, which no server is sent,
and the number of a tab that was reloaded and what was typed in it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from nlpviz.run_kinds.drawn.excerpts import beginning
from nlpviz.ui import cache, frame, glossary, tab, texts, typed_texts

_HERE = Path(__file__).parent
_PARAMETERS = ("view", "run", "term", "word", "analogy", "list")
_LONGEST, _BEGINS = 200, 60
_READERS = {
    typed_texts.REVIEW: ("One review", "text"),
    typed_texts.BEGINNING: ("Language models", "text"),
    typed_texts.TREE: ("Trees", "sentence"),
}
"""Where the visitor's texts are read, by their purpose: a page, and its parameter that selects them."""
_TYPED = "typed"  # in what the browser names: a purpose and the text's place; never in an address

_mount = st.components.v2.component(
    "nlpviz_palette",
    js=(_HERE / "palette.js").read_text(encoding="utf-8"),
    css=(_HERE / "palette.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


class Place(NamedTuple):
    """Where the palette can lead.

    Attributes:
        kind: ``"Page"``, ``"Your text"``, ``"Tour"``, ``"Run"`` or ``"Glossary"``.
        label: what people read and search.
        page: its name in the menu.
        query: the parameters of its address.
        also: other names under which it is found, with bars between them; empty for none.
    """

    kind: str
    label: str
    page: str
    query: dict[str, str]
    also: str = ""


class TourStart(NamedTuple):
    """Where a tour begins.

    Attributes:
        title: what people read and search.
        page: of the first step, by its name in the menu.
        query: the parameters of its address.
    """

    title: str
    page: str
    query: Mapping[str, Sequence[str]]


def show(
    pages: Mapping[str, list[Place]],
    tours: Mapping[str, TourStart],
    on_text: Callable[[str], object],
    on_typed: Callable[[str], object],
) -> None:
    """Put the palette on the page; the page ends here where a visitor has chosen a place in it.

    Args:
        pages: the places of each page, by its name in the menu.
        tours: by their names in an address.
        on_text: called with the text that a link's fragment holds.
        on_typed: called with what the tab has kept of :func:`nlpviz.ui.typed_texts.stored`, when it was reloaded.
    """

    def brought(name: str) -> Callable[[], None]:
        take = {"text": on_text, "tab": tab.restore, "typed": on_typed}[name]

        def hear() -> None:
            value = st.session_state[_KEY].get(name)
            if isinstance(value, str):
                take(value)

        return hear

    runs = cache.runs()
    data = {
        "places": [place._asdict() for there in pages.values() for place in there]
        + [place._asdict() for place in _own_texts() if place.page in pages]
        + [Place("Tour", tour.title, "Tours", {"tour": slug})._asdict() for slug, tour in tours.items()],
        "runs": _runs(tuple(runs), tuple(map(attrgetter("title"), runs.values()))),
        "terms": _terms(),
        "pages": list(pages),
        "tab": tab.number(),
        "typed": typed_texts.stored(),
    }
    result = _mount(
        key=_KEY, data=data, on_go_change=_nothing, on_text_change=brought("text"), on_tab_change=brought("tab"),
        on_typed_change=brought("typed"),
    )  # fmt: skip
    _go(result.get("go"), tours)


_KEY = "nlpviz_palette"


def _nothing() -> None:
    """A place was chosen: the page leads there when it runs."""


def _go(chosen: object, tours: Mapping[str, TourStart] | None = None) -> None:
    """Lead to the place that the browser names, if it is a page or a tour."""
    if not isinstance(chosen, dict) or not isinstance(chosen.get("page"), str):
        return
    query = chosen.get("query")
    asked = query.items() if isinstance(query, dict) else ()
    tour = (tours or {}).get(str(query.get("tour"))) if isinstance(query, dict) else None
    file = frame.page_file(tour.page if tour else chosen["page"][:_LONGEST])
    if file is not None and tour:
        st.switch_page(file, query_params=dict(tour.query))
    elif file is not None:
        kept = {str(name): str(value)[:_LONGEST] for name, value in asked if name in _PARAMETERS}
        purpose, _, place = str(dict(asked).get(_TYPED, "")).rpartition(" ")
        if purpose in _READERS:
            typed_texts.taken(purpose, typed_texts.OLDER + place)
            kept |= {_READERS[purpose][1]: texts.OWN}
        st.switch_page(file, query_params=kept)


def _own_texts() -> list[Place]:
    """Return the visitor's texts, found by their first words and by any of their words."""
    found = []
    for purpose, (page, _) in _READERS.items():
        for place, text in enumerate(typed_texts.kept(purpose)):
            if begins := beginning(text, _BEGINS):
                query = {_TYPED: f"{purpose} {place}"}
                found.append(Place("Your text", f"“{begins}”", page, query, text[:_LONGEST].replace("|", " ")))
    return found


# Runs and terms are hundreds, and the same in every run of every page: the browser gets them as JSON that is kept.
@functools.lru_cache(maxsize=4)
def _runs(names: tuple[str, ...], titles: tuple[str, ...]) -> str:
    places = [
        Place("Run", title, "Models", {"run": name}, name)._asdict() for name, title in zip(names, titles, strict=True)
    ]
    return json.dumps(places)


@functools.cache
def _terms() -> str:
    terms = [Place("Glossary", term.name, "Glossary", {"term": term.slug})._asdict() for term in glossary.terms()]
    return json.dumps(terms)
