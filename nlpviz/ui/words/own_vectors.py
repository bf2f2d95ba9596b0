"""The visitor's vectors: read from a file, kept for the tab, offered as a source on every page of words.

What is kept lies in :func:`nlpviz.ui.words.choice.own`, under the name by which an address and a menu call it. A path
is read only where nobody but this machine can reach the server: the visitor then sits at it, and may read its files
anyway.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import NamedTuple, cast
from uuid import uuid4

import streamlit as st

from nlpviz.results.vectors import WordVectors
from nlpviz.runs.vectors import KIND
from nlpviz.ui import cache, limits, tab
from nlpviz.ui.frame import answer, escape_markdown, explain_error, lead_to
from nlpviz.ui.words import choice
from nlpviz.word_vectors.formats import FormatError, Loaded, load
from nlpviz.word_vectors.lookup import shown

MOST = 4
"""Files that a tab keeps; what all their vectors may take together is one of the server's limits."""
COUNTS = ("50000", "10000", "100000", "200000", "400000")
"""How many words of a file may be asked for."""
_FACTS, _LAST = "vector files", "latest vector file"  # of what the tab keeps; in the session
_SAMPLE, _LONGEST_PATH = 12, 4096


class Facts(NamedTuple):
    """What is known of a file that was read.

    Attributes:
        file: its name.
        format: what people call it.
        repeated: how many of its lines were left out, for their word had stood before.
        token: names these very vectors in caches.
    """

    file: str
    format: str
    repeated: int
    token: str


def facts() -> dict[str, Facts]:
    """Return the facts about the uploaded vectors, by their names."""
    kept = cast("dict[str, Facts]", tab.kept(_FACTS))
    return {name: kept.get(name) or Facts(name, "", 0, f"own {id(one)}") for name, one in choice.own().items()}


def key(name: str) -> str:
    """Return the cache key of the visitor's uploaded vectors of that name: nobody else has the same key."""
    return facts()[name].token


def ask_for_file(count: int) -> None:
    """Offer to read a file's first ``count`` words: an upload, or a path where the visitor sits at this machine."""
    limit = limits.most_upload_bytes() >> 20
    left, right = st.columns(2, gap="large")
    with left:
        upload = st.file_uploader(f"Upload a file (at most {limit} MB)", key="own_upload")
        if upload is not None and st.session_state.get(_LAST) != upload.file_id:
            st.session_state[_LAST] = upload.file_id
            _read_upload(upload.name, upload.getvalue(), count)
    with right:
        if not limits.paths_allowed():
            st.info(
                "Paths can be read only if nlpviz runs on your own computer. This server accepts connections from "
                "other computers, so upload the file instead."
            )
            return
        with st.form("own_path_form", border=False):
            path = st.text_input(
                "Or enter the path of the file on this computer", key="own_path", max_chars=_LONGEST_PATH,
                placeholder="/home/me/vectors.txt",
            )  # fmt: skip
            if st.form_submit_button("Read this file"):
                _read_path((path or "").strip(), count)


def _read_upload(name: str, content: bytes, count: int) -> None:
    """Read what was uploaded by way of a file, which the readers map into memory."""
    with tempfile.TemporaryDirectory(prefix="nlpviz-") as folder:
        file = Path(folder) / (re.sub(r"[^\w.-]+", "_", name)[-80:].lstrip(".") or "upload")
        file.write_bytes(content)
        _keep(file, name, count)


def _read_path(typed: str, count: int) -> None:
    if not typed:
        explain_error("Type the path of a file first.")
        return
    file = Path(typed).expanduser()
    if "\x00" in typed or not file.is_absolute():
        explain_error(f"{shown(typed)} is not an absolute path. Absolute paths begin with / or ~.")
        return
    _keep(file, file.name, count)


def _keep(file: Path, name: str, count: int) -> None:
    """Read a file and keep its vectors, or say in a sentence why not; what was kept before stays."""
    own = choice.own()
    room = limits.most_tab_bytes() - sum(size(vectors) for vectors in own.values())
    if len(own) >= MOST or room <= 0:
        explain_error(
            f"A browser tab can hold at most {MOST} files and {limits.most_tab_bytes() >> 20} MiB. Remove a file first."
        )
        return
    title = _free_name(name)
    try:
        with st.spinner("Reading the file…"):
            loaded = load(file, source=title, largest_bytes=room, most_words=count)
    except FormatError as error:
        explain_error(str(error).replace(str(file), name))
        return
    own[title] = loaded.vectors
    tab.kept(_FACTS)[title] = Facts(name, loaded.title, loaded.repeated, f"own {uuid4().hex}")
    tab.hold()
    _tell(title, loaded)


def _free_name(file: str) -> str:
    """Return what a file is called in menus and addresses: its name without ending, and a number where it is taken."""
    stem = re.sub(r"[^\w.-]+", "-", Path(file).stem, flags=re.ASCII).strip("-.")[:40] or "vectors"
    taken = {*choice.own(), *cache.runs()}
    names = (stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _tell(title: str, loaded: Loaded) -> None:
    """Say what was read."""
    vectors = loaded.vectors
    answer(
        "Read as {format}: {words:,} words, {dimensions:,} dimensions. On the pages about words, these vectors are "
        "listed as {title}. The first words are {sample}.",
        format=loaded.title,
        words=len(vectors),
        dimensions=vectors.dimensions,
        title=title,
        sample=", ".join(word[:40] for word in vectors.words[:_SAMPLE]),
    )
    if loaded.repeated:
        st.info(f"{loaded.repeated:,} duplicate words were skipped. The first vector of each word is used.")


def show_kept() -> None:
    """Show what the tab keeps as a table, with a way to each page and a button that removes it."""
    own, known = choice.own(), facts()
    if not own:
        example = next(iter(cache.runs(KIND)), "enwiki-skipgram")
        st.info(
            f"Choose a file to begin. You could try GloVe’s `glove.6B.50d.txt`, fastText’s "
            f"`wiki-news-300d-1M.vec`, or the output of `python -m nlpviz export {example} vectors.txt`."
        )
        return
    st.table(
        {
            "Name": [escape_markdown(name) for name in own],
            "File": [escape_markdown(known[name].file) for name in own],
            "Format": [known[name].format for name in own],
            "Words": [f"{len(vectors):,}" for vectors in own.values()],
            "Dimensions": [f"{vectors.dimensions:,}" for vectors in own.values()],
            "Duplicates skipped": [f"{known[name].repeated:,}" for name in own],
            "Memory": [f"{size(vectors) / 2**20:,.1f} MiB" for vectors in own.values()],
        },
        hide_index=True,
        border="horizontal",
    )
    for name in own:
        with st.container(horizontal=True, vertical_alignment="center"):
            lead_to("Words", f"Neighbours in {name}", "neighbours", run=name)
            lead_to("Words", "Analogies", "analogies", run=name)
            lead_to("Words", "Map", "map", run=name)
            lead_to("Words", "Similarity", "similarity", run=name)
            st.button(f"Remove {escape_markdown(name)}", key=f"own_remove_{name}", on_click=_remove, args=(name,))


def _remove(name: str) -> None:
    """Forget vectors, and choose them nowhere any more."""
    choice.own().pop(name, None)
    tab.kept(_FACTS).pop(name, None)


def size(vectors: WordVectors) -> int:
    """Return the bytes that the numbers of vectors take."""
    return int(vectors.directions.nbytes + vectors.lengths.nbytes)
