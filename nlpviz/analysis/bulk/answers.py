"""From rows to columns of answers: the one function that a loop in this process and a cluster's workers both call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from nlpviz.analysis.bulk.explanations import explanations, regions
from nlpviz.analysis.bulk.questions import LoadedQuestion
from nlpviz.analysis.bulk.reading import ReadText, forward, read
from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.runs import RunError, TrainedModel
from nlpviz.runs.files import vectors

if TYPE_CHECKING:
    from torch import Tensor

ROWS = pa.schema([("row", pa.int64()), ("text", pa.string()), ("label", pa.string())])
"""What a part is made of: the row's number in the file, its text, its label."""


def answer_rows(asked: LoadedQuestion, rows: pa.Table) -> pa.Table:
    """Return a row of answers for each of ``rows``, which have the columns of :data:`ROWS`, in their order.

    The same rows get the same answers wherever they are asked: neither other parts nor their order matter.

    Raises:
        RunError: if the network cannot answer the question.
    """
    question = asked.question
    kept = {"row": True, "label": question.labelled, "text": question.keep_texts}
    answers = ANSWERS[question.about](asked, rows["text"].to_pylist())
    columns = {name: rows[name] for name, wanted in kept.items() if wanted}
    table = pa.table(columns | {name: answers[name] for name in answers.column_names})
    about = {"about": question.about, "run": question.run, "epoch": question.epoch}
    return table.replace_schema_metadata({"nlpviz": json.dumps(about)})


def _predictions(asked: LoadedQuestion, texts: Sequence[str]) -> pa.Table:
    """Return each text's class with the probabilities of all, and how much of the text the network knew."""
    names = asked.run.class_names
    if isinstance(asked.model, NgramWeights):
        probabilities, known = _by_ngrams(asked.model, texts)
    else:
        probabilities, known = _by_network(asked.model, texts)
    of_classes = {f"probability.{name}": pa.array(probabilities[:, number]) for number, name in enumerate(names)}
    return pa.table(_predicted(probabilities, names) | of_classes | known)


def _by_network(trained: TrainedModel, texts: Sequence[str]) -> tuple[NDArray[np.float32], dict[str, pa.Array]]:
    """Return the probabilities of the classes for N texts, (N, K), and how much of each was known."""
    module = trained.module
    if not trained.run.class_names:
        raise RunError(f"The run {trained.run.name!r} is not a classifier, so it does not predict classes.")

    def answer(ids: Tensor) -> list[Tensor]:
        return [_probabilities(module(ids))]

    found = read(trained, texts)
    (probabilities,) = forward(found, answer, [len(trained.run.class_names)])
    return probabilities, _known(found)


def _by_ngrams(weights: NgramWeights, texts: Sequence[str]) -> tuple[NDArray[np.float32], dict[str, pa.Array]]:
    """Return the same of a baseline, which reads every token."""
    found = [weights.weigh(text) for text in texts]
    tokens = [one.tokens for one in found]
    known = _counts(tokens, tokens, [one.unknown for one in found])
    return weights.shares([one.scores for one in found]).astype(np.float32), known


def _embeddings(asked: LoadedQuestion, texts: Sequence[str]) -> pa.Table:
    """Return each text's document embedding, with its class and that one's probability."""
    from nlpviz.networks.architectures import document_reader

    reader, names = document_reader(asked.trained.module), asked.trained.run.class_names
    if reader is None:
        raise RunError(f"The run {asked.trained.run.name!r} has no document embeddings.")

    def answer(ids: Tensor) -> list[Tensor]:
        documents, logits = reader.represent(ids)
        return [_probabilities(logits), documents]

    found = read(asked.trained, texts)
    probabilities, documents = forward(found, answer, [len(names), reader.embedding_size])
    return pa.table(_predicted(probabilities, names) | _known(found) | {"embedding": vectors(documents)})


def _probabilities(logits: Tensor) -> Tensor:
    from nlpviz.networks.architectures import class_probabilities

    return class_probabilities(logits)


def _predicted(probabilities: NDArray[np.float32], names: Sequence[str]) -> dict[str, pa.Array]:
    best = probabilities.argmax(axis=1)
    classes = pa.array([names[number] for number in best], pa.string())
    return {"predicted": classes, "probability": pa.array(probabilities[np.arange(len(best)), best])}


def _known(found: Sequence[ReadText]) -> dict[str, pa.Array]:
    """Return how many tokens each text has, how many of them were read, and how many of those are unknown words."""
    return _counts([one.tokens for one in found], [len(one.row) for one in found], [one.unknown for one in found])


def _counts(tokens: Sequence[int], read: Sequence[int], unknown: Sequence[int]) -> dict[str, pa.Array]:
    columns = {"tokens": tokens, "read": read, "unknown": unknown}
    return {name: pa.array(values, pa.int32()) for name, values in columns.items()}


ANSWERS: Mapping[str, Callable[[LoadedQuestion, Sequence[str]], pa.Table]] = MappingProxyType(
    {"predict": _predictions, "embed": _embeddings, "explain": explanations, "regions": regions}
)
"""What can be asked, by the command's name: from what answers and N texts to N rows."""
