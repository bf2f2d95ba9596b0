"""What pages show of self-attention: every head, one of them as a matrix and as lines, one word of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.attention.grid import head_grid
from nlpviz.figures.attention.heads import FROM, TO, HeadChoice, windows
from nlpviz.figures.attention.lines import head_lines
from nlpviz.figures.attention.matrix import head_matrix
from nlpviz.results.attention import TextAttention
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.calls import Call, Result
from nlpviz.ui.frame import answer

_MEAN, _ALL = "mean", "all"
_CONTROLS = ("layer", "head", "window", "attended")


def show(result: Sequence[Result[TextAttention]]) -> None:
    """Show what each word attends to, for the checkpoints with self-attention; nothing where there is none.

    A click on a small matrix chooses a head, one on a word or on a row chooses that word in both pictures.

    Args:
        result: what each checkpoint attended to, the chosen run's first.
    """
    calls = [each for each in result if each().heads is not None and len(each().words)]
    able = [call() for call in calls]
    if not able:
        address.leave_out(*_CONTROLS)
        return
    st.header("What does each word attend to?", anchor=False)
    chosen = panels.reference(able)
    strip = st.container(horizontal=True, vertical_alignment="bottom", key="nlpviz_heads")
    with strip:
        choice = _pick(able)
    _tell(chosen, choice)
    if len(able) == 1:
        left, right = st.columns([2, 3], gap="medium")
    else:
        left, right = st.container(), st.container()
    choose = widgets.set_to("attended")
    with left:
        plotly_view.show(Call(head_lines, calls, choice), key="attention_lines", on_click=choose)
    with right:
        plotly_view.show(Call(head_matrix, calls, choice), key="attention_matrix", on_click=choose)
    st.markdown(f"**All heads** at epoch {chosen.epoch} (click a head to show it above)")
    grid = Call(head_grid, calls[able.index(chosen)], choice, _shared(able))
    plotly_view.show(grid, key="attention_grid", on_click=_choose_head)


def _pick(result: Sequence[TextAttention]) -> HeadChoice:
    """Return what the visitor chose: layer, head, words, one word."""
    chosen = panels.reference(result)
    layers, heads = _shared(result)
    layer = widgets.pick("layer", "Layer", [_MEAN, *_numbers(layers)], _named("mean of all layers", "layer {}"))
    head = widgets.pick("head", "Head", [_MEAN, *_numbers(heads)], _named("mean of all heads", "head {}"))
    read = min(len(one.words) for one in result)
    parts = windows(read)
    first, last = parts[0]
    if len(parts) > 1:
        spans = {f"{start + 1}-{end}": (start, end) for start, end in parts}
        shown = widgets.pick("window", "Words shown", list(spans), lambda name: f"{name} of {read}", of_text=True)
        first, last = spans[shown]
    else:
        address.leave_out("window")
    tokens = chosen.text.read
    says = {FROM: "attends to", TO: "is attended to by"}
    options = {
        f"{side}-{position + 1}": f"{position + 1} {tokens[position].word} {said} …"
        for position in range(first, last)
        for side, said in says.items()
    }
    names = {_ALL: "all words", **options}
    word = widgets.pick("attended", "Word", names, of_text=True)
    side, _, number = word.partition("-")
    position = int(number) - 1 if number else None
    return HeadChoice(
        layer=None if layer == _MEAN else int(layer) - 1,
        head=None if head == _MEAN else int(head) - 1,
        first=first,
        last=last,
        side=side if number else FROM,
        position=position,
    )


def _shared(result: Sequence[TextAttention]) -> tuple[int, int]:
    """Return how many layers, and heads of each, all networks have."""
    sizes = [one.heads.shape[:2] for one in result if one.heads is not None]
    return min(layers for layers, _ in sizes), min(heads for _, heads in sizes)


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def _named(mean: str, one: str) -> Callable[[str], str]:
    return lambda value: mean if value == _MEAN else one.format(value)


def _choose_head(name: str) -> None:
    """A small matrix was clicked: show that layer and head."""
    st.session_state["layer"], _, st.session_state["head"] = name.partition("-")


def _tell(result: TextAttention, choice: HeadChoice) -> None:
    """Say in one sentence what the chosen word attends to, or how far the chosen weights lie from even."""
    matrix, tokens = choice.matrix(result), result.text.read
    if choice.position is None:
        own = float(matrix.diagonal().mean())
        outside = 1 - float(matrix[choice.first : choice.last, choice.first : choice.last].sum(axis=1).mean())
        beyond = (
            f" The words shown give {outside:.0%} of their attention to words that are not shown."
            if outside > 0.005
            else ""
        )
        answer(
            "Epoch {epoch}, {which}: on average, a word directs {own:.1%} of its attention to itself (under "
            "uniform attention: {even:.1%})." + beyond,
            epoch=result.epoch,
            which=choice.title,
            own=own,
            even=1 / len(result.words),
        )
        return
    weights = matrix[choice.position] if choice.side == FROM else matrix[:, choice.position]
    ranked = sorted(range(len(weights)), key=lambda position: -float(weights[position]))[:3]
    words = {f"word{rank}": tokens[position].word for rank, position in enumerate(ranked)}
    named = ", ".join(f"*{{word{rank}}}* {weights[position]:.0%}" for rank, position in enumerate(ranked))
    answer(
        "Epoch {epoch}, {which}: *{own}* {says} " + named + ".",
        epoch=result.epoch,
        which=choice.title,
        own=tokens[choice.position].word,
        says="attends most to" if choice.side == FROM else "is attended to most by",
        **words,
    )
