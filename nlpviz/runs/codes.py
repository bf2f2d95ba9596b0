"""Runs of autoencoders of documents and of topics: what their folders contain besides the manifest.

An autoencoder keeps the weights of its epochs, its codes of test documents in ``documents.parquet`` in the place of
document embeddings, and their maps. A model of topics keeps the words of its topics, ``topics.safetensors``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs.documents import DOCUMENTS
from nlpviz.runs.files import write_whole
from nlpviz.runs.quantized import Quantized, pack, unpack
from nlpviz.runs.run import Run, RunError

KIND, VARIATIONAL_KIND, TOPICS_KIND = "document-autoencoder", "variational-autoencoder", "topic-model"
CODE_KINDS = (VARIATIONAL_KIND, KIND)
"""The kinds whose runs make codes: the first one's are distributions."""
VARIATIONAL = "variational-autoencoder"
"""The architecture whose codes are distributions."""
TOPICS = "topics.safetensors"
BAGS = "bags"
"""In ``maps.parquet``: the map of the bags themselves, which no network made, where a projector's name else stands."""
CODES = "codes"
"""The same of codes of two numbers, which need no projector."""


class Topics(NamedTuple):
    """A model of K topics over W words.

    Attributes:
        words: (K, W), the probabilities of the words in each topic, one in sum.
        prior: alpha, of the symmetric Dirichlet prior over topics.
    """

    words: NDArray[np.float64]
    prior: float


def is_variational(run: Run) -> bool:
    """Return whether the codes of a run are distributions."""
    return run.architecture == VARIATIONAL


def divergences_of(run: Run, epoch: int) -> NDArray[np.float64] | None:
    """Return each unit's mean KL divergence (Z,) over the kept documents; None where codes are no distributions."""
    import pyarrow.parquet as pq

    metadata = pq.read_schema(run.file(DOCUMENTS)).metadata or {}
    known = json.loads(metadata.get(b"nlpviz", b"{}")).get("divergences", {})
    found = known.get(str(run.check_epoch(epoch)))
    return None if found is None else np.array(found)


def write_topics(folder: Path, topics: Topics) -> None:
    """Write topics: the logarithms of their probabilities, in eight bits per number."""
    from safetensors.numpy import save_file

    packed = pack(np.log(topics.words).astype(np.float32))
    metadata = {"nlpviz": json.dumps({"prior": topics.prior})}
    write_whole(folder / TOPICS, lambda partial: save_file(packed._asdict(), partial, metadata))


def read_topics(run: Run) -> Topics:
    """Return the topics of a run, their probabilities scaled to sum to one.

    Raises:
        RunError: if the file is missing or damaged.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(run.file(TOPICS), "np") as stored:
            prior = float(json.loads(stored.metadata()["nlpviz"])["prior"])
            packed = Quantized(*(stored.get_tensor(name) for name in Quantized._fields))
    except (SafetensorError, KeyError, TypeError, ValueError):
        raise RunError(f"{TOPICS} of the run {run.name!r} cannot be read.") from None
    words = np.exp(unpack(packed).astype(np.float64))
    return Topics(words / words.sum(axis=1, keepdims=True), prior)
