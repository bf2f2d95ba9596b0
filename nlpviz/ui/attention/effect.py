"""What pages say of whether attention matters: for the text at hand, and over test documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.attention.effect import agreement_dots, effect_dots
from nlpviz.figures.attention.survey import agreement_boxes, change_shares
from nlpviz.figures.numbers import number
from nlpviz.results.attention_effect import Agreement, AttentionEffect, AttentionSurvey, Intervention
from nlpviz.runs import Checkpoint
from nlpviz.runs.attention_effects import ATTENTION
from nlpviz.ui import beside, plotly_view
from nlpviz.ui.attention import cache
from nlpviz.ui.frame import answer, escape_markdown

_QUOTED = 5  # words, in sentences about one text
_LONG, _ASKED = 200, "left_out_of"  # words of which each is left out unasked; in the session: a longer text, asked
_FEW, _OFTEN = 0.05, 2.0  # below this share predictions hardly change; so many times as often is more often


def show(checkpoints: Sequence[Checkpoint], text: str) -> None:
    """Show what other weights make of the text's prediction, and which words agree with leave-one-out.

    Runs without the class that the first run's last epoch predicts are left out.
    """
    result = panels.reference([cache.attention(run, epoch, text) for run, epoch in checkpoints])
    words = max(len(cache.attention(run, epoch, text).words) for run, epoch in checkpoints)
    if len(result.words) < 2:
        st.markdown("With fewer than two words there are no other weights to give: write more to ask.")
        return
    checkpoints = beside.with_class(checkpoints, result.class_names[result.predicted])
    left_out = words <= _LONG or st.session_state.get(_ASKED) == text
    effects = [cache.effect(run, epoch, text, leave_one_out=left_out) for run, epoch in checkpoints]
    chosen = panels.reference(effects)
    _tell(chosen)
    left, right = st.columns([3, 2], gap="medium") if len(effects) == 1 else (st.container(), st.container())
    with left:
        plotly_view.show(effect_dots(effects), key="attention_effect")
    with right:
        if left_out:
            plotly_view.show(agreement_dots(effects), key="attention_agreement")
        else:
            st.markdown(f"Which words matter when they are left out? That reads {words:,} texts as long as this one.")
            st.button(
                "Leave out each word once", key="leave_one_out", on_click=st.session_state.update, kwargs={_ASKED: text}
            )
    if left_out:
        _tell_agreement(chosen)


def show_survey(checkpoints: Sequence[Checkpoint]) -> None:
    """Show the same over test documents, for the checkpoints whose run keeps that."""
    st.header("And over the test reviews?", anchor=False)
    for name, title in {run.name: run.title for run, _ in checkpoints if ATTENTION not in run.files}.items():
        st.info(
            f"{escape_markdown(title)} keeps no survey of its attention: `python -m nlpviz survey {name}` makes it, "
            "where its corpus is on this machine."
        )
    query = [checkpoint for checkpoint in checkpoints if ATTENTION in checkpoint.run.files]
    surveys = [cache.survey(run, epoch) for run, epoch in query]
    if not surveys:
        return
    chosen = panels.reference(surveys)
    _tell_survey(chosen)
    plotly_view.show(change_shares(surveys), key="attention_survey")
    _tell_taus(chosen)
    plotly_view.show(agreement_boxes(surveys), key="attention_taus")


def _tell(effect: AttentionEffect) -> None:
    """Say what other weights make of one prediction."""

    def to(intervention: Intervention) -> str:
        result = effect.probability(intervention)
        return f"{result.mean():.0%}" + (f" ({result.min():.0%} to {result.max():.0%})" if len(result) > 1 else "")

    removed = min(_QUOTED, max(one.removed for one in effect.answers))
    words = "word" if removed == 1 else f"{removed} words"
    taken = (
        f" Without its {words} of largest weight it goes to **{to(Intervention('top', removed))}**, without {removed} "
        f"at random to {to(Intervention('random', removed))}."
    )
    answer(
        "Epoch {epoch}: **{label}**, {share:.0%}. With the same weight for every word the probability is "
        f"**{to(Intervention('uniform'))}**, with the weights shuffled {to(Intervention('shuffled'))}." + taken,
        epoch=effect.epoch,
        label=effect.class_names[effect.predicted],
        share=float(effect.probabilities[effect.predicted]),
    )


def _tell_agreement(effect: AttentionEffect) -> None:
    said = ["no order" if tau is None else number(tau) for tau in effect.agreement]
    st.markdown(
        f"Kendall's τ between the ranks of the words: attention and gradient saliency **{said[0]}**, attention and "
        f"leave-one-out **{said[1]}**; saliency and leave-one-out {said[2]}. 1 is the same order, 0 as many pairs of "
        "words in the same order as not."
    )


def _tell_survey(survey: AttentionSurvey) -> None:
    """Say in plain words what replacing the weights does to the predictions of test documents."""
    uniform, shuffled = (survey.share_flipped(Intervention(kind)) for kind in ("uniform", "shuffled"))
    moved = float(np.median(survey.changes(Intervention("uniform"))))
    removed = max((one.removed for one in survey.interventions if one.removed <= 10), default=0)
    taken = ""
    if removed:
        top, random = (survey.share_flipped(Intervention(kind, removed)) for kind in ("top", "random"))
        taken = (
            f" Taking the weight from the {removed} heaviest words changes **{top:.1%}**, from {removed} random ones "
            f"{random:.1%}. {_verdict(uniform, top, random)}"
        )
    answer(
        "Making the weights uniform changes the prediction of **{uniform:.1%}** of {documents:,} test reviews (epoch "
        "{epoch}), shuffling them {shuffled:.1%}; in the median review the probability moves by {moved:.3f}." + taken,
        uniform=uniform,
        documents=len(survey.ids),
        epoch=survey.epoch,
        shuffled=shuffled,
        moved=moved,
    )


def _verdict(uniform: float, top: float, random: float) -> str:
    """Return what the shares of changed predictions come to, in words."""
    if uniform < _FEW and top < _FEW:
        return "So these predictions hardly need these weights: what decides is in the annotations that they add up."
    if top > _OFTEN * random:
        heavy = "So the weights do find words that matter more than others"
        return f"{heavy}, although other weights mostly give the same answer." if uniform < _FEW else f"{heavy}."
    return "So the heaviest words matter hardly more than any others."


def _tell_taus(survey: AttentionSurvey) -> None:
    medians = []
    for name in Agreement._fields:
        result = survey.correlations(name)
        medians.append(f"{number(float(np.median(result)))} ({len(result):,} reviews)" if len(result) else "none")
    st.markdown(
        f"Medians of Kendall's τ: attention and saliency **{medians[0]}**, attention and leave-one-out "
        f"**{medians[1]}**, saliency and leave-one-out {medians[2]}: what two other methods have in common."
    )
