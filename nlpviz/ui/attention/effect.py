"""What pages say about whether attention matters: for the text on the page, and over test documents."""

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
from nlpviz.stats.significance import Interval, mean_interval
from nlpviz.ui import compare, plotly_view, widgets
from nlpviz.ui.attention import cache
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown

_QUOTED = 5  # words, in sentences about one text
_LONG, _ASKED = 200, "left_out_of"  # words of which each is left out unasked; in the session: a longer text, asked
_FEW, _HEAVIEST = 0.05, 10  # below this share predictions hardly change; words whose weight is taken, in sentences


def show(checkpoints: Sequence[Checkpoint], text: str) -> None:
    """Show what other weights make of the text's prediction, and which words agree with leave-one-out.

    Runs without the class that the first run's last epoch predicts are left out.
    """
    attended = [cache.attention(run, epoch, text)() for run, epoch in checkpoints]
    result, words = panels.reference(attended), max(len(each.words) for each in attended)
    if len(result.words) < 2:
        st.markdown("With fewer than two words, there are no weights to replace. Type a longer text.")
        return
    checkpoints = compare.with_class(checkpoints, result.class_names[result.predicted])
    left_out = words <= _LONG or st.session_state.get(_ASKED) == text
    effects = [cache.effect(run, epoch, text, leave_one_out=left_out) for run, epoch in checkpoints]
    chosen = panels.reference([effect() for effect in effects])
    left, right = st.columns([3, 2], gap="medium") if len(effects) == 1 else (st.container(), st.container())
    with left:
        plotly_view.show(Call(effect_dots, effects), key="attention_effect")
    with right:
        if left_out:
            plotly_view.show(Call(agreement_dots, effects), key="attention_agreement")
        else:
            st.markdown(f"Leave-one-out runs the network {words:,} times, each time with one word left out.")
            st.button(
                "Leave out each word once", key="leave_one_out", on_click=st.session_state.update, kwargs={_ASKED: text}
            )
    _tell(chosen)
    with details():
        st.table(_answers(chosen), hide_index=True, border="horizontal")
        if left_out:
            _tell_agreement(chosen)


def show_survey(checkpoints: Sequence[Checkpoint]) -> None:
    """Show the same over test documents, for the checkpoints whose run keeps that."""
    st.header("Over the test set", anchor=False)
    for run in {run.name: run for run, _ in checkpoints if ATTENTION not in run.files}.values():
        widgets.tell_unmeasured(run, "The effect of replacing attention weights")
    query = [checkpoint for checkpoint in checkpoints if ATTENTION in checkpoint.run.files]
    surveys = [cache.survey(run, epoch) for run, epoch in query]
    if not surveys:
        return
    chosen = panels.reference([survey() for survey in surveys])
    plotly_view.show(Call(change_shares, surveys), key="attention_survey")
    _tell_survey(chosen)
    plotly_view.show(Call(agreement_boxes, surveys), key="attention_taus")
    with details():
        st.table(survey_table(chosen), hide_index=True, border="horizontal")
        st.markdown(taus_said(chosen))


def _tell(effect: AttentionEffect) -> None:
    """Say what uniform weights make of one prediction."""
    answer(
        "Epoch {epoch}: {label} {share:.0%}; with uniform attention **{uniform:.0%}**. Replacing the weights changes "
        "the probability by at most {most:.0f} percentage points.",
        epoch=effect.epoch,
        label=effect.class_names[effect.predicted],
        share=float(effect.probabilities[effect.predicted]),
        uniform=float(effect.probability(Intervention("uniform")).mean()),
        most=100 * max(float(effect.change(one).max()) for one in effect.answers),
    )


def _answers(effect: AttentionEffect) -> dict[str, list[str]]:
    """Return as a table what each replacement of the weights makes of the prediction."""
    removed = min(_QUOTED, max(one.removed for one in effect.answers))
    asked = [Intervention("uniform"), Intervention("shuffled")]
    asked += [Intervention(kind, removed) for kind in ("top", "random", "mass")]
    asked = [one for one in asked if one in effect.answers]
    found = [effect.probability(one) for one in asked]
    return {
        "Attention weights": ["original", *(_named(one) for one in asked)],
        f"P({escape_markdown(effect.class_names[effect.predicted])})": [
            f"{effect.probabilities[effect.predicted]:.0%}", *(f"{one.mean():.0%}" for one in found)
        ],
        "Range": ["–", *(f"{one.min():.0%} to {one.max():.0%}" if len(one) > 1 else "–" for one in found)],
    }  # fmt: skip


def _named(intervention: Intervention) -> str:
    """Return what a table calls a replacement of the weights."""
    count = intervention.removed
    heaviest = "heaviest word" if count == 1 else f"{count} heaviest words"
    return {
        "uniform": "uniform",
        "shuffled": "shuffled",
        "top": f"without the {heaviest}",
        "random": f"without {count} random word{'s' * (count != 1)}",
        "mass": f"without random words of the same total weight as the {heaviest}",
    }[intervention.kind]


def _tell_agreement(effect: AttentionEffect) -> None:
    said = ["undefined" if tau is None else number(tau) for tau in effect.agreement]
    st.markdown(
        f"Rank correlation of the words (Kendall’s τ): attention and gradient saliency **{said[0]}**, attention and "
        f"leave-one-out **{said[1]}**, saliency and leave-one-out {said[2]}. 1 means the same order, 0 no correlation."
    )


def _tell_survey(survey: AttentionSurvey) -> None:
    """Say in plain words what replacing the weights does to the predictions of test documents."""
    sentence, pieces = survey_said(survey)
    answer(sentence, **pieces)


def survey_said(survey: AttentionSurvey) -> tuple[str, dict[str, object]]:
    """Return the sentences with their pieces; all numbers are of the reviews in which each intervention was made."""
    removed, same, shares = _shares(survey)
    pieces: dict[str, object] = {"documents": len(same.ids), "epoch": survey.epoch, **shares}
    sentence = (
        "Uniform attention changes the prediction in **{uniform:.1%}** of {documents:,} test texts (epoch {epoch}), "
        "shuffled attention in {shuffled:.1%}."
    )
    return sentence + (" " + verdict(same, removed) if removed else ""), pieces


def survey_table(survey: AttentionSurvey) -> dict[str, list[str]]:
    """Return as a table what each replacement does, over the reviews in which each was made."""
    removed, same, shares = _shares(survey)
    asked = _asked(survey, removed)
    moved = [float(np.median(same.changes(one))) if same.ids else float("nan") for one in asked]
    return {
        "Attention weights": [_named(one) for one in asked],
        "Predictions changed": [f"{shares[one.kind]:.1%}" for one in asked],
        "Predictions unchanged": [f"{1 - shares[one.kind]:.1%}" for one in asked],
        "Median change in the probability": [f"{one:.3f}" for one in moved],
    }


def _shares(survey: AttentionSurvey) -> tuple[int, AttentionSurvey, dict[str, float]]:
    """Return how many words lose their weight, the reviews with all interventions, and the shares that change."""
    removed = max((one.removed for one in survey.interventions if one.removed <= _HEAVIEST), default=0)
    asked = _asked(survey, removed)
    same = survey.of_all(asked)
    return removed, same, {one.kind: same.share_flipped(one) for one in asked}


def _asked(survey: AttentionSurvey, removed: int) -> list[Intervention]:
    """Return the interventions that sentences are about, as far as they were made."""
    asked = [Intervention("uniform"), Intervention("shuffled")]
    asked += [Intervention(kind, removed) for kind in ("top", "random", "mass") if removed]
    return [one for one in asked if one in survey.interventions]


def verdict(survey: AttentionSurvey, removed: int) -> str:
    """Return what the shares of changed predictions mean, in words, as far as their 95% intervals allow.

    Args:
        survey: of reviews in which each intervention was made.
        removed: how many heaviest words lost their weight.
    """
    if all(survey.share_flipped(one) < _FEW for one in _asked(survey, removed)):
        return "These predictions hardly depend on the attention weights; they depend on the annotations."
    over_random = _gap(survey, removed, "random")
    over_mass = _gap(survey, removed, "mass") if Intervention("mass", removed) in survey.interventions else None
    if over_random.low <= 0:
        return f"The {removed} heaviest words do not matter significantly more than {removed} random words."
    heavy = f"The {removed} heaviest words matter significantly more than {removed} random words"
    if over_mass is None:
        return f"{heavy}."
    if over_mass.low > 0:
        return f"{heavy}, and more than random words of equal total weight: the choice of words matters too."
    if over_mass.high < 0:
        return f"{heavy}, but less than random words of equal total weight: only the amount of weight matters."
    return f"{heavy}, but do not differ significantly from random words of equal total weight."


def _gap(survey: AttentionSurvey, removed: int, kind: str) -> Interval:
    """Return by how much more predictions the heaviest words change than others do, its interval over the reviews."""
    heavy, others = (survey.interventions.index(Intervention(one, removed)) for one in ("top", kind))
    return mean_interval(survey.flipped[:, heavy] - survey.flipped[:, others])


def taus_said(survey: AttentionSurvey) -> str:
    """Return how far rankings of the words agree; all three medians are of the reviews that have each of them."""
    same = survey.with_all_rankings()
    if not same.ids:
        return "Leave-one-out was not computed for any text, so rankings cannot be compared."
    medians = [number(float(np.median(same.correlations(name)))) for name in Agreement._fields]
    return (
        f"Median rank correlation (Kendall’s τ) over the {len(same.ids):,} texts with leave-one-out: attention "
        f"and saliency **{medians[0]}**, attention and leave-one-out **{medians[1]}**; for comparison, saliency and "
        f"leave-one-out {medians[2]}."
    )
