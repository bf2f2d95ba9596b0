"""The maps of words that a run of word vectors keeps in ``maps.parquet``: one row per word, one column per map.

A column is named after projector, dimensions, epoch and number of words (``tsne.2d.07.500``). A map of fewer words
than there are rows is of the first of them; the rest of its column is NaN.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from nlpviz.results.projection import WordMap
from nlpviz.runs.documents import MAPS
from nlpviz.runs.files import matrix, vectors, write_table
from nlpviz.runs.run import Run, RunError
from nlpviz.runs.vectors import INPUT, source_of

_WORDS = "word"
_IN_COLUMNS = ("source", "words", "coordinates")  # of a map: said elsewhere than in the schema's metadata


def write_word_maps(run: Run, maps: Sequence[WordMap]) -> Run:
    """Write maps into the run's folder and its manifest; return the updated run.

    Args:
        run: of word vectors.
        maps: each of the first words of the longest one.
    """
    import pyarrow as pa

    words = max((one.words for one in maps), key=len)
    columns, about = {_WORDS: pa.array(words)}, {}
    for one in maps:
        column = f"{one.projector}.{one.dimensions}d.{one.epoch or 0:02d}.{len(one.words)}"
        rows = np.full((len(words), one.dimensions), np.nan, dtype=np.float16)  # finer than any screen
        rows[: len(one.words)] = one.coordinates
        columns[column] = vectors(rows)
        facts = asdict(one)
        about[column] = {key: value for key, value in facts.items() if key not in _IN_COLUMNS}
        about[column]["words"] = len(one.words)
    write_table(run.folder / MAPS, columns, json.dumps(about))
    return run.save()


def word_maps_of(run: Run) -> tuple[WordMap, ...]:
    """Return the maps of words that the run keeps; empty where none were computed.

    Raises:
        RunError: if the file is damaged.
    """
    return run.kept("word maps", _read) if MAPS in run.files else ()


def _read(run: Run) -> tuple[WordMap, ...]:
    table = run.table(MAPS)
    described = json.loads((table.schema.metadata or {}).get(b"nlpviz", b"{}"))
    run.require_columns(MAPS, [_WORDS, *described], table.column_names)
    words = tuple(table[_WORDS].to_pylist())
    result = []
    try:
        for column, about in described.items():
            count = about.pop("words")
            positions = matrix(table, column)[:count].astype(np.float32)
            source = source_of(run, about["epoch"], INPUT)
            result.append(WordMap(source=source, words=words[:count], coordinates=positions, **about))
    except (KeyError, TypeError):
        command = f"`python -m nlpviz project {run.name}`"
        raise RunError(
            f"{MAPS} of the run {run.name!r} was written by another version. Run {command} to recompute it."
        ) from None
    return tuple(result)
