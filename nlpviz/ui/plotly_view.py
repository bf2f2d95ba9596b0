"""The one way in which the pages draw a Plotly figure.

A Streamlit component round ``Plotly.react``, because ``st.plotly_chart`` loses zoom and camera whenever a
figure changes, and hears no click in three dimensions. The menu at each figure's corner holds its provenance
and what can be exported: PNG, SVG, HTML, CSV, a table, code, a link. plotly.js comes from this server, from no other.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import streamlit as st

from nlpviz.server import PLOTLY
from nlpviz.ui import report

if TYPE_CHECKING:  # what makes a figure is not needed to make the browser ask for plotly.js
    from numpy.typing import NDArray

    from nlpviz.figures.view import FigureView
    from nlpviz.ui.calls import Call

_HERE = Path(__file__).parent
_PACKED = {"i8": "f8", "u8": "f8", "f2": "f4", "f16": "f8"}  # for these JavaScript has no array of its own
_SCRIPTS = (
    "plotly_view.js", "plotly_fit.js", "plotly_paint.js", "plotly_play.js", "plotly_take_away.js", "plotly_code.js",
    "../figures/mode_bar.js", "../figures/recolour.js",
    "plotly_links.js", "plotly_lasso.js", "picture.js", "clock.js", "corner_menu.js", "../figures/frames.js",
)  # fmt: skip
_PLACES: ContextVar[Iterator[int]] = ContextVar("places", default=count())  # noqa: B039 - one for all is right
"""Numbers what is shown on a page, in the thread in which its script runs; without a page all have one count."""
_TYPE: ContextVar[float] = ContextVar("type", default=1)
"""By how much type is larger than it was designed, in the thread in which a page's script runs."""
_TERMS: dict[str, str] = {}  # of the glossary: the same for every visitor

_mount = st.components.v2.component(
    "nlpviz_figure",
    js="\n".join((_HERE / script).read_text(encoding="utf-8") for script in _SCRIPTS),
    css="\n".join((_HERE / sheet).read_text(encoding="utf-8") for sheet in ("plotly_view.css", "corner_menu.css")),
    isolate_styles=False,  # plotly.js writes its own styles into the document's head
)


def show(
    view: FigureView | Call[FigureView],
    *,
    key: str,
    on_click: Callable[[str], object] | None = None,
    on_frame: Callable[[str], object] | None = None,
    title: str = "",
) -> None:
    """Draw ``view``, with the menu at its corner.

    The element is kept as long as ``key`` stays: zoom and camera survive a change of colour or epoch, and the
    points of a scatter of up to 5,000 move to their new places. Where the old zoom means nothing (another
    projection), give the figure's layout another ``uirevision`` to begin anew.

    Args:
        view: the figure and what accompanies it, or the call that draws it, which is then offered as code.
        key: names the element on its page; without two underscores in a row.
        on_click: called with the ``customdata`` id of a clicked point, as text, before the page runs again.
        on_frame: called with the value of the frame at which a figure that plays was left, before the page runs
            again; without it the page does not run, and the frame stays with the visitor alone.
        title: over the pictures that a visitor takes away; by default the heading under which the figure stands.
    """

    def clicked() -> None:
        identifier = st.session_state[key].get("clicked")
        if on_click is not None and identifier is not None:
            on_click(str(identifier))

    def left() -> None:
        said = st.session_state[key].get("frame")
        if on_frame is not None and isinstance(said, dict) and "value" in said:
            on_frame(str(said["value"]))

    view, code = _drawn(view)
    report.note_figure(view, key)
    data = _payload(view, on_click is not None)
    if title:
        data["title"] = title
    if code:
        data["code"] = code
    if view.frames:
        data["playback"] = view.frames | {"heard": on_frame is not None}
    _mount(key=key, data=data, on_clicked_change=clicked, on_frame_change=left)


def show_looped(
    view: FigureView | Call[FigureView],
    *,
    key: str,
    on_click: Callable[[str], object],
    on_loop: Callable[[str], object],
) -> None:
    """Draw ``view`` as :func:`show` does; dragging draws a loop round points.

    Args:
        view: a flat scatter, and what accompanies it.
        key: names the element on its page.
        on_click: called with the ``customdata`` id of a clicked point, as text, before the page runs again.
        on_loop: called with the corners of the loop, ``"x,y x,y …"`` in the units of the axes.
    """

    def heard(name: str, tell: Callable[[str], object]) -> Callable[[], None]:
        def hear() -> None:
            if (said := st.session_state[key].get(name)) is not None:
                tell(str(said))

        return hear

    view, code = _drawn(view)
    report.note_figure(view, key)
    data = _payload(view, clickable=True) | {"lasso": True}
    if code:
        data["code"] = code
    _mount(key=key, data=data, on_clicked_change=heard("clicked", on_click), on_looped_change=heard("looped", on_loop))


def _drawn(view: FigureView | Call[FigureView]) -> tuple[FigureView, str]:
    """Return a figure and its code; a call is made once for all visitors, and a figure by itself has no code."""
    from nlpviz.ui.cache import drawn
    from nlpviz.ui.calls import Call

    return drawn(view) if isinstance(view, Call) else (view, "")


def fetch_early() -> None:
    """Make the browser fetch plotly.js while the page still computes its figure; the page begins."""
    _PLACES.set(count())
    _mount(key="nlpviz_fetch", data={"plotly": PLOTLY, "terms": list(_TERMS.items())})


def enlarge(factor: float) -> None:
    """Let the type of this page's figures be larger by ``factor``, as all its type is."""
    _TYPE.set(factor)


def place() -> int:
    """Return a number that nothing else on this page has: a key comes from the place, not from the words."""
    return next(_PLACES.get())


def link_terms(terms: Mapping[str, str]) -> None:
    """Let these words, wherever they stand in a caption, lead to their entries in the glossary.

    Args:
        terms: words with the ``term`` by which the address of the glossary names each.
    """
    if terms != _TERMS:  # they are the same for all visitors, whose threads read them
        _TERMS.clear()
        _TERMS.update(terms)


def text_is_private(text: str) -> None:
    """Let the links of this page say that the text a visitor typed is not in them, and offer to include it.

    It then stands in the fragment of the link, ``#text=`` in base64url of UTF-8, which browsers send to no server.
    Call it once in a run of the page, where a typed text is shown.
    """
    _mount(key="nlpviz_private_text", data={"plotly": PLOTLY, "privateText": text})


def _payload(view: FigureView, clickable: bool) -> dict[str, Any]:
    """Return what the browser needs to draw ``view``: JSON, its arrays as base64 typed arrays."""
    from nlpviz.figures.theme import OF_THE_PAGE, ON_DARK

    return {
        "plotly": PLOTLY,
        "figure": view.json,
        "onDark": ON_DARK,
        "ofThePage": OF_THE_PAGE,
        "alt": view.alt,
        "caption": view.caption,
        "name": view.name,
        "table": [{"heading": heading, "column": _column(values)} for heading, values in view.table.items()],
        "clickable": clickable,
        "type": _TYPE.get(),
    }


def _column(values: Sequence[object] | NDArray[Any]) -> object:
    """Return a column of the table: numbers packed as plotly.js packs them, all else as a plain list."""
    import numpy as np

    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        own = f"{values.dtype.kind}{values.dtype.itemsize}"
        name = _PACKED.get(own, own)
        packed = base64.b64encode(values.astype(f"<{name}").tobytes()).decode("ascii")
        return {"dtype": name, "bdata": packed}
    # orjson writes null for what JSON has no word for, such as NaN
    return orjson.loads(orjson.dumps(list(values), default=str, option=orjson.OPT_SERIALIZE_NUMPY))
