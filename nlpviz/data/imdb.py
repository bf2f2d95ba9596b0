"""Film reviews from IMDB: 25,000 to train on, 25,000 to test on and 50,000 without a label.

Maas, Daly, Pham, Huang, Ng and Potts (2011), "Learning Word Vectors for Sentiment Analysis", ACL: reviews
rated 7 to 10 are positive, 1 to 4 negative, and those between were left out. Texts are given as published,
``<br />`` and all. The archive is parsed once, in a few seconds; from then on, the columns of each split are
opened from the cache.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpviz.data import Corpus, DataError
from nlpviz.data.archives import tar_members
from nlpviz.data.columns import LabelledTexts, TextColumn, open_or_build, text_called, write_batch
from nlpviz.data.files import cache_folder, locate, verify

if TYPE_CHECKING:
    import pyarrow as pa

SPLITS = ("train", "test", "unsupervised")

_FORMAT = "1"  # of the columns in the cache: the next number when their meaning changes
_LABELS = {"neg": 0, "pos": 1, "unsup": -1}
_MEMBER = re.compile(r"aclImdb/(?:(train|test)/(neg|pos)|train/(unsup))/(\d{1,9})_(\d{1,2})\.txt", re.ASCII)
_LARGEST_REVIEW = 2**20  # bytes; the longest has 14,282
_LARGEST_ARCHIVE = 2**30  # bytes unpacked; the published archive has about a third of this

_Row = tuple[int, int, int, str]  # label, number, rating, text: the order in which they are sorted


def read(split: str) -> LabelledTexts:
    """Return the reviews of ``"train"``, ``"test"`` or ``"unsupervised"``, as published, by label, then by number.

    Labels are 1 positive, 0 negative, -1 unlabelled; an id is, for example, ``"test/pos/123"``.

    Raises:
        CorpusMissing: if neither the columns nor the archive are on this machine.
        DataError: if there is no such split, the archive is wrong, or the cache cannot be written.
    """
    import numpy as np

    if split not in SPLITS:
        raise DataError(f"IMDB has no split {split!r}; available: {', '.join(SPLITS)}.")
    batch = _batch(split)
    return LabelledTexts(
        ids=tuple(batch["id"].to_pylist()),
        ratings=np.from_dlpack(batch["rating"]).astype(np.int8, copy=False),  # Arrow's own to_numpy would load pandas
        labels=np.from_dlpack(batch["label"]).astype(np.int8, copy=False),
        texts=TextColumn(batch["text"]),
    )


def find(review_id: str) -> str:
    """Return the text of the review called ``review_id``, for example ``"test/pos/123"``.

    Raises:
        CorpusMissing: if neither the columns nor the archive are on this machine.
        DataError: if there is no such review.
    """
    split = review_id.partition("/")[0]
    if split in SPLITS:
        text = text_called(_batch(split), review_id)
        if text is not None:
            return text
    raise DataError(f"IMDB has no review {review_id!r}; ids look like 'test/pos/123'.")


def _batch(split: str) -> pa.RecordBatch:
    return open_or_build(_columns_path(split), _schema(), _build)


def _build() -> None:
    """Parse the archive and write the columns of every split."""
    path = locate(CORPUS)
    verify(CORPUS, path)
    rows = _parse(path)
    for split in SPLITS:
        write_batch(_columns_path(split), _columns(split, sorted(rows.pop(split))))


def _parse(path: Path) -> dict[str, list[_Row]]:
    """Return the rows of every split, in the archive's order."""
    rows: dict[str, list[_Row]] = {split: [] for split in SPLITS}
    for name, contents in tar_members(path, _MEMBER, largest=_LARGEST_REVIEW, total=_LARGEST_ARCHIVE):
        match = _MEMBER.fullmatch(name)
        if match is not None:
            split, labelled, unlabelled, number, rating = match.groups()
            row = (_LABELS[labelled or unlabelled], int(number), int(rating), contents.decode())
            rows[split or "unsupervised"].append(row)
    return rows


def _columns(split: str, rows: list[_Row]) -> pa.RecordBatch:
    """Return the rows of ``split`` as columns."""
    import pyarrow as pa

    folders = {label: folder for folder, label in _LABELS.items()}
    columns: list[list[Any]] = [
        [f"{split}/{folders[label]}/{number}" for label, number, _, _ in rows],
        [rating for _, _, rating, _ in rows],
        [label for label, _, _, _ in rows],
        [text for _, _, _, text in rows],
    ]
    return pa.record_batch(columns, schema=_schema())


def _schema() -> pa.Schema:
    """Return the columns' names and types; the metadata say from which archives and how they were made."""
    import pyarrow as pa

    columns = {"id": pa.string(), "rating": pa.int8(), "label": pa.int8(), "text": pa.string()}
    return pa.schema(columns, metadata={"format": _FORMAT, "sha256": " ".join(CORPUS.sha256)})


def _columns_path(split: str) -> Path:
    """Return where the columns of ``split`` are kept."""
    return cache_folder() / f"imdb-{split}.arrow"


CORPUS = Corpus(
    name="imdb",
    title="Large Movie Review Dataset (IMDB)",
    file="aclImdb_v1.tar.gz",
    url="https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
    size=84_125_825,
    sha256=(
        "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe",
        "c008def46a3335ed07608de16e5e4cbde0e8b6939d81b9cae91e5df500cc1448",  # the reviews alone, packed again
    ),
    licence="No licence is stated; the authors ask users to cite the paper. The reviews belong to their writers.",
    citation=(
        "Andrew L. Maas, Raymond E. Daly, Peter T. Pham, Dan Huang, Andrew Y. Ng and Christopher Potts "
        "(2011): Learning Word Vectors for Sentiment Analysis. ACL, pages 142-150. https://aclanthology.org/P11-1015"
    ),
    read=read,
    find=find,
    document="review",
    written="English film reviews",
    states_ratings=True,
)
