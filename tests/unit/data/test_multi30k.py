"""Multi30k's files: read, verified, fetched one by one. The sentences here are made up."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nlpviz.commands.fetch import COMMAND as FETCH
from nlpviz.data import Corpus, CorpusMissing, DataError, corpora, multi30k
from nlpviz.data.multi30k import LANGUAGES, SPLITS, find, read

TEXTS = {
    "en": ("A cat.", "Two\u2028cats."),  # a line separator ends no sentence
    "de": ("Eine Katze.", "Zwei Katzen."),
    "fr": ("Un chat.", "Deux chats."),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of two made-up sentences each, which are taken for the published ones."""
    parts = {}
    (tmp_path / "multi30k").mkdir()
    for name, part in multi30k._PARTS.items():
        content = gzip.compress(("\n".join(TEXTS[name.rpartition(".")[2]]) + "\n").encode())
        (tmp_path / part.file).write_bytes(content)
        parts[name] = replace(part, size=len(content), sha256=(hashlib.sha256(content).hexdigest(),))
    monkeypatch.setattr(multi30k, "_PARTS", parts)
    monkeypatch.setenv("NLPVIZ_DATA", str(tmp_path))
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_sentences_are_read_in_every_language() -> None:
    for split in SPLITS:
        texts = read(split)
        assert len(texts) == 2
        assert texts.texts == TEXTS
        assert texts.split == split


@pytest.mark.usefixtures("folder")
def test_a_sentence_is_found_by_its_id() -> None:
    assert find("val/de/2") == "Zwei Katzen."
    for wrong in ("val/de/3", "val/de/0", "val/it/1", "dev/de/1", "val/de/x", "val", "", "val/de/" + "9" * 5_000):
        with pytest.raises(DataError, match="ids look like"):
            find(wrong)


@pytest.mark.usefixtures("folder")
def test_another_split_is_refused() -> None:
    with pytest.raises(DataError, match="has no split 'test'; available: train, val, test_2016_flickr"):
        read("test")


def damage(content: bytes) -> bytes:
    return content[:-9]


def fewer(_: bytes) -> bytes:
    return gzip.compress(b"Un chat.\n")


@pytest.mark.parametrize(
    ("change", "said"), [(damage, "cannot be read"), (fewer, "has different numbers of sentences in the two languages")]
)
def test_what_is_wrong_is_told(folder: Path, change: Callable[[bytes], bytes], said: str) -> None:
    path = folder / multi30k._PARTS["val.fr"].file
    changed = change(path.read_bytes())
    path.write_bytes(changed)
    with pytest.raises(DataError, match="its checksum does not match"):
        read("val")
    multi30k._PARTS["val.fr"] = replace(multi30k._PARTS["val.fr"], sha256=(hashlib.sha256(changed).hexdigest(),))
    with pytest.raises(DataError, match=said):
        read("val")


def test_a_missing_file_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_DATA", str(tmp_path))
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path / "cache"))
    with pytest.raises(CorpusMissing, match=r"train\.de\.gz.* `python -m nlpviz fetch multi30k` .*\(1 MiB\)"):
        read("train")


def test_all_files_are_parts_of_the_corpus() -> None:
    corpus = corpora()["multi30k"]
    assert {part.file for part in corpus.parts} == {f"multi30k/{one}.{two}.gz" for one in SPLITS for two in LANGUAGES}
    assert corpus.size == sum(part.size for part in corpus.parts)
    assert all(part.url.endswith(part.file.removeprefix("multi30k/")) for part in corpus.parts)
    assert len({part.sha256 for part in corpus.parts}) == 9


def test_every_part_is_fetched(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fetched = []

    def fetch(part: Corpus, show: Callable[[int, int], None]) -> Path:
        show(part.size, part.size)
        fetched.append(part.file)
        return Path("cache") / part.file

    monkeypatch.setattr("nlpviz.data.files.fetch", fetch)
    import argparse

    FETCH.run(argparse.Namespace(corpus="multi30k"))
    assert fetched == [part.file for part in corpora()["multi30k"].parts]
    assert capsys.readouterr().out == f"Multi30k, task 1: {Path('cache/multi30k')}\n"
