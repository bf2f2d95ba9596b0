"""The user's texts with classes: the splits that their recipe describes, and the text of a document by its id.

A split is read from the texts that a run kept, where one did, else from the file itself, as long as it is the one that
the recipe names. Nothing that is read is written anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import DataError
from nlpviz.data.columns import LabelledTexts
from nlpviz.data.own_texts import open_source
from nlpviz.data.own_texts.classes import Classes
from nlpviz.data.own_texts.collect import Gathered, gather
from nlpviz.data.own_texts.readers import OwnReader, check_files
from nlpviz.data.own_texts.recipe import TextsRecipe
from nlpviz.data.own_texts.splitting import held_out, said


@dataclass(frozen=True, eq=False)
class OwnSplit(LabelledTexts):
    """The texts of one split, in the order of the file; labels are all 0 where texts have none, and ratings are.

    Attributes:
        held_out: bool (N,), which training texts are for validation; none in the test split.
    """

    held_out: NDArray[np.bool_]


Splits = dict[str, OwnSplit]


def split(texts: TextsRecipe, train: Gathered, test: Gathered | None, classes: Classes | None) -> Splits:
    """Return the splits of rows that were read; those whose label is no class are left out.

    Args:
        texts: how they are split.
        train: the rows of the file.
        test: those of a test file.
        classes: what labels stand for; None where there are none.
    """
    labels = _labels(train, classes)
    everything = np.flatnonzero(labels >= 0)
    if test is not None:
        held = np.empty(0, dtype=np.int64)
    elif train.splits:
        held = everything[np.array([train.splits[at] == "test" for at in everything])]
    else:
        held = held_out(train, everything, labels, texts.held_out, texts.seed)
    left = np.setdiff1d(everything, held)
    validation = held_out(train, left, labels, texts.validation, texts.seed + 1)
    if test is None:
        tested = _taken("test", train, held, labels)
    else:
        of_test = _labels(test, classes)
        tested = _taken("test", test, np.flatnonzero(of_test >= 0), of_test)
    return {"train": _taken("train", train, left, labels, validation), "test": tested}


def _keep(texts: TextsRecipe, kept: Path) -> None:
    """Write the texts to ``kept``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    both = [_read(texts, kept, name) for name in ("train", "test")]
    columns = {
        "id": pa.array([name for one in both for name in one.ids]),
        "label": pa.array(np.concatenate([one.labels for one in both])),
        "held_out": pa.array(np.concatenate([one.held_out for one in both])),
        "text": pa.array([text for one in both for text in one.texts], pa.large_string()),
    }
    pq.write_table(pa.table(columns), kept, compression="zstd")


def _labels(rows: Gathered, classes: Classes | None) -> NDArray[np.int8]:
    if classes is None:
        return np.zeros(len(rows), dtype=np.int8)
    return np.array(classes.indices(rows.labels), dtype=np.int8)


def _taken(
    name: str,
    rows: Gathered,
    positions: NDArray[np.int64],
    labels: NDArray[np.int8],
    validation: NDArray[np.int64] | None = None,
) -> OwnSplit:
    """Return some of the rows as a split."""
    held = np.zeros(len(positions), dtype=bool) if validation is None else np.isin(positions, validation)
    ids = [f"{name}/{rows.numbers[at]}" for at in positions]
    ratings = np.zeros(len(positions), dtype=np.int8)
    return OwnSplit(ids, ratings, labels[positions], [rows.texts[at] for at in positions], held)


def _read(texts: TextsRecipe, kept: Path, name: str) -> OwnSplit:
    """Return the split called ``name``.

    Raises:
        CorpusMissing: if no run keeps the texts, and the file is not there or has changed.
        DataError: if there is no such split.
    """
    if name not in ("train", "test"):
        raise DataError(f"{Path(texts.path).name} has no split {name!r}; available: train and test.")
    if kept.is_file():
        return _kept(kept, kept.stat().st_mtime_ns)[name]
    check_files(texts)
    return _from_file(texts)[name]


@lru_cache(maxsize=2)
def _from_file(texts: TextsRecipe) -> Splits:
    """Return the splits, read from the file, which the recipe identifies by its hash."""
    train = gather(open_source(texts.source))
    test = gather(open_source(texts.test_source)) if texts.test else None
    return split(texts, train, test, Classes(texts.classes, {}, "") if texts.classes else None)


@lru_cache(maxsize=2)
def _kept(path: Path, _changed: int) -> Splits:
    """Return the splits that a run keeps."""
    import pyarrow.parquet as pq

    from nlpviz.data.columns import TextColumn

    table = pq.ParquetFile(path).read()
    ids = table["id"].to_pylist()
    labels, held = (table[name].combine_chunks().to_numpy(zero_copy_only=False) for name in ("label", "held_out"))
    first = next((at for at, one in enumerate(ids) if one.startswith("test/")), len(ids))
    result = {}
    for name, rows in (("train", slice(0, first)), ("test", slice(first, len(ids)))):
        texts = TextColumn(table["text"].combine_chunks()[rows])
        result[name] = OwnSplit(ids[rows], np.zeros(len(ids[rows]), np.int8), labels[rows], texts, held[rows])
    return result


def _find(texts: TextsRecipe, kept: Path, identifier: str) -> str:
    """Return the text of a document.

    Raises:
        CorpusMissing: if its text is unavailable, saying why.
        DataError: if there is no such document.
    """
    name = identifier.partition("/")[0]
    rows = _read(texts, kept, name if name in ("train", "test") else "test")
    try:
        return str(rows.texts[rows.ids.index(identifier)])
    except ValueError:
        raise DataError(f"{Path(texts.path).name} has no document {identifier!r}.") from None


def _said(texts: TextsRecipe) -> str:
    return said(
        texts.source, texts.held_out, texts.validation, test_file=bool(texts.test), by_folder=not texts.held_out
    )


READER = OwnReader("classes", _read, _find, _keep, _said)
