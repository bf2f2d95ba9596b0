"""Google's analogy questions: 19,544 of them in 14 sections, such as ``Athens Greece Baghdad Iraq``.

Mikolov, Chen, Corrado and Dean (2013), *Efficient Estimation of Word Representations in Vector Space*, section 4.1.
"""

from __future__ import annotations

from pathlib import Path

from nlpviz.data import Corpus, DataError
from nlpviz.data.files import locate, verify
from nlpviz.data.plain_words import no_documents


def find_questions() -> Path:
    """Return the verified file of the questions.

    Raises:
        CorpusMissing: if it is not on this machine.
        DataError: if it is damaged.
    """
    path = locate(CORPUS)
    verify(CORPUS, path)
    return path


def read(split: str) -> tuple[str, ...]:
    """Return the lines of the file; the one split is ``"all"``."""
    if split != "all":
        raise DataError(f"{CORPUS.title} have no split {split!r}; available: all.")
    return tuple(find_questions().read_text(encoding="ascii").removesuffix("\n").split("\n"))


def find(name: str) -> str:
    """Refuse: there are no documents."""
    return no_documents(CORPUS.title, name)


CORPUS = Corpus(
    name="analogies",
    title="Google’s analogy questions",
    file="questions-words.txt",
    url="https://raw.githubusercontent.com/tmikolov/word2vec/master/questions-words.txt",
    size=603_955,
    sha256=("8c29b3332afc46f3fb8be04cb5297bf96f39aa7131272dff57869b4485b22a36",),
    licence="Apache License 2.0.",
    citation=(
        "Tomas Mikolov, Kai Chen, Greg Corrado and Jeffrey Dean (2013): Efficient Estimation of Word Representations "
        "in Vector Space. https://arxiv.org/abs/1301.3781"
    ),
    read=read,
    find=find,
)
