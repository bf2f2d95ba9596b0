"""How far to trust an explanation: its method's own axiom; what deleting words does, and networks that never learnt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.analysis.attribution import methods
from nlpviz.figures import panels
from nlpviz.figures.attribution.deletion import deletion_curves
from nlpviz.figures.numbers import number
from nlpviz.figures.run_titles import in_words
from nlpviz.results.deletion import DeletionCurve
from nlpviz.results.explanation import Explanation
from nlpviz.run_kinds.classifier import before_training
from nlpviz.runs.deletions import deletion_survey
from nlpviz.ui import cache, classes, compare, plotly_view, widgets
from nlpviz.ui.attribution import baselines, randomisation, verdict
from nlpviz.ui.attribution.cache import baseline_curves, deletion_curve
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown

_QUOTED = 0.1  # of the tokens: about so many are out where a curve is put into words
_UNTRAINED = 0
"""The epoch before training; a run need not keep it."""


def show_trust(explanations: Sequence[Explanation], method: str) -> None:
    """Say how the method did over test documents, and what its residual is; test it on this text where asked to.

    Args:
        explanations: of one text by one method; the sentences speak of the first run's last epoch.
        method: its title.
    """
    chosen = panels.reference(explanations)
    if not len(chosen.scores):
        st.markdown("The text has no words, so there is nothing to test.")
        return
    with widgets.folded("trust", f"How far to trust these scores: {_in_short(chosen)}") as asked:
        if asked:
            st.markdown("\n".join(f"- {said}" for said in (*_in_general(chosen), _completeness(chosen, method))))
            _test(explanations, chosen, method)


def _test(explanations: Sequence[Explanation], chosen: Explanation, method: str) -> None:
    """Show deletion curves with a verdict, and say what they, the untrained network and a word list tell."""
    runs = cache.runs()
    calls = [deletion_curve(runs[explanation.run], explanation) for explanation in explanations]
    curves = [call() for call in calls]
    beside = len(curves) <= 2  # panels; more of them take the whole width
    left, right = st.columns([3, 2], gap="medium") if beside else (st.container(), st.container())
    with left:
        plotly_view.show(Call(deletion_curves, calls, method), key="deletion")
    with right:
        curve = panels.reference(curves)
        st.markdown(_verdict(curve, chosen))
        unasked = baselines.areas(baseline_curves(runs[chosen.run], chosen))
        said = (_deletion(curve), unasked, _sanity(chosen))
        st.markdown("\n".join(f"- {sentence}" for sentence in said if sentence))
    if len(explanations) > 1:
        _show_table(explanations, curves)
    randomisation.offer(chosen, method)
    baselines.show(runs[chosen.run], chosen)


def _verdict(curve: DeletionCurve, explanation: Explanation) -> str:
    return verdict.here(curve) + ("" if explanation.signed else f" {verdict.HANDICAP}")


def _in_short(explanation: Explanation) -> str:
    """Return in a few words how the method did over test documents."""
    run, method = cache.runs()[explanation.run], methods()[explanation.method]
    survey = deletion_survey(run)
    if survey is None or not method.surveyed or explanation.method not in survey.methods:
        return "test it on this text"
    compared = verdict.compared(survey.gained(explanation.method))
    return f"{compared} orders on {len(survey.ids):,} test {classes.document(run)}s"


def _in_general(explanation: Explanation) -> tuple[str, ...]:
    """Return the sentence about test documents, if the run was surveyed."""
    run, method = cache.runs()[explanation.run], methods()[explanation.method]
    survey, document = deletion_survey(run), classes.document(run)
    if survey is None:
        return ()
    if not method.surveyed:
        unmeasured = f"{method.title} is not among the {len(survey.methods)} methods measured on test {document}s."
        return (f"**Test {document}s.** {unmeasured}",)
    if explanation.method not in survey.methods:
        return ()
    return (f"**Test {document}s.** {verdict.in_general(survey, explanation.method, document)}",)


def _deletion(curve: DeletionCurve) -> str:
    position = _quoted(curve)
    random = curve.random[:, position]
    return (
        f"**Deletion curve.** Removing the first {curve.taken[position]} of {curve.tokens} tokens in this order moves "
        f"the probability of {escape_markdown(curve.target)} from {curve.probability[0]:.0%} to "
        f"**{curve.probability[position]:.0%}**. Removing the same number of random tokens moves it to "
        f"{random.mean():.0%} ({random.min():.0%} to {random.max():.0%})."
    )


def _completeness(explanation: Explanation, method: str) -> str:
    if explanation.residual is None:
        return f"**Completeness.** The scores of {escape_markdown(method)} do not sum to the class score."
    total = float(explanation.scores.sum())
    gained = number(total + explanation.residual)
    taken = "" if explanation.steps is None else f" (computed in {explanation.steps} steps)"
    jumps = f" This network’s output jumps where {explanation.jumps}; the words’ scores do not include these jumps."
    return (
        f"**Completeness.** The text scores {gained} above the baseline (a zero vector for each word); the words’ "
        f"scores sum to {number(total)}{taken}. The residual is **{_small(explanation.residual)}**."
        f"{jumps * bool(explanation.jumps)}{_sampling(explanation)}"
    )


def _sampling(explanation: Explanation) -> str:
    """Return how far sampled scores may be off, as a sentence; nothing where none were."""
    if explanation.error is None:
        return ""
    error, magnitude = float(explanation.error.mean()), float(abs(explanation.scores).mean())
    return (
        f" Each score is an estimate from a sample. The standard error is {number(error, '.2g', signed=False)} on "
        f"average; for comparison, the mean magnitude of a score is {number(magnitude, '.2g', signed=False)}."
    )


def _sanity(explanation: Explanation) -> str:
    run = cache.runs()[explanation.run]
    if _UNTRAINED not in run.epochs:
        return "**Sanity check.** This run does not store the weights before training, so the check is not possible."
    begun = escape_markdown(in_words(before_training(run)))
    if explanation.epoch == _UNTRAINED:
        return f"**Sanity check.** This is the network before training, {begun}."
    result = _ranks(explanation)
    if result is None:
        return "**Sanity check.** There are too few distinct scores to rank."
    return (
        f"**Sanity check.** The words’ ranks correlate **{number(result)}** with those before training, {begun} "
        "(Spearman). A value near 1 would mean that the scores depend little on training (Adebayo et al. 2018)."
    )


def _show_table(explanations: Sequence[Explanation], curves: Sequence[DeletionCurve]) -> None:
    """Show the numbers of every checkpoint, one in a row."""
    quoted = [(curve, _quoted(curve)) for curve in curves]
    ranks = [None if one.epoch == _UNTRAINED else _ranks(one) for one in explanations]
    st.table(
        {
            "Checkpoint": [escape_markdown(title) for title in compare.titles(explanations)],
            "Probability": [f"{curve.probability[0]:.0%}" for curve, _ in quoted],
            f"First {_QUOTED:.0%} removed": [f"{curve.probability[position]:.0%}" for curve, position in quoted],
            f"Random {_QUOTED:.0%} removed": [f"{curve.random[:, position].mean():.0%}" for curve, position in quoted],
            "AOPC": [number(curve.aopc, ".3f", signed=False) for curve in curves],
            "Verdict": [verdict.judgement(curve) for curve in curves],
            "Residual": ["–" if one.residual is None else _small(one.residual) for one in explanations],
            "Sanity check": ["–" if result is None else number(result) for result in ranks],
        },
        hide_index=True,
        border="horizontal",
    )


def _quoted(curve: DeletionCurve) -> int:
    """Return the position on the curve where a tenth of the tokens is out, or the next more."""
    return min(int(np.searchsorted(curve.share, _QUOTED)), len(curve.taken) - 1)


def _ranks(explanation: Explanation) -> float | None:
    """Return the rank correlation of the scores with those of the same run before training; None without either."""
    run, text = cache.runs()[explanation.run], explanation.encoded.text
    if _UNTRAINED not in run.epochs:
        return None
    before = cache.explanation(run, _UNTRAINED, text, explanation.method, explanation.target)()
    return explanation.rank_correlation(before)


def _small(value: float) -> str:
    return "under 0.001" if abs(value) < 0.001 else number(value, ".2g")
