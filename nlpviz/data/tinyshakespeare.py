"""tinyshakespeare: a million characters of Shakespeare's plays, on which models of characters are tried.

Karpathy (2015), *The Unreasonable Effectiveness of Recurrent Neural Networks*. The test split is the last tenth of the
characters, as in nanoGPT, which calls it validation and chooses on it. Here models choose on twenty pieces of what
comes before, spread evenly, and only then see the test split. Why these are not its end, the corpus's ``splits`` says.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from nlpviz.data import Corpus, DataError
from nlpviz.data.files import locate, verify
from nlpviz.data.streams import TextStream, line_called

SPLITS = ("train", "validation", "development", "test")

_DEVELOPMENT = 0.9
"""Share of the whole that comes before the test split."""
_BLOCKS, _VALIDATION = 20, 0.05
"""Blocks that it is cut into, and the share at the end of each that is validation text."""


def read(split: str) -> TextStream:
    """Return the characters of ``"train"``, ``"validation"``, ``"development"``, which is both, or ``"test"``.

    A split may begin and end within a line, and so may the pieces that training and validation text are made of.

    Raises:
        CorpusMissing: if the file is not on this machine.
        DataError: if there is no such split, or the file is wrong.
    """
    if split not in SPLITS:
        raise DataError(f"tinyshakespeare has no split {split!r}; available: {', '.join(SPLITS)}.")
    path = locate(CORPUS)
    verify(CORPUS, path)
    text = path.read_bytes().decode("ascii")
    end = int(_DEVELOPMENT * len(text))
    if split == "test":
        return TextStream(split, text[end:])
    if split == "development":
        return TextStream(split, text[:end])
    edges = [end * block // _BLOCKS for block in range(_BLOCKS + 1)]
    pieces = []
    for first, last in pairwise(edges):
        held_out = last - round(_VALIDATION * (last - first))
        pieces.append(text[first:held_out] if split == "train" else text[held_out:last])
    return TextStream(split, "".join(pieces))


CORPUS = Corpus(
    name="tinyshakespeare",
    title="tinyshakespeare",
    file="tinyshakespeare.txt",
    url="https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt",
    size=1_115_394,
    sha256=("86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",),
    licence="The plays are in the public domain.",
    citation=(
        "Andrej Karpathy (2015): The Unreasonable Effectiveness of Recurrent Neural Networks. "
        "https://karpathy.github.io/2015/05/21/rnn-effectiveness/"
    ),
    read=read,
    find=partial(line_called, read=read, title="tinyshakespeare"),
    splits=(
        "The test split is the last tenth of the characters and begins in the middle of a play. The validation "
        "text was originally the 5% just before the test split, the beginning of that play. A 7-gram model then "
        "reached 1.677 nats per character on the test split, and 1.517 once these 5% were counted as well. After "
        "this measurement on the test split, the validation text was changed to twenty pieces, spread evenly over the "
        "text before the test split."
    ),
)
