"""The film reviews, read from a tiny archive of the real one's layout, and once from the real one."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from nlpviz.data import CorpusMissing, DataError, imdb
from nlpviz.data.columns import write_batch

REVIEWS = {
    "aclImdb/test/pos/10_9.txt": "Ten of ten — I wept.<br /><br />Twice.",
    "aclImdb/test/pos/9_7.txt": "Rather good.",
    "aclImdb/test/pos/2_10.txt": "Amélie would like it 🙂",
    "aclImdb/test/neg/0_1.txt": "No.",
    "aclImdb/train/unsup/11_0.txt": "Who knows?",
    "aclImdb/train/unsup/3_0.txt": "One line\x85and another\u2028and a third\n",
    "aclImdb/train/neg/5_4.txt": "",
    "aclImdb/train/pos/5_8.txt": "Yes.",
}
OTHERS = {
    "aclImdb/README": "Large Movie Review Dataset v1.0",
    "aclImdb/train/urls_pos.txt": "http://www.imdb.com/title/tt0000000/usercomments",
    "aclImdb/train/unsupBow.feat": "0 " * 2**20,  # larger than any review may be
    "aclImdb/test/unsup/1_0.txt": "There is no such folder in the original.",
}


def write_archive(path: Path, members: dict[str, str]) -> None:
    """Write an archive whose members are these, and a folder."""
    with tarfile.open(path, "w:gz") as archive:
        folder = tarfile.TarInfo("aclImdb")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def archive(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny archive that counts as the genuine one; nothing of it is in the cache yet."""
    assert not cache.exists()
    path = tmp_path / imdb.CORPUS.file
    write_archive(path, REVIEWS | OTHERS)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setenv("NLPVIZ_DATA", str(tmp_path))
    monkeypatch.setattr(imdb, "CORPUS", replace(imdb.CORPUS, sha256=(digest,)))
    return path


@pytest.mark.usefixtures("archive")
def test_read_gives_the_columns_of_a_split_in_order() -> None:
    reviews = imdb.read("test")
    assert reviews.ids == ("test/neg/0", "test/pos/2", "test/pos/9", "test/pos/10")
    assert reviews.labels.tolist() == [0, 1, 1, 1]
    assert reviews.ratings.tolist() == [1, 10, 7, 9]
    assert list(reviews.texts) == [
        "No.",
        "Amélie would like it 🙂",
        "Rather good.",
        "Ten of ten — I wept.<br /><br />Twice.",
    ]
    assert len(reviews) == len(reviews.texts) == 4


@pytest.mark.usefixtures("archive")
def test_read_marks_reviews_without_a_label() -> None:
    reviews = imdb.read("unsupervised")
    assert reviews.ids == ("unsupervised/unsup/3", "unsupervised/unsup/11")
    assert reviews.labels.tolist() == [-1, -1]
    assert reviews.ratings.tolist() == [0, 0]


@pytest.mark.usefixtures("archive")
def test_read_changes_no_text() -> None:
    assert imdb.read("unsupervised").texts[0] == "One line\x85and another\u2028and a third\n"
    assert list(imdb.read("train").texts) == ["", "Yes."]


@pytest.mark.usefixtures("archive")
def test_read_gives_small_read_only_arrays() -> None:
    reviews = imdb.read("test")
    for column in (reviews.labels, reviews.ratings):
        assert column.dtype == np.int8
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 5


@pytest.mark.usefixtures("archive")
def test_texts_are_a_sequence() -> None:
    texts = imdb.read("test").texts
    assert texts[0] == texts[-4] == texts[np.int64(0)] == "No."
    assert list(texts[1:3]) == ["Amélie would like it 🙂", "Rather good."]
    assert list(reversed(texts))[-1] == "No."
    assert "Rather good." in texts
    with pytest.raises(IndexError):
        texts[4]


@pytest.mark.usefixtures("archive")
def test_find_gives_the_text_of_every_id() -> None:
    for split in imdb.SPLITS:
        reviews = imdb.read(split)
        assert [imdb.find(review_id) for review_id in reviews.ids] == list(reviews.texts)


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize("review_id", ["test/pos/3", "train/unsup/3", "test", "", "../../etc/passwd", "\0"])
def test_find_tells_an_unknown_id(review_id: str) -> None:
    with pytest.raises(DataError, match=r"IMDB has no review .* look like 'test/pos/123'"):
        imdb.find(review_id)


def test_read_tells_an_unknown_split() -> None:
    with pytest.raises(DataError, match="no split 'dev'; available: train, test, unsupervised"):
        imdb.read("dev")


# ------------------------------------------------------------------------------------------------- the cache


def test_columns_outlive_the_archive(archive: Path) -> None:
    before = list(imdb.read("test").texts)
    archive.unlink()
    assert list(imdb.read("test").texts) == before
    assert imdb.read("train").ids == ("train/neg/5", "train/pos/5"), "one reading of the archive is for all splits"


def test_archive_is_read_once(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imdb.read("test")
    monkeypatch.setattr(imdb, "tar_members", lambda *_, **__: pytest.fail(f"{archive} was read again"))
    monkeypatch.setattr(imdb, "verify", lambda *_: pytest.fail(f"{archive} was verified again"))
    imdb.read("test")
    imdb.read("unsupervised")


def test_missing_corpus_names_the_command(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_DATA", str(tmp_path))
    for ask in (lambda: imdb.read("test"), lambda: imdb.find("test/pos/1")):
        with pytest.raises(CorpusMissing, match="python -m nlpviz fetch imdb"):
            ask()
    assert not cache.exists()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda whole: whole[: len(whole) // 2], id="truncated"),
        pytest.param(lambda whole: whole[:-1], id="one byte short"),
        pytest.param(lambda whole: b"ARROW1\0\0" + b"\xff" * len(whole), id="scrambled"),
        pytest.param(lambda whole: whole.replace("é".encode(), b"\xff\xff"), id="not UTF-8"),
    ],
)
def test_damaged_columns_are_made_anew(archive: Path, cache: Path, damage: Callable[[bytes], bytes]) -> None:
    before = list(imdb.read("test").texts)
    columns = cache / "imdb-test.arrow"
    damaged = damage(columns.read_bytes())
    assert damaged != columns.read_bytes()
    columns.unlink()
    columns.write_bytes(damaged)
    assert list(imdb.read("test").texts) == before
    columns.unlink()
    columns.write_bytes(damaged)
    archive.unlink()
    with pytest.raises(CorpusMissing):
        imdb.read("test")


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """Change the table in a file of columns."""
    table = change(pa.ipc.open_file(pa.BufferReader(path.read_bytes())).read_all())
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda table: table.drop_columns(["rating"]), id="a missing column"),
        pytest.param(lambda table: table.set_column(2, "label", table["label"].cast("int64")), id="another type"),
        pytest.param(
            lambda table: table.slice(1).replace_schema_metadata({**table.schema.metadata, b"format": b"0"}),
            id="another format",
        ),
        pytest.param(lambda table: table.slice(0, 0), id="no rows"),
    ],
)
def test_other_columns_are_made_anew(cache: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    imdb.read("test")
    rewrite(cache / "imdb-test.arrow", change)
    assert imdb.read("test").ratings.tolist() == [1, 10, 7, 9]


@pytest.mark.usefixtures("archive")
def test_columns_of_another_archive_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    imdb.read("test")
    monkeypatch.setattr(imdb, "CORPUS", replace(imdb.CORPUS, sha256=("0" * 64,)))
    with pytest.raises(DataError, match="its checksum does not match"):
        imdb.read("test")


def test_wrong_archive_is_refused_before_it_is_read(archive: Path, cache: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-10])
    with pytest.raises(DataError, match=r"is damaged: it has [\d,]+ bytes .expected 84,125,825."):
        imdb.read("test")
    assert not cache.exists()


def test_cache_that_cannot_be_written_is_told(archive: Path, cache: Path) -> None:
    assert archive.exists()
    cache.write_text("a file where the folder should be")
    with pytest.raises(DataError, match="set NLPVIZ_CACHE to another folder"):
        imdb.read("test")


@pytest.mark.ci
def test_two_processes_may_build_at_once(archive: Path, cache: Path, pytestconfig: pytest.Config) -> None:
    code = (
        "from dataclasses import replace; from nlpviz.data import imdb\n"
        f"imdb.CORPUS = replace(imdb.CORPUS, sha256={imdb.CORPUS.sha256!r})\n"
        "for _ in range(10):\n"
        "    imdb._build()\n"
        "    assert len(imdb.read('test')) == 4 and len(imdb.read('unsupervised')) == 2"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    builders = [
        subprocess.Popen(command, cwd=pytestconfig.rootpath, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    errors = [builder.communicate()[1] for builder in builders]
    assert errors == ["", ""]
    assert {path.name for path in cache.iterdir()} == {f"imdb-{split}.arrow" for split in imdb.SPLITS}
    assert archive.exists()


@pytest.mark.usefixtures("archive")
def test_open_columns_are_not_disturbed_by_a_build(cache: Path) -> None:
    texts = imdb.read("test").texts
    before = list(texts)
    path = cache / "imdb-test.arrow"
    write_batch(path, pa.ipc.open_file(path.read_bytes()).get_batch(0).slice(2))
    assert len(imdb.read("test")) == 2
    assert list(texts) == before


@pytest.mark.usefixtures("archive")
def test_failed_build_leaves_no_half_written_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    imdb.read("test")
    for path in cache.iterdir():
        path.unlink()
    monkeypatch.setattr(pa.ipc.RecordBatchFileWriter, "write_batch", stop)
    with pytest.raises(KeyboardInterrupt):
        imdb.read("test")
    assert list(cache.iterdir()) == []


# ---------------------------------------------------------------------------------------------- the real one


@pytest.fixture
def real_cache(imdb_archive: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache beside the real archive, emptied again: the columns are large."""
    monkeypatch.setenv("NLPVIZ_DATA", str(imdb_archive.parent))
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("NLPVIZ_CACHE", folder)
        yield Path(folder)


@pytest.mark.ci
@pytest.mark.usefixtures("real_cache")
def test_the_real_corpus_is_whole() -> None:
    imdb.read("train")
    train, test, unsupervised = map(imdb.read, imdb.SPLITS)
    for reviews in (train, test):
        assert np.unique_counts(reviews.labels).counts.tolist() == [12_500, 12_500]
        assert np.array_equal(np.unique(reviews.ratings), [1, 2, 3, 4, 7, 8, 9, 10])
        assert np.array_equal(reviews.labels == 1, reviews.ratings >= 7)
        assert len(set(reviews.ids)) == 25_000
    assert len(unsupervised) == len(set(unsupervised.ids)) == 50_000
    assert sum(len(text.encode()) for part in (train, test, unsupervised) for text in part.texts) == 131_990_302
    # What is known of the original: texts repeated inside train, inside test, and in both.
    assert 25_000 - len(set(train.texts)) == 96
    assert 25_000 - len(set(test.texts)) == 199
    assert len(set(train.texts) & set(test.texts)) == 123
