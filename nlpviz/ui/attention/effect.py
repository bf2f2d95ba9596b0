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
from nlpviz.significance import Interval, mean_interval
from nlpviz.snippets import attention as snippets
from nlpviz.ui import beside, plotly_view, widgets
from nlpviz.ui.attention import cache
from nlpviz.ui.frame import answer

_QUOTED = 5  # words, in sentences about one text
_LONG, _ASKED = 200, "left_out_of"  # words of which each is left out unasked; in the session: a longer text, asked
_FEW, _HEAVIEST = 0.05, 10  # below this share predictions hardly change; words whose weight is taken, in sentences


def show(checkpoints: Sequence[Checkpoint], text: str) -> None:
    """Show what other weights make of the text's prediction, and which words agree with leave-one-out.

    Runs without the class that the first run's last epoch predicts are left out.
    """
    result = panels.reference([cache.attention(run, epoch, text) for run, epoch in checkpoints])
    words = max(len(cache.attention(run, epoch, text).words) for run, epoch in checkpoints)
    if len(result.words) < 2:
        st.markdown("With fewer than two words there are no other weights to try: type a longer text.")
        return
    checkpoints = beside.with_class(checkpoints, result.class_names[result.predicted])
    left_out = words <= _LONG or st.session_state.get(_ASKED) == text
    effects = [cache.effect(run, epoch, text, leave_one_out=left_out) for run, epoch in checkpoints]
    chosen = panels.reference(effects)
    _tell(chosen)
    left, right = st.columns([3, 2], gap="medium") if len(effects) == 1 else (st.container(), st.container())
    sources = [(effect.run, effect.epoch) for effect in effects]
    with left:
        code = snippets.replaced(sources, text, chosen.class_names[chosen.predicted])
        plotly_view.show(effect_dots(effects), key="attention_effect", code=code)
    with right:
        if left_out:
            code = snippets.left_one_out(sources, text)
            plotly_view.show(agreement_dots(effects), key="attention_agreement", code=code)
        else:
            st.markdown(f"Leave-one-out has to read {words:,} texts as long as this one.")
            st.button(
                "Leave out each word once", key="leave_one_out", on_click=st.session_state.update, kwargs={_ASKED: text}
            )
    if left_out:
        _tell_agreement(chosen)


def show_survey(checkpoints: Sequence[Checkpoint]) -> None:
    """Show the same over test documents, for the checkpoints whose run keeps that."""
    st.header("Over the test texts", anchor=False)
    for run in {run.name: run for run, _ in checkpoints if ATTENTION not in run.files}.values():
        widgets.tell_unmeasured(run, "Other attention weights over the test texts")
    query = [checkpoint for checkpoint in checkpoints if ATTENTION in checkpoint.run.files]
    surveys = [cache.survey(run, epoch) for run, epoch in query]
    if not surveys:
        return
    chosen = panels.reference(surveys)
    _tell_survey(chosen)
    sources = [(survey.run, survey.epoch) for survey in surveys]
    plotly_view.show(change_shares(surveys), key="attention_survey", code=snippets.survey(sources))
    st.markdown(taus_said(chosen))
    plotly_view.show(agreement_boxes(surveys), key="attention_taus", code=snippets.rankings(sources))


def _tell(effect: AttentionEffect) -> None:
    """Say what other weights make of one prediction."""

    def to(intervention: Intervention) -> str:
        result = effect.probability(intervention)
        return f"{result.mean():.0%}" + (f" ({result.min():.0%} to {result.max():.0%})" if len(result) > 1 else "")

    removed = min(_QUOTED, max(one.removed for one in effect.answers))

    taken = (
        f" Without the weight of its {removed} heaviest word{'s' * (removed != 1)} it is "
        f"**{to(Intervention('top', removed))}**, without that of {removed} random ones "
        f"{to(Intervention('random', removed))}"
    )
    of_mass = Intervention("mass", removed)
    taken += f", without that of random ones of equal mass {to(of_mass)}." if of_mass in effect.answers else "."
    answer(
        "Epoch {epoch}: **{label}**, {share:.0%}. With uniform weights the probability is "
        f"**{to(Intervention('uniform'))}**, with shuffled weights {to(Intervention('shuffled'))}." + taken,
        epoch=effect.epoch,
        label=effect.class_names[effect.predicted],
        share=float(effect.probabilities[effect.predicted]),
    )


def _tell_agreement(effect: AttentionEffect) -> None:
    said = ["undefined" if tau is None else number(tau) for tau in effect.agreement]
    st.markdown(
        f"Rank correlation of the words (Kendall's τ): attention and gradient saliency **{said[0]}**, attention and "
        f"leave-one-out **{said[1]}**; saliency and leave-one-out {said[2]}. At 1 the order is the same, at 0 as many "
        "pairs of words agree as disagree."
    )


def _tell_survey(survey: AttentionSurvey) -> None:
    """Say in plain words what replacing the weights does to the predictions of test documents."""
    sentence, pieces = survey_said(survey)
    answer(sentence, **pieces)


def survey_said(survey: AttentionSurvey) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces; all its numbers are of the reviews in which each intervention was made."""
    removed = max((one.removed for one in survey.interventions if one.removed <= _HEAVIEST), default=0)
    asked = _asked(survey, removed)
    same = survey.of_all(asked)
    shares = {one.kind: same.share_flipped(one) for one in asked}
    pieces: dict[str, object] = {
        "kept": 1 - shares["uniform"],
        "documents": len(same.ids),
        "epoch": survey.epoch,
        "moved": float(np.median(same.changes(Intervention("uniform")))) if same.ids else float("nan"),
        "removed": removed,
        **shares,
    }
    sentence = (
        "Uniform weights leave the prediction unchanged in **{kept:.1%}** of {documents:,} test texts (epoch "
        "{epoch}) and change it in **{uniform:.1%}**; shuffled weights change {shuffled:.1%}. With uniform weights"
        " the probability moves by {moved:.3f} in the median text."
    )
    if removed:
        sentence += " Removing the weight of the {removed} heaviest words changes **{top:.1%}**, of {removed} random"
        sentence += " ones {random:.1%}"
        sentence += ", of random ones of equal mass **{mass:.1%}**. " if "mass" in shares else ". "
        sentence += verdict(same, removed)
    return sentence, pieces


def _asked(survey: AttentionSurvey, removed: int) -> list[Intervention]:
    """Return the interventions that sentences are about, as far as they were made."""
    asked = [Intervention("uniform"), Intervention("shuffled")]
    asked += [Intervention(kind, removed) for kind in ("top", "random", "mass") if removed]
    return [one for one in asked if one in survey.interventions]


def verdict(survey: AttentionSurvey, removed: int) -> str:
    """Return what the shares of changed predictions mean, in words, as far as their 95 % intervals let it.

    Args:
        survey: of reviews in which each intervention was made.
        removed: how many heaviest words lost their weight.
    """
    if all(survey.share_flipped(one) < _FEW for one in _asked(survey, removed)):
        return "So these predictions hardly depend on these weights: what decides is in the annotations they sum up."
    over_random = _gap(survey, removed, "random")
    over_mass = _gap(survey, removed, "mass") if Intervention("mass", removed) in survey.interventions else None
    if over_random.low <= 0:
        return "This does not show that the heaviest words matter more than the same number of random ones."
    heavy = f"So the {removed} heaviest words matter more than {removed} random ones"
    if over_mass is None:
        return f"{heavy}."
    if over_mass.low > 0:
        return f"{heavy}, and more than random ones of equal mass: which words they are matters too."
    if over_mass.high < 0:
        return f"{heavy}, but less than random ones of equal mass: what matters is how much weight is removed."
    return f"{heavy}; this does not show that they matter more than random ones of equal mass."


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
        f"Median rank correlation (Kendall's τ) over the {len(same.ids):,} texts with leave-one-out: attention "
        f"and saliency **{medians[0]}**, attention and leave-one-out **{medians[1]}**; for comparison, saliency and "
        f"leave-one-out {medians[2]}."
    )
