"""20 Newsgroups, read from a tiny archive of the real one's layout, and once from the real one."""

from __future__ import annotations

import hashlib
import io
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import _twenty_newsgroups as peer

from nlpviz.data import CorpusMissing, DataError, newsgroups
from nlpviz.data.archives import tar_members
from nlpviz.data.newsgroups import GROUPS, own_text

POST = """From: ada@example.org (Ada)
Subject: Re: orbits

In article <1@example.org> bob@example.org writes:
> Is it far?
It is far, naïve friend.

It takes a week.
|quoted

--
Ada, of the orbit office
"""
POSTS = {
    "20news-bydate-test/sci.space/60900": POST,
    "20news-bydate-test/sci.space/7": "Subject: one\n\nA second post.",
    "20news-bydate-test/alt.atheism/53068": "Subject: nothing but headers\n",
    "20news-bydate-train/talk.religion.misc/82800": "Subject: x\n\nBody.\n\nThe last paragraph.",
}
OTHERS = {
    "20news-bydate-train/alt.other/1": "Subject: y\n\nThere is no such group.",
    "20news-bydate-train/sci.space/readme": "no number",
}


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny archive that counts as the genuine one; nothing of it is in the cache yet."""
    path = tmp_path / newsgroups.CORPUS.file
    with tarfile.open(path, "w:gz") as stream:
        for name, text in (POSTS | OTHERS).items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode("latin-1"))
            stream.addfile(member, io.BytesIO(text.encode("latin-1")))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NLPVIZ_DATA", str(tmp_path))
    monkeypatch.setattr(newsgroups, "CORPUS", replace(newsgroups.CORPUS, sha256=(digest,)))
    return path


@pytest.mark.usefixtures("archive")
def test_read_gives_the_columns_of_a_split_by_group_and_number() -> None:
    posts = newsgroups.read("test")
    assert posts.ids == ("test/alt.atheism/53068", "test/sci.space/7", "test/sci.space/60900")
    assert posts.labels.tolist() == [0, GROUPS.index("sci.space"), GROUPS.index("sci.space")]
    assert posts.labels.dtype == posts.ratings.dtype == np.int8
    assert posts.ratings.tolist() == [0, 0, 0]
    assert list(posts.texts) == ["", "A second post.", "It is far, naïve friend.\n\nIt takes a week."]
    assert newsgroups.read("train").labels.tolist() == [19]


def test_a_post_loses_headers_last_block_and_quotations() -> None:
    assert own_text(POST) == "It is far, naïve friend.\n\nIt takes a week."
    assert own_text("Subject: x\n\nBody.\n\nThe last paragraph.") == "Body."
    assert own_text("Subject: x\n\nOne paragraph alone.") == "One paragraph alone."
    assert own_text("no header, no body") == own_text("") == ""


@pytest.mark.usefixtures("archive")
def test_find_gives_the_text_of_every_id_and_tells_an_unknown_one() -> None:
    posts = newsgroups.read("test")
    assert [newsgroups.find(name) for name in posts.ids] == list(posts.texts)
    for name in ("test/sci.space/8", "train", "", "../../etc/passwd", "\0"):
        with pytest.raises(DataError, match=r"no post .* look like 'test/sci.space/60822'"):
            newsgroups.find(name)
    with pytest.raises(DataError, match="no split 'unsupervised'; available: train, test"):
        newsgroups.read("unsupervised")


def test_columns_outlive_the_archive(archive: Path) -> None:
    before = list(newsgroups.read("test").texts)
    archive.unlink()
    assert list(newsgroups.read("test").texts) == before
    (archive.parent / "cache" / "newsgroups-test.arrow").unlink()
    with pytest.raises(CorpusMissing, match="python -m nlpviz fetch newsgroups"):
        newsgroups.read("test")


def test_wrong_archive_is_refused_before_it_is_read(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-10])
    with pytest.raises(DataError, match=r"is damaged: it has [\d,]+ bytes .expected 14,464,277."):
        newsgroups.read("test")


# ---------------------------------------------------------------------------------------------- the real one


@pytest.fixture
def real_archive(newsgroups_archive: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The real archive beside an empty cache, emptied again: the columns are large."""
    monkeypatch.setenv("NLPVIZ_DATA", str(newsgroups_archive.parent))
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("NLPVIZ_CACHE", folder)
        yield newsgroups_archive


@pytest.mark.ci
def test_the_real_corpus_is_whole(real_archive: Path) -> None:
    train, test = map(newsgroups.read, newsgroups.SPLITS)
    assert (len(train), len(test)) == (11_314, 7_532)
    assert np.bincount(train.labels).min() == 377
    assert np.bincount(test.labels).max() == 399
    assert [sum(not text for text in posts.texts) for posts in (train, test)] == [300, 215]
    assert len(set(train.texts) & set(test.texts) - {""}) == 11
    texts = dict(zip((*train.ids, *test.ids), (*train.texts, *test.texts), strict=True))
    members = tar_members(real_archive, newsgroups._MEMBER, largest=2**20, total=2**28)
    for name, content in islice(members, 0, None, 20):  # what is left of a post is what scikit-learn leaves
        post = content.decode("latin-1")
        left = peer.strip_newsgroup_quoting(peer.strip_newsgroup_footer(peer.strip_newsgroup_header(post)))
        assert texts[name.removeprefix("20news-bydate-")] == left.strip(), name
