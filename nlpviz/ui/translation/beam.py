"""The search for a translation on a page: its tree, step by step, the final hypotheses, and going on."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from nlpviz.figures import numbers
from nlpviz.figures.translation.beam_tree import beam_tree, greedy_leaves
from nlpviz.results.alignment import BeamTree, NodeStatus, Translation
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, controls, takeaway
from nlpviz.ui.translation import beginning, cache, notes
from nlpviz.ui.translation.choice import TranslationRequest

_PRUNED = ("3", "0", "1", "2", "5", "8")
_PRUNED_KEY = "pruned"
_STEPS, _OF = "beam_steps", "beam_of"  # in the session


def pick_pruned() -> None:
    """Draw the control for how many pruned words are shown beside those that were kept."""
    widgets.pick(_PRUNED_KEY, "Pruned words", _PRUNED)


def show(request: TranslationRequest, result: Translation) -> None:
    """Show the tree up to the chosen step; a click on a word lets the translation begin with the words up to it."""
    tree = result.tree
    if tree is None:
        return
    with controls():
        until = _pick_step(result, tree)
    _take_away(tree)

    def go_on(number: str) -> None:
        beginning.force(request.run, [tree.nodes[position].id for position in tree.path(int(number))])

    found = cache.translation(request.run, request.epoch, request.text, replace(request.query, tree=True))
    drawn = Call(beam_tree, found, until, int(st.session_state[_PRUNED_KEY]))
    plotly_view.show(drawn, key="beam_tree", on_click=go_on)


def _pick_step(result: Translation, tree: BeamTree) -> int:
    """Return the last step that is drawn, at first all; another search begins with all of its own."""
    search = (
        f"{result.run} {result.epoch} {result.encoded.text} {tree.width} {result.hypotheses[0].forced} {tree.steps}"
    )
    if st.session_state.get(_OF) != search:
        st.session_state[_OF], st.session_state[_STEPS] = search, tree.steps
    if tree.steps < 2:
        return tree.steps
    return int(st.slider("Steps", 1, tree.steps, key=_STEPS, persist_state="session"))


def tell(request: TranslationRequest, result: Translation) -> None:
    """Say which translation is best, whether greedy search finds it, and what to know of it."""
    tree = result.tree
    if tree is None:
        return
    best = result.hypotheses[0]
    greedy = cache.translation(request.run, request.epoch, request.text, replace(request.query, width=1))()
    answer(
        f"Best translation: “**{{text}}**” (score {{score}}). {_greedy(tree)}",
        text=result.text or "(nothing)",
        score=numbers.number(best.score, signed=False),
        greedy=greedy.text or "(nothing)",
        total=numbers.number(greedy.hypotheses[0].total, signed=False),
        best=numbers.number(best.total, signed=False),
    )
    notes.show(request.run, result)


def _take_away(tree: BeamTree) -> None:
    """Say how many candidates were scored and kept, and whether greedy search finds the same translation."""
    looked = [node for node in tree.nodes if node.status != NodeStatus.GREEDY]
    kept = sum(node.status != NodeStatus.PRUNED for node in looked)
    if tree.width == 1:
        takeaway("Greedy search scored {looked:,} candidates and kept {kept:,}.", looked=len(looked), kept=kept)
        return
    other = "the same" if _greedy_is_best(tree) else "another"
    takeaway(
        f"Beam search scored {{looked:,}} candidates and kept {{kept:,}}; greedy search finds {other} translation.",
        looked=len(looked),
        kept=kept,
    )


def _greedy_is_best(tree: BeamTree) -> bool:
    return bool(tree.ends) and tree.greedy == tree.path(tree.ends[0])


def _greedy(tree: BeamTree) -> str:
    """Return a sentence, with places for the words and totals, that compares greedy search."""
    if _greedy_is_best(tree):
        return ""
    left = greedy_leaves(tree)
    where = "" if left is None else f", which beam search prunes at step {left + 1}"
    return f"Greedy search finds *{{greedy}}*{where} (log-probability {{total}}, compared with {{best}})."


def show_hypotheses(result: Translation) -> None:
    """Show the hypotheses that the search ended with, the best first, and what each was compared by."""
    st.header("Final hypotheses", anchor=False)
    rows = result.hypotheses
    decimals = ("Score", "Log-probability", "Length penalty")
    st.dataframe(
        {
            "Translation": [one.text if one.ended else f"{one.text} (unfinished)" for one in rows],
            "Score": [one.score for one in rows],
            "Log-probability": [one.total for one in rows],
            "Length": [len(one.words) for one in rows],
            "Length penalty": [one.total / one.score if one.score else 1.0 for one in rows],
        },
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in decimals},
        hide_index=True,
    )  # fmt: skip
