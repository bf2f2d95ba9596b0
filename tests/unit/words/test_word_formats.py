"""Files of word vectors: both ways with gensim, told apart by looking, and each way in which a file is none."""

from __future__ import annotations

import gzip
import mmap
import pickle
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.formats import FormatError, load, read, write_binary, write_text
from tests.words import toy_vectors

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from gensim.models import KeyedVectors

GLOVE = "the 0.5 1 2\nof -1 1e-3 4\nand 0 0 0\n"
WORDS = ("the", "of", "and")


def written(folder: Path, content: bytes | str, name: str = "vectors.txt") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def own(vectors: WordVectors) -> np.ndarray:
    """Return the vectors with their own lengths."""
    return vectors.directions * vectors.lengths[:, None]


# ---------------------------------------------------------------------------------------------- both ways with gensim


@pytest.mark.parametrize("binary", [True, False], ids=["binary", "text"])
def test_gensim_loads_what_is_written(tmp_path: Path, binary: bool) -> None:
    vectors = toy_vectors()
    path = tmp_path / "vectors"
    (write_binary if binary else write_text)(path, vectors)
    theirs = KeyedVectors.load_word2vec_format(path, binary=binary)
    assert tuple(theirs.index_to_key) == vectors.words
    assert np.array_equal(theirs.vectors, own(vectors))  # to the last bit, lengths too


@pytest.mark.parametrize("binary", [True, False], ids=["binary", "text"])
def test_what_gensim_writes_is_read(tmp_path: Path, binary: bool) -> None:
    rng = np.random.default_rng(0)
    words = ["naïve", "слово", "語", "don't", "x" * 200, "1984", "</s>", *map(str, range(500))]
    theirs = KeyedVectors(7)
    theirs.add_vectors(words, 3 * rng.normal(size=(len(words), 7)).astype(np.float32))
    path = tmp_path / "theirs"
    theirs.save_word2vec_format(path, binary=binary)
    result = load(path, source="theirs")
    assert result.vectors.words == tuple(words)
    assert own(result.vectors) == pytest.approx(theirs.vectors, rel=1e-5, abs=1e-6)
    assert np.linalg.norm(result.vectors.directions, axis=1) == pytest.approx(np.ones(len(words)), abs=1e-6)
    assert (result.title, result.repeated) == (f"word2vec {'binary' if binary else 'text'}", 0)
    assert (result.vectors.source, result.vectors.counts) == ("theirs", None)


def test_gensims_own_pickle_is_refused(tmp_path: Path) -> None:
    theirs = KeyedVectors(2)
    theirs.add_vectors(["a"], np.ones((1, 2), dtype=np.float32))
    theirs.save(str(tmp_path / "theirs.kv"))
    with pytest.raises(FormatError, match=r"^theirs.kv is a pickle\. .*save_word2vec_format instead\.$"):
        load(tmp_path / "theirs.kv", source="x")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_every_protocol_are_refused(tmp_path: Path, protocol: int) -> None:
    content = pickle.dumps({"a": [1.0, 2.0]}, protocol)
    with pytest.raises(FormatError, match="is a pickle"):
        load(written(tmp_path, content), source="x")


# ------------------------------------------------------------------------------------------------ told by their look


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (GLOVE, "GloVe text"),
        (GLOVE.removesuffix("\n"), "GloVe text"),
        (GLOVE.replace("\n", "\r\n"), "GloVe text"),
        (GLOVE.replace("\n", " \n") + "\n\n", "GloVe text"),
        (GLOVE.replace(" ", "\t"), "GloVe text"),
        (GLOVE.replace(" ", "  "), "GloVe text"),
        ("\ufeff" + GLOVE, "GloVe text"),
        ("3 3\n" + GLOVE, "word2vec text"),
        ("3 3 \r\n" + GLOVE.replace("\n", " \r\n"), "word2vec text"),
        (gzip.compress(GLOVE.encode()), "GloVe text"),
        (gzip.compress(b"3 3\n" + GLOVE.encode()), "word2vec text"),
        (
            b"3 3\n"
            + b"".join(
                f"{word} ".encode() + struct.pack("<3f", *numbers) + b"\n"
                for word, numbers in zip(WORDS, [(0.5, 1, 2), (-1, 1e-3, 4), (0, 0, 0)], strict=True)
            ),
            "word2vec binary",
        ),
        (
            b"3 3\n"  # as fastText's and older writers do: no line feed after a vector
            + b"".join(
                f"{word} ".encode() + struct.pack("<3f", *numbers)
                for word, numbers in zip(WORDS, [(0.5, 1, 2), (-1, 1e-3, 4), (0, 0, 0)], strict=True)
            ),
            "word2vec binary",
        ),
    ],
    ids=range(13),
)
def test_the_same_vectors_in_every_format(tmp_path: Path, content: bytes | str, title: str) -> None:
    result = load(written(tmp_path, content), source="own")
    assert result.title == title
    assert result.vectors.words == WORDS
    assert own(result.vectors) == pytest.approx(np.array([[0.5, 1, 2], [-1, 1e-3, 4], [0, 0, 0]]), abs=1e-6)


def test_words_with_spaces_of_gloves_largest_file(tmp_path: Path) -> None:
    text = "a 1 2 3\n. . . 1 2 3\nat name@example.org 3 2 1\n"
    assert read(written(tmp_path, text), source="x").words == ("a", ". . .", "at name@example.org")


def test_a_first_word_in_another_script_is_text(tmp_path: Path) -> None:
    assert load(written(tmp_path, "2 3\nслово 1 2 3\n語 1 2 3\n"), source="x").title == "word2vec text"
    assert read(written(tmp_path, "<s> 1 2 3\n{ 1 2 3\n"), source="x").words == ("<s>", "{")


def test_a_repeated_word_keeps_its_first_vector(tmp_path: Path) -> None:
    result = load(written(tmp_path, "a 3 4\nb 1 0\na 0 9\nb 5 5\nc 0 1\n"), source="x")
    assert (result.vectors.words, result.repeated) == (("a", "b", "c"), 2)
    assert result.vectors.lengths.tolist() == [5, 1, 1]
    binary = b"3 1\n" + b"".join(
        word + b" " + struct.pack("<f", value) for word, value in [(b"a", 2), (b"a", 7), (b"b", 9)]
    )
    result = load(written(tmp_path, binary), source="x")
    assert (result.vectors.words, result.repeated, result.vectors.lengths.tolist()) == (("a", "b"), 1, [2, 9])


@pytest.mark.parametrize("binary", [True, False], ids=["binary", "text"])
def test_the_first_words_alone(tmp_path: Path, binary: bool) -> None:
    vectors = toy_vectors()
    path = tmp_path / "vectors"
    (write_binary if binary else write_text)(path, vectors)
    result = read(path, source="x", most_words=5, largest_bytes=5 * 21 * 4)
    assert result.words == vectors.words[:5]
    assert own(result) == pytest.approx(own(vectors)[:5], abs=1e-6)
    assert len(read(path, source="x", most_words=1_000)) == len(vectors)


# ----------------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "^vectors.txt is empty"),
        (
            "It was the best of times,\nit was\n",
            "^vectors.txt is not a file of word vectors: line 1 is 'It was the best",
        ),
        ("word,x,y\na,1,2\n", "is not a file of word vectors"),
        ("a 1\nb 2\n", "is not a file of word vectors"),
        ("7" * 3_000_000, "is not a file of word vectors"),
        (np.random.default_rng(0).bytes(5_000), "is not a file of word vectors"),
        (GLOVE.encode("utf-16"), "is not a file of word vectors"),
        ("<!DOCTYPE html>\n<html>", "is an HTML or XML page"),
        ('{"a": [1, 2]}', "is a JSON file"),
        (b"PK\x03\x04rest", "is a zip archive"),
        (b"\x93NUMPYrest", "is a NumPy array"),
        (b"\xba\x16\x4f\x2frest", "Read the accompanying .vec file"),
        (b"\x80\x04\x95rest", "is a pickle"),
        (b"\x1f\x8brest of no archive", "cannot be read .BadGzipFile"),
        (gzip.compress(GLOVE.encode())[:-12], "cannot be read .EOFError"),
        (gzip.compress(b"1 1\na \x00\x00\x80\x3f"), "unpack it first"),
        ("a 1 2 3\nb 1 2 3\nc 1 2\n", r"^Line 3 of vectors.txt has 2 numbers, but the first line has 3\.$"),
        ("a 1 2 3\n\nb 1 2 3 4\n", "^Line 3 of vectors.txt has 4 numbers, but the first line has 3"),
        ("a 1 2 3\nb c d e\n", "^Line 2 of vectors.txt contains 'c' instead of a number"),
        ("2 3\na 1\t2\nb 1 2 3\n", "^Line 2 of vectors.txt has 2 numbers"),
        ("2 3\na 1 2 3\nb 1 x 3\n", "^Line 3 of vectors.txt contains 'x' instead of a number"),
        ("a 1 2 3\nb 1 nan 3\n", "^Line 2 of vectors.txt contains a number that is not finite"),
        ("a 1 2 3\nb 1 -inf 3\n", "^Line 2 .* not finite"),
        ("a 1 2 3\nb 1 1e60 3\n", "^Line 2 .* too large"),
        ("a 1 2 3\nb 1 1e20 3\n", "^Line 2 .* too large"),
        ("a 1 2 3\n 1 2 3\n", "^Line 2 of vectors.txt begins with a space instead of a word"),
        ("a 1 2 3\nb " + "1" * (1 << 20) + " 2 3\n", "^Line 2 of vectors.txt is longer than 1.0 MiB"),
        ("0 300\n", "declares 0 words of 300 numbers"),
        ("3 3\na 1 2 3\n", "declares 3 words of 3 numbers, but 1 line follows"),
        ("3 3\na 1 2 3\n\nb 1 2 3\n", "declares 3 words, but the file contains 2"),
        ("1 3\na 1 2 3\nb 1 2 3\n", "^vectors.txt continues in line 3, after the 1"),
        ("1000000000000 300\nthe 0.1 0.2\n", "declares 1,000,000,000,000 words of 300 numbers, but 1 line follows"),
        (
            b"1000000000000 300\nthe \x00\x00\x80\x3f",
            "declares 1,000,000,000,000 words .* more than fit into its 8 bytes",
        ),
        (b"999999999999999999 999999999999999999\na \x00\xff", "more than fit into its 4 bytes"),
        (b"1 2\na " + struct.pack("<2f", 1, float("nan")), "^Word 1 of vectors.txt, 'a', has a number that is not"),
        (b"2 1\na " + struct.pack("<f", 1) + b"b " + struct.pack("<f", 1)[:3], "'b', has an incomplete vector"),
        (b"1 1\n\xff\xfe " + struct.pack("<f", float("nan")), "^Word 1 of vectors.txt has a number that is not finite"),
        (b"1 1\na " + struct.pack("<2f", 1, 2), "continues after the 1 words"),
        (b"2 1\na \x00\x00\x80\x3f" + b"\xff" * 20_000 + b" \x00\x00\x80\x3f", "^Word 2 of vectors.txt has no end"),
    ],
    ids=range(39),
)
def test_what_is_no_vectors_is_refused_in_one_sentence(tmp_path: Path, content: bytes | str, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence) as raised:
        load(written(tmp_path, content), source="x")
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300 + len(str(tmp_path))


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", Path("/dev/zero")):
        with pytest.raises(FormatError, match="is not a file"):
            load(path, source="x")


@pytest.mark.parametrize("form", ["glove", "text", "binary", "gzip"])
def test_what_would_fill_memory_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    vectors = toy_vectors()
    path = tmp_path / "vectors"
    (write_binary if form == "binary" else write_text)(path, vectors)
    if form in ("glove", "gzip"):
        lines = path.read_bytes().split(b"\n", 1)[1]
        path.write_bytes(gzip.compress(lines) if form == "gzip" else lines)
    monkeypatch.setattr(np, "empty", pytest.fail)  # nothing is made room for
    with pytest.raises(FormatError, match=r"^vectors contains 36 words of 21 numbers .* Read fewer words"):
        load(path, source="x", largest_bytes=36 * 21 * 4 - 1)


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path: Path) -> None:
    bomb = gzip.compress(b"a 1 2 3\n" + b"\n" * (64 << 20))
    with pytest.raises(FormatError, match=r"is larger than 16\.0 MiB"):
        load(written(tmp_path, bomb), source="x", largest_bytes=1 << 20)


def test_words_that_a_format_cannot_hold_are_not_written(tmp_path: Path) -> None:
    vectors = WordVectors.of("x", ["a", "at home"], np.ones((2, 2), dtype=np.float32))
    for write in (write_text, write_binary):
        with pytest.raises(FormatError, match="'at home' contains whitespace"):
            write(tmp_path / "vectors", vectors)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(mmap, "MADV_DONTNEED"), reason="this system is not told what is no longer needed")
def test_a_mapped_file_is_given_back_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[tuple[int, int]] = []

    class Mapped(mmap.mmap):
        def madvise(self, option: int, start: int, length: int) -> None:
            assert option == mmap.MADV_DONTNEED
            given_back.append((start, start + length))
            super().madvise(option, start, length)

    monkeypatch.setattr(mmap, "mmap", Mapped)
    monkeypatch.setattr("nlpviz.word_vectors.formats.binary._GIVEN_BACK", 8_192)
    rng = np.random.default_rng(0)
    vectors = WordVectors.of("x", [f"w{n}" for n in range(2_000)], rng.normal(size=(2_000, 50)).astype(np.float32))
    write_binary(tmp_path / "vectors", vectors)
    assert own(read(tmp_path / "vectors", source="x")) == pytest.approx(own(vectors), abs=1e-5)
    assert [start for start, _ in given_back] == [0, *(end for _, end in given_back[:-1])], "each part once"
    assert given_back[-1][1] > (tmp_path / "vectors").stat().st_size - 8_192 - 2 * mmap.PAGESIZE
