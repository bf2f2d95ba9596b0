"""Names of classes where there is little room."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.text.vocabulary import shortened

_LETTERS, _FEWEST = 18, 3


def short_names(names: Sequence[str]) -> list[str]:
    """Return a short name for each class, each its own.

    Of names with dots, such as ``comp.sys.mac.hardware``, it is the shortest end that no other class has and that has
    three letters; longer names are cut.
    """
    ends = [_ends(name) for name in names]
    short = [
        next(
            (end for end in own if len(end) >= _FEWEST and sum(end in other for other in ends) == 1),
            name,
        )
        for name, own in zip(names, ends, strict=True)
    ]
    cut = [shortened(name, _LETTERS) for name in short]
    return [name if cut.count(one) > 1 else one for name, one in zip(names, cut, strict=True)]


def _ends(name: str) -> list[str]:
    """Return what is left of a name as its dotted parts are left out from the front, the shortest first."""
    parts = name.split(".")
    return [".".join(parts[first:]) for first in reversed(range(len(parts)))]
