"""What is said of classifiers that disagree: no two are called different that differ no more than seeds do."""

from __future__ import annotations

import numpy as np

from nlpviz.results.churn import AgreementPair, Churn, beyond
from nlpviz.stats.significance import Interval

Said = tuple[str, dict[str, object]]
"""A sentence with places, and what fills them."""


def count_said(found: Churn, document: str, *, epochs: bool) -> Said:
    """Return in at most 15 words how often all disagree, or how much the last epoch changed.

    Args:
        found: two classifiers at least, or the moments of one training.
        document: what a document of the corpus is called.
        epochs: whether it is the latter.
    """
    if epochs:
        last = found.pairs[len(found.answering) - 2, len(found.answering) - 1]
        return "**{churn:.1%}** of predictions change between {from} and {to}.", {
            "churn": 1 - last.agreement, "from": found.answering[-2].title, "to": found.answering[-1].title,
        }  # fmt: skip
    return "{count} classifiers disagree on **{some:.0%}** of {documents:,} test {document}s.", {
        "count": len(found.answering), "some": float((found.disagreement > 0).mean()), "documents": len(found.ids),
        "document": document,
    }  # fmt: skip


def networks_said(found: Churn, band: Interval | None) -> Said:
    """Return how many pairs of classifiers disagree no more than two seeds of one recipe.

    Args:
        found: two classifiers at least.
        band: of the churn between seeds; None where no two are seeds of one recipe.
    """
    if band is None:
        return "No two classifiers differ only in their seed, so seed noise is unknown.", {}
    others = [pair for pair in found.pairs.values() if not pair.same_recipe]
    return (
        "Two seeds of the same recipe disagree on {low:.1%} to {high:.1%}; **{within} of {others}** pairs of different "
        "recipes disagree no more than that.",
        {
            "low": band.low, "high": band.high, "others": len(others),
            "within": sum(not beyond(pair, band) for pair in others),
        },
    )  # fmt: skip


def pairs_table(found: Churn, band: Interval | None) -> dict[str, list[str]]:
    """Return all pairs as a table, those that disagree most first."""
    ordered = sorted(found.pairs, key=lambda pair: found.pairs[pair].agreement)
    each = [found.pairs[pair] for pair in ordered]
    return {
        "Classifier": [found.answering[one].title for one, _ in ordered],
        "Compared with": [found.answering[other].title for _, other in ordered],
        "Disagree": [f"{1 - pair.agreement:.1%}" for pair in each],
        "95% CI": ["{:.1%} to {:.1%}".format(*pair.churn_interval) for pair in each],
        "If errors were independent": [f"{1 - pair.independent:.1%}" for pair in each],
        "Compared with two seeds": [_verdict(pair, band) for pair in each],
    }


def epochs_said(found: Churn, band: Interval | None) -> Said:
    """Return from which moment on fewer predictions change than with another seed.

    Args:
        found: the moments of one training, two at least.
        band: of the churn between seeds of its recipe; None where only one seed is known.
    """
    steps = [found.pairs[at, at + 1] for at in range(len(found.answering) - 1)]
    if band is None:
        return "The network has been trained with only one seed, so seed noise is unknown.", {}
    pieces: dict[str, object] = {"low": band.low, "high": band.high}
    more = [at for at, step in enumerate(steps) if beyond(step, band)]
    if not more:
        return "No step changes more predictions than another seed does ({low:.1%} to {high:.1%}).", pieces
    pieces["until"] = found.answering[more[-1] + 1].title
    return "After {until}, no step changes more predictions than another seed does ({low:.1%} to {high:.1%}).", pieces


def pair_said(found: Churn, pair: tuple[int, int], band: Interval | None) -> Said:
    """Return how two of them agree."""
    one = found.pairs[pair]
    kappa = "" if np.isnan(one.kappa) else "; Cohen’s κ {kappa:.2f}"
    return (
        "**{first}** and **{second}** disagree on {churn:.1%} (95% CI {low:.1%} to {high:.1%})" + kappa + ": "
        f"{_verdict(one, band)}.",
        {
            "first": found.answering[pair[0]].title,
            "second": found.answering[pair[1]].title,
            "kappa": one.kappa,
            **_ends(one),
        },
    )


def _verdict(pair: AgreementPair, band: Interval | None) -> str:
    """Return what the disagreement of two is beside that of two seeds."""
    if pair.same_recipe:
        return "they differ only in their seed"
    return {
        True: "more than two seeds of the same recipe",
        False: "no more than two seeds of the same recipe",
        None: "seed noise is unknown",
    }[beyond(pair, band)]


def _ends(pair: AgreementPair) -> dict[str, object]:
    low, high = pair.churn_interval
    return {"churn": pair.churn, "low": low, "high": high}
