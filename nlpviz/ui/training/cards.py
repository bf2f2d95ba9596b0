"""The card of a run, as its folder holds it: what the model is, how it was made, what it must not be used for."""

from __future__ import annotations

import re

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
        st.markdown(_closed_up(text).replace("![", "!\\["))


def _closed_up(card: str) -> str:
    """Return a card in the type of the pages: cards of earlier trainings have ``95 %`` and ``-0.66``."""
    return re.sub(r"(?<![\w`-])-(?=\d)", "−", re.sub(r"(?<=\d) %", "%", card))
