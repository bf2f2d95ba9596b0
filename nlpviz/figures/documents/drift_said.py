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
        return "With one seed alone, no change can be told from seed noise.", {}
    return "**{beyond}** of {all} comparisons change more than another seed does.", {
        "beyond": beyond,
        "all": len(judged),
    }


def floor_said(drift: Drift, document: str) -> Said:
    """Return what another seed alone does to a document's neighbours, or that it is not known."""
    pieces: dict[str, object] = {"title": drift.title, "k": drift.neighbours, "document": document}
    if drift.floor is None:
        sentence = "Seed noise is unknown: only one seed of {title} is trained."
        if drift.repeatable:
            sentence += f" `python -m nlpviz seeds {drift.run} --seed {drift.seeds[0] + 2}` trains another one."
        return sentence, pieces
    band = drift.floor.band
    pieces |= {"mean": drift.floor.mean, "low": band.low, "high": band.high, "chance": drift.by_chance}
    pieces |= {"count": len(drift.seeds)}
    poorly = "; two seeds alone show it poorly" * (len(drift.floor.pairs) == 1)
    return (
        "Retraining {title} with another seed already changes **{mean:.0%}** of a {document}'s {k} nearest neighbours "
        f"({{count}} seeds, band {{low:.0%}} to {{high:.0%}}{poorly}).",
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


def compared_said(drift: Drift, one: ComparedSpace, document: str, against: str) -> Said:
    """Return what one comparison comes to, and how many documents stand out.

    Args:
        drift: that it belongs to.
        one: the comparison.
        document: what a document of the corpus is called.
        against: what it is compared with, as people call it.
    """
    pieces: dict[str, object] = {
        "title": one.found.title, "against": against, "k": drift.neighbours, "mean": one.found.mean,
        "document": document, "count": len(one.found.known),
    }  # fmt: skip
    sentence = "**{title}** compared with {against}: {mean:.0%} of the {k} nearest neighbours change, "
    pieces |= {f"recipe{at}": name for at, name in enumerate(one.floor.recipes if one.floor else ())}
    sentence += _VERDICTS[one.verdict] + _whose(one) + "."
    if one.floor is None or one.group == "seeds":
        return sentence, pieces
    moved = one.floor.moved(one.found)
    chance = one.floor.exceeded_by_chance
    pieces |= {"moved": int(moved.sum())}
    beside = "up to half by chance"
    if chance is not None:
        pieces["chance"] = chance
        beside = "by chance {chance:.1%}"
    return (
        sentence + " For {moved:,} of {count:,} {document}s more change than between any two seeds (" + beside + ").",
        pieces,
    )


def _judged(drift: Drift) -> list[ComparedSpace]:
    """Return the comparisons, seeds aside, that can be judged."""
    return [one for one in drift.compared if one.group != "seeds" and one.verdict is not Verdict.UNKNOWN]


def _whose(one: ComparedSpace) -> str:
    """Return of which recipes the seeds are, as a sentence goes on; empty where no seed is known."""
    recipes = one.floor.recipes if one.floor is not None else ()
    return " of " + " or ".join(f"{{recipe{at}}}" for at in range(len(recipes))) if recipes else ""


_VERDICTS = {
    Verdict.BEYOND: "**more** than with another seed",
    Verdict.WITHIN: "no more than with another seed",
    Verdict.BELOW: "less than with another seed",
    Verdict.UNKNOWN: "with unknown seed noise",
}
