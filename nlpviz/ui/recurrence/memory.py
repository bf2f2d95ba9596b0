"""What the page says and shows of how far back networks remember."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.recurrence.memory_lines import memory_lines
from nlpviz.figures.recurrence.memory_matrix import memory_matrix
from nlpviz.figures.recurrence.memory_replaced import replaced_words
from nlpviz.figures.recurrence.memory_text import power, share
from nlpviz.results.memory import SCORE, STATE, TextMemory, reach
from nlpviz.results.replaced_words import Parting, ReplacedWords, parting
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.language import reads_on
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.compare import called
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.recurrence import memory_cache
from nlpviz.ui.recurrence.question import asked_like
from nlpviz.ui.run_filter import WORD_BY_WORD
from nlpviz.ui.widgets import Wanted

_CHOSEN, _ALL = "chosen", "all"
_HALVED = 7  # words, after which what halves at each of them has fallen below 1%
_LOW, _HIGH = 0.5, 0.9  # rank correlations, in words


def _remembers(run: Run) -> bool:
    """Return whether a run's network has states, each made of the words up to it."""
    if not WORD_BY_WORD.able(run) or reads_on(run):
        return reads_on(run)
    from nlpviz.networks.architectures import WordByWord, untrained_instance

    module: Any = untrained_instance(run.architecture, run.config)
    return isinstance(module, WordByWord) and module.causal


REMEMBERS = Wanted(
    "Recurrent networks", able=_remembers, named="network that reads in one direction", recipe="imdb-lstm"
)
"""Runs whose networks have to remember what they read."""


def pick_cells(checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints with, if the visitor wants them, the best epochs of all other networks on the corpus."""
    run, shown = checkpoints[0].run, {one.run.name for one in checkpoints}
    others = [
        other for name, other in REMEMBERS.runs().items()
        if name not in shown and (other.kind, other.corpus["name"]) == (run.kind, run.corpus["name"])
    ]  # fmt: skip
    if not others:
        address.leave_out("cells")
        return tuple(checkpoints)
    said = {_CHOSEN: "selected networks", _ALL: f"selected networks and {len(others)} more"}
    if widgets.pick("cells", "Networks", said) == _CHOSEN:
        return tuple(checkpoints)
    return (*checkpoints, *asked_like(run, [Checkpoint(other, other.best_epoch) for other in others]))


def memories(checkpoints: Sequence[Checkpoint], text: str, followed: str) -> list[Call[TextMemory]]:
    """Return what each checkpoint's network remembers of ``text``, all with the score of the class ``followed``."""
    return [memory_cache.memory(run, epoch, text, run.class_names.index(followed)) for run, epoch in checkpoints]


def drawable(quantity: str, result: Sequence[TextMemory]) -> str:
    """Return ``quantity``, or the score where no network has a state that it goes on from, and say so."""
    if quantity == STATE and all(one.words and one.state is None for one in result):
        st.info(
            "A temporal convolutional network has no recurrent state, so there is no ‖∂h_T/∂h_t‖. The gradient of the "
            "score with respect to each word’s vector is shown instead."
        )
        return SCORE
    return quantity


def show_lines(calls: Sequence[Call[TextMemory]], quantity: str) -> None:
    """Show the last word's row of all checkpoints in one figure, and say how far back it reaches."""
    result = [call() for call in calls]
    chosen = panels.reference([one for one in result if one.run == result[0].run])
    _tell(chosen, quantity)
    plotly_view.show(Call(memory_lines, list(calls), quantity), key="memory_lines")
    _tell_reading(chosen, quantity)
    with details():
        st.table(_reaches(result, quantity), hide_index=True, border="horizontal")


def _tell(one: TextMemory, quantity: str) -> None:
    """Say over the lines how far back one network remembers."""
    row = one.row(quantity)
    far = None if row is None else reach(row, quantity)
    name = called(one)
    if row is None:
        takeaway("{title} has no recurrent state, so its gain is undefined.", title=name)
    elif far is None:
        takeaway("{title}: every gradient is exactly zero.", title=name)
    elif far.whole:
        takeaway("{title} remembers **all {words} words**.", title=name, words=one.words)
    else:
        takeaway(
            "{title} remembers about **{reach} words**.",
            title=name,
            reach=far.words,
        )


def _tell_reading(one: TextMemory, quantity: str) -> None:
    """Say under the lines what a network that halves would do, and why one need not remember."""
    if quantity == STATE and one.row(quantity) is not None:
        answer(
            "A word counts as remembered if its gain is at least 1%. The grey line halves at each word and falls "
            "below 1% after {halved} words.",
            halved=_HALVED,
        )
    elif quantity == SCORE:
        answer("A word counts as remembered if its gradient is at least 1% of the largest gradient.")
    if one.receptive_field is not None:
        answer(
            "The receptive field is {field} words; the effect of earlier words is exactly zero.",
            field=one.receptive_field,
        )
    elif one.reading != "last":
        pooled = {"mean": "mean", "max": "maximum"}.get(one.reading, one.reading)
        answer(
            "{title} predicts from the {pooled} of all states, so it need not remember early words until "
            "the end.",
            title=called(one), pooled=pooled,
        )  # fmt: skip


def _reaches(result: Sequence[TextMemory], quantity: str) -> dict[str, list[str]]:
    """Return how far back each network remembers, as a table."""
    rows = [one.row(quantity) for one in result]
    far = [None if row is None else reach(row, quantity) for row in rows]
    first = [
        "–" if row is None or there is None else power(float(row[0])) if quantity == STATE else share(there.first)
        for row, there in zip(rows, far, strict=True)
    ]
    return {
        "Network": [escape_markdown(called(one)) for one in result],
        "Prediction": [
            f"{escape_markdown(one.class_names[one.predicted])}, {one.probabilities[one.predicted]:.0%}"
            for one in result
        ],
        "First word: " + ("gain" if quantity == STATE else "share of the largest gradient"): first,
        "Words remembered": [
            "–" if there is None else f"all {one.words}" if there.whole else str(there.words)
            for one, there in zip(result, far, strict=True)
        ],
        "Receptive field": ["–" if one.receptive_field is None else f"{one.receptive_field} words" for one in result],
    }


def show_matrix(calls: Sequence[Call[TextMemory]], quantity: str) -> None:
    """Show all pairs of words, and how exact these numbers are."""
    plotly_view.show(Call(memory_matrix, list(calls), quantity), key="memory_matrix")
    if quantity == SCORE:
        st.caption(
            "All values are exact: the score after each word is differentiated with respect to every earlier word."
        )
        return
    errors = [probes for call in calls if (probes := call().probes) is not None]
    if not any(one.error for one in errors):
        st.caption("All values are exact.")
        return
    worst = max(errors, key=lambda one: one.error)
    last = max(errors, key=lambda one: one.last_error)
    of_last = (
        f"The last row (the lines above) is estimated from {last.last_used} random directions, with a standard error "
        f"of about {last.last_error:.0%}."
        if last.last_error
        else "The last row is exact."
    )
    st.caption(
        f"{of_last} The other rows are estimated from {worst.used} random directions, with a standard error of "
        f"about {worst.error:.0%}, which is small on a logarithmic scale."
    )


def show_replaced(checkpoints: Sequence[Checkpoint], calls: Sequence[Call[TextMemory]], text: str) -> None:
    """Show how far the score moves when words are replaced, and say where the gradient parts from that."""
    replaced = [
        memory_cache.replaced(run, epoch, text, call().target)
        for (run, epoch), call in zip(checkpoints, calls, strict=True)
    ]
    plotly_view.show(Call(replaced_words, list(calls), replaced), key="memory_replaced")
    chosen = panels.reference([call() for call in replaced])
    _tell_parting(chosen, parting(panels.reference([call() for call in calls]), chosen))
    drawn = chosen.drawn
    said = ", ".join(f"{word}{f' ({times} times)' * (times > 1)}" for word, times in Counter(drawn).items())
    st.caption(
        f"Each word was replaced in turn by {len(drawn)} random words, drawn in proportion to their "
        f"frequency: {said}. If the word itself is drawn, nothing changes."
    )


def _tell_parting(one: ReplacedWords, found: Parting) -> None:
    """Say how far gradient and measurement agree, and where they differ most."""
    if found.correlation is None:
        st.markdown("There are fewer than two distinct values, so there is no ranking to compare.")
        return
    verdict = (
        "the gradient and replacement rank words almost identically" if round(found.correlation, 2) >= _HIGH
        else "the gradient and replacement rank words in a roughly similar order" if round(found.correlation, 2) >= _LOW
        else "the gradient and replacement rank words differently"
    )  # fmt: skip
    answer(
        "Epoch {epoch}: " + verdict + " (Spearman’s rank correlation **{value}**).",
        epoch=one.epoch,
        value=number(found.correlation),
    )
    if found.over is None or found.under is None:
        return
    answer(
        "The rankings differ most at *{over}* (rank {by_gradient} by gradient, {by_movement} by replacement) and at "
        "*{under}* "
        "({under_gradient} and {under_movement}).",
        over=one.text.read[found.over].name,
        under=one.text.read[found.under].name,
        by_gradient=found.ranks[0],
        by_movement=found.ranks[1],
        under_gradient=found.ranks[2],
        under_movement=found.ranks[3],
    )


def reading(one: TextMemory) -> str:
    """Return Markdown that says how to read the numbers, with this text's own."""
    if one.words < 2:
        return "With fewer than two words, memory cannot be measured."
    pieces = [f"Here T is {one.words:,}, the number of words read, and the score is the class score "
              f"({unit_of_score(len(one.class_names))}) of {one.class_names[one.target]}."]  # fmt: skip
    if one.last is not None:
        pieces.append(
            f"The state has S = {one.state_size:,} dimensions. The gain from the first word to the last is "
            f"**{power(float(one.last[0]))}**; from the second-to-last word to the last, it is "
            f"**{power(float(one.last[-2]))}**."
        )
    if one.gate is not None:
        pieces.append(
            f"The product of the {one.gate.name}s over the {one.words - 1:,} words after the first has a geometric "
            f"mean of **{power(float(one.gate.kept[0]))}** over the units; the largest product of any unit is "
            f"**{power(float(one.gate.longest[0]))}**."
        )
    return " ".join(pieces)
