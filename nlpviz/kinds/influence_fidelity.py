"""How well sketches stand for exact influences: over some test texts and all documents that a run was trained on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpviz.kinds import Say
from nlpviz.kinds.influence import CANDIDATES, opened
from nlpviz.rank_correlation import rank_correlation
from nlpviz.runs import Run
from nlpviz.runs.influence import sketches_of

TOP = 10


class Fidelity(NamedTuple):
    """Sketches beside exact influences.

    Attributes:
        texts: test texts, drawn from all.
        documents: training documents.
        correlation: Spearman's, the mean over the texts.
        lowest: of the texts.
        top: how many documents of each sign are looked for.
        candidates: among how many by their sketches.
        recall: which share of them is there, over all texts.
    """

    texts: int
    documents: int
    correlation: float
    lowest: float
    top: int
    candidates: int
    recall: float


def fidelity(run: Run, texts: int, say: Say) -> Fidelity:
    """Return how well the sketches of a run do on so many test texts, drawn with seed 0; the predicted class of each.

    Raises:
        RunError: if the run has no sketches.
        DataError: if its corpus is not on this machine.
    """
    from nlpviz.attribution.influence import Checkpoints, LabelledRows, hashed_text, through_words
    from nlpviz.reading.prediction import probabilities
    from nlpviz.training.texts import labelled_texts
    from nlpviz.training.trained_on import trained_on

    stored = sketches_of(run)
    at = Checkpoints(stored.epochs, stored.weights)
    trained, _ = trained_on(run)
    documents = LabelledRows(trained.ids, trained.labels)
    test = labelled_texts(run.corpus["name"], "test")
    models = {epoch: run.load(epoch) for epoch in at.epochs}
    network = opened(models.__getitem__)
    correlations, found = [], 0
    for position in np.random.default_rng(0).choice(len(test.texts), size=min(texts, len(test.texts)), replace=False):
        last = models[at.epochs[-1]]
        text = test.texts[position]
        row = (last.encode(text).row, int(probabilities(last, text).argmax()))
        exact = through_words(network, at, row, documents)[1].sum(axis=(0, 2))
        estimates = stored.estimates(hashed_text(network, at, row))
        correlations.append(rank_correlation(estimates, exact) or 0.0)
        for sign in (1, -1):
            first = set(np.argsort(-sign * exact, kind="stable")[:TOP])
            found += len(first & set(np.argsort(-sign * estimates, kind="stable")[:CANDIDATES]))
        say(f"{len(correlations)} of {texts} texts: rank correlation {correlations[-1]:.3f}")
    share = found / (2 * TOP * len(correlations))
    return Fidelity(
        len(correlations), len(documents.rows), float(np.mean(correlations)), float(np.min(correlations)),
        TOP, CANDIDATES, share,
    )  # fmt: skip
