"""What pages show and say of modifiers: whether *not* moves the next word's push."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number, unit_of_push
from nlpviz.figures.recurrence.modifier_factors import factor_dots
from nlpviz.figures.recurrence.modifiers import push_against_push
from nlpviz.results.modifiers import ModifierEffects, factor
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.dynamics import keeps_dynamics
from nlpviz.text.vocabulary import tokenize
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.recurrence import states_cache
from nlpviz.ui.run_filter import RECURRENT

_KEY, _LONGEST = "modifier", 40
_LEAST = 0.1  # log-odds: words that push less by themselves leave little to be changed


def pick_modifier(run: Run, known: Sequence[str]) -> str:
    """Return the word before: what was typed where the run knows it, else the first of ``known``."""
    first = known[0]
    with st.columns([1, 2])[0]:
        typed = widgets.text(_KEY, "Modifier: type a word", first, _LONGEST)
    words = [token.word for token in tokenize(typed)]
    if len(words) == 1 and words[0] in run.vocabulary:
        return words[0]
    problem = "is not a single word" if len(words) != 1 else f"is not in the vocabulary of {escape_markdown(run.title)}"
    st.info(f"“{escape_markdown(typed.strip())}” {problem}. Showing *{escape_markdown(first)}* instead.")
    return first


def show(checkpoints: Sequence[Checkpoint], followed: str) -> None:
    """Show what a modifier does at the checkpoints whose run keeps that, and at every epoch of the first run.

    Pushes are those along the direction of the class ``followed``.
    """
    run = checkpoints[0].run
    measured = keeps_dynamics(run, _target(run, followed))
    if not RECURRENT.able(run):
        st.markdown("Choose a causal recurrent network to measure modifiers.")
        return
    there = [
        (checkpoint, effects)
        for checkpoint in checkpoints
        if keeps_dynamics(checkpoint.run, _target(checkpoint.run, followed))
        and (effects := states_cache.dynamics(*checkpoint, _target(checkpoint.run, followed)).get("modifiers"))()
        is not None
    ]
    if not measured:
        widgets.tell_unmeasured(run, "The effect of modifiers on the next word’s push")
    if not there:
        if measured:
            st.markdown("The vocabulary of this network contains too few of the test words.")
        return
    modifier = pick_modifier(there[0][0].run, there[0][1]().modifiers)
    calls = [effects for _, effects in there]
    shown = [call() for call in calls]
    after = [states_cache.after_modifier(own, epoch, modifier, _target(own, followed)) for (own, epoch), _ in there]
    position = shown.index(panels.reference(shown))
    sentence, pieces = said(shown[position], modifier, after[position]())
    asked = there[position][0]
    own = number(states_cache.own_push(*asked, modifier, _target(asked.run, followed)))
    answer(sentence + " On its own, *{word}* pushes the score by {own}.", own=own, **pieces)
    left, right = st.columns([3, 2], gap="medium") if len(shown) == 1 else (st.container(), st.container())
    with left:
        pushes = Call(push_against_push, calls, modifier, after, unit_of_push(len(run.class_names)))
        plotly_view.show(pushes, key="modifier_pushes")
    with right:
        plotly_view.show(Call(factor_dots, calls, modifier), key="modifier_factors", on_click=widgets.set_to(_KEY))
    _show_epochs(there[0][0].run, modifier, followed)


def _target(run: Run, followed: str) -> int:
    return run.class_names.index(followed)


def explain() -> None:
    """Say how the effect of a modifier was measured."""
    st.markdown(
        """
**Modifiers.** Starting from states in the middle of test documents, the network reads words that push the score, with
and without the modifier before them. The factor is the slope of a regression through the origin, which predicts the
pushes with the modifier from the pushes without it. Any inserted word changes the state a little, so random words,
drawn in proportion to their frequency, serve as the null distribution. By chance, one word in twenty lies outside the
band. Maheswaranathan and Sussillo (2020) found that *not* reverses the effect of the next few words.
"""
    )


def said(one: ModifierEffects, modifier: str, after: np.typing.NDArray[np.float32]) -> tuple[str, dict[str, object]]:
    """Return whether a modifier changes the next push more than random words do, and what fills the sentence."""
    own, band = float(factor(one.plain, after)), one.band()
    typical = float(np.median(np.abs(one.plain)))
    pieces: dict[str, object] = {
        "epoch": one.epoch, "word": modifier, "factor": number(own, signed=False), "count": len(one.words),
        "low": number(band.low, signed=False), "high": number(band.high, signed=False), "others": len(one.null),
        "typical": number(typical, signed=False),
    }  # fmt: skip
    sentence = (
        "Epoch {epoch}: after *{word}*, the pushes of {count} words are multiplied by **{factor}**; after random "
        "words, by {low} to {high} (95% of {others} draws). "
    )
    if typical < _LEAST:
        sentence += "On their own, these words have a median push of only {typical}, so there is little to modify."
        return sentence, pieces
    if band.low <= own <= band.high:
        sentence += "This is **within the range of random words**, so the effect is not significant."
        return sentence, pieces
    if own < band.low:
        what = "reverses the next push" if own < 0 else "weakens the next push" if own < 1 else ""
        less = "intensifies the next push less than random words do"
    else:
        what = "intensifies the next push" if own > 1 else ""
        less = "weakens the next push less than random words do"
    return sentence + (
        f"The modifier **{what}** more than random words do." if what else f"The modifier **{less}**."
    ), pieces


def _show_epochs(run: Run, modifier: str, followed: str) -> None:
    """Show the modifier's factor at every kept epoch."""
    target = _target(run, followed)
    if not keeps_dynamics(run, target):
        return
    every = [
        (epoch, effects) for epoch in run.surveyed if (effects := states_cache.dynamics(run, epoch, target)().modifiers)
    ]
    factors = [
        float(factor(effects.plain, states_cache.after_modifier(run, epoch, modifier, target)()))
        for epoch, effects in every
    ]
    bands = [effects.band() for _, effects in every]
    st.table(
        {
            "Epoch": [f"{epoch}{' (best)' * (epoch == run.best_epoch)}" for epoch, _ in every],
            f"Factor for {escape_markdown(modifier)}": [number(value, signed=False) for value in factors],
            "95% range of random words": [
                f"{number(band.low, signed=False)} to {number(band.high, signed=False)}" for band in bands
            ],
            "Median push without modifier": [
                number(float(np.median(np.abs(effects.plain))), ".3f", signed=False) for _, effects in every
            ],
        },
        hide_index=True,
        border="horizontal",
    )
