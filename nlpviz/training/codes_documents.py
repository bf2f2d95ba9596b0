"""The test documents that an autoencoder's run stores: ids, labels, lengths, every kept epoch's codes; never texts."""

from __future__ import annotations

import json
from typing import cast

import numpy as np

from nlpviz.networks.architectures.variational_autoencoder import VariationalAutoencoder
from nlpviz.networks.autoencoders import Autoencoder
from nlpviz.runs import Run
from nlpviz.runs.documents import DOCUMENTS
from nlpviz.runs.files import vectors, write_table
from nlpviz.runs.quantized import pack
from nlpviz.training.bags import BagSplit
from nlpviz.training.codes_measures import codes_of, posteriors


def write_codes(run: Run, documents: BagSplit) -> None:
    """Write the codes of ``documents`` at every kept epoch where a classifier's run has document embeddings.

    A document's length is that of its bag, in words of the vocabulary. With the schema stands the mean KL divergence of
    each unit over these documents, of codes that are distributions.
    """
    import pyarrow as pa

    columns: dict[str, pa.Array] = {
        "id": pa.array(list(documents.ids)),
        "label": pa.array(documents.labels.astype(np.int8)),
        "rating": pa.array(documents.ratings.astype(np.int8)),
        "length": pa.array(documents.bags.sum(axis=1).astype(np.int32)),
    }
    divergences: dict[str, list[float]] = {}
    for epoch in run.epochs:
        module = cast("Autoencoder", run.load(epoch).module)
        packed = pack(codes_of(module, documents.bags))
        if isinstance(module, VariationalAutoencoder):
            means = posteriors(module, documents.bags).divergence().mean(dim=0)
            divergences[str(epoch)] = [round(float(value), 5) for value in means]
        columns |= {
            f"embedding.{epoch:02d}.levels": vectors(packed.levels),
            f"embedding.{epoch:02d}.low": pa.array(packed.low),
            f"embedding.{epoch:02d}.step": pa.array(packed.step),
        }
    write_table(run.folder / DOCUMENTS, columns, json.dumps({"divergences": divergences}) if divergences else "")
