"""20 Newsgroups as bags of words, the real problem of the experiments: which of twenty groups is a post from?

A post is which of the 2,000 words occur in it that most training posts have; a row is scaled so that its mean square is
1, as the initialisations assume of what enters a layer. An empty post stays 0.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_matrix

from nlpviz.data.newsgroups import GROUPS, read
from nlpviz.experiments.feedforward.training import Examples
from nlpviz.text.vocabulary import tokenize

WORDS = 2_000
VALIDATION = 1_314
"""Training posts that are held out; 10,000 are left to learn from."""


@lru_cache(maxsize=1)
def newsgroups() -> Examples:
    """Return the posts as bags, float32 and sparse.

    Raises:
        DataError: if the corpus is not on this machine.
    """
    posts = {split: read(split) for split in ("train", "test")}
    words = {split: [{token.word for token in tokenize(text)} for text in some.texts] for split, some in posts.items()}
    order = np.random.default_rng(0).permutation(len(words["train"]))
    held, learnt = order[:VALIDATION], order[VALIDATION:]
    counts = Counter(word for row in learnt for word in words["train"][row])
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    places = {word: place for place, word in enumerate(ranked[:WORDS])}
    bags = {split: _bags(some, places) for split, some in words.items()}
    labels = {split: some.labels.astype(np.int64) for split, some in posts.items()}
    return Examples(
        "newsgroups",
        len(GROUPS),
        (bags["train"][learnt], labels["train"][learnt]),
        (bags["train"][held], labels["train"][held]),
        (bags["test"], labels["test"]),
    )


def _bags(posts: list[set[str]], places: dict[str, int]) -> csr_matrix:
    """Return the rows of posts, sparse: a post has 44 of the words on average."""
    rows = [sorted(places[word] for word in words if word in places) for words in posts]
    counts = np.array([len(row) for row in rows])
    values = np.repeat(np.sqrt(len(places) / np.maximum(counts, 1)), counts).astype(np.float32)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return csr_matrix((values, np.array([one for row in rows for one in row]), starts), (len(posts), len(places)))
