"""How well sketches stand for exact influences: over some test texts and all documents that a run was trained on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.run_kinds import Say
from nlpviz.run_kinds.influence import CANDIDATES, opened
from nlpviz.runs import Run
from nlpviz.runs.influence import sketches_of
from nlpviz.stats.rank_correlation import rank_correlation

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
    from nlpviz.analysis.attribution.influence import Checkpoints, LabelledRows, between, hashed_text
    from nlpviz.analysis.inspection.prediction import probabilities
    from nlpviz.training.texts import labelled_texts
    from nlpviz.training.trained_on import trained_on

    stored = sketches_of(run)
    at = Checkpoints(stored.epochs, stored.weights)
    trained, _ = trained_on(run)
    test = labelled_texts(run.corpus["name"], "test")
    models = {epoch: run.load(epoch) for epoch in at.epochs}
    network, last = opened(models.__getitem__), models[at.epochs[-1]]
    drawn = np.random.default_rng(0).choice(len(test.texts), size=min(texts, len(test.texts)), replace=False)
    asked = [test.texts[position] for position in drawn]
    classes = np.array([int(probabilities(last, text).argmax()) for text in asked])
    rows = LabelledRows([last.encode(text).row for text in asked], classes)
    say(f"Computing the exact influence of {len(trained):,} documents on {len(asked)} texts")
    exact = between(network, at, rows, LabelledRows(trained.ids, trained.labels))
    each = [stored.estimates(hashed_text(network, at, row)) for row in zip(rows.rows, classes.tolist(), strict=True)]
    correlations = [rank_correlation(one, true) or 0.0 for one, true in zip(each, exact, strict=True)]
    shares = [_recall(sign * one, sign * true) for one, true in zip(each, exact, strict=True) for sign in (1, -1)]
    return Fidelity(
        len(asked), len(trained), float(np.mean(correlations)), min(correlations), TOP, CANDIDATES,
        float(np.mean(shares)),
    )  # fmt: skip


def _recall(estimates: NDArray[np.float32], exact: NDArray[np.float32]) -> float:
    """Return which share of the exact top is among the candidates by estimates."""
    first, named = np.argsort(-exact, kind="stable")[:TOP], np.argsort(-estimates, kind="stable")[:CANDIDATES]
    return float(np.isin(first, named).mean())
