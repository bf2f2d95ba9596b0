"""What every classifier promises besides its contract, whichever it is: with its toy run, trained on a planted rule."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor

from nlpviz.networks.architectures import (
    Architecture,
    Classifier,
    DocumentEncoder,
    DocumentReader,
    ScaledClassifier,
    class_probabilities,
    class_scores,
    padded,
)
from nlpviz.results.history import EpochRecord
from nlpviz.runs import Run, TrainedModel
from nlpviz.runs.history import read_history
from nlpviz.runs.run import weights_file
from nlpviz.runs.sharing import copied
from nlpviz.text.vocabulary import PAD, UNKNOWN
from nlpviz.training.state import TrainingState
from tests import toy
from tests.promises import Promises


def batch(trained: TrainedModel) -> Tensor:
    """Return encoded texts of many lengths, one word and none among them, as one batch (B, T)."""
    several = "He saw a splendid film. We were dreadful! It is there."
    texts = [*toy.read("test").texts[:12], several, "splendid", "zzz", ""]
    return padded([trained.encode(text).row for text in texts])


every, documents, readers, scaled = (Promises() for _ in range(4))


def test_a_classifier_keeps_its_promises(
    classifier: Architecture, run: Run, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    trained = run.load()
    ids = batch(trained)
    logits, module = trained.module(ids), trained.module
    about = {
        "classifier": classifier,
        "run": run,
        "trained": trained,
        "ids": ids,
        "logits": logits,
        "tmp_path": tmp_path,
    }
    asked = {Classifier: every, DocumentEncoder: documents, DocumentReader: readers, ScaledClassifier: scaled}
    for promises in (one for protocol, one in asked.items() if isinstance(module, protocol)):
        promises.ask(subtests, **about)


@every
def learns_a_planted_rule(run: Run) -> None:
    assert run.metrics["test"]["accuracy"] >= 0.95
    assert read_history(run, EpochRecord)[0].validation_accuracy < 0.85, "before training it does not know the rule"


@every
def forward_is_embed_and_classify(trained: TrainedModel, ids: Tensor, logits: Tensor) -> None:
    module = trained.module
    embedded = module.embed(ids)
    assert embedded.shape[:2] == ids.shape
    assert not embedded[ids == PAD].any(), "the padding's vector is zero"
    torch.testing.assert_close(module.classify(embedded, module.mask(ids)), logits)
    assert logits.shape[0] == len(ids)
    assert class_probabilities(logits).shape == (len(ids), len(trained.run.class_names))


@every
def mask_says_what_is_padding(trained: TrainedModel, classifier: Architecture, ids: Tensor) -> None:
    mask = trained.module.mask(ids)
    assert torch.equal(mask != 0, ids != PAD)
    if classifier.reads_sentences:
        assert mask.dtype == torch.int64
        assert mask[12][mask[12] > 0].unique().tolist() == [1, 2, 3]
    else:
        assert mask.dtype == torch.bool


@every
def padding_changes_nothing(trained: TrainedModel, ids: Tensor, logits: Tensor) -> None:
    for more in (1, 9):
        padding = torch.full((len(ids), more), PAD)
        torch.testing.assert_close(trained.module(torch.cat([ids, padding], dim=1)), logits)


@every
def what_stands_in_the_padding_changes_nothing(trained: TrainedModel, ids: Tensor, logits: Tensor) -> None:
    embedded, mask = trained.module.embed(ids), trained.module.mask(ids)
    for value in (-30.0, 30.0):
        filled = torch.where((ids != PAD).unsqueeze(-1), embedded, torch.tensor(value))
        torch.testing.assert_close(trained.module.classify(filled, mask), logits)


@every
def padding_gets_no_gradient(trained: TrainedModel, ids: Tensor) -> None:
    module = trained.module
    embedded = module.embed(ids).detach().requires_grad_()
    (gradient,) = torch.autograd.grad(class_scores(module.classify(embedded, module.mask(ids)))[:, -1].sum(), embedded)
    assert not gradient[ids == PAD].any()
    assert gradient[ids != PAD].any()


@every
def a_batch_equals_its_rows(trained: TrainedModel, ids: Tensor, logits: Tensor) -> None:
    rows = [trained.module(row[row != PAD].unsqueeze(0)) for row in ids]
    torch.testing.assert_close(logits, torch.cat(rows))


@every
def order_of_the_rows_changes_nothing(trained: TrainedModel, ids: Tensor, logits: Tensor) -> None:
    torch.testing.assert_close(trained.module(ids.flip(0)), logits.flip(0))


@documents
def document_embeddings_are_one_a_text_and_padding_changes_nothing(trained: TrainedModel, ids: Tensor) -> None:
    module = trained.module
    embeddings = module.encode(module.embed(ids), module.mask(ids))
    assert embeddings.shape[0] == len(ids)
    assert embeddings.dim() == 2
    wider = torch.cat([ids, torch.full((len(ids), 5), PAD)], dim=1)
    torch.testing.assert_close(module.encode(module.embed(wider), module.mask(wider)), embeddings)


@readers
def representing_a_text_is_its_embedding_and_its_logits(trained: TrainedModel, ids: Tensor, logits: Tensor) -> None:
    module = trained.module
    documents, represented = module.represent(ids)
    assert documents.shape == (len(ids), module.embedding_size)
    torch.testing.assert_close(documents, module.encode(module.embed(ids), module.mask(ids)))
    torch.testing.assert_close(represented, logits)


@scaled
def scaled_word_vectors_give_the_logits_of_scaled_copies(trained: TrainedModel, ids: Tensor) -> None:
    """One answer for many shares, zero among them: what integrated gradients asks for."""
    module = trained.module
    shares = torch.tensor([0.0, 1e-3, 0.25, 0.7, 1.0])
    for row in ids:
        embedded, mask = module.embed(row.unsqueeze(0)), module.mask(row.unsqueeze(0))
        copies = module.classify(embedded * shares.view(-1, 1, 1), mask.expand(len(shares), -1))
        torch.testing.assert_close(module.classify_scaled(embedded, mask, shares), copies)


@every
def evaluation_is_the_same_every_time_and_finite(trained: TrainedModel, ids: Tensor) -> None:
    for some in (ids, torch.zeros(2, 0, dtype=torch.long), torch.zeros(1, 3, dtype=torch.long)):
        assert trained.module(some).isfinite().all()
        assert torch.equal(trained.module(some), trained.module(some))
    unknown = torch.full((1, 3), UNKNOWN)
    assert trained.module(unknown).isfinite().all()


@every
def save_and_load_give_the_same_logits(classifier: Architecture, run: Run, tmp_path: Path) -> None:
    """Half precision on disk, single in memory."""
    folder = tmp_path / run.name
    copy = copied(run, folder)
    config = classifier.config(**run.config)
    torch.manual_seed(5)
    module = classifier.build(config).eval()
    TrainingState(folder, "").keep(module, folder / weights_file(0))
    loaded = copy.save().load(0)
    ids = batch(loaded)
    assert {tensor.dtype for tensor in loaded.module.state_dict().values() if tensor.is_floating_point()} == {
        torch.float32
    }
    torch.testing.assert_close(loaded.module(ids), module(ids), rtol=5e-3, atol=5e-3)
    assert not torch.equal(loaded.module(ids), run.load().module(ids))
    assert isinstance(loaded.module, Classifier)
