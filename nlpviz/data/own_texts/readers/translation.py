"""The user's sentence pairs: the splits that their recipe describes, and a sentence by its id.

Pairs with an equal side are in one split. Read from what a run kept, where one did, else from the files themselves, as
long as they are those that the recipe names.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from nlpviz.data import DataError
from nlpviz.data.own_texts.pairs import GatheredPairs, PairSource, gather_pairs
from nlpviz.data.own_texts.readers import OwnReader, check_files
from nlpviz.data.own_texts.recipe import TextsRecipe
from nlpviz.data.own_texts.splitting import held_out_pairs
from nlpviz.data.parallel import ParallelTexts

SPLITS = ("train", "validation", "test")
TRAIN, VALIDATION, TEST = SPLITS


def sources_of(texts: TextsRecipe) -> tuple[PairSource, PairSource | None]:
    """Return where a recipe's pairs are, and those of its test file where it has one."""
    first, second = texts.languages
    two_files = bool(texts.translations_sha256)
    train = PairSource(texts.source, texts.translations, (first, second), two_files)
    if not texts.test:
        return train, None
    translations = texts.test_translations if two_files else texts.translations
    return train, PairSource(texts.test_source, translations, (first, second), two_files)


def split(texts: TextsRecipe, train: GatheredPairs, test: GatheredPairs | None) -> dict[str, ParallelTexts]:
    """Return the splits of pairs that were read.

    Args:
        texts: how they are split.
        train: the pairs of the file, or of the two.
        test: those of a test file.

    Raises:
        OwnTextsError: if equal sentences link so many pairs that none can be held out.
    """
    pairs = list(zip(train.sources, train.targets, strict=True))
    left = np.arange(len(pairs))
    tested = held_out_pairs(pairs, left, texts.held_out, texts.seed) if test is None else left[:0]
    left = np.setdiff1d(left, tested)
    validation = held_out_pairs(pairs, left, texts.validation, texts.seed + 1)
    places = {TRAIN: np.setdiff1d(left, validation), VALIDATION: validation, TEST: tested}
    result = {name: _taken(texts, name, [pairs[at] for at in some]) for name, some in places.items()}
    if test is not None:
        result[TEST] = _taken(texts, TEST, list(zip(test.sources, test.targets, strict=True)))
    return result


def _taken(texts: TextsRecipe, name: str, pairs: list[tuple[str, str]]) -> ParallelTexts:
    """Return some of the pairs as a split."""
    sides = zip(*pairs, strict=True) if pairs else ((), ())
    return ParallelTexts(name, {language: tuple(side) for language, side in zip(texts.languages, sides, strict=True)})


def _read(texts: TextsRecipe, kept: Path, name: str) -> ParallelTexts:
    """Return the split called ``name``.

    Raises:
        CorpusMissing: if no run keeps the pairs, and a file is not there or has changed.
        DataError: if there is no such split.
    """
    if name not in SPLITS:
        raise DataError(f"{Path(texts.path).name} has no split {name!r}; available: {', '.join(SPLITS)}.")
    if kept.is_file():
        return _kept(texts, kept, kept.stat().st_mtime_ns)[name]
    check_files(texts)
    return _from_files(texts)[name]


@lru_cache(maxsize=2)
def _from_files(texts: TextsRecipe) -> dict[str, ParallelTexts]:
    """Return the splits, read from the files, which the recipe identifies by their hashes."""
    train, test = sources_of(texts)
    return split(texts, gather_pairs(train), gather_pairs(test) if test else None)


@lru_cache(maxsize=2)
def _kept(texts: TextsRecipe, path: Path, _changed: int) -> dict[str, ParallelTexts]:
    """Return the splits that a run keeps."""
    import pyarrow.parquet as pq

    rows = pq.ParquetFile(path).read().to_pylist()
    return {
        name: _taken(texts, name, [(row["source"], row["target"]) for row in rows if row["split"] == name])
        for name in SPLITS
    }


def _keep(texts: TextsRecipe, kept: Path) -> None:
    """Write the pairs to ``kept``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    splits = [_read(texts, kept, name) for name in SPLITS]
    first, second = texts.languages
    columns = {
        "split": pa.array([one.split for one in splits for _ in range(len(one))]),
        "source": pa.array([text for one in splits for text in one.texts[first]], pa.large_string()),
        "target": pa.array([text for one in splits for text in one.texts[second]], pa.large_string()),
    }
    pq.write_table(pa.table(columns), kept, compression="zstd")


def _find(texts: TextsRecipe, kept: Path, identifier: str) -> str:
    """Return the sentence called ``identifier``: split, language and place from 1, as ``"test/en/17"``.

    Raises:
        CorpusMissing: if it is unavailable, saying why.
        DataError: if there is no such sentence.
    """
    name, _, rest = identifier.partition("/")
    language, _, place = rest.partition("/")
    if name in SPLITS and language in texts.languages and place.isdecimal() and len(place) < 10:
        lines = _read(texts, kept, name).texts[language]
        if 1 <= int(place) <= len(lines):
            return lines[int(place) - 1]
    raise DataError(f"{Path(texts.path).name} has no sentence {identifier!r}.")


def said(texts: TextsRecipe) -> str:
    """Return a sentence that says how test and validation pairs were chosen."""
    where = "Test set: a separate file" if texts.test else f"Test set: {texts.held_out:.1%} of the pairs"
    others = "training pairs" if texts.test else "rest"
    return (
        f"{where}. Validation set: {texts.validation:.1%} of the {others}. The split is random, but pairs that "
        "share a sentence or a translation stay together."
    )


READER = OwnReader("translation", _read, _find, _keep, said, "the user’s own sentence pairs")
