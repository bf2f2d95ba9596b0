"""Variational autoencoders of documents: their codes are distributions, so that they are judged by a bound."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.kinds import Criterion
from nlpviz.kinds.document_autoencoder import BOUND, NOISE
from nlpviz.kinds.document_autoencoder import KIND as PLAIN
from nlpviz.runs.codes import VARIATIONAL_KIND

KIND = replace(
    PLAIN,
    name=VARIATIONAL_KIND,
    says="is a variational autoencoder of documents",
    home="The variational autoencoders of documents, by corpus",
    headline=BOUND,
    criterion=Criterion("validation", "bound", NOISE, more_is_better=False),
    contract=None,  # that of all autoencoders
    order=50,
)
