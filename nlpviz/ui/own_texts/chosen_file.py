"""The visitor's file: uploaded, or named by its path if they sit at this machine; its columns, its first rows."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import streamlit as st

from nlpviz.data.own_texts import Opened, OwnTextsError, Source, open_running, open_source
from nlpviz.ui import limits
from nlpviz.ui.frame import escape_markdown, explain_error

NONE = "none"
_ROLES = {"label": "Label", "group": "Keep together", "time": "Test on the latest"}
_FOLDER = "upload folder"  # in the session: it goes with it
SHOWN = 6
"""Rows of a file."""
_LONGEST_CELL, _LONGEST_PATH = 160, 4096


@dataclass(frozen=True)
class ChosenFile:
    """A file that a visitor chose.

    Attributes:
        path: where it lies.
        name: what the visitor calls it.
        uploaded: whether it came through the browser, and goes when the session ends.
        token: names this very file in caches.
    """

    path: Path
    name: str
    uploaded: bool
    token: str


@dataclass(frozen=True)
class ChosenTexts:
    """What a visitor chose to have a model trained on.

    Attributes:
        files: that hold it, that of the texts first.
        source: the texts.
        read: the files, opened.
        more: what else a request says of them, by its fields.
    """

    files: tuple[ChosenFile, ...]
    source: Source
    read: tuple[Opened, ...]
    more: Mapping[str, Any] = field(default_factory=dict)

    def named(self, problem: str) -> str:
        """Return a sentence in which files are called as the visitor calls them."""
        return named(problem, self.files)


def named(problem: str, files: Sequence[ChosenFile]) -> str:
    """Return a sentence in which ``files`` are called as the visitor calls them."""
    for file in files:
        problem = problem.replace(str(file.path), file.name)
    return problem


def pick_file(key: str, what: str) -> ChosenFile | None:
    """Return the file that the visitor chose, None before.

    Args:
        key: of the controls.
        what: what is in it, for example ``"texts with labels"``.
    """
    left, right = st.columns(2, gap="large")
    with left:
        most = limits.most_upload_bytes() >> 20
        upload = st.file_uploader(f"Upload {what} (at most {most} MB)", key=f"{key}_upload")
    with right:
        typed = _path(key)
    if upload is not None:
        return _kept(upload.name, upload.file_id, upload)
    if not typed:
        return None
    path = Path(typed).expanduser()
    if "\x00" in typed or not path.is_absolute():
        explain_error(f"{typed[:80]!r} is not an absolute path. Absolute paths begin with / or ~.")
        return None
    try:
        status = path.stat()
    except OSError as problem:
        explain_error(f"{typed[:200]!r} cannot be read: {problem.strerror}.")
        return None
    return ChosenFile(path, path.name, uploaded=False, token=f"{path} {status.st_mtime_ns} {status.st_size}")


def is_plain(file: ChosenFile) -> bool:
    """Return whether a file is text without columns; False where it cannot be read."""
    try:
        return open_running(Source(str(file.path))).table.running is not None
    except OwnTextsError:
        return False


def pick_columns(key: str, file: ChosenFile, roles: Collection[str]) -> Opened | None:
    """Return the file opened with the columns that the visitor chose; None, with the reason on the page, without.

    Args:
        key: of the controls.
        file: that is opened.
        roles: what columns are asked for beside that of the texts: fields of a source. Without that of the labels the
            file is read as one text.
    """
    read = open_source if "label" in roles else open_running
    try:
        guessed = read(Source(str(file.path)))
        columns = guessed.columns
        with st.container(horizontal=True, vertical_alignment="bottom"):
            text = columns[0]
            if len(columns) > 1 or roles:
                text = pick_column(f"{key}_text", "Text", columns, guessed.source.text, file)
            chosen = {"text": text}
            for role in (one for one in _ROLES if one in roles):
                others = [name for name in columns if role == "label" or name not in chosen.values()]
                first = guessed.source.label if role == "label" else ""
                picked = pick_column(f"{key}_{role}", _ROLES[role], (NONE, *others), first, file)
                chosen[role] = "" if picked == NONE else picked
        opened = read(Source(str(file.path), **chosen))
        show_rows(opened)
    except OwnTextsError as problem:
        explain_error(named(str(problem), [file]))
        return None
    return opened


def show_rows(opened: Opened) -> None:
    """Show the first rows of a file, and say how it was read."""
    if opened.table.running and not opened.source.label:
        lines = (piece.rstrip("\n") for piece in opened.running() if not piece.isspace())
        table = {"text": [cell(line) for line in islice(lines, SHOWN)]}
    else:
        rows = list(islice(opened.rows(), SHOWN))
        table = {name: [cell(row.fields.get(name, "")) for row in rows] for name in opened.columns}
    st.dataframe(
        table,
        hide_index=True,
        row_height=36,
    )
    st.caption(escape_markdown(" ".join((f"Read as {opened.format}.", *opened.guesses))))


def pick_column(key: str, label: str, options: Sequence[str], guessed: str, file: ChosenFile) -> str:
    """Return the column that the visitor chose; of another file, the one that was guessed."""
    first = options.index(guessed) if guessed in options else 0
    return st.selectbox(label, options, index=first, key=f"{key} {file.token}")


def cell(value: str) -> str:
    """Return what a table shows of a text: its beginning, where it is long."""
    return value if len(value) <= _LONGEST_CELL else f"{value[:_LONGEST_CELL]}…"


def _path(key: str) -> str:
    """Return the path that the visitor typed, where the server listens to this machine alone."""
    if not limits.paths_allowed():
        st.info(
            "Paths can be read only if nlpviz runs on your own computer. This server accepts connections from other "
            "computers, so upload the file instead."
        )
        return ""
    typed = st.text_input(
        "Or enter the path of a file or folder on this computer", key=f"{key}_path", max_chars=_LONGEST_PATH,
        persist_state="session", placeholder="/home/me/tickets.csv",
    )  # fmt: skip
    return (typed or "").strip()


def _kept(name: str, token: str, upload: st.runtime.uploaded_file_manager.UploadedFile) -> ChosenFile:
    """Return what was uploaded as a file in a folder that goes with the session."""
    folder = st.session_state.setdefault(_FOLDER, tempfile.TemporaryDirectory(prefix="nlpviz-"))
    safe = re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII)[-80:].lstrip(".") or "texts"
    place = Path(folder.name) / re.sub(r"\W+", "", token, flags=re.ASCII) / safe
    if not place.exists():
        place.parent.mkdir(exist_ok=True)
        with place.open("wb") as stream:
            stream.write(upload.getbuffer())
    return ChosenFile(place, name, uploaded=True, token=token)
