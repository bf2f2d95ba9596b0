"""What the test of deletion comes to, in sentences that say no more than its numbers hold."""

from __future__ import annotations

from nlpviz.figures.numbers import number
from nlpviz.results.deletion import DeletionCurve, DeletionSurvey, Estimate

HANDICAP = (
    "Its scores are unsigned, a disadvantage in this test: words that count against the class are also removed early."
)

_READING = r"""
**AOPC**, the area over the perturbation curve, summarises the deletion curve in one number: how far the probability $p$
falls on average when 0, 1, 5, 10, 20 and 50% of the tokens are removed, $\frac{1}{6} \sum_{k=0}^{5} (p_0 - p_k)$ (Samek
et al. 2017; DeYoung et al. 2020). Removing any words may lower $p$, so each method is compared with random orders."""


def reading(survey: DeletionSurvey | None, document: str = "text") -> str:
    """Return Markdown that says what AOPC is, and what a run's default method was chosen by, if it was measured."""
    if survey is None:
        return f"{_READING} AOPC has not been measured on test {document}s for this model."
    return (
        f"{_READING} AOPC was measured on {len(survey.ids):,} test {document}s (the same number for each label), "
        f"with a bootstrap interval. The default method was chosen on these {document}s."
    )


def here(curve: DeletionCurve) -> str:
    """Return in Markdown how a method's order did beside the random orders of one text."""
    random = curve.random_aopc
    spread = f"{_area(random.min())} to {_area(random.max())}"
    return f"**{judgement(curve)}** (AOPC {_area(curve.aopc)}; random orders {spread})."


def judgement(curve: DeletionCurve) -> str:
    """Return the same in a few words, without numbers of the curve."""
    count, better = len(curve.random), curve.better
    if better == count:
        return f"Better than all {count} random orders here"
    if curve.worse == count:
        return f"Worse than all {count} random orders here"
    if 2 * better > count:
        return f"Within the range of random orders here; beats {better} of {count}"
    return f"No better than a random order here; beats {better or 'none'} of {count}"


def in_general(survey: DeletionSurvey, method: str, document: str = "text") -> str:
    """Return in Markdown how a method's orders did beside random ones, over the test documents that were asked."""
    place = survey.best_first.index(method)
    rank = ("first", "second", "third")[place] if place < 3 else f"number {place + 1}"
    return (
        f"Mean AOPC over {len(survey.ids):,} test {document}s at epoch {survey.epoch}: "
        f"**{_area(survey.of(method).mean)}** (95% CI {_interval(survey.of(method))}); for random orders "
        f"{_area(survey.at_random.mean)} ({_interval(survey.at_random)}): {compared(survey.gained(method))}. "
        f"The method beats all {survey.orders} random orders in {survey.beats_all(method)} {document}s and ranks "
        f"{rank} of {len(survey.methods)} methods."
    )


def compared(gained: Estimate) -> str:
    """Return what the interval of a method's difference from random orders says."""
    if gained.low > 0:
        return "better than random"
    if gained.high < 0:
        return "worse than random"
    return "not distinguishable from random"


def _interval(estimate: Estimate) -> str:
    return f"{_area(estimate.low)} to {_area(estimate.high)}"


def _area(value: float) -> str:
    """Return an AOPC with as many digits as tell apart what :data:`nlpviz.results.deletion.MARGIN` does."""
    return number(value, ".3f", signed=False)
