"""One text inferred several times: how stable is its inferred vector?

Paragraph vectors are no function of a text's words: a descent begins somewhere and sees noise words that are drawn (Le
and Mikolov 2014, section 2.2). Users of gensim ask why one text has two vectors; here the seed is part of the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.inferred import Inferred
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.runs.documents import embeddings_of
from nlpviz.text.vocabulary import UNKNOWN, Vocabulary, tokenize

NEIGHBOURS = 10
_PAIRS = 20_000


def infer_text(trained: TrainedModel, text: str, times: int, neighbours: int = NEIGHBOURS) -> Inferred:
    """Return several paragraph vectors inferred for one text, to show how much they vary.

    A paragraph vector is found by gradient descent from a random start (Le and Mikolov 2014, section 2.2), so each seed
    results in a different vector.

    Args:
        trained: paragraph vectors, loaded by ``Run.load``.
        text: any text with at least one known word.
        times: the number of inferences M; the seeds are 0 to M − 1.
        neighbours: the number of nearest test documents to return.

    Returns:
        The vectors, shape (M, E), the class probabilities, shape (M, K), and the documents nearest to each vector.

    Raises:
        RunError: if no word of the text is known, or the network is not a paragraph vector model.

    Example:
        >>> from nlpviz.analysis.inspection.inferred import infer_text
        >>> from nlpviz.runs import open_run
        >>> inferred = infer_text(open_run("imdb-pv-dbow").load(), "A wonderful film with great actors.", 4)
        >>> inferred.vectors.shape
        (4, 100)
        >>> print(inferred.class_names, inferred.votes)
        ('negative', 'positive') [0 4]
    """
    import torch

    from nlpviz.networks.architectures import InfersDocuments, class_probabilities, padded

    module, encoded = trained.module, trained.encode(text)
    if not isinstance(module, InfersDocuments):
        raise RunError(
            f"The run {trained.run.name!r} does not infer document vectors; its network computes embeddings directly."
        )
    known = int((encoded.ids > UNKNOWN).sum())
    if not known:
        raise RunError(f"No word of this text is in the vocabulary of {trained.run.title}. Try different words.")
    ids = padded([encoded.row])
    with torch.inference_mode():
        vectors = torch.cat([module.infer(ids, seed) for seed in range(times)])
        probabilities = class_probabilities(module.judge(vectors)).float().numpy().copy()
    documents, found = embeddings_of(trained.run, trained.epoch), vectors.float().numpy().copy()
    nearest = _nearest(documents, found, neighbours)
    return Inferred(
        run=trained.run.name,
        title=trained.run.title,
        epoch=trained.epoch,
        class_names=trained.run.class_names,
        tokens=len(encoded.tokens),
        known=known,
        vectors=found,
        probabilities=probabilities,
        nearest=nearest,
        neighbours=np.bincount(nearest.ravel(), minlength=len(documents)),
        between=between(documents),
    )


def infer_by_epoch(run: Run, text: str, times: int) -> list[Inferred]:
    """Return a text inferred ``times`` times by each kept epoch."""
    return [infer_text(run.load(epoch), text, times) for epoch in run.epochs]


def between(documents: NDArray[np.float32]) -> float:
    """Return the median distance between two different documents (N, E), of 20,000 pairs drawn with seed 0."""
    rng = np.random.default_rng(0)
    first = rng.integers(len(documents), size=_PAIRS)
    second = (first + rng.integers(1, max(len(documents), 2), size=_PAIRS)) % len(documents)
    return float(np.median(np.linalg.norm(documents[first] - documents[second], axis=1)))


def _nearest(documents: NDArray[np.float32], vectors: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    squares = np.einsum("ne,ne->n", documents, documents)
    return np.argsort(squares - 2 * vectors @ documents.T, axis=1, kind="stable")[:, :count]


def shared_words(vocabulary: Vocabulary, text: str, other: str, most: int = 8) -> Sequence[tuple[str, float]]:
    """Return the known words that two texts share, the rarest first, with the inverse of their frequency as a weight.

    A word's weight is log(T / t), with t its occurrences in the training texts and T those of all known words.
    """
    total, both = int(vocabulary.counts.sum()), [{token.word for token in tokenize(one)} for one in (text, other)]
    ids = {word: vocabulary.id(word) for word in set.intersection(*both) if word in vocabulary}
    weighed = ((word, log(total / int(vocabulary.counts[number]))) for word, number in ids.items())
    return sorted(weighed, key=lambda pair: (-pair[1], pair[0]))[:most]
