"""User data described before a model is trained on it: what it contains, and what leaks between its splits."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nlpviz.data.own_texts import Opened
from nlpviz.data.own_texts.classes import Classes
from nlpviz.data.own_texts.collect import Gathered
from nlpviz.data.own_texts.near_duplicates import nearly_in
from nlpviz.data.own_texts.readers.classes import OwnSplit, Splits
from nlpviz.data.own_texts.splitting import normalised
from nlpviz.results.own_texts import ClassCount, TextsReport

RARE = 10
_LOOKED_AT = 200  # letters of a text from which its script is detected
_TOGETHER = {"HIRAGANA": "Japanese", "KATAKANA": "Japanese", "CJK": "Chinese or Japanese"}
WITHOUT_BLANKS = {"Japanese", "Chinese or Japanese", "Thai", "Lao", "Khmer", "Myanmar"}
"""Scripts that put no blanks between words."""


@dataclass(frozen=True)
class Looked:
    """What was read of the user data.

    Attributes:
        opened: the file.
        train: its rows.
        test: those of a test file, if there is one.
        classes: what their labels stand for; None where they have none.
        splits: the texts as they are used.
        split: a sentence that says how they were split.
    """

    opened: Opened
    train: Gathered
    test: Gathered | None
    classes: Classes | None
    splits: Splits
    split: str


def report(looked: Looked) -> TextsReport:
    """Return what there is to know of texts before training."""
    train, test = looked.splits["train"], looked.splits["test"]
    files = [looked.train, *([looked.test] if looked.test else [])]
    keys = [[normalised(text) for text in one.texts] for one in (train, test)]
    there = set(keys[0])
    same = [key in there for key in keys[1]]
    classes = _class_counts(looked.classes.names if looked.classes else ("texts",), train, test)
    scripts = Counter(script_of(text) for one in (train, test) for text in one.texts)
    return TextsReport(
        files=tuple(one.file for one in files),
        format=looked.opened.format,
        guesses=looked.opened.guesses,
        rows=sum(one.rows for one in files),
        classes=classes,
        split=looked.split,
        lengths=np.array([key.count(" ") + 1 for one in keys for key in one]),
        empty=sum(one.empty for one in files),
        repeated=sum(map(len, keys)) - len(there | set(keys[1])),
        in_both=sum(same),
        nearly_in_both=nearly_in(keys[0], [key for key, known in zip(keys[1], same, strict=True) if not known]),
        rare=tuple(one.name for one in classes if one.train < RARE) if looked.classes else (),
        scripts=tuple(scripts.most_common()),
        notes=tuple(_notes(looked, scripts)),
        bad=tuple(bad for one in files for bad in one.bad),
        bad_count=sum(one.bad_count for one in files),
    )


def script_of(text: str) -> str:
    """Return the writing system of most letters at a text's beginning; ``"none"`` where it has no letter."""
    found = Counter(_script(sign) for sign in text[: 4 * _LOOKED_AT] if sign.isalpha())
    return found.most_common(1)[0][0] if found else "none"


def _class_counts(names: Sequence[str], train: OwnSplit, test: OwnSplit) -> tuple[ClassCount, ...]:
    kept, held, tested = (
        np.bincount(labels, minlength=len(names))
        for labels in (train.labels[~train.held_out], train.labels[train.held_out], test.labels)
    )
    return tuple(ClassCount(name, int(kept[at]), int(held[at]), int(tested[at])) for at, name in enumerate(names))


def _notes(looked: Looked, scripts: Counter[str]) -> Iterator[str]:
    classes = looked.classes
    if classes and classes.looks_like:
        yield f"The {len(classes.names):,} different labels look like {classes.looks_like}."
    if classes and classes.left_out:
        names = [f"{name} ({count})" for name, count in list(classes.left_out.items())[:10]]
        more = f" and {len(classes.left_out) - 10:,} more" if len(classes.left_out) > 10 else ""
        yield f"Classes with fewer than three texts are excluded: {', '.join(names)}{more}."
    if looked.test and classes:
        strange = sum(classes.index(label) < 0 for label in looked.test.labels)
        if strange:
            yield (
                f"{strange:,} texts of {looked.test.file} are excluded because their label does not occur in the "
                "training texts."
            )
    if without := sorted(WITHOUT_BLANKS & set(scripts)):
        named = " and ".join(without)
        yield (
            f"Text in {named} has no spaces between words: each sequence of characters between punctuation marks "
            "counts as one word."
        )


@lru_cache(maxsize=100_000)
def _script(sign: str) -> str:
    first = unicodedata.name(sign, "none").split()[0].split("-")[0]
    return _TOGETHER.get(first, first.capitalize())
