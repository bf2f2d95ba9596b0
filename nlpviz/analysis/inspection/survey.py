"""The survey of a run: its network at every kept epoch, over all test documents of its corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.filters import summaries
from nlpviz.analysis.inspection.split import Split, Taken, ngram_of, read_split
from nlpviz.analysis.inspection.top_ngrams import top_ngrams
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.survey import DocumentRegions, FilterSummary, RankedNgram
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, probabilities_of
from nlpviz.runs.surveys import write_survey
from nlpviz.text.vocabulary import Vocabulary

STRONGEST = 3


def survey_run(run: Run, split: Split, counts: NgramCounts | None, say: Callable[[str], None] = lambda _: None) -> Run:
    """Survey every kept epoch of ``run`` and write the results into its folder; half a minute per epoch.

    Args:
        run: whose network pools over regions.
        split: the test documents; those that the run keeps are among them.
        counts: of the training texts' n-grams, None where there are none.
        say: called with a line of text about each step.

    Raises:
        RunError: if the network pools over no regions.
    """
    rankings: dict[tuple[int, int], tuple[RankedNgram, ...]] = {}
    classes = len(run.class_names)
    filters: list[FilterSummary] = []
    of_documents: tuple[DocumentRegions, ...] = ()
    for epoch in run.surveyed:
        trained = run.load(epoch)
        taken = read_split(trained, [text[: run.max_length] for text in split.ids], say)
        targets = range(classes) if classes > 2 else (1,)
        found = top_ngrams(taken, split, run.vocabulary, counts, targets)
        rankings |= {(epoch, target): rows for target, rows in found.items()}
        filters += summaries(trained, taken)
        if epoch == run.best_epoch:
            position = {name: number for number, name in enumerate(split.names)}
            kept = [position[name] for name in documents_of(run).ids]
            predicted = probabilities_of(run, epoch).argmax(axis=1)
            of = predicted if classes > 2 else np.ones_like(predicted)
            of_documents = document_regions([branch.take(kept) for branch in taken], run.vocabulary, of)
    return write_survey(run, rankings, filters, of_documents)


def document_regions(
    taken: Sequence[Taken], vocabulary: Vocabulary, targets: NDArray[np.integer]
) -> tuple[DocumentRegions, ...]:
    """Return the n-grams that affected each document's score most, for its class of ``targets`` (N,) and against it."""
    count = len(taken[0].keys)
    pro: list[list[tuple[str, float]]] = [[] for _ in range(count)]
    contra: list[list[tuple[str, float]]] = [[] for _ in range(count)]
    for branch in taken:
        amounts = branch.activations * branch.weights[targets]
        for document, (keys, row) in enumerate(zip(branch.keys, amounts, strict=True)):
            distinct, group = np.unique(keys, return_inverse=True)
            sums = np.bincount(group, row)
            order = np.argsort(sums, kind="stable")
            for position in {*order[:STRONGEST].tolist(), *order[-STRONGEST:].tolist()}:
                said = (ngram_of(int(distinct[position]), branch.size, vocabulary), float(sums[position]))
                if said[1]:
                    (pro if said[1] > 0 else contra)[document].append(said)
    best = [
        [tuple(sorted(said, key=lambda item: -abs(item[1]))[:STRONGEST]) for said in documents]
        for documents in (pro, contra)
    ]
    return tuple(DocumentRegions(*said) for said in zip(*best, targets.tolist(), strict=True))
