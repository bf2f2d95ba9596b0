"""Labels as people write them become classes: case and blanks around them aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nlpviz.data.own_texts.rows import OwnTextsError
from nlpviz.data.own_texts.sniff import MOST_CLASSES, is_date, is_number

FEWEST = 3
"""Texts that a class must have: one to train on, one to choose the epoch on, one to test on."""
_LONGEST = 100  # characters of a label


@dataclass(frozen=True)
class Classes:
    """The classes of labelled texts.

    Attributes:
        names: in the order of their indices, each as it is written most often.
        left_out: class -> texts, of those with too few.
        looks_like: ``"numbers"``, ``"dates"`` or ``""``.
    """

    names: tuple[str, ...]
    left_out: Mapping[str, int]
    looks_like: str

    def index(self, label: str) -> int:
        """Return the index of a label's class; −1 where it is none of them."""
        return self._indices.get(folded(label), -1)

    @property
    def _indices(self) -> dict[str, int]:
        return {folded(name): index for index, name in enumerate(self.names)}

    def indices(self, labels: Sequence[str]) -> list[int]:
        """Return the index of each label's class; −1 where it is none of them."""
        known = self._indices
        return [known.get(folded(label), -1) for label in labels]


def folded(label: str) -> str:
    """Return a label as labels are compared: blanks around it and case aside."""
    return " ".join(label.split()).casefold()


def classes_of(labels: Sequence[str], column: str) -> Classes:
    """Return the classes that labels stand for; those with fewer than three texts are left out.

    Raises:
        OwnTextsError: if there is one class alone, more than a hundred, or none with texts enough.
    """
    spellings: dict[str, Counter[str]] = {}
    for label in labels:
        spellings.setdefault(folded(label), Counter())[" ".join(label.split())] += 1
    counts = {key: sum(written.values()) for key, written in spellings.items()}
    name = {key: min(written, key=lambda one: (-written[one], one)) for key, written in spellings.items()}
    longest = max(map(len, counts))
    if longest > _LONGEST:
        raise OwnTextsError(
            f"The column {column!r} contains labels of up to {longest:,} characters. Is it the text column?"
        )
    like = _looks_like(list(counts))
    looks = f", which look like {like}" if like else ""
    if len(counts) == 1:
        only = next(iter(name.values()))
        raise OwnTextsError(f"All texts have the label {only!r}, but a classifier needs at least two classes.")
    if len(counts) > MOST_CLASSES:
        largest = sorted(counts.values(), reverse=True)
        raise OwnTextsError(
            f"The column {column!r} has {len(counts):,} different values{looks}; a classifier can have at most "
            f"{MOST_CLASSES} classes (texts per value: at most {largest[0]:,}, median {largest[len(largest) // 2]:,})."
        )
    kept = [key for key, count in counts.items() if count >= FEWEST]
    if len(kept) < 2:
        raise OwnTextsError(
            f"Only {len(kept)} of {len(counts):,} classes {'has' if len(kept) == 1 else 'have'} at least {FEWEST} "
            "texts. Each class needs at least one text for training, one for validation and one for testing."
        )
    left_out = {name[key]: count for key, count in counts.items() if count < FEWEST}
    return Classes(tuple(name[key] for key in sorted(kept, key=_order)), left_out, like)


def _looks_like(values: Sequence[str]) -> str:
    """Return what labels look like that are hardly meant as such; whole numbers under ten may be stars."""
    if all(map(is_date, values)):
        return "dates"
    few = len(values) <= 10 and all(value.isdecimal() and len(value) < 3 for value in values)
    return "numbers" if all(map(is_number, values)) and not few else ""


def _order(key: str) -> tuple[int, float, str]:
    """Return what classes are sorted by: numbers by their size, then names."""
    return (0, float(key.strip("%").replace(",", ".")), key) if is_number(key) else (1, 0.0, key)
