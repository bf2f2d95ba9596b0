"""Finding, verifying and downloading the file of a corpus; the only server is one on this machine."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from filelock import FileLock

from nlpviz.data import Corpus, CorpusMissing, DataError, corpora
from nlpviz.data.download import PIECE
from nlpviz.data.files import cache_folder, fetch, locate, verify

PUBLISHED = bytes(range(256)) * 1000  # four pieces
REPACKED = b"the same records, packed in another way"


@dataclass
class Server:
    """A web server with one file and the faults that it is given.

    Attributes:
        contents: what it serves.
        url: where.
        status: what it answers instead of the file, if that is not 200.
        resumes: whether it honours ``Range``.
        announces: whether it says how long its answer is.
        breaks: for each request in turn, after how many bytes of its answer the connection is cut.
        ranges: the ``Range`` of each request so far.
    """

    contents: bytes = PUBLISHED
    url: str = ""
    status: int = 200
    resumes: bool = True
    announces: bool = True
    breaks: list[int] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        wanted = request.headers.get("Range")
        self.ranges.append(wanted)
        if self.status != 200:
            return request.send_error(self.status)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.resumes else 0
        body = self.contents[start:]
        request.send_response(206 if start else 200)
        if self.announces:
            request.send_header("Content-Length", str(len(body)))
        request.send_header("Content-Encoding", "gzip")  # what many servers say of any *.gz
        request.end_headers()
        request.wfile.write(body[: self.breaks.pop(0)] if self.breaks else body)
        return None


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server on this machine, for as long as the test."""
    site = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
            pass

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        site.url = f"http://127.0.0.1:{http.server_port}/corpus.tar.gz"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield site
        http.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and no folder of data sets."""
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def given(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of data sets, beside an empty cache."""
    assert cache == cache_folder()
    folder = tmp_path / "given"
    folder.mkdir()
    monkeypatch.setenv("NLPVIZ_DATA", str(folder))
    return folder


@pytest.fixture
def corpus(server: Server) -> Corpus:
    """A corpus that the server publishes, and that also goes round packed in another way."""
    return Corpus(
        name="toy",
        title="Toy corpus",
        file="corpus.tar.gz",
        url=server.url,
        size=len(PUBLISHED),
        sha256=tuple(hashlib.sha256(contents).hexdigest() for contents in (PUBLISHED, REPACKED)),
        licence="none",
        citation="none",
        read=lambda split: split,
        find=lambda document: document,
    )


def only_file(folder: Path, name: str = "corpus.tar.gz") -> bool:
    """Return whether ``folder`` holds this file and nothing half done."""
    return {path.name for path in folder.iterdir()} - {"corpus.tar.gz.lock"} == {name}


# ------------------------------------------------------------------------------------- finding and verifying


def test_cache_folder_is_the_users_own_unless_chosen(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == cache
    monkeypatch.delenv("NLPVIZ_CACHE")
    assert cache_folder().name == "nlpviz"
    monkeypatch.setenv("NLPVIZ_CACHE", "~/elsewhere")
    assert cache_folder() == Path.home() / "elsewhere"


def test_locate_looks_in_the_given_folder_first(corpus: Corpus, cache: Path, given: Path) -> None:
    cache.mkdir()
    (cache / corpus.file).write_bytes(PUBLISHED)
    assert locate(corpus) == cache / corpus.file
    (given / corpus.file).write_bytes(REPACKED)
    assert locate(corpus) == given / corpus.file


def test_locate_says_what_to_do_about_a_missing_file(corpus: Corpus, cache: Path, given: Path) -> None:
    sentence = f"Run `python -m nlpviz fetch toy` .*searched: {re.escape(str(given))} and {re.escape(str(cache))}"
    with pytest.raises(CorpusMissing, match=sentence):
        locate(corpus)


def test_locate_downloads_nothing(corpus: Corpus, cache: Path, server: Server) -> None:
    with pytest.raises(CorpusMissing):
        locate(corpus)
    assert server.ranges == []
    assert not cache.exists()


@pytest.mark.parametrize("contents", [PUBLISHED, REPACKED])
def test_verify_accepts_every_known_packing(corpus: Corpus, tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / corpus.file
    path.write_bytes(contents)
    verify(corpus, path)


@pytest.mark.parametrize("contents", [PUBLISHED[:-1], PUBLISHED[:-1] + b"\0", b""])
def test_verify_tells_a_wrong_file_with_both_sizes(corpus: Corpus, tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / corpus.file
    path.write_bytes(contents)
    with pytest.raises(DataError, match=rf"not Toy corpus.* {len(contents):,} bytes .expected 256,000."):
        verify(corpus, path)


def test_verify_tells_a_file_that_cannot_be_read(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: No such file"):
        verify(corpus, tmp_path / "absent")


# ----------------------------------------------------------------------------------------------- downloading


def test_fetch_downloads_with_progress(corpus: Corpus, cache: Path, server: Server) -> None:
    seen: list[tuple[int, int]] = []

    def note(arrived: int, expected: int) -> None:
        assert not (cache / corpus.file).exists(), "the file appears when it is whole"
        seen.append((arrived, expected))

    path = fetch(corpus, note)
    assert path == cache / corpus.file
    assert path.read_bytes() == PUBLISHED
    assert only_file(cache)
    assert [arrived for arrived, _ in seen] == [PIECE, 2 * PIECE, 3 * PIECE, len(PUBLISHED)]
    assert {expected for _, expected in seen} == {len(PUBLISHED)}
    assert server.ranges == [None]


def test_fetch_downloads_only_once(corpus: Corpus, cache: Path, server: Server) -> None:
    assert fetch(corpus) == fetch(corpus) == cache / corpus.file
    assert len(server.ranges) == 1


def test_fetch_keeps_a_repacked_file(corpus: Corpus, given: Path, server: Server) -> None:
    (given / corpus.file).write_bytes(REPACKED)
    assert fetch(corpus) == given / corpus.file
    assert server.ranges == []


def test_fetch_leaves_a_wrong_file_in_the_given_folder_alone(corpus: Corpus, given: Path, server: Server) -> None:
    (given / corpus.file).write_bytes(b"my own")
    with pytest.raises(DataError, match="not Toy corpus"):
        fetch(corpus)
    assert (given / corpus.file).read_bytes() == b"my own"
    assert server.ranges == []


def test_fetch_replaces_a_wrong_file_in_the_cache(corpus: Corpus, cache: Path) -> None:
    cache.mkdir()
    (cache / corpus.file).write_bytes(PUBLISHED[:1000])
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert only_file(cache)


def test_fetch_goes_on_by_itself_after_a_break(corpus: Corpus, server: Server) -> None:
    server.breaks = [100_000, 50_000]
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert server.ranges == [None, "bytes=100000-", "bytes=150000-"]


def test_fetch_started_again_goes_on(corpus: Corpus, cache: Path, server: Server) -> None:
    server.breaks = [100_000, 0]
    with pytest.raises(DataError, match="100,000 of 256,000 bytes received; the next download resumes"):
        fetch(corpus)
    assert not (cache / corpus.file).exists()
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert server.ranges[-1] == "bytes=100000-"
    assert only_file(cache)


def test_fetch_stopped_by_its_caller_can_be_resumed(corpus: Corpus, cache: Path, server: Server) -> None:
    def stop(arrived: int, _: int) -> None:
        if arrived >= 2 * PIECE:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(corpus, stop)
    assert not (cache / corpus.file).exists()
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert server.ranges == [None, f"bytes={2 * PIECE}-"]


def test_fetch_starts_over_where_the_server_ignores_range(corpus: Corpus, server: Server) -> None:
    server.breaks = [100_000]
    server.resumes = False
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert server.ranges == [None, "bytes=100000-"]


def test_fetch_notices_a_break_that_looks_like_the_end(corpus: Corpus, server: Server) -> None:
    server.announces = False
    server.breaks = [100_000]
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert server.ranges == [None, "bytes=100000-"]


def test_fetch_gives_up_on_a_server_that_brings_nothing_more(corpus: Corpus, server: Server) -> None:
    server.resumes = False
    server.breaks = [100_000] * 10
    with pytest.raises(DataError, match="100,000 of 256,000 bytes"):
        fetch(corpus)
    assert len(server.ranges) == 2


def test_fetch_gives_up_after_some_attempts(corpus: Corpus, server: Server) -> None:
    server.breaks = [1] * 100
    with pytest.raises(DataError, match="5 of 256,000 bytes"):
        fetch(corpus)


def test_fetch_throws_away_what_has_another_checksum(corpus: Corpus, cache: Path, server: Server) -> None:
    server.contents = PUBLISHED[::-1]
    with pytest.raises(DataError, match="does not match the checksum of Toy corpus and was discarded"):
        fetch(corpus)
    assert not list(cache.glob("corpus.tar.gz*[!k]"))
    server.contents = PUBLISHED
    assert fetch(corpus).read_bytes() == PUBLISHED


@pytest.mark.parametrize("contents", [b"<html>log in</html>", PUBLISHED * 2])
def test_fetch_refuses_another_size_before_writing(
    corpus: Corpus, cache: Path, server: Server, contents: bytes
) -> None:
    server.contents = contents
    with pytest.raises(DataError, match=f"serves {len(contents):,} bytes, not the expected 256,000 bytes"):
        fetch(corpus)
    assert not list(cache.glob("*.part"))


def test_fetch_stops_a_server_that_sends_too_much(corpus: Corpus, cache: Path, server: Server) -> None:
    server.contents = PUBLISHED * 10
    server.announces = False
    with pytest.raises(DataError, match="serves more bytes, not the expected 256,000 bytes"):
        fetch(corpus)
    assert sum(path.stat().st_size for path in cache.iterdir()) == 0
    server.contents = PUBLISHED
    assert fetch(corpus).read_bytes() == PUBLISHED


def test_fetch_starts_over_where_a_partial_file_is_too_long(corpus: Corpus, cache: Path, server: Server) -> None:
    cache.mkdir()
    (cache / "corpus.tar.gz.part").write_bytes(PUBLISHED + b"more")
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert server.ranges == [None]


def test_fetch_takes_a_partial_file_that_is_complete(corpus: Corpus, cache: Path, server: Server) -> None:
    cache.mkdir()
    (cache / "corpus.tar.gz.part").write_bytes(PUBLISHED)
    assert fetch(corpus).read_bytes() == PUBLISHED
    assert server.ranges == []


@pytest.mark.parametrize("status", [404, 416, 503])
def test_fetch_tells_a_refusal(corpus: Corpus, server: Server, status: int) -> None:
    server.status = status
    with pytest.raises(DataError, match=rf"could not be downloaded \(the server returned status {status}\)"):
        fetch(corpus)


def test_fetch_tells_a_server_that_is_not_there(corpus: Corpus) -> None:
    with pytest.raises(DataError, match=r"could not be downloaded \(ConnectionError\): 0 of 256,000 bytes"):
        fetch(replace(corpus, url="http://127.0.0.1:1/corpus.tar.gz"))


def test_fetch_tells_a_download_under_way(corpus: Corpus, cache: Path, server: Server) -> None:
    cache.mkdir()
    with (
        FileLock(cache / "corpus.tar.gz.lock"),
        pytest.raises(DataError, match="is already being downloaded"),
    ):
        fetch(corpus)
    assert server.ranges == []
    assert fetch(corpus).read_bytes() == PUBLISHED


def test_fetch_tells_a_cache_that_cannot_be_written(corpus: Corpus, cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    with pytest.raises(DataError, match=r"cannot be stored in .*set NLPVIZ_CACHE to another folder"):
        fetch(corpus)


# ----------------------------------------------------------------------------------------------- the corpora


@pytest.mark.parametrize("name", corpora())
def test_every_corpus_describes_itself(name: str) -> None:
    corpus = corpora()[name]
    assert corpus.name == name
    assert corpus.url.startswith("https://")
    assert (corpus.size == 0) == (corpus.file == "") == corpus.drawn
    assert corpus.title and corpus.licence and corpus.citation  # noqa: PT018 (one claim: none is empty)
    assert corpus.sha256
    assert all(re.fullmatch("[0-9a-f]{64}", checksum) for checksum in corpus.sha256)


def test_importing_the_corpora_loads_nothing_heavy(pytestconfig: pytest.Config) -> None:
    heavy = "{'torch', 'numpy', 'pandas', 'pyarrow', 'pooch', 'requests'}"
    code = f"import sys; from nlpviz.data import corpora; corpora(); print({heavy} & set(sys.modules))"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=pytestconfig.rootpath, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
