"""One sentence as a tree on a page: by each network and epoch, what an edit changed, one phrase in detail."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.figures.trees.classes import node_classes
from nlpviz.figures.trees.sentence import sentence_tree
from nlpviz.results.trees import NodeAnswers
from nlpviz.runs import Checkpoint
from nlpviz.ui import compare, plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.trees import cache
from nlpviz.ui.trees.choice import OWN, TreeRequest
from nlpviz.ui.trees.edits import NODE, Edited


def answers(request: TreeRequest, edited: Edited) -> tuple[NodeAnswers, ...]:
    """Return what each network and epoch makes of the tree."""
    return tuple(cache.answers(one, edited.tree)() for one in request.checkpoints)


def tell(request: TreeRequest, edited: Edited, results: tuple[NodeAnswers, ...]) -> None:
    """Say what the first network's last epoch makes of the sentence, and how far the last edit moved it."""
    one = panels.reference(results)
    checkpoint = next(each for each, found in zip(request.checkpoints, results, strict=True) if found is one)
    root = one.tree.root
    takeaway(
        "{title}{epoch}: **{name}**, {share:.0%}; expected class {sentiment}"
        + (" ({moved} by your edit)." if edited.before else "."),
        title=one.title,
        epoch=f", epoch {one.epoch}" if len(results) > 1 else "",
        name=checkpoint.run.class_names[int(one.classes[root])],
        share=float(one.probabilities[root].max()),
        sentiment=number(float(one.sentiment[root])),
        moved=_moved(checkpoint, edited, one),
    )


def show(request: TreeRequest, edited: Edited, results: tuple[NodeAnswers, ...]) -> None:
    """Show the tree by each network and epoch; a click chooses a phrase."""
    for place, (title, column) in enumerate(compare.cells(results)):
        checkpoint = request.checkpoints[place]
        with column:
            if len(results) > 1:
                st.markdown(f"**{escape_markdown(title)}**")
            found = cache.answers(checkpoint, edited.tree)
            drawn = Call(sentence_tree, found, checkpoint.run.class_names, edited.node)
            plotly_view.show(drawn, key=f"tree_{place}", on_click=_choose)


def _choose(node: str) -> None:
    if node.isdecimal():
        st.session_state[NODE] = node


def describe(request: TreeRequest, edited: Edited, results: tuple[NodeAnswers, ...]) -> None:
    """Say how people labelled the phrases, what was done to the sentence, and whose brackets these are."""
    if people := _people(panels.reference(results)):
        answer("{people}", people=people)
    if edited.said:
        st.caption(f"Edits so far: {escape_markdown('; '.join(edited.said))}.")
    _tell_brackets(request, edited)
    if len(results) == 1 and edited.before is None:
        return
    roots = [one.tree.root for one in results]
    table: dict[str, list[str]] = {
        "Network": [one.title for one in results],
        "Epoch": [str(one.epoch) for one in results],
        "Class": [
            checkpoint.run.class_names[int(one.classes[root])]
            for checkpoint, one, root in zip(request.checkpoints, results, roots, strict=True)
        ],
        "Probability": [f"{one.probabilities[root].max():.0%}" for one, root in zip(results, roots, strict=True)],
        "Expected class (−2 to 2)": [
            number(float(one.sentiment[root])) for one, root in zip(results, roots, strict=True)
        ],
    }
    if edited.before is not None:
        table["Change by the last edit"] = [
            _moved(checkpoint, edited, one) for checkpoint, one in zip(request.checkpoints, results, strict=True)
        ]
    with details():
        st.dataframe(table, hide_index=True, width="content")


def _moved(checkpoint: Checkpoint, edited: Edited, now: NodeAnswers) -> str:
    """Return how far the last edit moved the expected class of the whole; empty where nothing was edited."""
    if edited.before is None:
        return ""
    before = cache.answers(checkpoint, edited.before)()
    return number(float(now.sentiment[now.tree.root] - before.sentiment[before.tree.root]))


def _people(one: NodeAnswers) -> str:
    """Return how many inner nodes a network has as people labelled them; empty where nobody did."""
    labels = one.tree.labels
    if not labels:
        return ""
    inner = range(len(one.tree.words), len(one.tree))
    right = sum(int(one.classes[node]) == labels[node] for node in inner)
    return f"The predicted class matches the human label for {right} of the sentence’s {len(inner)} phrases."


def _tell_brackets(request: TreeRequest, edited: Edited) -> None:
    """Say where the tree comes from."""
    source, bracketed = request.source, request.bracketed
    if source == OWN and not bracketed and len(edited.tree.words) > 2:
        st.info(
            "nlpviz has no parser: a sentence without brackets becomes a right-branching tree. Select a phrase and "
            "join it to its neighbour, or type brackets: `((not very) good)`."
        )
    if unknown := sum(not known for known in cache.answers(request.checkpoints[0], edited.tree)().known):
        noun = "word is" if unknown == 1 else "words are"
        st.info(
            f"{unknown} {noun} out of vocabulary and marked with a question mark: the network reads the "
            f"unknown-word token instead."
        )


def show_phrase(request: TreeRequest, edited: Edited, results: tuple[NodeAnswers, ...]) -> None:
    """Show the five classes of the chosen phrase, by each network and epoch."""
    st.header("The selected phrase", anchor=False)
    names = request.checkpoints[0].run.class_names
    calls = [cache.answers(one, edited.tree) for one in request.checkpoints]
    plotly_view.show(Call(node_classes, calls, edited.node, names), key="tree_phrase")
    said = f"“{escape_markdown(edited.tree.phrase(edited.node))}”: " + "; ".join(
        f"{escape_markdown(one.title)}, epoch {one.epoch}: {names[int(one.classes[edited.node])]}, expected class "
        f"{number(float(one.sentiment[edited.node]))}"
        for one in results
    )
    st.caption(f"{said}.")


def formulas(request: TreeRequest) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return of each network that is shown its title and its equations."""
    from nlpviz.networks.architectures import equations

    runs = {one.run.name: one.run for one in request.checkpoints}.values()
    return tuple((run.title, equations(run.architecture, run.config)) for run in runs)


def worked(request: TreeRequest, edited: Edited, results: tuple[NodeAnswers, ...]) -> str:
    """Return how the expected class of the whole sentence comes about, with its numbers."""
    one = results[0]
    terms = " + ".join(
        f"(−{-value}) × {share:.2f}" if value < 0 else f"{value} × {share:.2f}"
        for value, share in zip(range(-2, 3), one.probabilities[edited.tree.root], strict=True)
    )
    title = escape_markdown(request.checkpoints[0].run.title)
    return f"{title} at the root: {terms} = {number(float(one.sentiment[edited.tree.root]))}."
