"""Variational autoencoders of documents: their codes are distributions, so that they are judged by a bound."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.run_kinds import Column, Criterion, chosen_epoch, parameters
from nlpviz.run_kinds.document_autoencoder import BOUND, NOISE, RECONSTRUCTION, active, of_test
from nlpviz.run_kinds.document_autoencoder import KIND as PLAIN
from nlpviz.runs.codes import VARIATIONAL_KIND

KIND = replace(
    PLAIN,
    name=VARIATIONAL_KIND,
    says="is a variational document autoencoder",
    table="Variational autoencoders and topics",
    headline=BOUND,
    criterion=Criterion("validation", "bound", NOISE, more_is_better=False),
    columns=(
        Column(BOUND.name, BOUND.written),
        Column(RECONSTRUCTION.name, RECONSTRUCTION.written),
        Column("KL (nats per document)", of_test("divergence", ".2f")),
        Column("Active units", active),
        Column("Completion", of_test("completion", ".1f")),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    contract=None,  # that of all autoencoders
    order=50,
)
