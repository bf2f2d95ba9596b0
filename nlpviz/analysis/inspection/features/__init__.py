"""What a unit may follow: a number at every word of a text, one feature per module, and typed word lists.

A feature is computed from the text only, never from the network.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import regex
from numpy.typing import NDArray

from nlpviz.discovery import discover
from nlpviz.text.tokenizers import Tokenizer
from nlpviz.text.vocabulary import EncodedText, tokenize

HALF_LIFE = 5
"""Words after which the trace of a word list has halved."""
LISTED, TRACE = "words", "trace"
"""The names of the two features of a typed word list."""
MOST_LISTED = 60
"""Words of a typed list that count."""

Course = NDArray[np.float32]


def of_words_alone(tokenizer: Tokenizer) -> bool:
    """Return whether a text is read in words."""
    return not tokenizer.of_characters


def of_characters_alone(tokenizer: Tokenizer) -> bool:
    """Return whether a text is read in characters."""
    return tokenizer.of_characters


@dataclass(frozen=True)
class Feature:
    """What a module under ``nlpviz.analysis.inspection.features`` exports as ``FEATURE``.

    Attributes:
        name: on the command line and in an address.
        title: how people call it.
        says: what the number at a word is, for a sentence that begins with "at each word".
        course: from a text and the weights of words the numbers at its T read tokens, (T,).
        unit: of the number; empty where it is 0 or 1.
        of_place: whether it is the same in every text, so that another text's course would be no other.
        of_last_class: whether it is made of the weights of words, which speak for the last class.
        ahead: whether the number at a word depends on later words, which no network that reads onwards has seen.
        order: where it stands among all of them.
        suits: whether it can be read off a text that this tokenizer parted.
    """

    name: str
    title: str
    says: str
    course: Callable[[EncodedText, Mapping[str, float]], Course]
    unit: str = ""
    of_place: bool = False
    of_last_class: bool = False
    ahead: bool = False
    order: int = 50
    suits: Callable[[Tokenizer], bool] = of_words_alone

    @property
    def is_binary(self) -> bool:
        """Whether it holds at a word or does not."""
        return not self.unit


def features() -> dict[str, Feature]:
    """Return every feature by name, in display order."""
    found = discover("nlpviz.analysis.inspection.features", "FEATURE", Feature)
    return dict(sorted(found.items(), key=lambda one: (one[1].order, one[0])))


def features_of(tokenizer: Tokenizer, class_names: Sequence[str] = ()) -> dict[str, Feature]:
    """Return the features of tokenized texts, in the same order.

    Of more than two classes, what speaks for the last one against all others is no sentiment, and is called so.
    """
    found = {name: one for name, one in features().items() if one.suits(tokenizer)}
    if len(class_names) <= 2:
        return found
    last, against = class_names[-1], "against all other classes, counted on training texts"
    says = f"the sum of the naive-Bayes weights (log-odds {against}) of all words so far"
    return {
        name: replace(one, title=f"evidence for {last} so far", says=says) if one.of_last_class else one
        for name, one in found.items()
    }


def within(encoded: EncodedText, pattern: regex.Pattern[str]) -> Course:
    """Return 1 at each token that begins in a match of ``pattern`` in the text, else 0."""
    inside = np.zeros(len(encoded.text) + 1, dtype=np.float32)
    for match in pattern.finditer(encoded.text):
        inside[match.start() : match.end()] = 1
    return inside[[token.start for token in encoded.read]]


def typed_words(typed: str) -> tuple[str, ...]:
    """Return the words of a typed list, in the vocabulary's spelling, each once and at most :data:`MOST_LISTED`."""
    words = dict.fromkeys(token.word for token in tokenize(typed) if token.word not in {",", ";"})
    return tuple(words)[:MOST_LISTED]


def of_words(words: Sequence[str]) -> dict[str, Feature]:
    """Return the two features of a word list: at its words, and their decaying trace, by name."""
    listed = frozenset(words)

    def at(encoded: EncodedText, _: Mapping[str, float]) -> Course:
        return np.array([token.word in listed for token in encoded.read], dtype=np.float32)

    def after(encoded: EncodedText, _: Mapping[str, float]) -> Course:
        result, kept = np.zeros(len(encoded.ids), np.float32), 0.0
        for position, token in enumerate(encoded.read):
            kept = 1.0 if token.word in listed else kept * 0.5 ** (1 / HALF_LIFE)
            result[position] = kept
        return result

    trace = f"1 at a listed word, then halved every {HALF_LIFE} words"
    return {
        LISTED: Feature(LISTED, "word list", "1 at a listed word, 0 elsewhere", at),
        TRACE: Feature(TRACE, "trace of the word list", trace, after, unit="trace"),
    }
