"""The documents that a run was trained on, as it reads them."""

from __future__ import annotations

from typing import NamedTuple

from nlpviz.networks.architectures import architectures
from nlpviz.runs import Run
from nlpviz.training.batches import Labelled
from nlpviz.training.held_out import parted
from nlpviz.training.texts import encoded, labelled_texts


class TrainedOn(NamedTuple):
    """Documents, cut to what the run reads of each, and how the corpus calls them."""

    documents: Labelled
    ids: tuple[str, ...]


def trained_on(run: Run) -> TrainedOn:
    """Return the documents that a classifier's run was trained on, in the corpus's order.

    Raises:
        DataError: if its corpus is not on this machine.
    """
    texts, recipe = labelled_texts(run.corpus["name"], "train"), run.recipe
    positions, _ = parted(texts, len(run.class_names), recipe["validation"], recipe.get("validation_gap", 0))
    sentences = architectures()[run.architecture].reads_sentences
    rows = encoded(run.vocabulary, [texts.texts[one] for one in positions.tolist()], sentences=sentences)
    documents = Labelled([row[: run.max_length] for row in rows], texts.labels[positions])
    return TrainedOn(documents, tuple(texts.ids[one] for one in positions.tolist()))
