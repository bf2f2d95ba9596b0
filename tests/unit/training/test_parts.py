"""Files in parts and back, and what a fit needs as arrays and back."""

from __future__ import annotations

import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training import TrainingError
from nlpviz.training.arrays import (
    rows_as_arrays,
    rows_of,
    sentences_as_arrays,
    sentences_of,
    vocabulary_as_arrays,
    vocabulary_of,
)
from nlpviz.training.compressed import narrowed
from nlpviz.training.parts import read_parts, write_parts

MOST = 20_000


def files(folder: Path, sizes: list[int]) -> dict[str, Path]:
    """Return files of random bytes, by their names."""
    rng = np.random.default_rng(0)
    made = {}
    for number, size in enumerate(sizes):
        path = folder / f"file-{number}"
        path.write_bytes(rng.bytes(size))
        made[f"run-{number % 2}/file.{number}"] = path
    return made


@settings(max_examples=30)
@given(st.lists(st.integers(0, 70_000), max_size=4))
def test_files_in_parts_are_the_files_again_and_no_part_is_larger(sizes: list[int]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = files(folder, sizes)
        parts = write_parts(made, folder / "parts", "part", MOST)
        assert all(part.stat().st_size <= MOST for part in parts)
        assert len(parts) <= 1 + sum(1 + size // (MOST - 2_048) for size in sizes)
        assert read_parts(reversed(parts), folder / "back") == []
        for name, path in made.items():
            assert (folder / "back" / name).read_bytes() == path.read_bytes()
        assert sum(path.is_file() for path in (folder / "back").rglob("*")) == len(sizes)


def test_what_lacks_a_piece_is_named_and_the_rest_is_there(tmp_path: Path) -> None:
    made = files(tmp_path, [100, 50_000, 100])
    parts = write_parts(made, tmp_path / "parts", "part", MOST)
    assert len(parts) > 2
    assert read_parts([parts[0], parts[-1]], tmp_path / "back") == ["run-1/file.1"]
    assert sorted(path.name for path in (tmp_path / "back").rglob("*.*")) == ["file.0", "file.2"]


def test_numbers_go_on(tmp_path: Path) -> None:
    first = write_parts(files(tmp_path, [10]), tmp_path / "parts", "part", MOST)
    second = write_parts(files(tmp_path, [12_000, 12_000]), tmp_path / "parts", "part", MOST)
    assert [path.name for path in first + second] == ["part-01.zip", "part-02.zip", "part-03.zip"]


@pytest.mark.parametrize("flip", [0, 40, -30])
def test_a_damaged_part_is_refused(tmp_path: Path, flip: int) -> None:
    (part,) = write_parts(files(tmp_path, [1000]), tmp_path / "parts", "part", MOST)
    content = bytearray(part.read_bytes())
    content[flip] ^= 0xFF
    part.write_bytes(bytes(content) if flip else b"no zip")
    with pytest.raises(TrainingError, match=r"part-01\.zip (is damaged|contains)"):
        read_parts([part], tmp_path / "back")


@pytest.mark.parametrize("name", ["../evil@1of1", "/evil@1of1", "a/../../evil@1of1", "plain", "a/.hidden@1of1"])
def test_a_part_writes_nowhere_else(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "part-01.zip", "w") as archive:
        archive.writestr(name, "evil")
    with pytest.raises(TrainingError, match="not part of a bundle"):
        read_parts([tmp_path / "part-01.zip"], tmp_path / "in" / "back")
    assert [path.name for path in tmp_path.rglob("*evil*")] == []


# --------------------------------------------------------------------------------------------------------- as arrays


@given(st.lists(st.lists(st.integers(0, 2**40))))
def test_rows_are_the_rows_again(rows: list[list[int]]) -> None:
    arrays = rows_as_arrays("x", [np.array(row, dtype=np.int64) for row in rows])
    fewer = {name: narrowed(array) for name, array in arrays.items()}
    back = rows_of(fewer, "x")
    assert [row.tolist() for row in back] == rows
    assert all(row.dtype == np.int64 for row in back)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"))))
def test_sentences_are_the_sentences_again(sentences: list[str]) -> None:
    fewer = {name: narrowed(array) for name, array in sentences_as_arrays("x", sentences).items()}
    assert sentences_of(fewer, "x") == sentences


@pytest.mark.parametrize("words", [["the", "naïve", "don't", "🙂"], []])
def test_a_vocabulary_is_the_vocabulary_again(words: list[str]) -> None:
    vocabulary = Vocabulary(words, list(range(len(words), 0, -1)))
    back = vocabulary_of(vocabulary_as_arrays("x", vocabulary), "x")
    assert back.words == vocabulary.words
    assert back.counts.tolist() == vocabulary.counts.tolist()


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [(0, 255, "uint8"), (-1, 100, "int8"), (0, 256, "uint16"), (-1, 30_000, "int16"), (-1, 40_000, "int32")],
)
def test_numbers_take_as_few_bytes_as_they_need(low: int, high: int, kind: str) -> None:
    assert narrowed(np.array([low, high])).dtype == kind
    assert narrowed(np.array([low, high])).tolist() == [low, high]
