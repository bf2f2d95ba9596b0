"""Where the text of a page comes from: an example, a document of the run's corpus, or the visitor's own words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.data import Corpus, CorpusMissing, DataError, corpus_named
from nlpviz.data.examples import examples
from nlpviz.data.files import fetch
from nlpviz.figures.tokens import blanked
from nlpviz.runs import Run
from nlpviz.ui import address, cache, widgets
from nlpviz.ui.frame import escape_markdown, explain_error

OWN = "own"
LONGEST = 200_000
"""Characters of a text: issues in which people paste 100,000 are to be read, and each text is kept by the caches."""


def pick_example() -> str:
    """Return the id of the example that the visitor chose, or :data:`OWN`."""
    titles = {example.id: example.title for example in examples()} | {OWN: "Your own words"}
    return widgets.pick("example", "Example", list(titles), titles.__getitem__, _forget_document)


def text_to_explain(run: Run, example: str) -> str:
    """Return the text in the box, which starts with the example or with the document that the address names.

    What a visitor types stays in the session: it never gets into an address.
    """
    document = st.query_params.get("doc")
    text = document_text(run, document) if document else None
    source = example if text is None else f"document {document}"
    if text is None:
        text = {example.id: example.text for example in examples()}.get(example)
        if document:
            st.info(f"What is shown here is of the text in the box, not of {escape_markdown(document)}.")
    if text is not None and st.session_state.get("text_source") != source:
        st.session_state["text"] = text
        address.text_changed()
    st.session_state["text_source"] = source
    typed = st.text_area(
        "Text: type or paste a review",
        key="text",
        persist_state="session",
        on_change=_typed,
        height=104,
        max_chars=LONGEST,
        placeholder="For example: not bad, quite good",
    )
    return readable(typed)


def readable(typed: str | None) -> str:
    """Return what was typed with a space for each character that cannot be shown, and say on the page how many."""
    text, count = blanked(typed or "")
    if count:
        what = "character" if count == 1 else "characters"
        st.info(f"Read as spaces: {count:,} control or damaged {what}, which no page can show.")
    return text


def document_text(run: Run, document: str) -> str | None:
    """Return the text of a document; None, with the reason on the page, where it cannot be had."""
    try:
        return cache.document_text(run.corpus["name"], document)
    except CorpusMissing:
        _offer(corpus_named(run.corpus["name"]))
    except DataError as error:
        explain_error(str(error))
    return None


def _offer(corpus: Corpus) -> None:
    """Offer to download the corpus, with its terms; nothing is fetched unless the visitor asks."""
    st.info(
        f"Texts are not part of nlpviz. The review can be read here once {escape_markdown(corpus.title)} is on this "
        f"machine: {corpus.size / 2**20:.0f} MiB from {escape_markdown(corpus.url)}. "
        f"{escape_markdown(corpus.licence)}"
    )
    if not st.button(f"Download {corpus.size / 2**20:.0f} MiB", key=f"fetch_{corpus.name}"):
        return
    bar = st.progress(0.0, text="Asking for the file")
    try:
        fetch(corpus, lambda arrived, size: _advance(bar, arrived, size))
    except DataError as error:
        explain_error(str(error))
        return
    st.rerun()


def _advance(bar: st.delta_generator.DeltaGenerator, arrived: int, size: int) -> None:
    share = float(np.clip(arrived / max(size, 1), 0, 1))
    bar.progress(share, text=f"{arrived / 2**20:.0f} of {size / 2**20:.0f} MiB")


def _forget_document() -> None:
    """An example was chosen: the document that the address named gives way."""
    st.query_params.pop("doc", None)


def _typed() -> None:
    """The text was changed: it is neither the example nor the document any more."""
    address.text_changed()
    st.query_params.pop("doc", None)
    st.session_state["example"] = OWN
    st.session_state["text_source"] = OWN
