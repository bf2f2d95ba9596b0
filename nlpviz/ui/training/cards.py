"""The card of a run, as its folder holds it: what the model is, how it was made, what it must not be used for."""

from __future__ import annotations

import streamlit as st

from nlpviz.runs import Run
from nlpviz.ui.training import headlines

_CARD = "README.md"


def show(run: Run) -> None:
    """Show the card under the page's own title; an image in it, which could be on another host, is not shown."""
    headlines.show(run)
    _, _, text = run.file(_CARD).read_text(encoding="utf-8").partition("\n")
    st.caption(f"On the command line: `{run.name}`")
    with st.container(key="nlpviz_card"):
        st.markdown(text.replace("![", "!\\["))
