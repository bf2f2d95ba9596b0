"""enwiki-core: 100,000,000 signs of English Wikipedia of 2015 in the format of text8.

It stands in for text8 where that cannot be downloaded; it is another text, and a score on it is no score on text8.
"""

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
    name="enwiki-core",
    title="enwiki-core (English Wikipedia, 2015, 100 MB)",
    file="enwiki_core_100m.zip",
    url="https://dumps.wikimedia.org/enwiki/",
    size=32_614_784,
    sha256=("587ce9a8db494a4d28bacf78b09018aa66350a6885c33c50ccedbafdd3bb9ad4",),
    licence="Wikipedia text from 2015, under CC BY-SA 3.0 and the GFDL.",
    citation="Wikipedia, The Free Encyclopedia (2015): a subset of its articles, reduced to a-z and spaces",
    read=read,
    find=find,
    instead="text8",
)
