"""text8: the first 100,000,000 signs of English Wikipedia of 2006, cleaned to a-z and single spaces."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.data.plain_words import WordStream, no_documents, open_words


def read(split: str) -> WordStream:
    """Return the words; the one split is ``"all"``."""
    return open_words(CORPUS, split)


def find(name: str) -> str:
    """Refuse: there are no documents."""
    return no_documents(CORPUS.title, name)


CORPUS = Corpus(
    name="text8",
    title="text8",
    file="text8.zip",
    url="https://mattmahoney.net/dc/text8.zip",
    size=31_344_016,
    sha256=("a6640522afe85d1963ad56c05b0ede0a0c000dddc9671758a6cc09b7a38e5232",),
    licence="Wikipedia text from March 2006, under the GFDL.",
    citation="Matt Mahoney (2006): About the Test Data. https://mattmahoney.net/dc/textdata.html",
    read=read,
    find=find,
)
