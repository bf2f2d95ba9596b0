"""What somebody else's model says of a text, read from JSON, so that it is drawn as that of the models here.

The form is described in ``docs/other-models.md``; what ``explain --json`` and ``attend --json`` print is of that form.
Nothing in a file is trusted: its size, its depth and every number are bounded, and what is wrong is said in a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.data.own_texts.foreign_tokens import numbers, tokens_of
from nlpviz.data.own_texts.rows import OwnTextsError
from nlpviz.results.attention import TextAttention
from nlpviz.results.explanation import NO_EPOCH, Explanation
from nlpviz.text.vocabulary import EncodedText

LARGEST = 1 << 24
"""Bytes of a file."""
MOST_RECORDS, LONGEST_TEXT, MOST_CLASSES = 100, 100_000, 100
MOST_WEIGHTS = 1 << 22
"""Of all heads together."""
_LONGEST_NAME = 100
_NEAR = 0.01  # by which weights or probabilities may miss one in sum: they were rounded


@dataclass(frozen=True)
class Foreign:
    """What a model says of one text.

    Attributes:
        explanation: the scores of its tokens; None where there are none.
        attention: the weights of its tokens, and what each attends to; None where there are none.
        unit: of a score.
    """

    explanation: Explanation | None
    attention: TextAttention | None
    unit: str


def read_foreign(path: Path) -> tuple[Foreign, ...]:
    """Return what stands in a file: one text, or several in a list.

    Raises:
        OwnTextsError: if it cannot be read, is too large, or is not of the form, saying where and what is wrong.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise OwnTextsError(f"{path} is larger than {LARGEST >> 20} MiB.")
        given = json.loads(path.read_bytes(), parse_constant=_no_constant)
    except OSError as error:
        raise OwnTextsError(f"{path} cannot be read ({type(error).__name__}).") from None
    except (ValueError, RecursionError) as error:
        raise OwnTextsError(f"{path} is not valid JSON: {str(error)[:_LONGEST_NAME]}.") from None
    records = given if isinstance(given, list) else [given]
    if not 1 <= len(records) <= MOST_RECORDS:
        raise OwnTextsError(f"{path} contains {len(records):,} texts, but it must contain 1 to {MOST_RECORDS}.")
    return tuple(
        foreign_of(record, f"Text {at}" if len(records) > 1 else path.name) for at, record in enumerate(records, 1)
    )


def foreign_of(given: object, where: str) -> Foreign:
    """Return what stands in one record.

    Args:
        given: as JSON has it.
        where: what an error calls it.

    Raises:
        OwnTextsError: if it is not of the form.
    """
    if not isinstance(given, dict):
        raise OwnTextsError(f"{where} is not an object with a text, its tokens, and scores or weights.")
    text = given.get("text")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise OwnTextsError(f"{where} has no `text` of at most {LONGEST_TEXT:,} characters.")
    tokens, own = tokens_of(given.get("tokens"), text, where)
    read = min((len(values) for values in own.values()), default=len(tokens))
    encoded = EncodedText(text, tuple(tokens), np.full(read, 2, dtype=np.int64), read)
    names, probabilities, target = _classes(given, where)
    scores = numbers(given.get("scores", own.get("score")), (read,), f"{where}: `scores`")
    attention = _attention(given, own.get("weight"), read, where)
    if scores is None and attention is None:
        raise OwnTextsError(f"{where} has neither `scores` nor `weights` nor `attention` for its tokens.")
    model = _name(given, ("model", "run"), "another model", where)
    return Foreign(
        None
        if scores is None
        else _explanation(given, (model, where), scores, encoded, (names, probabilities, target)),
        None
        if attention is None
        else TextAttention(model, NO_EPOCH, encoded, names, probabilities.copy(), attention[0], heads=attention[1]),
        _name(given, ("unit",), "score", where),
    )


def _explanation(
    given: Mapping[str, Any],
    named: tuple[str, str],
    scores: NDArray[np.float64],
    encoded: EncodedText,
    classes: tuple[tuple[str, ...], NDArray[np.float32], int],
) -> Explanation:
    (model, where), (names, probabilities, target) = named, classes
    negative = bool((scores < 0).any())
    signed = given.get("signed", negative)
    if not isinstance(signed, bool) or (negative and not signed):
        raise OwnTextsError(f"{where}: `signed` must be true or false, and true if any score is negative.")
    return Explanation(
        run=model,
        epoch=NO_EPOCH,
        method=_name(given, ("method",), "scores", where),
        encoded=encoded,
        scores=scores.astype(np.float32),
        matrix=None,
        signed=signed,
        target=target,
        class_names=names,
        probabilities=probabilities,
        class_score=_log_odds(float(probabilities[target])),
    )


def _attention(
    given: Mapping[str, Any], own: Sequence[Any] | None, count: int, where: str
) -> tuple[NDArray[np.float32], NDArray[np.float32] | None] | None:
    """Return the weight of each token (T,), and of every head (L, H, T, T) or None; None where there are neither."""
    weights = numbers(given.get("weights", own), (count,), f"{where}: `weights`")
    shapes: dict[int, tuple[int | None, ...]] = {
        2: (count, count), 3: (None, count, count), 4: (None, None, count, count),
    }  # fmt: skip
    given_heads = given.get("attention", given.get("heads"))
    depth = _depth(given_heads)
    heads = None
    if given_heads is not None:
        if depth not in shapes:
            raise OwnTextsError(
                f"{where}: `attention` must be a matrix, a list of heads, or a list of layers of heads."
            )
        heads = numbers(given_heads, shapes[depth], f"{where}: `attention`")
    for name, rows in (("weights", weights), ("attention", heads)):
        if rows is not None and rows.size and not (rows.min() >= 0 and np.abs(rows.sum(axis=-1) - 1).max() <= _NEAR):
            raise OwnTextsError(f"{where}: `{name}` must be non-negative, and each row must sum to 1.")
    words = None if weights is None else weights.astype(np.float32)
    if heads is None:
        return None if words is None else (words, None)
    if heads.size > MOST_WEIGHTS:
        raise OwnTextsError(f"{where}: `attention` has {heads.size:,} weights, above the maximum of {MOST_WEIGHTS:,}.")
    every = heads.reshape((1,) * (4 - heads.ndim) + heads.shape).astype(np.float32)
    return (every.mean(axis=(0, 1, 2)) if words is None else words), every


def _classes(given: Mapping[str, Any], where: str) -> tuple[tuple[str, ...], NDArray[np.float32], int]:
    """Return the classes, their probabilities (NaN where they are not told), and which one is explained."""
    said, names = given.get("probabilities"), given.get("classes")
    if isinstance(said, dict):
        names, said = list(said), list(said.values())
    target = given.get("target")
    if names is None:
        names = [target if isinstance(target, str) else "the prediction"]
    if not isinstance(names, list) or not 1 <= len(names) <= MOST_CLASSES or not all(map(_is_name, names)):
        raise OwnTextsError(
            f"{where}: `classes` must be 1 to {MOST_CLASSES} names of at most {_LONGEST_NAME} characters."
        )
    known = numbers(said, (len(names),), f"{where}: `probabilities`")
    if known is not None and not (known.min() >= 0 and abs(known.sum() - 1) <= _NEAR):
        raise OwnTextsError(f"{where}: `probabilities` must be non-negative and sum to 1.")
    if target is not None and target not in names:
        raise OwnTextsError(f"{where}: the `target` {str(target)[:_LONGEST_NAME]!r} is not among the classes.")
    chosen = names.index(target) if target is not None else 0 if known is None else int(known.argmax())
    probabilities = np.full(len(names), np.nan) if known is None else known
    return tuple(names), probabilities.astype(np.float32), chosen


def _name(given: Mapping[str, Any], keys: Sequence[str], default: str, where: str) -> str:
    key = next((key for key in keys if key in given), "")
    if key and not _is_name(given[key]):
        raise OwnTextsError(f"{where}: `{key}` must be a name of at most {_LONGEST_NAME} characters.")
    return str(given[key]) if key else default


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.strip() != "" and len(value) <= _LONGEST_NAME


def _depth(value: object) -> int:
    depth = 0
    while isinstance(value, list) and depth < 5:
        value, depth = (value[0] if value else None), depth + 1
    return depth


def _log_odds(probability: float) -> float:
    return float(np.log(probability / (1 - probability))) if 0 < probability < 1 else float("nan")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")
