"""What a corpus gives, and what a fit needs of it, as named arrays: ids, words with their counts, numbered sentences.

In this form it may lie in a file and travel (:mod:`nlpviz.training.packing`): numbers, and the words that they stand
for, from which a run is fitted where neither the corpus nor what reads it is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.vocabulary import SPECIALS, Vocabulary

Arrays = Mapping[str, NDArray[Any]]
LOGGED = "logged"
"""With it begin the names of arrays that a fit reads for its log alone: the test split's."""
_COMMON = (1 << 16) - 1
"""Words with a number below it take two bytes a token; in their place, all others stand as this number."""


def rows_as_arrays(name: str, rows: Sequence[NDArray[np.integer]]) -> dict[str, NDArray[Any]]:
    """Return rows of numbers, each of its own length, as two arrays."""
    values = np.concatenate(rows) if len(rows) else np.empty(0, dtype=np.int64)
    return {f"{name}.values": values, f"{name}.lengths": np.array([len(row) for row in rows], dtype=np.int64)}


def rows_of(arrays: Arrays, name: str) -> list[NDArray[np.int64]]:
    """Return what :func:`rows_as_arrays` took, int64."""
    values, lengths = arrays[f"{name}.values"].astype(np.int64), arrays[f"{name}.lengths"].astype(np.int64)
    return np.split(values, np.cumsum(lengths)[:-1]) if len(lengths) else []


def vocabulary_as_arrays(name: str, vocabulary: Vocabulary) -> dict[str, NDArray[Any]]:
    """Return a vocabulary as two arrays: its words, line by line, and their counts."""
    return {
        f"{name}.words": text_as_array("\n".join(vocabulary.words[len(SPECIALS) :])),
        f"{name}.counts": vocabulary.counts[len(SPECIALS) :],
    }


def vocabulary_of(arrays: Arrays, name: str) -> Vocabulary:
    """Return what :func:`vocabulary_as_arrays` took."""
    words = text_of(arrays[f"{name}.words"])
    return Vocabulary(words.split("\n") if words else [], arrays[f"{name}.counts"].tolist())


def sentences_as_arrays(name: str, sentences: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return sentences as the numbers of their words, whose spellings are listed once."""
    numbers: dict[str, int] = {}
    rows = [
        np.array([numbers.setdefault(word, len(numbers)) for word in sentence.split(" ")]) for sentence in sentences
    ]
    return {**rows_as_arrays(name, rows), f"{name}.words": text_as_array("\n".join(numbers))}


def sentences_of(arrays: Arrays, name: str) -> list[str]:
    """Return what :func:`sentences_as_arrays` took, sign for sign."""
    words = text_of(arrays[f"{name}.words"]).split("\n")
    return [" ".join(words[number] for number in row) for row in rows_of(arrays, name)]


def numbered_as_arrays(texts: NumberedTexts) -> dict[str, NDArray[Any]]:
    """Return numbered texts as arrays: the numbers in two bytes each, those of rare words in a row of their own."""
    return {
        "words": text_as_array("\n".join(texts.words)),
        "ids": np.minimum(texts.ids, _COMMON).astype(np.uint16),
        "rare": texts.ids[texts.ids >= _COMMON] - _COMMON,
        "lengths": texts.lengths,
    }


def numbered_of(arrays: Arrays) -> NumberedTexts:
    """Return what :func:`numbered_as_arrays` took."""
    words, ids = text_of(arrays["words"]), arrays["ids"].astype(np.uint32)
    ids[ids == _COMMON] += arrays["rare"].astype(np.uint32)
    return NumberedTexts(words.split("\n") if words else [], ids, arrays["lengths"].astype(np.int64))


def text_as_array(text: str) -> NDArray[np.uint8]:
    """Return the bytes of ``text`` in UTF-8."""
    return np.frombuffer(text.encode(), dtype=np.uint8)


def text_of(array: NDArray[np.uint8]) -> str:
    """Return what :func:`text_as_array` took."""
    return array.tobytes().decode()
