"""A text field that completes what is typed from a long list, searched in the browser.

Streamlit's select box puts every option that matches into the page: among ten thousand words the first letter blocks
the tab for seconds. Here the field is Streamlit's own text field, and a component beside it shows at most eight matches
(combobox with a list box, WAI-ARIA Authoring Practices 1.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "nlpviz_completion",
    js=(_HERE / "completion.js").read_text(encoding="utf-8"),
    css=(_HERE / "completion.css").read_text(encoding="utf-8"),
    isolate_styles=False,  # the field that it belongs to must find the list by its id
)

_LONGEST = 2_000  # characters


def field(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    placeholder: str,
    shown: Sequence[str] | None = None,
    free: bool = True,
    on_change: Callable[[], None] | None = None,
) -> str:
    """Return what stands in the field, without white space round it.

    Args:
        label: what people read over the field.
        options: what it completes, the likeliest first; put into the session under ``key`` as text.
        key: of the text field, whose value the caller may set before it is drawn.
        placeholder: an example.
        shown: what people read and search for an option; by default the option itself.
        free: whether anything else may be typed; if not, Enter takes the first match.
        on_change: is called when the visitor changed it.
    """
    typed = st.text_input(
        label, key=key, persist_state="session", placeholder=placeholder, autocomplete="off", on_change=on_change,
        max_chars=_LONGEST,
    )  # fmt: skip
    data = {"field": key, "options": list(options), "shown": None if shown is None else list(shown), "free": free}
    _mount(key=f"nlpviz_completion_{key}", data=data)
    return " ".join((typed or "").split())
