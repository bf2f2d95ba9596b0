"""What is said of spaces that are compared: nothing is called a change that is within the band of the seeds."""

from __future__ import annotations

from nlpviz.results.drift import ComparedSpace, Drift, Verdict

Said = tuple[str, dict[str, object]]
"""A sentence with places, and what fills them."""


def count_said(drift: Drift) -> Said:
    """Return in at most 15 words how many comparisons exceed what another seed does."""
    judged = _judged(drift)
    beyond = sum(one.verdict is Verdict.BEYOND for one in judged)
    if not judged:
        return "With only one seed, changes cannot be separated from seed noise.", {}
    return "**{beyond}** of {all} comparisons exceed seed noise.", {
        "beyond": beyond,
        "all": len(judged),
    }


def floor_said(drift: Drift, document: str) -> Said:
    """Return what another seed alone does to a document's neighbours, or that it is not known."""
    pieces: dict[str, object] = {"title": drift.title, "k": drift.neighbours, "document": document}
    if drift.floor is None:
        if not drift.repeatable:
            return "Seed noise is unknown: {title} has been trained with only one seed.", pieces
        command = f"`python -m nlpviz seeds {drift.run} --seed {drift.seeds[0] + 2}`"
        return f"Seed noise is unknown. Train another seed of {{title}} with {command}.", pieces
    band = drift.floor.band
    pieces |= {"mean": drift.floor.mean, "low": band.low, "high": band.high, "chance": drift.by_chance}
    pieces |= {"count": len(drift.seeds)}
    only = "only " * (len(drift.floor.pairs) == 1)
    return (
        "Retraining {title} with another seed already changes **{mean:.0%}** of a {document}’s {k} nearest neighbours "
        f"({only}{{count}} seeds, band {{low:.0%}} to {{high:.0%}}).",
        pieces,
    )


def verdicts_table(drift: Drift) -> dict[str, list[str]]:
    """Return all comparisons as a table: changed neighbours with their interval, and what that is beside the seeds."""
    return {
        "Comparison": [one.found.title for one in drift.compared],
        "Changed neighbours": [f"{one.found.mean:.1%}" for one in drift.compared],
        "95% CI": [f"{one.found.interval[0]:.1%} to {one.found.interval[1]:.1%}" for one in drift.compared],
        "Compared with another seed": [_VERDICTS[one.verdict] for one in drift.compared],
    }


def compared_said(drift: Drift, one: ComparedSpace, against: str) -> Said:
    """Return in at most 25 words what one comparison comes to.

    Args:
        drift: that it belongs to.
        one: the comparison.
        against: what it is compared with, as people call it.
    """
    recipes = one.floor.recipes if one.floor else ()
    pieces: dict[str, object] = {
        "title": one.found.title, "against": against, "k": drift.neighbours, "mean": one.found.mean,
    } | {f"recipe{at}": name for at, name in enumerate(recipes)}  # fmt: skip
    whose = " of {recipe0}" if len(recipes) == 1 else " of either network" if recipes else ""
    return (
        "**{title}** compared with {against}: {mean:.0%} of the {k} neighbours change, "
        f"{_VERDICTS[one.verdict]}{whose}.",
        pieces,
    )


def moved_said(one: ComparedSpace, document: str) -> str:
    """Return how many documents stand out in a comparison, compared with which seeds; empty where that is not known.

    Args:
        one: the comparison.
        document: what a document of the corpus is called.
    """
    if one.floor is None or one.group == "seeds":
        return ""
    moved, count, chance = int(one.floor.moved(one.found).sum()), len(one.found.known), one.floor.exceeded_by_chance
    whose = f" of {' or '.join(one.floor.recipes)}" if one.floor.recipes else ""
    return (
        f"For {moved:,} of {count:,} {document}s, more neighbours change than between any two seeds{whose} "
        f"(by chance: {'up to half' if chance is None else f'{chance:.1%}'})."
    )


def _judged(drift: Drift) -> list[ComparedSpace]:
    """Return the comparisons, seeds aside, that can be judged."""
    return [one for one in drift.compared if one.group != "seeds" and one.verdict is not Verdict.UNKNOWN]


_VERDICTS = {
    Verdict.BEYOND: "**more** than with another seed",
    Verdict.WITHIN: "no more than with another seed",
    Verdict.BELOW: "less than with another seed",
    Verdict.UNKNOWN: "with unknown seed noise",
}
