"""What is said of spaces beside each other: nothing is called a change that is within the band of the seeds."""

from __future__ import annotations

from nlpviz.results.drift import ComparedSpace, Drift, Verdict

Said = tuple[str, dict[str, object]]
"""A sentence with places, and what fills them."""


def floor_said(drift: Drift, document: str) -> Said:
    """Return what another seed alone does to a document's neighbours, or that nobody knows."""
    pieces: dict[str, object] = {"title": drift.title, "k": drift.neighbours, "document": document}
    if drift.floor is None:
        sentence = "No floor is known: one seed of {title} alone is trained. "
        if any(one.floor is not None for one in drift.compared):
            sentence += "Where another network has several seeds, their band alone decides what is called a change."
        else:
            sentence += "So nothing below can be called a change."
        if drift.repeatable:
            sentence += f" `python -m nlpviz seeds {drift.run} --seed {drift.seeds[0] + 2}` trains another one."
        return sentence, pieces
    band = drift.floor.band
    pieces |= {"mean": drift.floor.mean, "low": band.low, "high": band.high, "chance": drift.by_chance}
    pieces |= {
        "pairs": len(drift.floor.pairs),
        "seeds": " and ".join(filter(None, (", ".join(map(str, drift.seeds[:-1])), str(drift.seeds[-1])))),
    }
    known = (
        "between its seeds {seeds}: one pair, so that the band is known poorly"
        if len(drift.floor.pairs) == 1
        else "between any two of its seeds {seeds}: {pairs} pairs"
    )
    return (
        "**Another seed alone** exchanges {mean:.1%} of a {document}'s {k} nearest neighbours in {title} ("
        + known
        + "). The seeds' band is **{low:.1%} to {high:.1%}**; in spaces that have nothing in common it would be "
        "{chance:.1%}.",
        pieces,
    )


def groups_said(drift: Drift) -> Said | None:
    """Return which epochs and networks lie beyond the band, and which do not; None where no floor is known."""
    judged = [one for one in drift.compared if one.group != "seeds" and one.verdict is not Verdict.UNKNOWN]
    if not judged:
        return None
    pieces: dict[str, object] = {}
    sentences = []
    for verdict, (one, several) in _GROUPS.items():
        found = [each for each in judged if each.verdict is verdict]
        if not found:
            continue
        names = []
        for each in found[:_NAMED]:
            name = f"piece{len(pieces)}"
            pieces[name] = each.found.title
            names.append(f"{{{name}}}")
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        sentences.append(f"{one if len(found) == 1 else several}: {', '.join(names)}{more}.")
    return " ".join(sentences), pieces


def compared_said(drift: Drift, one: ComparedSpace, document: str, against: str) -> Said:
    """Return what one comparison comes to: its number, where it lies to the band, and how many documents stand out.

    Args:
        drift: that it belongs to.
        one: the comparison.
        document: what a document of the corpus is called.
        against: what it is compared with, as people call it.
    """
    low, high = one.found.interval
    pieces: dict[str, object] = {
        "title": one.found.title, "against": against, "k": drift.neighbours, "mean": one.found.mean, "low": low,
        "high": high, "document": document, "count": len(one.found.known),
    }  # fmt: skip
    sentence = (
        "**{title}** beside {against}: {mean:.1%} (95 % interval {low:.1%} to {high:.1%}) of a {document}'s {k} "
        "nearest neighbours are others, over {count:,} {document}s: " + _VERDICTS[one.verdict]
    )
    pieces |= {f"recipe{at}": name for at, name in enumerate(one.floor.recipes if one.floor else ())}
    sentence += _whose(one) + "."
    if one.floor is None or one.group == "seeds":
        return sentence, pieces
    moved = one.floor.moved(one.found)
    pieces |= {"moved": int(moved.sum()), "share": float(moved.sum()) / max(len(one.found.known), 1)}
    chance = one.floor.exceeded_by_chance
    if chance is None:
        beside = "with one pair of seeds, up to half of them would by chance alone"
    else:
        pieces["chance"] = chance
        beside = "between two seeds, {chance:.1%} of them on average exceed all other pairs"
    sentence += (
        " Of {moved:,} {document}s ({share:.1%}) more neighbours are others than between any two of the seeds; "
        + beside
    )
    return sentence + ".", pieces


def _whose(one: ComparedSpace) -> str:
    """Return of which recipes the seeds are, as a sentence goes on; empty where nobody knows a seed."""
    recipes = one.floor.recipes if one.floor is not None else ()
    return " of " + " or of ".join(f"{{recipe{at}}}" for at in range(len(recipes))) + " does" if recipes else ""


_NAMED = 6
_GROUPS = {
    Verdict.BEYOND: ("Beyond the band, a change", "Beyond the band, changes"),
    Verdict.WITHIN: ("Within it, so no more than another seed does", "Within it, so no more than another seed does"),
    Verdict.BELOW: ("Below it, less than another seed does", "Below it, less than another seed does"),
}
_VERDICTS = {
    Verdict.BEYOND: "**changed**, by more than another seed",
    Verdict.WITHIN: "no more than another seed",
    Verdict.BELOW: "less than another seed",
    Verdict.UNKNOWN: "how much of it is the chance of a seed is not known",
}
