"""What is said of classifiers that disagree: no two are called different that differ no more than seeds do."""

from __future__ import annotations

import numpy as np

from nlpviz.results.churn import AgreementPair, Churn, beyond
from nlpviz.significance import Interval

Said = tuple[str, dict[str, object]]
"""A sentence with places, and what fills them."""
_NAMED = 4


def networks_said(found: Churn, band: Interval | None, document: str) -> Said:
    """Return how often classifiers disagree, and which two do so no more than another seed.

    Args:
        found: two classifiers at least.
        band: of the churn between seeds; None where no two are seeds of one recipe.
        document: what a document of the corpus is called.
    """
    ordered = sorted(found.pairs, key=lambda pair: found.pairs[pair].agreement)
    least = ordered[0]
    pieces: dict[str, object] = {
        "count": len(found.answering), "documents": len(found.ids), "document": document,
        "some": float((found.disagreement > 0).mean()), **_ends(found.pairs[least]),
        "first": found.answering[least[0]].title, "second": found.answering[least[1]].title,
    }  # fmt: skip
    sentence = (
        "{count} classifiers, {documents:,} test {document}s: on **{some:.1%}** of them they do not all agree. Least "
        "alike are {first} and {second}, which disagree on **{churn:.1%}** (95 % interval {low:.1%} to {high:.1%}); "
        "were their errors independent, it would be {independent:.1%}. "
    )
    if band is None:
        return (
            sentence + "No two of them are seeds of one recipe: how much is the chance of a seed is not known.",
            pieces,
        )
    pieces |= {"seeds_low": band.low, "seeds_high": band.high}
    others = [pair for pair in ordered if not found.pairs[pair].same_recipe]
    within = [pair for pair in others if not beyond(found.pairs[pair], band)]
    pieces |= {"within": len(within), "others": len(others)}
    sentence += (
        "Two seeds of one recipe disagree on {seeds_low:.1%} to {seeds_high:.1%}. Of {others} pairs of different "
        "recipes **{within}** disagree no more than that"
    )
    names = []
    for at, (one, other) in enumerate(within[::-1][:_NAMED]):
        pieces |= {f"one{at}": found.answering[one].title, f"other{at}": found.answering[other].title}
        names.append(f"{{one{at}}} and {{other{at}}}")
    more = ", among them" if len(within) > len(names) else ""
    return f"{sentence}{f'{more}: ' + '; '.join(names) if names else ''}.", pieces


def epochs_said(found: Churn, band: Interval | None, document: str) -> Said:
    """Return how many predictions turn from each moment to the next, and from which on fewer than another seed turns.

    Args:
        found: the moments of one training, two at least.
        band: of the churn between seeds of its recipe; None where one seed is known alone.
        document: what a document of the corpus is called.
    """
    steps = [found.pairs[at, at + 1] for at in range(len(found.answering) - 1)]
    last = steps[-1]
    pieces: dict[str, object] = {
        "documents": len(found.ids), "document": document, "from": found.answering[-2].title,
        "to": found.answering[-1].title, **_ends(last),
    }  # fmt: skip
    sentence = (
        "Of {documents:,} test {document}s, **{churn:.1%}** (95 % interval {low:.1%} to {high:.1%}) are predicted "
        "otherwise at {to} than at {from}. "
    )
    if band is None:
        return sentence + "One seed alone is trained: how much another one turns is not known.", pieces
    pieces |= {"seeds_low": band.low, "seeds_high": band.high}
    sentence += "Another seed turns {seeds_low:.1%} to {seeds_high:.1%}; "
    more = [at for at, step in enumerate(steps) if beyond(step, band)]
    if not more:
        return sentence + "no step between two of these moments turns more than that.", pieces
    pieces["until"] = found.answering[more[-1] + 1].title
    after = ", later ones no more than another seed" if more[-1] + 1 < len(steps) else ""
    return sentence + f"the last step that turns more than that is the one to {{until}}{after}.", pieces


def pair_said(found: Churn, pair: tuple[int, int], band: Interval | None) -> Said:
    """Return how two of them agree."""
    one = found.pairs[pair]
    verdict = {
        True: "more than two seeds of one recipe do",
        False: "no more than two seeds of one recipe do",
        None: "how often two seeds do is not known",
    }[beyond(one, band)]
    if one.same_recipe:
        verdict = "they differ in their seed alone"
    kappa = "" if np.isnan(one.kappa) else "; Cohen's κ {kappa:.2f}"
    return (
        "**{first}** and **{second}** disagree on {churn:.1%} (95 % interval {low:.1%} to {high:.1%}): "
        + verdict
        + ". With independent errors it would be {independent:.1%}"
        + kappa
        + ".",
        {
            "first": found.answering[pair[0]].title,
            "second": found.answering[pair[1]].title,
            "kappa": one.kappa,
            **_ends(one),
        },
    )


def _ends(pair: AgreementPair) -> dict[str, object]:
    low, high = pair.churn_interval
    return {"churn": pair.churn, "low": low, "high": high, "independent": 1 - pair.independent}
