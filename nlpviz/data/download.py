"""A downloader for pooch that goes on from where a broken download stopped and takes no more than it should.

pooch's own downloader starts over after a break. This one keeps what has arrived in a partial file and asks
for the rest with a ``Range`` header (RFC 9110, section 14.2). Verifying and placing the file stay with pooch.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.data import DataError

if TYPE_CHECKING:
    import requests

Progress = Callable[[int, int], None]  # bytes that have arrived, bytes expected

ATTEMPTS = 5
TIMEOUT = (10, 30)  # seconds: to connect, and between two pieces
PIECE = 2**16  # bytes


class ResumingDownloader:
    """Downloads a file of known size by way of a partial file that outlives a break."""

    def __init__(self, part: Path, size: int, progress: Progress | None = None) -> None:
        """Store where the partial file lies, how many bytes the whole has, and the progress callback."""
        self.part = part
        self.size = size
        self.progress = progress

    def __call__(self, url: str, output_file: str, pooch: object) -> None:  # noqa: ARG002 (pooch's protocol)
        """Download ``url`` to ``output_file``, trying again after a break while that brings more.

        Raises:
            DataError: if the server cannot be reached, refuses, breaks off, or offers a file of another size.
        """
        from requests import RequestException
        from urllib3.exceptions import HTTPError

        reason = "the connection was closed early"
        for _ in range(ATTEMPTS):
            before = self._arrived()
            try:
                self._request_rest(url)
            except (RequestException, HTTPError) as error:
                reason = _reason(error)
            if self._arrived() == self.size:
                self.part.replace(output_file)
                return
            if self._arrived() <= before:
                break
        raise DataError(
            f"{url} could not be downloaded ({reason}): {self._arrived():,} of {self.size:,} bytes received; "
            "the next download resumes from there."
        )

    def _arrived(self) -> int:
        """Return how many bytes have arrived; a partial file that is too long counts as none."""
        size = self.part.stat().st_size if self.part.exists() else 0
        return size if size <= self.size else 0

    def _request_rest(self, url: str) -> None:
        """Ask for the missing bytes and append them; a server that ignores ``Range`` sends all anew."""
        import requests

        arrived = self._arrived()
        if arrived == self.size:
            return
        headers = {"Accept-Encoding": "identity"}  # the file's own bytes, compressed no further
        if arrived:
            headers["Range"] = f"bytes={arrived}-"
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            response.raise_for_status()
            start = arrived if response.status_code == requests.codes.partial_content else 0
            announced = response.headers.get("Content-Length")
            if announced is not None and start + int(announced) != self.size:  # a login page, say
                raise self._wrong_size(url, f"{start + int(announced):,} bytes")
            self._write(url, start, response)

    def _write(self, url: str, start: int, response: requests.Response) -> None:
        """Write the response into the partial file from byte ``start`` on."""
        arrived = start
        with self.part.open("ab") as stream:
            stream.truncate(start)
            for piece in response.raw.stream(PIECE, decode_content=False):
                arrived += len(piece)
                if arrived > self.size:
                    stream.truncate(0)
                    raise self._wrong_size(url, "more bytes")
                stream.write(piece)
                if self.progress is not None:
                    self.progress(arrived, self.size)

    def _wrong_size(self, url: str, offered: str) -> DataError:
        """Return the error for a file that cannot be the one published."""
        return DataError(
            f"{url} serves {offered}, not the expected {self.size:,} bytes, so it is not the published file."
        )


def _reason(error: Exception) -> str:
    """Return in a few words why a request failed; the libraries' own texts run over many lines."""
    response = getattr(error, "response", None)
    return type(error).__name__ if response is None else f"the server returned status {response.status_code}"
