"""The text of a visit, one for each purpose: an example, a document of the run's corpus, or the visitor's text.

A review and the beginning that a language model goes on from are two purposes: neither overwrites the other.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from nlpviz.data import Corpus, CorpusMissing, DataError, corpus_named
from nlpviz.data.examples import Example, every_example, examples
from nlpviz.data.files import fetch
from nlpviz.data.passages import Passage, passages
from nlpviz.figures.tokens import LINE_BREAK, blanked
from nlpviz.run_kinds.drawn.excerpts import IN_A_LIST, beginning
from nlpviz.runs import Run
from nlpviz.runs.documents import DOCUMENTS, documents_of
from nlpviz.ui import address, cache, classes, limits, plotly_view, text_editor, typed_texts, widgets
from nlpviz.ui.frame import escape_markdown, explain_error, messages
from nlpviz.ui.run_filter import LANGUAGE_MODELS

OWN, NONE = "own", "none"
SOURCE = "text_source"
"""The control that says where the text comes from: an example's id, a document's, :data:`OWN` or :data:`NONE`."""
_BOX, _FILLED = "text", "source of the text"  # in the session; of the latter, the purpose and the source
_BROUGHT = "text from a link"  # in the session, until a page takes it
_RESTORED = ("", "restored")
"""The box is to be filled with a text that controls in the address name positions of."""
_QUOTED = 36  # characters of a text in the bar
_OFFERED = 6  # examples as buttons


def pick_text(
    run: Run | None, *, optional: bool = False, purpose: str = "", invites: str = "Choose or type a text"
) -> str | None:
    """Return the text that the visitor chose or typed; a chip in the bar opens it where it is shown.

    What a visitor types stays in the session: it never gets into an address.

    Args:
        run: of whose corpus a document may be; None where no run has one.
        optional: whether there need be no text, in which case None is returned at first.
        purpose: what the text is for, if not for the run to read: texts of another purpose are not taken along.
        invites: what the chip says while there is no text.
    """
    ready, purpose = _ready(run), purpose or purpose_of(run)
    take_brought(purpose)
    first = NONE if optional else next(iter(ready))
    options = [*([NONE] if optional else ()), *ready, *_document_asked_for(run, purpose), OWN]
    address.read(SOURCE, "text", options, [first], memory=f"text: {purpose}")
    # the bar says what the text is, and that is known before the control is drawn
    source = str(st.session_state[SOURCE])
    text, shown = _text_of(run, (purpose, source), ready, optional=optional)
    begins = _FILLED not in st.session_state
    if not begins and st.session_state[_FILLED] != (purpose, shown):
        if st.session_state[_FILLED] != _RESTORED:
            address.text_changed()
        st.session_state[_BOX] = text
    st.session_state[_FILLED] = (purpose, shown)
    older = typed_texts.older(purpose)
    with text_editor.place(opener(text, invites), f"Type or paste a {_called(run)}", own=source == OWN):
        written = st.text_area(
            f"Type or paste a {_called(run)}", text if begins else "", key=_BOX, persist_state="session",
            on_change=_typed, args=(purpose,), height=160, max_chars=limits.most_characters(),
            placeholder="For example: not bad, quite good",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.button("Apply", key="apply_text", type="primary")
            for key in list(ready)[:_OFFERED]:
                label = escape_markdown(ready[key].title)
                st.button(label, key=f"example_{key}", type="tertiary", on_click=widgets.set_to(SOURCE), args=(key,))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            widgets.select(
                SOURCE, "All examples and your recent texts", listed(options, older),
                lambda key: title_of(key, older) or _title(key, ready), lambda: _chosen(purpose),
            )  # fmt: skip
            if run is not None and DOCUMENTS in run.files:
                label = f"Random test {classes.document(run)}"
                st.button(label, icon=":material/shuffle:", on_click=_at_random, args=(run,))
        st.caption(typed_texts.privacy())
    if begins and written != text[: limits.most_characters()]:
        take(purpose, written)  # the tab was open at a server that is gone, and brought along what stood in the box
        st.rerun()
    address.write(SOURCE, "text", [source], [first])
    if shown == NONE:
        return None
    if shown == OWN:
        with messages():
            plotly_view.text_is_private(written or "")
    read = readable(written)
    if not read.strip():
        messages().info("The text is empty. Type a text, or choose an example.")
    return read


def _ready(run: Run | None) -> dict[str, Example | Passage]:
    """Return the examples by id: first passages and texts like those of the run's own corpus."""
    own = () if run is None else examples(run.corpus["name"])
    every: list[Example | Passage] = [*_passages_of(run), *own, *every_example()]
    return {one.id: one for one in every}


def _passages_of(run: Run | None) -> list[Passage]:
    return [] if run is None else [one for one in passages() if one.tokenizer == run.tokenizer.name]


def purpose_of(run: Run | None) -> str:
    """Return what a text is for that a run reads."""
    if run is not None and LANGUAGE_MODELS.asks(run):
        return typed_texts.BEGINNING
    return typed_texts.REVIEW if run is None else classes.document(run)


def _called(run: Run | None) -> str:
    """Return what a text of the run's corpus is called."""
    return "text" if run is None or _passages_of(run) else classes.document(run)


def document(run: Run) -> str | None:
    """Return the id of the document that the text is, None where it is something else."""
    source = st.session_state.get(SOURCE)
    return source if isinstance(source, str) and _is_document(run, source) else None


def stands_in() -> bool:
    """Return whether an example stands in for an unavailable text that the address names."""
    return _filled() != st.session_state.get(SOURCE)


def document_read(run: Run) -> str | None:
    """Return the id of the document if its text is available and shown; None where an example stands in for it."""
    source = document(run)
    return source if source == _filled() else None


def _filled() -> str:
    """Return what the box was filled from."""
    filled: tuple[str, str] = st.session_state.get(_FILLED, ("", ""))
    return filled[1]


def readable(written: str | None) -> str:
    """Return what was typed with a space for each character that cannot be shown, and say on the page how many."""
    text, count = blanked(written or "")
    if count:
        what = "character was replaced by a space" if count == 1 else "characters were replaced by spaces"
        messages().info(f"{count:,} control or invalid {what}, because this page cannot display such characters.")
    return text


def document_text(run: Run, identifier: str) -> str | None:
    """Return the text of a document; None, with the reason on the page, where it is unavailable."""
    try:
        return cache.document_text(run.corpus["name"], identifier)
    except CorpusMissing as error:
        corpus = corpus_named(run.corpus["name"])
        if corpus.url:
            _offer(corpus)
        else:  # user data, which cannot be downloaded
            messages().info(escape_markdown(str(error)))
    except DataError as error:
        with messages():
            explain_error(str(error))
    return None


def restore(text: str) -> None:
    """Let the text be what a link brought along in its fragment, on the page that reads it."""
    st.session_state[_BROUGHT] = text


def take_brought(purpose: str) -> None:
    """Make the text that a link carries the visitor's text; the page reads one for ``purpose``."""
    if _BROUGHT in st.session_state:
        take(purpose, str(st.session_state.pop(_BROUGHT)))


def restore_all(packed: str) -> None:
    """Take what a reloaded tab has kept of what was typed in it."""
    if typed_texts.restore(packed):
        st.session_state[_FILLED] = _RESTORED


def take(purpose: str, text: str) -> None:
    """Make a text the visitor's text, and show it."""
    typed_texts.note(purpose, text)
    st.session_state[SOURCE] = OWN
    st.session_state[_FILLED] = _RESTORED


def _text_of(
    run: Run | None, asked: tuple[str, str], ready: Mapping[str, Example | Passage], *, optional: bool
) -> tuple[str, str]:
    """Return the text that is asked for, by its purpose and source, and its source in fact.

    Where it is missing, that is an example, or none.
    """
    purpose, source = asked
    if source == NONE:
        return "", NONE
    if source in ready:
        return ready[source].text, source
    if source == OWN and (own := typed_texts.latest(purpose)) is not None:
        return own, OWN
    instead = next(iter(ready.values()))
    if source == OWN:
        messages().info(
            f"This link does not include the typed text. Type or paste it again. Until then, the "
            f"example *{escape_markdown(instead.title)}* is shown."
        )
        return instead.text, instead.id
    text = None if run is None else document_text(run, source)
    if text is None and optional:
        return "", NONE
    if text is None:
        messages().info(f"The example *{escape_markdown(instead.title)}* is shown instead.")
        return instead.text, instead.id
    return text, source


def _document_asked_for(run: Run | None, purpose: str) -> list[str]:
    """Return the document that the address or the visitor asks for, as a list; none where it is none."""
    chosen = address.choice_of(f"text: {purpose}")
    asked = (st.query_params.get("text"), st.session_state.get(SOURCE), chosen)
    named = dict.fromkeys(one for one in asked if isinstance(one, str))
    return [] if run is None else [one for one in named if _is_document(run, one)]


def _is_document(run: Run, identifier: str) -> bool:
    """Return whether a run's corpus has such a document, as far as can be known without the corpus."""
    if "/" not in identifier:
        return False
    if DOCUMENTS in run.files and identifier in documents_of(run).ids:
        return True
    try:
        cache.document_text(run.corpus["name"], identifier)
    except DataError:  # no such document, or no corpus to look for it
        return False
    return True


def _title(key: str, ready: Mapping[str, Example | Passage]) -> str:
    """Return what people read of a source."""
    if key in ready:
        return ready[key].title
    return {NONE: "No text", OWN: "Your own text"}.get(key, f"Document {key}")


def named(run: Run, identifier: str, characters: int = _QUOTED) -> str:
    """Return what people call a document, as plain text: how it begins, and its id; without its corpus the id alone."""
    try:
        text = cache.document_text(run.corpus["name"], identifier)
    except DataError:
        return identifier
    begins = beginning(text, characters)
    return f"“{begins}” ({identifier})" if begins else identifier


def first_words(run: Run, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return how documents begin as a column of a table; no column where the corpus is not on this machine."""
    try:
        return {"Begins": _beginnings(run.corpus["name"], tuple(ids))}
    except DataError:
        return {}


@cache.shared(32)
def _beginnings(corpus: str, ids: tuple[str, ...]) -> list[str]:
    find = corpus_named(corpus).find
    return [beginning(find(one), IN_A_LIST) for one in ids]


def quoted(text: str, characters: int = _QUOTED) -> str:
    """Return as Markdown the beginning of a text in quotation marks; empty where it has no words."""
    begins = beginning(text, characters)
    return f"“{escape_markdown(begins)}”" if begins else ""


def opener(text: str, invites: str = "Choose or type a text") -> str:
    """Return what stands on the chip of the bar that opens the text: plain text."""
    begins = beginning(text, _QUOTED)
    return f"“{begins}”" if begins else invites


def document_markdown(text: str) -> str:
    """Return Markdown that shows a document as it is, a paragraph for each line that ``<br />`` ends."""
    return "\n\n".join(escape_markdown(line) for line in LINE_BREAK.split(text) if line.strip())


def listed(options: Sequence[str], older: Mapping[str, str]) -> list[str]:
    """Return the options of a control with the visitor's earlier texts: once there are any, these come first."""
    return [OWN, *older, *(one for one in options if one != OWN)] if older else list(options)


def title_of(option: str, older: Mapping[str, str]) -> str:
    """Return how a text begins that was typed before; empty where the option is something else."""
    return f"“{beginning(older[option], IN_A_LIST)}”" if option in older else ""


def chosen(purpose: str, key: str) -> None:
    """A source was chosen in the control ``key``: a new text begins empty, and an earlier text comes back."""
    if typed_texts.taken(purpose, st.session_state[key]):
        st.session_state[key] = OWN
    elif st.session_state[key] == OWN:
        typed_texts.begin(purpose)


def _chosen(purpose: str) -> None:
    chosen(purpose, SOURCE)
    st.session_state[_FILLED] = ("", "")  # another text of the visitor has the same option


def _at_random(run: Run) -> None:
    """Take one of the test documents that the run keeps."""
    st.session_state[SOURCE] = random.choice(documents_of(run).ids)


def _typed(purpose: str) -> None:
    """The text was changed: it is neither the example nor the document any more."""
    address.text_changed()
    typed_texts.note(purpose, st.session_state[_BOX] or "")
    st.session_state[SOURCE], st.session_state[_FILLED] = OWN, (purpose, OWN)


def _offer(corpus: Corpus) -> None:
    """Offer to download the corpus, with its terms; nothing is fetched unless the visitor asks."""
    with messages():
        if not limits.downloads_allowed():
            st.info(f"{escape_markdown(corpus.title)} is not on this server, and visitors cannot download it.")
            return
        st.info(
            f"nlpviz does not include the {corpus.document}s of this corpus. To read this "
            f"{corpus.document}, download {escape_markdown(corpus.title)} "
            f"({corpus.size / 2**20:.0f} MiB) to this computer from {escape_markdown(corpus.url)}. "
            f"{escape_markdown(corpus.licence)}"
        )
        if not st.button(f"Download {corpus.size / 2**20:.0f} MiB", key=f"fetch_{corpus.name}"):
            return
        bar = st.progress(0.0, text="Requesting the file")
        try:
            fetch(corpus, lambda arrived, size: _advance(bar, arrived, size))
        except DataError as error:
            explain_error(str(error))
            return
        st.rerun()


def _advance(bar: st.delta_generator.DeltaGenerator, arrived: int, size: int) -> None:
    share = float(np.clip(arrived / max(size, 1), 0, 1))
    bar.progress(share, text=f"{arrived / 2**20:.0f} of {size / 2**20:.0f} MiB")
