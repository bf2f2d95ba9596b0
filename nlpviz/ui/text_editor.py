"""The text of a view, typed where it is shown: a chip in the bar opens the box in place of the coloured text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from nlpviz.ui import frame

_mount = st.components.v2.component(
    "nlpviz_text_editor",
    js=Path(__file__).with_name("text_editor.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@contextmanager
def place(quoted: str, label: str, *, own: bool) -> Iterator[None]:
    """Hold the box and what else chooses a text, under the bar; it is hidden until the chip or the text is clicked.

    Args:
        quoted: the beginning of the text, which the chip shows.
        label: what the chip does.
        own: whether the visitor typed the text; any other is selected, to be written over.
    """
    with st.container(key="nlpviz_text_chip"):
        _mount(key="nlpviz_text_chip_button", data={"quoted": quoted, "label": label, "own": own})
    with frame.under_the_bar(), st.container(key="nlpviz_editor", gap="small"):
        yield
