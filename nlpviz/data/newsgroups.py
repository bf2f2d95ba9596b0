"""20 Newsgroups: 11,314 posts to train on and 7,532 later ones to test on, each from one of twenty newsgroups.

Lang (1995), "NewsWeeder: Learning to Filter Netnews", ICML; split by date by Jason Rennie. What is not a post's own
text is left out, for it gives its group away: headers, the last block (signatures stand there) and quotations, by the
rules of scikit-learn's ``fetch_20newsgroups(remove=("headers", "footers", "quotes"))``, so that accuracies compare with
those that others report. Nothing is left of 300 training posts and 215 test posts; they stay, as empty texts, since
others count them too. The archive is parsed once, in a few seconds; from then on, the columns of each split are opened
from the cache.
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

SPLITS = ("train", "test")
GROUPS = (
    "alt.atheism",
    "comp.graphics",
    "comp.os.ms-windows.misc",
    "comp.sys.ibm.pc.hardware",
    "comp.sys.mac.hardware",
    "comp.windows.x",
    "misc.forsale",
    "rec.autos",
    "rec.motorcycles",
    "rec.sport.baseball",
    "rec.sport.hockey",
    "sci.crypt",
    "sci.electronics",
    "sci.med",
    "sci.space",
    "soc.religion.christian",
    "talk.politics.guns",
    "talk.politics.mideast",
    "talk.politics.misc",
    "talk.religion.misc",
)

_FORMAT = "1"  # of the columns in the cache: the next number when their meaning changes
_MEMBER = re.compile(rf"20news-bydate-(train|test)/({'|'.join(map(re.escape, GROUPS))})/(\d{{1,9}})", re.ASCII)
_QUOTING = re.compile(r"writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>")
_LARGEST_POST = 2**20  # bytes; the longest has 160,616
_LARGEST_ARCHIVE = 2**28  # bytes unpacked; the published archive has about a fifth of this

_Row = tuple[int, int, str]  # label, number, text: the order in which they are sorted


def read(split: str) -> LabelledTexts:
    """Return the posts of ``"train"`` or ``"test"`` by group, then by number, which grows with the date.

    Texts lack headers, signatures and quotations, labels are indices into :data:`GROUPS`, and ratings are all 0.

    Raises:
        CorpusMissing: if neither the columns nor the archive are on this machine.
        DataError: if there is no such split, the archive is wrong, or the cache cannot be written.
    """
    import numpy as np

    if split not in SPLITS:
        raise DataError(f"20 Newsgroups has no split {split!r}; available: {', '.join(SPLITS)}.")
    batch = _batch(split)
    labels = np.from_dlpack(batch["label"]).astype(np.int8, copy=False)  # Arrow's own to_numpy would load pandas
    return LabelledTexts(tuple(batch["id"].to_pylist()), np.zeros_like(labels), labels, TextColumn(batch["text"]))


def find(post_id: str) -> str:
    """Return the text of the post called ``post_id``, for example ``"test/sci.space/60822"``.

    Raises:
        CorpusMissing: if neither the columns nor the archive are on this machine.
        DataError: if there is no such post.
    """
    split = post_id.partition("/")[0]
    if split in SPLITS:
        text = text_called(_batch(split), post_id)
        if text is not None:
            return text
    raise DataError(f"20 Newsgroups has no post {post_id!r}; ids look like 'test/sci.space/60822'.")


def own_text(post: str) -> str:
    """Return what a post says itself: without its headers, its last block where it has several, and quotations.

    The headers end at the first blank line. The last block begins at the last line that is blank or of hyphens alone:
    mostly it is a signature, but where there is none it is the last paragraph. Quotations are lines that begin with
    ``>`` or ``|``, and those that introduce them, such as ``X writes:``.
    """
    body = post.partition("\n\n")[2]
    lines = body.strip().split("\n")
    last = max((number for number, line in enumerate(lines) if not line.strip().strip("-")), default=0)
    kept = lines[:last] if last else body.split("\n")
    return "\n".join(line for line in kept if not _QUOTING.search(line)).strip()


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
    for name, contents in tar_members(path, _MEMBER, largest=_LARGEST_POST, total=_LARGEST_ARCHIVE):
        match = _MEMBER.fullmatch(name)
        if match is not None:
            split, group, number = match.groups()
            rows[split].append((GROUPS.index(group), int(number), own_text(contents.decode("latin-1"))))
    return rows


def _columns(split: str, rows: list[_Row]) -> pa.RecordBatch:
    """Return the rows of ``split`` as columns."""
    import pyarrow as pa

    columns: list[list[Any]] = [
        [f"{split}/{GROUPS[label]}/{number}" for label, number, _ in rows],
        [label for label, _, _ in rows],
        [text for _, _, text in rows],
    ]
    return pa.record_batch(columns, schema=_schema())


def _schema() -> pa.Schema:
    """Return the columns' names and types; the metadata say from which archives and how they were made."""
    import pyarrow as pa

    columns = {"id": pa.string(), "label": pa.int8(), "text": pa.string()}
    return pa.schema(columns, metadata={"format": _FORMAT, "sha256": " ".join(CORPUS.sha256)})


def _columns_path(split: str) -> Path:
    """Return where the columns of ``split`` are kept."""
    return cache_folder() / f"newsgroups-{split}.arrow"


CORPUS = Corpus(
    name="newsgroups",
    title="20 Newsgroups",
    file="20news-bydate.tar.gz",
    url="https://ndownloader.figshare.com/files/5975967",
    size=14_464_277,
    sha256=(
        "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",  # as scikit-learn checks it
        "01b535e313318e4e2f579ea5d43dd724520282c019e514e8335b856b78bf8a6f",  # the posts, packed again
    ),
    licence="No licence is stated. The posts belong to their writers, and some contain names and addresses.",
    citation=(
        "Ken Lang (1995): NewsWeeder: Learning to Filter Netnews. ICML, pages 331-339; the split by date is Jason "
        "Rennie’s, http://qwone.com/~jason/20Newsgroups/"
    ),
    read=read,
    find=find,
    splits=(
        "Training and test posts are split by date, so threads rarely occur in both splits. Headers, quotations and\n"
        "the last block of each post, where signatures appear, are removed, because they reveal the newsgroup.\n"
        "This leaves 300 training and 215 test posts empty; these posts are still counted."
    ),
    document="post",
    written="English Usenet posts",
)
