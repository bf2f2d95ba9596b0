"""Which sentence is shown as a tree: an example, a sentence of the test split, or what a visitor typed.

A typed sentence stays in the session; it never gets into an address.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

import streamlit as st

from nlpviz.data.bracketed import SENTENCES
from nlpviz.runs import Checkpoint, Run
from nlpviz.text.treebank import treebank_words
from nlpviz.text.trees import Tree, TreeError, read_tree, written
from nlpviz.ui import address, limits, text_editor, texts, typed_texts, widgets
from nlpviz.ui.frame import bar, explain_error, messages
from nlpviz.ui.run_filter import TREES
from nlpviz.ui.trees import cache

OWN = "own"
_LONGEST = 10_000  # characters
_SOURCE, _BOX = "tree_source", "tree_sentence"  # in the session
_FILLED = "tree was filled from"
_READY = {one.id: one for one in SENTENCES}
_OF_CORPUS = re.compile(r"test/[1-9][0-9]{0,5}")


class TreeRequest(NamedTuple):
    """Which networks and epochs are asked, and of which sentence.

    Attributes:
        checkpoints: the networks and epochs.
        tree: as it was read; with the labels of people where it is of a corpus.
        source: an example's id, a corpus's, or :data:`OWN`.
        bracketed: whether brackets said what the tree is; else it branches to the right.
    """

    checkpoints: tuple[Checkpoint, ...]
    tree: Tree
    source: str
    bracketed: bool


def ask() -> TreeRequest:
    """Draw the bar and return what is asked; the page ends, with a sentence, where the text is no tree."""
    with bar():
        run = widgets.pick_run(TREES)
        checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=TREES)
        source, text = _pick_sentence(run)
        tree, bracketed = _read(run, source, text)
    return TreeRequest(checkpoints, tree, source, bracketed)


def _pick_sentence(run: Run) -> tuple[str, str]:
    """Return the source and the text of the sentence; the control stands in the bar and opens."""
    first = [SENTENCES[0].id]
    options = [*_READY, *_asked_for(run), OWN]
    address.read(_SOURCE, "sentence", options, first)
    source = str(st.session_state[_SOURCE])
    text = _text_of(run, source)
    begins = _FILLED not in st.session_state
    if not begins and st.session_state[_FILLED] != (source, text):
        address.text_changed()
        st.session_state[_BOX] = text
    st.session_state[_FILLED] = (source, text)
    older = typed_texts.older(typed_texts.TREE)
    label = "Type a sentence, with brackets if you like"
    with text_editor.place(texts.opener(_plain(text)), label, own=source == OWN):
        written = st.text_area(
            label, text if begins else "", key=_BOX, persist_state="session", height=96, on_change=_was_typed,
            max_chars=limits.most_characters(_LONGEST), placeholder="For example: ((not very) good)",
        )  # fmt: skip
        corpus = run.corpus["name"]
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.button("Apply", key="apply_sentence", type="primary")
            widgets.select(
                _SOURCE, "Sentence", texts.listed(options, older),
                lambda key: texts.title_of(key, older) or _title(key), lambda: texts.chosen(typed_texts.TREE, _SOURCE),
            )  # fmt: skip
            st.button("Random test sentence", icon=":material/shuffle:", on_click=_at_random, args=(corpus,))
        st.caption(typed_texts.privacy())
    if begins and written and written != text:
        _was_typed()  # the tab was open at a server that is gone, and brought along what stood in the box
        st.rerun()
    address.write(_SOURCE, "sentence", [source], first)
    return source, texts.readable(written)


def _read(run: Run, source: str, text: str) -> tuple[Tree, bool]:
    """Return the tree of a text, and whether brackets said what it is; the page ends where it is none."""
    try:
        tree, bracketed = read_tree(text, treebank_words)
    except TreeError as error:
        explain_error(str(error))
        st.stop()
    if source not in (*_READY, OWN):
        tree = cache.corpus_tree(run.corpus["name"], source) or tree
    return tree, bracketed


def _text_of(run: Run, source: str) -> str:
    """Return the text that stands for a source; where there is none, the first example's."""
    if source in _READY:
        return _READY[source].text
    if source == OWN:
        own = typed_texts.latest(typed_texts.TREE)
        if own is None:
            messages().info("This link does not include the typed sentence. Type it again.")
        return SENTENCES[0].text if own is None else own
    tree = cache.corpus_tree(run.corpus["name"], source)
    return SENTENCES[0].text if tree is None else written(Tree(tree.words, tree.children))


def _asked_for(run: Run) -> list[str]:
    """Return the sentence of the corpus that the address or the visitor asks for, as a list; none where it is none."""
    asked = (st.query_params.get("sentence"), st.session_state.get(_SOURCE), address.choice_of(_SOURCE))
    named = dict.fromkeys(one for one in asked if isinstance(one, str) and _OF_CORPUS.fullmatch(one))
    return [one for one in named if cache.corpus_tree(run.corpus["name"], one) is not None]


def _plain(text: str) -> str:
    return re.sub(r"[()]", " ", text)


def _title(source: str) -> str:
    if source in _READY:
        return _READY[source].title
    return "Your own sentence" if source == OWN else f"Test sentence {source.removeprefix('test/')}"


def _at_random(corpus: str) -> None:
    """Take any sentence of the test split, if the corpus is on this machine."""
    size = cache.test_size(corpus)
    if size:
        st.session_state[_SOURCE] = f"test/{random.randint(1, size)}"
    else:
        messages().info(
            f"The test sentences are not on this computer. Download them with `python -m nlpviz fetch {corpus}`."
        )


def _was_typed() -> None:
    """The sentence was changed: it is no example any more."""
    address.text_changed()
    typed_texts.note(typed_texts.TREE, st.session_state[_BOX] or "")
    st.session_state[_SOURCE], st.session_state[_FILLED] = OWN, (OWN, st.session_state[_BOX])
