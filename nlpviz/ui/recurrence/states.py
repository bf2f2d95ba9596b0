"""What pages show and say of a text's path through state space, and of each word's push."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number, unit_of_push
from nlpviz.figures.recurrence.pushes import push_bars
from nlpviz.figures.recurrence.state_path import DrawnPath, state_paths
from nlpviz.results.state_plane import StatePlane
from nlpviz.results.state_space import StatePath
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.dynamics import keeps_dynamics
from nlpviz.runs.language import reads_on
from nlpviz.ui import address, compare, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.recurrence import states_cache

_NONE, _WORD = "none", "token"
_QUOTED, _ROWS = 3, 10  # words in a sentence, and in the table


def paths(checkpoints: Sequence[Checkpoint], text: str, followed: str) -> list[Call[DrawnPath]]:
    """Return the path of ``text`` at each checkpoint, with the scores of the class ``followed``.

    The page says which runs' test documents were not read.
    """
    asked = [(run, epoch, run.class_names.index(followed)) for run, epoch in checkpoints]
    unread = {run.name: run for run, _, target in asked if not keeps_dynamics(run, target) and not reads_on(run)}
    for run in unread.values():
        widgets.tell_unmeasured(run, "The movement of the state over the test documents")
    return [
        Call(DrawnPath, states_cache.path(run, epoch, text, target), states_cache.space(run, epoch, text, target))
        for run, epoch, target in asked
    ]


def pick_word(path: StatePath) -> int | None:
    """Return the position of the word that stands out; None where none was chosen."""
    words = path.text.read
    if not words:
        address.leave_out(_WORD)
        return None
    options = [_NONE, *(str(place) for place in range(1, len(words) + 1))]
    names = {str(place): f"{place}. {token.name}" for place, token in enumerate(words, start=1)}
    chosen = widgets.pick(_WORD, "Word", options, lambda key: names.get(key, key), of_text=True)
    return None if chosen == _NONE else int(chosen) - 1


def show(calls: Sequence[Call[DrawnPath]], plane: str, selected: int | None) -> None:
    """Show the paths, and say where they lead and how far the plane is to be trusted."""
    chosen = panels.reference([call() for call in calls])
    _tell(chosen)
    drawn = Call(state_paths, list(calls), plane, selected)
    plotly_view.show(drawn, key="state_paths", on_click=widgets.set_to(_WORD))
    _tell_path(chosen.path, selected)
    with details(f"How far to trust the path: the plane shows {_shown_share(chosen):.0%} of the variance"):
        st.markdown(trust(chosen))


def show_pushes(calls: Sequence[Call[DrawnPath]], selected: int | None) -> None:
    """Show each word's push as bars over the text, and the largest ones in a table."""
    chosen = panels.reference([call() for call in calls]).path
    if not len(chosen.pushes):
        st.markdown("No words were read. Type a longer text.")
        return
    left, right = st.columns([3, 1], gap="medium")
    with left:
        bars = Call(push_bars, [call.get("path") for call in calls], selected)
        plotly_view.show(bars, key="pushes", on_click=widgets.set_to(_WORD))
    ranked = chosen.strongest(_ROWS)
    with right:
        st.table(
            {
                "Word": [f"{escape_markdown(chosen.text.read[at].name)} ({at + 1})" for at in ranked],
                "Push": [number(float(chosen.pushes[at])) for at in ranked],
                "Probability after": [f"{chosen.after[at, chosen.target]:.0%}" for at in ranked],
            },
            hide_index=True,
            border="horizontal",
        )


def _tell(chosen: DrawnPath) -> None:
    """Say over the picture where the path ends, and which word pushes most."""
    path = chosen.path
    if not len(path.pushes):
        takeaway("No words were read, so the state does not move.")
        return
    (strongest,) = path.strongest(1)
    takeaway(
        "{title}: **{label}**, {share:.0%}. Largest push: *{word}*, {push}.",
        title=compare.called_within(chosen, 9),
        label=path.class_names[int(path.after[-1].argmax())],
        share=float(path.after[-1].max()),
        word=path.text.read[strongest].name,
        push=number(float(path.pushes[strongest])),
    )


def _tell_path(path: StatePath, selected: int | None) -> None:
    """Say under the picture from which score to which the path leads, and what the chosen word does."""
    if not len(path.pushes):
        return
    answer(
        f"Epoch {{epoch}}: {unit_of_push(len(path.class_names))} go from {{start}} before the first word to "
        f"**{{end}}** after {{count:,}} word{'s' * (len(path.pushes) != 1)}.",
        epoch=path.epoch,
        start=number(float(path.scores[0])),
        end=number(float(path.scores[-1])),
        count=len(path.pushes),
    )
    if selected is not None and selected < len(path.pushes):
        answer(
            "Word {place}, *{chosen}*, pushes the score by **{push}**; after it, {target} has a probability of "
            "{then:.0%}.",
            place=selected + 1,
            chosen=path.text.read[selected].name,
            push=number(float(path.pushes[selected])),
            then=float(path.after[selected, path.target]),
            target=path.class_names[path.target],
        )


def _shown_share(one: DrawnPath) -> float:
    """Return which share of the variance two axes show."""
    return float(one.space.shares[:2].sum())


def trust(one: DrawnPath) -> str:
    """Return what two axes hold, and what of the class direction lies in their plane."""
    plane = StatePlane.of(one.space, one.path, "components")
    held, agreement = _shown_share(one), plane.agreement()
    of = (
        f"{one.space.fitted:,} states of {one.space.reviews:,} test documents"
        if agreement is not None
        else "this text’s own states (another text has different axes)"
    )
    sentence = (
        f"Epoch {one.epoch}: the two axes show **{held:.0%}** of the variance of {of}, and **{plane.share:.0%}** of "
        "the squared length of the class direction (the output layer’s weights)."
    )
    if agreement is not None:
        agrees = "prediction" if len(one.path.class_names) == 2 else "sign of the class score"
        sentence += f" {agreement:.0%} of the documents end on the side of the dashed line that matches the {agrees}."
    return sentence


def how_it_goes(run: Run, path: StatePath) -> str:
    """Return Markdown that says what the path is, with its own numbers."""
    name, unit = escape_markdown(path.class_names[path.target]), unit_of_push(len(path.class_names))
    mean = "" if unit == "log-odds" else (
        ", minus the mean of the other classes’ weights: s is the mean of its log-odds against each other class, so "
        "s > 0 does not imply that the class is predicted; push and score are mean log-odds"
    )  # fmt: skip
    weights = (
        f"the difference of the two words’ output vectors, and the score is the log-odds of {name}, which other "
        f"words do not affect. A text begins after an end of line, so r_0 is the state at that point; there, "
        if reads_on(run)
        else f"the output layer’s weights for {name}{mean}. The bias b, computed in the same way, "
        f"is {number(path.bias)}. {what_is_read(path)} A text begins with r_0 = 0; there, "
    )
    return (
        f"**Path.** w, the class direction, is {weights}s = {number(path.scores[0])}. The pushes sum to "
        f"{number(path.pushes.sum())}, and s ends at {number(path.scores[-1])}. With *class score* as axes, the score "
        "is the horizontal axis itself, and every push is a step to the right or to the left. With *principal "
        "components*, the dashed line marks s = 0 on the plane; states lie off the plane, so each point is coloured by "
        "its true score. Each epoch has its own axes."
    )


def what_is_read(path: StatePath) -> str:
    """Return what the output layer reads, in which all is drawn, and what a push then is."""
    if path.reading == "last":
        return (
            "The output layer reads the last hidden state, so r_t = h_t. In an LSTM, the cell state c is not part of "
            "r_t, but the search for slow points uses the full state, which includes c."
        )
    pooled = {"mean": "the mean of the states so far", "max": "each unit’s maximum so far"}[path.reading]
    return (
        f"The output layer of this network reads {pooled}: this is r_t, and a word’s push measures the change that the "
        f"word causes in r_t. The recurrent state may move further than the push suggests; slow points and "
        f"modifiers refer to the recurrent state."
    )
