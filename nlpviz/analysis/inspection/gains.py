"""Where a language model predicts its test text better than another, by properties of each token.

The intervals are those of a mean over 50 consecutive pieces of the text (a jackknife of the ratio of sums, with
quantiles of t; Efron and Tibshirani 1993, chapters 11 and 12), since surprisals of neighbours go together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.gains import Gain
from nlpviz.text.tokenizers import EOS
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN, Vocabulary

Numbers = NDArray[np.floating[Any]]
PIECES = 50
_FEWEST = 10
"""Pieces that must hold tokens of a group: fewer give no interval that can be relied on."""
_FREQUENCIES = ((9, "under 10"), (99, "10–99"), (999, "100–999"), (9_999, "1,000–9,999"))
_DISTANCES = ((10, "1–10"), (100, "11–100"), (1_000, "101–1,000"), (10_000, "1,001–10,000"))
_WORDS = ((1, "first"), (5, "2–5"), (10, "6–10"), (20, "11–20"))
_LETTERS = ((1, "first"), (2, "second"), (3, "third"), (6, "4–6"))
_MANY, _FAR, _NEVER = "10,000 or more", "over 10,000", "first occurrence"
_LATER_WORD, _LATER_LETTER = "21 or later", "7 or later"
_KIND = "kind of token"
_LINE_END = "end of a line"
_ENDS = {".", "!", "?"}


def gains(
    ids: NDArray[np.int64], own: Numbers, other: Numbers, vocabulary: Vocabulary, *, of_characters: bool
) -> tuple[Gain, ...]:
    """Return how much lower one model's surprisal is than another's, by groups of tokens; empty groups are left out.

    Args:
        ids: of the test text, (T,), read as one.
        own: log-probabilities by the first model, (T,).
        other: by the other one.
        vocabulary: with the counts of the training text.
        of_characters: whether a token is a character: it then has a place in a word, not in a sentence.
    """
    words = [vocabulary.words[one] for one in ids]
    found: list[Gain] = []
    for grouping, names in _groupings(ids, words, vocabulary, of_characters=of_characters):
        groups = np.array(names)
        found += [
            _gain(grouping, name, np.flatnonzero(groups == name), own, other) for name in _in_order(grouping, names)
        ]
    return tuple(found)


def _groupings(
    ids: NDArray[np.int64], words: Sequence[str], vocabulary: Vocabulary, *, of_characters: bool
) -> Iterator[tuple[str, list[str]]]:
    """Yield what tokens are grouped by, and each one's group."""
    yield (
        "occurrences in the training text",
        [
            "unknown word" if one == UNKNOWN else _named(vocabulary.counts[one], _FREQUENCIES, _MANY)
            for one in ids.tolist()
        ],
    )
    yield (
        "distance to the last occurrence",
        [_NEVER if away == 0 else _named(away, _DISTANCES, _FAR) for away in since_last(ids).tolist()],
    )
    if of_characters:
        yield "position in the word", [_place_in_word(place) for place in _run_lengths(words, _is_letter)]
    else:
        yield "position in the sentence", [_place_in_sentence(place) for place in _places(words)]
    yield _KIND, [_sort(word) for word in words]


def since_last(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many tokens ago each of ``ids`` (T,) last occurred; 0 where it did not."""
    order = np.argsort(ids, kind="stable")
    away = np.zeros(len(ids), dtype=np.int64)
    again = ids[order][1:] == ids[order][:-1]
    away[order[1:][again]] = (order[1:] - order[:-1])[again]
    return away


def _places(words: Sequence[str]) -> Iterator[int]:
    """Yield the place of each word in its sentence, from 1; 0 of the end of a line, which is no word of one."""
    place = 0
    for word in words:
        place = 0 if word == EOS else place + 1
        yield place
        if word in _ENDS:
            place = 0


def _place_in_sentence(place: int) -> str:
    return _LINE_END if place == 0 else _named(place, _WORDS, _LATER_WORD)


def _run_lengths(words: Sequence[str], belongs: Any) -> Iterator[int]:  # noqa: ANN401
    """Yield how many tokens in a row belonged up to each one; 0 where it does not belong itself."""
    length = 0
    for word in words:
        length = length + 1 if belongs(word) else 0
        yield length


def _is_letter(sign: str) -> bool:
    return sign.isalpha() and len(sign) == 1


def _place_in_word(place: int) -> str:
    return "no letters" if place == 0 else _named(place, _LETTERS, _LATER_LETTER)


def _sort(word: str) -> str:
    """Return what sort of token a word or a character is."""
    if word == EOS:
        return _LINE_END
    if word == SPECIALS[UNKNOWN]:
        return "unknown word"
    if word == " ":
        return "space"
    if any(map(str.isdigit, word)):
        return "number"
    if any(map(str.isalpha, word)):
        return "capitalised" if word[0].isupper() else "lower case"
    return "punctuation"


def _named(value: int, bounds: Sequence[tuple[int, str]], beyond: str) -> str:
    return next((name for most, name in bounds if value <= most), beyond)


def _in_order(grouping: str, names: Sequence[str]) -> list[str]:
    """Return the groups that there are: numbers ascending, others by how many tokens they have."""
    known = [name for bounds in (_FREQUENCIES, _DISTANCES, _WORDS, _LETTERS) for _, name in bounds]
    each_once = dict.fromkeys([*known, _MANY, _FAR, _LATER_WORD, _LATER_LETTER, _NEVER, _LINE_END, "no letters"])
    ordered = {name: place for place, name in enumerate(each_once)}
    there = sorted(set(names))
    if grouping == _KIND:
        return sorted(there, key=lambda name: -list(names).count(name))
    return sorted(there, key=lambda name: ordered.get(name, -1))


def _gain(grouping: str, group: str, places: NDArray[np.int64], own: Numbers, other: Numbers) -> Gain:
    from scipy.stats import t

    difference = own.astype(np.float64) - other
    edges = np.linspace(0, len(own), PIECES + 1).astype(np.int64)
    cuts = np.searchsorted(places, edges)
    sums = np.add.reduceat(np.append(difference[places], 0.0), cuts[:-1]) * (np.diff(cuts) > 0)
    filled = int((np.diff(cuts) > 0).sum())
    away = float(t.ppf(0.975, filled - 1)) * jackknife_error(sums, np.diff(cuts)) if filled >= _FEWEST else np.nan
    mean = float(difference[places].mean())
    return Gain(
        grouping, group, len(places), float(-own[places].mean()), float(-other[places].mean()),
        mean - away, mean + away,
    )  # fmt: skip


def jackknife_error(sums: Numbers, counts: NDArray[np.integer[Any]]) -> float:
    """Return the standard error of ``sums.sum() / counts.sum()``, leaving out each piece in turn; 0 of a single one."""
    filled = counts > 0
    sums, counts = sums[filled], counts[filled]
    if len(counts) < 2:
        return 0.0
    without = (sums.sum() - sums) / (counts.sum() - counts)
    return float(np.sqrt((len(counts) - 1) / len(counts) * ((without - without.mean()) ** 2).sum()))
