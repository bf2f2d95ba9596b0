"""What a visitor chooses of codes: a map, the text that a walk leads to, a unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.analysis.projections import MapSettings, projectors, title_of
from nlpviz.data.examples import examples
from nlpviz.results.codes import UnitTopic, ranked_units
from nlpviz.runs import Run
from nlpviz.runs.codes import CODES
from nlpviz.runs.documents import documents_of
from nlpviz.ui import classes, limits, texts, widgets
from nlpviz.ui.frame import messages

OWN = "own"


class End(NamedTuple):
    """The text that a walk leads to: what it is called, and what it says."""

    name: str
    text: str


def pick_map(run: Run) -> MapSettings:
    """Return which stored maps are shown: codes of two numbers as they are, longer ones projected."""
    names = [CODES] if run.config["latent"] == 2 else list(projectors())[::-1]
    return MapSettings(widgets.pick("map", "Map", names, title_of), 2, run.surveyed)


def pick_end(run: Run) -> End | None:
    """Return the text that the walk leads to: an example, a test document, or one that the visitor types.

    What is typed stays in the session; None where there is no text, which the page has said.
    """
    ready = {one.id: one for one in examples(run.corpus["name"])}
    kept = documents_of(run).ids
    options = [*list(ready)[1:], *list(ready)[:1], *kept, OWN]

    def named(key: str) -> str:
        return ready[key].title if key in ready else "Your own second text" if key == OWN else key

    chosen = widgets.pick("to", "Walk to", options, named)
    if chosen in ready:
        return End(ready[chosen].title, ready[chosen].text)
    if chosen != OWN:
        text = texts.document_text(run, chosen)
        return None if text is None else End(chosen, text)
    with st.popover("Second text", icon=":material/edit_note:", width="stretch"):
        typed = st.text_area(
            f"Second {classes.document(run)}", key="second_text", persist_state="session",
            max_chars=limits.most_characters(), height=110,
            placeholder="Type or paste a text. Links do not include it.",
        )  # fmt: skip
    read = texts.readable(typed)
    if not read.strip():
        messages().info("The second text is empty. Type a text, or choose an example.")
        return None
    return End("your second text", read)


def start_name(run: Run) -> str:
    """Return what the text in the bar is called, where a walk begins."""
    return texts.document(run) or "the text in the bar"


def pick_unit(topics: Sequence[UnitTopic]) -> int:
    """Return the unit that the visitor chose, at first the one that says most."""
    order = [str(topic.unit) for topic in ranked_units(topics)]
    return int(widgets.pick("unit", "Unit", order, lambda key: _unit_name(topics[int(key)])))


def _unit_name(topic: UnitTopic) -> str:
    words = ", ".join(word for word, _ in topic.up[:2])
    said = "" if topic.divergence is None else f", KL {topic.divergence:.2f}"
    return f"{topic.unit}: {words}{said}" if topic.active else f"{topic.unit}: not active{said}"
