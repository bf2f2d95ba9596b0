"""The test documents that a run stores: ids, labels and each epoch's predictions, never their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from nlpviz.networks.architectures import class_probabilities, document_reader, padded
from nlpviz.runs import Run
from nlpviz.runs.documents import DOCUMENTS
from nlpviz.runs.files import vectors, write_table
from nlpviz.runs.predictions import levels_of
from nlpviz.runs.quantized import pack
from nlpviz.training.batches import bucketed

if TYPE_CHECKING:
    import pyarrow as pa


def balanced_sample(labels: NDArray[np.integer], count: int) -> NDArray[np.int64]:
    """Return the positions of about ``count`` documents, as many of each label, in ascending order.

    All runs on one corpus get the same ones, whatever their seed, so that their maps can be compared.
    """
    rng = np.random.default_rng(0)
    classes = np.unique(labels)
    drawn = [rng.permutation(np.flatnonzero(labels == label))[: count // len(classes)] for label in classes]
    return np.sort(np.concatenate(drawn))


def answers(module: nn.Module, ids: Sequence[NDArray[np.integer]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the probabilities of the classes (N, K) and the document embedding (N, E) of each encoded text."""
    reader = document_reader(module)
    if reader is None:
        raise TypeError(f"{type(module).__name__} has no document embeddings to store")
    order = bucketed(np.array([len(text) for text in ids]), 256, None)
    probabilities, embeddings = [], []
    with torch.inference_mode():
        for positions in order:
            batch = padded([ids[position] for position in positions])
            documents, logits = reader.represent(batch)
            probabilities.append(class_probabilities(logits))
            embeddings.append(documents)
    back = np.argsort(np.concatenate(order))
    return torch.cat(probabilities).numpy()[back], torch.cat(embeddings).numpy()[back]


def write_documents(
    run: Run,
    names: Sequence[str],
    labels: NDArray[np.integer],
    ratings: NDArray[np.integer],
    ids: Sequence[NDArray[np.integer]],
    kept: Sequence[int],
) -> None:
    """Write the documents' answers for every epoch of ``run``, the embeddings of the ``kept`` ones alone.

    ``ids`` are whole texts, cut here as the model does. Of two classes the last one's probability is kept, in half
    precision where the epoch is not; of more, all of them in 65,535ths.
    """
    import pyarrow as pa

    columns: dict[str, pa.Array] = {
        "id": pa.array(list(names)),
        "label": pa.array(labels.astype(np.int8)),
        "rating": pa.array(ratings.astype(np.int8)),
        "length": pa.array(np.array([len(text) for text in ids], dtype=np.int32)),
    }
    read = [text[: run.max_length] for text in ids]
    for epoch in run.epochs:
        probabilities, embedding = answers(run.load(epoch).module, read)
        precise = np.float32 if epoch in kept else np.float16
        columns[f"probability.{epoch:02d}"] = (
            pa.array(probabilities[:, -1].astype(precise))
            if probabilities.shape[1] == 2
            else vectors(levels_of(probabilities))
        )
        if epoch not in kept:
            continue
        packed = pack(embedding)
        columns |= {
            f"embedding.{epoch:02d}.levels": vectors(packed.levels),
            f"embedding.{epoch:02d}.low": pa.array(packed.low),
            f"embedding.{epoch:02d}.step": pa.array(packed.step),
        }
    write_table(run.folder / DOCUMENTS, columns)
