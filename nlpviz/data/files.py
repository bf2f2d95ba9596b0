"""Where the file of a corpus is: found on this machine, or downloaded when asked.

A file is looked for in the folder ``$NLPVIZ_DATA``, then in the cache: the folder ``$NLPVIZ_CACHE`` if that
is set, else the user's own cache folder (``~/.cache/nlpviz`` on Linux). The cache holds downloads and parsed
columns. Only :func:`fetch` reaches the network, and a file is known by its contents: see :func:`verify`.
"""

from __future__ import annotations

import os
from pathlib import Path

from nlpviz.data import Corpus, CorpusMissing, DataError
from nlpviz.data.download import Progress, ResumingDownloader
from nlpviz.discovery.read_once import sha256


def cache_folder() -> Path:
    """Return the folder of downloads and parsed columns; it need not exist yet."""
    chosen = os.environ.get("NLPVIZ_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    import pooch

    return Path(pooch.os_cache("nlpviz"))


def locate(corpus: Corpus) -> Path:
    """Return where the file of ``corpus`` is, without reading it.

    Raises:
        CorpusMissing: if it is in none of the folders.
    """
    path = _find(corpus)
    if path is None:
        _refuse_download(corpus)
        raise CorpusMissing(
            f"{corpus.title} is not on this machine. Run `{_command(corpus)}` to download it "
            f"({max(corpus.size / 2**20, 1):.0f} MiB), or set NLPVIZ_DATA to the folder that contains {corpus.file} "
            f"(searched: {' and '.join(map(str, _folders()))})."
        )
    return path


def verify(corpus: Corpus, path: Path) -> None:
    """Check by its checksum that ``path`` is the file of ``corpus``, as published or as an accepted copy.

    Raises:
        DataError: if it is not, or cannot be read.
    """
    if not _is_genuine(corpus, path):
        raise DataError(
            f"{path} is not {corpus.title}, or is damaged: it has {path.stat().st_size:,} bytes (expected "
            f"{corpus.size:,}) and its checksum does not match. Remove it and run `{_command(corpus)}`."
        )


def fetch(corpus: Corpus, progress: Progress | None = None) -> Path:
    """Return the verified file of ``corpus``, downloaded into the cache unless it is on this machine already.

    A download that broke off goes on from where it stopped.

    Args:
        corpus: what to fetch.
        progress: told how many bytes have arrived and how many are expected; an exception that it raises
            stops the download, which can be resumed.

    Raises:
        DataError: if the download fails or brings another file, or if ``$NLPVIZ_DATA`` holds a wrong one.
    """
    target = cache_folder() / corpus.file
    result = _find(corpus)
    if result is not None and result != target:
        verify(corpus, result)  # a wrong file in $NLPVIZ_DATA belongs to the user: refused, never replaced
        return result
    if result is None or not _is_genuine(corpus, result):
        _refuse_download(corpus)
        _download(corpus, target, progress)
    return target


def _refuse_download(corpus: Corpus) -> None:
    """Say what to fetch in place of a corpus that nobody offers for download."""
    if corpus.instead:
        raise CorpusMissing(
            f"{corpus.title} is not on this machine and cannot be downloaded. Set NLPVIZ_DATA to the folder "
            f"that contains {corpus.file}, or use {corpus.instead}, which has the same format "
            f"(`python -m nlpviz fetch {corpus.instead}`)."
        )


def _download(corpus: Corpus, target: Path, progress: Progress | None) -> None:
    """Download ``corpus``, verify it and move it to ``target``, which appears whole or not at all."""
    import pooch
    from filelock import FileLock, Timeout

    pooch.get_logger().setLevel("WARNING")  # the caller shows the progress
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_name(f"{target.name}.lock"), timeout=0):
            pooch.retrieve(
                corpus.url,
                known_hash=f"sha256:{corpus.sha256[0]}",
                fname=target.name,
                path=target.parent,
                downloader=ResumingDownloader(target.with_name(f"{target.name}.part"), corpus.size, progress),
            )
    except Timeout as error:
        raise DataError(f"{corpus.title} is already being downloaded. Wait for the download to finish.") from error
    except ValueError as error:  # how pooch says that the checksum differs
        raise DataError(
            f"The file from {corpus.url} does not match the checksum of {corpus.title} and was discarded. Try again."
        ) from error
    except OSError as error:
        raise DataError(
            f"{corpus.title} cannot be stored in {target.parent} ({error.strerror or error}). "
            "Free some space there, or set NLPVIZ_CACHE to another folder."
        ) from error


def _folders() -> list[Path]:
    """Return the folders to look in, in order."""
    given = os.environ.get("NLPVIZ_DATA")
    return [Path(given).expanduser(), cache_folder()] if given else [cache_folder()]


def _find(corpus: Corpus) -> Path | None:
    """Return the first file of the right name, or None."""
    return next((path for folder in _folders() if (path := folder / corpus.file).is_file()), None)


def _is_genuine(corpus: Corpus, path: Path) -> bool:
    """Return whether the file has an accepted checksum."""
    try:
        return sha256(path) in corpus.sha256
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def _command(corpus: Corpus) -> str:
    """Return the shell command that fetches ``corpus``."""
    return f"python -m nlpviz fetch {corpus.name}"
