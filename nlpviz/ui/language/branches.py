"""The texts that a model wrote from one beginning: branches where a word was forced or drawn again, as a tree.

They stay in the visitor's session, each tree with the model, the prompt and the settings that it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st
from lru import LRU

from nlpviz.figures.language.branches import branch_tree, named
from nlpviz.results.generated_text import TextBranch, WrittenText
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.frame import escape_markdown, messages
from nlpviz.ui.language import cache
from nlpviz.ui.language.settings import Writer

MOST = 12
"""Texts in a tree."""
_TREES, _TREES_KEPT = "generated texts", 16  # in the session
_SHOWN, _FORCED = "branch_shown", "forced_word"
_LONGEST = 60  # characters that are forced at once


@dataclass
class BranchTree:
    """The texts of one writer.

    Attributes:
        branches: the first one is the text that the settings give.
        shown: the number of the one that is on the page.
        said: a sentence on what was forced, until it is on the page.
    """

    branches: list[TextBranch] = field(default_factory=list)
    shown: int = 0
    said: str = ""


def tree_of(writer: Writer) -> BranchTree:
    """Return the visitor's tree of a writer, at first with one text."""
    trees: LRU[tuple[object, ...], BranchTree] = st.session_state.setdefault(_TREES, LRU(_TREES_KEPT))
    key = _key(writer)
    if key not in trees:
        trees[key] = BranchTree([TextBranch(seed=writer.how.seed)])
    return trees[key]


def text(writer: Writer) -> WrittenText:
    """Return the text of a writer that is on the page."""
    return cache.written(writer, branch(writer))()


def branch(writer: Writer) -> TextBranch:
    """Return where that text leaves an earlier one."""
    tree = tree_of(writer)
    return tree.branches[tree.shown]


def force(writer: Writer, place: int, ids: tuple[int, ...]) -> None:
    """Let the text that is shown have these tokens at ``place``, and be written anew after them: for a click."""
    tree, written = tree_of(writer), text(writer)
    given = (*written.ids[:place].tolist(), *ids)[: writer.length]
    if tuple(written.ids[: len(given)].tolist()) == given:
        tree.said = "The text already has this word at this position."
        return
    seed = tree.branches[tree.shown].seed
    _add(tree, TextBranch(tree.shown, place, given, len(given) - place, seed))


def draw_again(writer: Writer, place: int) -> None:
    """Let the text that is shown be drawn again from ``place`` on, with a seed that no other text of the tree has."""
    tree, written = tree_of(writer), text(writer)
    seed = 1 + max(branch.seed for branch in tree.branches)
    _add(tree, TextBranch(tree.shown, place, tuple(written.ids[:place].tolist()), 0, seed))


def _add(tree: BranchTree, branch: TextBranch) -> None:
    """Show a branch, which may be there already; it leaves the text that had a token of its own there."""
    while branch.parent and branch.place <= tree.branches[branch.parent].place:
        branch = branch._replace(parent=tree.branches[branch.parent].parent)
    same = [number for number, one in enumerate(tree.branches) if (one.given, one.seed) == (branch.given, branch.seed)]
    if same:
        tree.shown = same[0]
    elif len(tree.branches) == MOST:
        tree.said = f"At most {MOST} texts are stored. Discard the branches to generate new texts."
    else:
        tree.branches.append(branch)
        tree.shown = len(tree.branches) - 1


def ask(writer: Writer, place: int) -> None:
    """Draw the field in which another token is forced at ``place``, and the button that draws the rest again."""
    unit = writer.reader.run.tokenizer.unit
    st.text_input(
        f"Force another {unit} here", key=_FORCED, max_chars=_LONGEST, placeholder="Type or click a bar below",
        on_change=_typed, args=(writer, place),
    )  # fmt: skip
    st.button(
        "Resample from here", icon=":material/casino:", on_click=draw_again, args=(writer, place),
        help="Keeps the text before this position and samples the rest with another seed.",
    )  # fmt: skip
    tree = tree_of(writer)
    if tree.said:
        messages().info(escape_markdown(tree.said))
        tree.said = ""


def _typed(writer: Writer, place: int) -> None:
    typed, run = str(st.session_state.get(_FORCED) or ""), writer.reader.run
    st.session_state[_FORCED] = ""
    ids = tuple(run.vocabulary.ids(token.word for token in run.tokenizer.tokens(typed)).tolist())
    tree = tree_of(writer)
    if ids:
        force(writer, place, ids)
    if UNKNOWN in ids and not tree.said:
        tree.said = f"Out-of-vocabulary words were replaced by {SPECIALS[UNKNOWN]}."
    if typed and not ids:
        tree.said = f"Type at least one {run.tokenizer.unit}."


def show(writer: Writer) -> None:
    """Show the tree, in which a click chooses a text; nothing where there is one text alone."""
    tree = tree_of(writer)
    st.header("Branches", anchor=False)
    if len(tree.branches) == 1:
        unit = writer.reader.run.tokenizer.unit
        st.caption(f"Force another {unit}, or resample: all versions stay here as a tree until you close this tab.")
        return
    texts = [cache.written(writer, branch)() for branch in tree.branches]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state[_SHOWN] = str(tree.shown)

        def chosen() -> None:
            _choose(writer, st.session_state[_SHOWN])

        options = [str(number) for number in range(len(texts))]
        widgets.select(_SHOWN, "Text shown", options, lambda one: named(tree.branches, texts, int(one)), chosen)
        st.button("Discard all branches", icon=":material/delete:", on_click=_forget, args=(writer,))
    plotly_view.show(
        branch_tree(tree.branches, texts, tree.shown), key="branches", on_click=lambda one: _choose(writer, one)
    )


def _choose(writer: Writer, number: str) -> None:
    tree = tree_of(writer)
    if number.isdecimal() and int(number) < len(tree.branches):
        tree.shown = int(number)


def _forget(writer: Writer) -> None:
    st.session_state[_TREES].pop(_key(writer), None)


def _key(writer: Writer) -> tuple[object, ...]:
    reader = writer.reader
    return reader.run.name, reader.run.fingerprint, reader.epoch, reader.order, *writer[1:]
