"""A walk between two texts on a page: which words change, what stands at each step, which documents are near."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.codes.walk import walk_words
from nlpviz.results.codes import CodeWalk
from nlpviz.runs import Run
from nlpviz.ui import classes, plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.codes import cache
from nlpviz.ui.codes.choice import End
from nlpviz.ui.frame import answer, escape_markdown, messages, takeaway

_WORDS = 6  # of a step, in the table
_EQUAL = 1e-6


def show(run: Run, epoch: int, first: End, second: End) -> None:
    """Show the walk from one text to another at one epoch."""
    call = cache.walk(run, epoch, (first.text, second.text), (first.name, second.name))
    found = call()
    for end, text in ((first, first.text), (second, second.text)):
        if not cache.text_code(run, epoch, text)().words:
            messages().info(
                f"For {escape_markdown(end.name)}, which contains no vocabulary words, the walk uses the "
                f"code of an empty text."
            )
    if found.length < _EQUAL:
        messages().info(
            "Both texts have the same code, because their bags of words are the same. All steps of the walk "
            "are identical."
        )
    _take_away(found)
    plotly_view.show(Call(walk_words, call), key="walk")
    _tell(run, found)
    st.header("Step by step", anchor=False)
    st.table(
        {
            "Step": [str(step) for step in range(len(found.shares))],
            "Most probable words": [
                escape_markdown(", ".join(one.word for one in words[:_WORDS])) for words in found.likeliest
            ],
            "Label of the nearest document": [escape_markdown(one.label) for one in found.nearest],
            "Distance to the nearest document": [f"{ratio:.1f} ×" for ratio in found.between],
        },
        hide_index=True,
        border="horizontal",
    )


def _take_away(found: CodeWalk) -> None:
    """Say how many of the words halfway are of neither end."""
    middle = len(found.shares) // 2
    first, last = ({one.word for one in found.likeliest[at]} for at in (0, -1))
    own = [one.word for one in found.likeliest[middle] if one.word not in first | last]
    takeaway(
        "Halfway, {own} of the {listed} most probable words appear at neither end.",
        own=len(own),
        listed=len(found.likeliest[middle]),
    )


def _tell(run: Run, found: CodeWalk) -> None:
    """Say which document is nearest halfway, and how far it is, at the ends too."""
    middle = len(found.shares) // 2
    answer(
        "The nearest test {document} halfway has the label *{label}*. Its distance is {ratio:.1f} times "
        "the mean nearest-neighbour distance of {document}s; at the ends, at most {ends:.1f} times.",
        document=classes.document(run),
        label=found.nearest[middle].label,
        ratio=float(found.between[middle]),
        ends=float(max(found.between[0], found.between[-1])),
    )
