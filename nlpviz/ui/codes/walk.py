"""A walk between two texts on a page: which words change, what stands at each step, which documents are near."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.codes.walk import walk_words
from nlpviz.results.codes import CodeWalk
from nlpviz.runs import Run
from nlpviz.snippets import codes as snippets
from nlpviz.ui import classes, plotly_view
from nlpviz.ui.codes import cache
from nlpviz.ui.codes.choice import End
from nlpviz.ui.frame import answer, escape_markdown

_WORDS = 6  # of a step, in the table
_EQUAL = 1e-6


def show(run: Run, epoch: int, first: End, second: End) -> None:
    """Show the walk from one text to another at one epoch."""
    found = cache.walk(run, epoch, (first.text, second.text), (first.name, second.name))
    for end, text in ((first, first.text), (second, second.text)):
        if not cache.text_code(run, epoch, text).words:
            st.info(
                f"No word of {escape_markdown(end.name)} is in the vocabulary: that end of the walk is the code of no "
                "words at all."
            )
    if found.length < _EQUAL:
        st.info(
            "Both texts have the same code, as texts with equal bags of words do, so that the walk stays where it is."
        )
    plotly_view.show(walk_words(found), key="walk", code=snippets.walk((run.name, epoch), first.text, second.text))
    _tell(run, found)
    st.header("Step by step", anchor=False)
    st.table(
        {
            "Step": [str(step) for step in range(len(found.shares))],
            "Likeliest words": [
                escape_markdown(", ".join(one.word for one in words[:_WORDS])) for words in found.likeliest
            ],
            "Nearest document is of": [escape_markdown(one.label) for one in found.nearest],
            "Its distance": [f"{ratio:.1f} ×" for ratio in found.between],
        },
        hide_index=True,
        border="horizontal",
    )


def _tell(run: Run, found: CodeWalk) -> None:
    """Say which words the ends share, and how far from documents the middle is."""
    middle = len(found.shares) // 2
    first, last = ({one.word for one in found.likeliest[at]} for at in (0, -1))
    own = [one.word for one in found.likeliest[middle] if one.word not in first | last]
    pieces: dict[str, object] = {
        "ratio": float(found.between[middle]),
        "ends": float(max(found.between[0], found.between[-1])),
        "document": classes.document(run),
        "own": len(own),
        "listed": len(found.likeliest[middle]),
        "label": found.nearest[middle].label,
    }
    answer(
        "Halfway, {own} of the {listed} likeliest words are among those of neither end; the nearest test {document} "
        "there is of *{label}*, {ratio:.1f} times as far away as a {document}'s own nearest neighbour on average (at "
        "the ends at most {ends:.1f} times).",
        **pieces,
    )
