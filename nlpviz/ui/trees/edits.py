"""What a visitor does to a tree, step by step, and takes back; the address has it, ``?edits=negate-6.swap-8``.

They are the names of edits with the numbers of nodes, and say nothing of the words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import streamlit as st

from nlpviz.text.tree_edits import EDITS
from nlpviz.text.trees import Tree
from nlpviz.ui import address, widgets
from nlpviz.ui.frame import escape_markdown, messages

NODE, _EDITS = "phrase", "tree_edits"  # in the session
_STEP = re.compile(r"([a-z-]+)-([0-9]{1,4})")
_MOST = 40
_LONGEST = 30 * _MOST  # characters
_ICONS = {
    "swap": "swap_horiz", "negate": "block", "leave-out": "delete", "join-next": "arrow_forward",
    "join-previous": "arrow_back",
}  # fmt: skip


class Edited(NamedTuple):
    """A tree after some steps.

    Attributes:
        tree: as it is now; without the labels of people once anything was done.
        before: as it was before the last step; None where nothing was done.
        node: the one that the visitor chose.
        said: what was done, a clause for each step.
    """

    tree: Tree
    before: Tree | None
    node: int
    said: tuple[str, ...]


def ask(tree: Tree) -> Edited:
    """Draw the controls and return the tree as the visitor has made it."""
    address.forget_with_text(_EDITS)
    address.read_text(_EDITS, "edits", "", _LONGEST)
    steps, trees, said = _taken(tree, str(st.session_state[_EDITS] or ""))
    address.write_text(_EDITS, "edits", ".".join(steps), "", _LONGEST)
    now = trees[-1]
    with st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_tree_edits"):
        nodes = [str(node) for node in reversed(range(len(now)))]
        node = int(widgets.pick(NODE, "Phrase", nodes, lambda one: _named(now, int(one)), of_text=True))
        for name, edit in EDITS.items():
            st.button(
                edit.label, key=f"tree_{name}", icon=f":material/{_ICONS[name]}:", on_click=_do, width="content",
                args=(steps, now, name, node), disabled=not edit.applies(now, node) or len(steps) >= _MOST,
                help=edit.says.capitalize(),
            )  # fmt: skip
        for label, icon, kept in (("Undo", "undo", steps[:-1]), ("Start again", "restart_alt", [])):
            st.button(
                label, icon=f":material/{icon}:", on_click=_undo, args=(kept,), disabled=not steps, width="content"
            )
    return Edited(now, trees[-2] if steps else None, node, tuple(said))


def _taken(tree: Tree, written: str) -> tuple[list[str], list[Tree], list[str]]:
    """Return the steps that can be taken, the trees before, between and after them, and what each did."""
    steps, trees, said = list[str](), [tree], list[str]()
    for step in filter(None, written.split(".")[:_MOST]):
        matched = _STEP.fullmatch(step)
        edit = EDITS.get(matched[1]) if matched else None
        node = int(matched[2]) if matched else 0
        if edit is None or node >= len(trees[-1]) or not edit.applies(trees[-1], node):
            messages().warning(
                f"The link contains the edit {escape_markdown(step[:40])}, which this tree does not allow. This "
                f"edit and all later edits were skipped."
            )
            break
        said.append(f"“{trees[-1].phrase(node)}” {edit.past}")
        trees.append(edit.apply(trees[-1], node))
        steps.append(step)
    return steps, trees, said


def _named(tree: Tree, node: int) -> str:
    phrase = tree.phrase(node)
    whole = "whole sentence: " if node == tree.root else ""
    return whole + (phrase if len(phrase) <= 60 else f"{phrase[:59]}…")


def _do(steps: list[str], tree: Tree, name: str, node: int) -> None:
    """Take one more step, and choose what it made."""
    made = EDITS[name].apply(tree, node)
    st.session_state[_EDITS] = ".".join([*steps, f"{name}-{node}"])
    st.session_state[NODE] = str(_new(tree, made))


def _undo(steps: list[str]) -> None:
    st.session_state[_EDITS] = ".".join(steps)
    st.session_state.pop(NODE, None)


def _new(before: Tree, after: Tree) -> int:
    """Return the lowest inner node of ``after`` that ``before`` does not have; the root where there is none."""
    there, words = set(_subtrees(before)), len(after.words)
    return next((node for node, one in enumerate(_subtrees(after)) if node >= words and one not in there), after.root)


def _subtrees(tree: Tree) -> list[object]:
    built: list[object] = list(tree.words)
    for left, right in tree.children:
        built.append((built[left], built[right]))
    return built
