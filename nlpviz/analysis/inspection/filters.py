"""Filters over all documents of a split: each filter's strongest n-grams, inactive filters, correlated filters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.regions import region_encoder
from nlpviz.analysis.inspection.split import Taken, ngram_of
from nlpviz.results.survey import FilterNgram, FilterSummary
from nlpviz.runs import TrainedModel
from nlpviz.text.vocabulary import SPECIALS, Vocabulary

NGRAMS = 12
WORDS = 8


def summaries(trained: TrainedModel, taken: Sequence[Taken]) -> tuple[FilterSummary, ...]:
    """Return a summary of each filter over the documents, in the order of the document embedding."""
    pooled = taken[0].pooled
    strongest = np.concatenate([branch.activations[:, ::pooled] for branch in taken], axis=1)  # (N, filters)
    correlations = _correlations(strongest)
    twins = correlations.argmax(axis=1)
    result: list[FilterSummary] = []
    for branch in taken:
        weights = branch.weights.reshape(len(branch.weights), -1, pooled).mean(axis=2)  # (K, filters)
        several = len(weights) > 2
        for number in range(weights.shape[1]):
            position = len(result)
            activations = branch.activations[:, number * pooled]
            ngrams = _strongest_ngrams(branch.keys[:, number * pooled], activations, branch.size, trained.vocabulary)
            result.append(
                FilterSummary(
                    epoch=trained.epoch,
                    position=position,
                    size=branch.size,
                    number=number,
                    weight=float(weights[-1, number]),
                    alive=float((activations > 0).mean()),
                    mean=float(activations.mean()),
                    twin=int(twins[position]),
                    correlation=float(max(correlations[position, twins[position]], 0.0)),
                    ngrams=ngrams,
                    weights=tuple(weights[:, number].tolist()) if several else (),
                )
            )
    return tuple(result)


def _correlations(columns: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return Pearson's correlation of each column with the others; 0 where one never changes, and with itself."""
    centred = columns.astype(float) - columns.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    correlations = (centred.T @ centred) / np.maximum(np.outer(lengths, lengths), 1e-12)
    np.fill_diagonal(correlations, 0.0)
    return np.asarray(correlations)


def _strongest_ngrams(
    keys: NDArray[np.int64], activations: NDArray[np.float32], size: int, vocabulary: Vocabulary
) -> tuple[FilterNgram, ...]:
    answered = activations > 0
    distinct, first, support = np.unique(keys[answered], return_index=True, return_counts=True)
    values = activations[answered][first]  # equal n-grams have equal activations
    order = np.argsort(-values, kind="stable")[:NGRAMS]
    return tuple(
        FilterNgram(
            ngram_of(int(distinct[position]), size, vocabulary), float(values[position]), int(support[position])
        )
        for position in order
    )


def slot_words(trained: TrainedModel, position: int) -> tuple[tuple[tuple[str, float], ...], ...]:
    """Return the words with the highest activation in each of a filter's slots, the first slot first.

    A filter's answer to a region is a sum over its slots, each the dot product of the slot's weights with the vector
    of the word that stands there, and its bias; these are the words with the largest dot products, and what they are.

    Args:
        trained: a run's model.
        position: of the filter among all.

    Raises:
        RunError: if the model pools over no regions.
    """
    import torch

    encoder = region_encoder(trained)
    branches = encoder.filter_weights()
    branch, number = divmod(position, len(branches[0]))
    with torch.no_grad():
        words = encoder.embed(torch.arange(len(trained.vocabulary)))
        answers = words @ branches[branch][number]  # (V, h)
        answers[: len(SPECIALS)] = -torch.inf
        largest, ids = answers.topk(min(WORDS, len(answers) - len(SPECIALS)), dim=0)
    return tuple(
        tuple((trained.vocabulary.words[token_id], answer) for token_id, answer in zip(own, values, strict=True))
        for own, values in zip(ids.T.tolist(), largest.T.tolist(), strict=True)
    )
