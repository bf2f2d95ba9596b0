"""A recurrent network over the words of a text, of any cell of :mod:`nlpviz.networks.cells`, read at its end or pooled.

Tixier (2018), *Notes on Deep Learning for NLP*, section 6; 001 to 004. What one network can show that another cannot is
its cell's: the gates that its equations name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.cells import cell_named
from nlpviz.networks.prefix_cache import COVERED, END, document_vectors
from nlpviz.networks.recurrence import RecurrentNetwork
from nlpviz.networks.sequences import StepwiseClassifier
from nlpviz.networks.word_tables import Banded


@dataclass(frozen=True)
class RecurrentConfig(Banded):
    """Sizes of a :class:`RecurrentClassifier`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        cell: a name of :func:`nlpviz.networks.cells.cells`.
        settings: of the cell, for example ``{"forget_bias": 1.0}``.
        units: of the state of one direction.
        layers: each over the states of the one below.
        bidirectional: whether a second cell in each layer reads the text from its end.
        reading: ``"last"``, ``"mean"`` or ``"max"`` of the states.
        dropout: between layers and on the document embedding.
        word_dropout: probability that a whole word's vector is left out, in training only.
        cutoffs: the ids at which a band of rarer words begins, which have shorter vectors.
        trained_bands: with cutoffs, the vectors of the first so many bands are trained and those of rarer words stay
            as they were initialised; None trains all.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    cell: str = "gru"
    settings: dict[str, Any] = field(default_factory=dict)
    units: int = 64
    layers: int = 1
    bidirectional: bool = False
    reading: str = "last"
    dropout: float = 0.5
    word_dropout: float = 0.0
    cutoffs: tuple[int, ...] = ()
    trained_bands: int | None = None
    static: bool = False
    classes: int = 2


class RecurrentClassifier(StepwiseClassifier):
    """Recurrent layers over word vectors, a reading of their states, one linear layer."""

    config: RecurrentConfig

    def __init__(self, config: RecurrentConfig) -> None:
        """Build the network with random weights.

        Raises:
            ValueError: if there is no such cell, or it has no such setting.
        """
        kind = cell_named(config.cell, config.settings)
        encoder = RecurrentNetwork(
            partial(kind.build, **config.settings),
            config.dimensions,
            config.units,
            config.layers,
            bidirectional=config.bidirectional,
            dropout=config.dropout,
        )
        super().__init__(config, encoder)
        self.counted_as = f"recurrent layers ({kind.title})"

    def classify_reread(self, embedded: Tensor, places: NDArray[np.int64]) -> Tensor:
        """Return the logits (S, C) of S texts of the words of one; of a single layer, like beginnings are read once."""
        network = cast("RecurrentNetwork", self.encoder)
        if network.layers > 1 or network.bidirectional:
            words = torch.cat([embedded[0], torch.zeros_like(embedded[0, :1])])  # the last one is a covered word
            there = torch.from_numpy(places != END)
            rows = words[torch.from_numpy(np.where(places == COVERED, len(words) - 1, places.clip(min=0)))]
            return self.classify(rows * there.unsqueeze(-1), there)
        with torch.no_grad():
            return self.output(document_vectors(network.cell, embedded[0], places, self.config.reading))

    def classify_occluded(self, embedded: Tensor, mask: Tensor, kept: Tensor) -> Tensor:  # noqa: ARG002 - one whole text
        """Return the logits (S, C) of one text (1, T, D) with zero vectors where ``kept`` (S, T) is False."""
        there = kept.numpy()
        return self.classify_reread(embedded, np.where(there, np.arange(there.shape[1]), COVERED))


MODEL = Architecture(
    name="recurrent-network",
    title="Recurrent network",
    source="Elman 1990; Hochreiter and Schmidhuber 1997; Cho et al. 2014; Tixier 2018, section 6",
    config=RecurrentConfig,
    build=RecurrentClassifier,
)
