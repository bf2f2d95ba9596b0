"""Adversarial training: how far word vectors are moved, in which direction, and what that does to training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import architectures, padded
from nlpviz.networks.layers import WordClassifier
from nlpviz.text.vocabulary import PAD, SENTENCE
from nlpviz.training import TrainingError, accelerator_for
from nlpviz.training.adversarial import TrainingLosses
from nlpviz.training.batches import Labelled
from nlpviz.training.fit import FitSettings, fit
from nlpviz.training.measures import losses
from tests import toy

EPSILON = 0.7
TEXTS = toy.labelled("train", 24)
LABELS = torch.from_numpy(TEXTS.labels).long()
NAMES = sorted(toy.classifiers())
FIT = FitSettings(epochs=2, patience=3, batch_size=8, learning_rate=1e-2)


def network(name: str, **changes: object) -> WordClassifier:
    """Return a classifier with random weights and word vectors of unequal spread."""
    torch.manual_seed(3)
    architecture = architectures()[name]
    model = architecture.build(architecture.config(vocabulary_size=len(toy.vocabulary()), **changes))
    assert isinstance(model, WordClassifier)
    table = model.get_parameter("embedding.weight").data
    table *= torch.linspace(0.2, 3.0, table.shape[1])
    return model


def gradient_of(model: WordClassifier, ids: Tensor) -> Tensor:
    """Return the gradient of the texts' losses by their word vectors."""
    embedded = model.embed(ids).detach().requires_grad_()
    return torch.autograd.grad(losses(model.classify(embedded, model.mask(ids)), LABELS).sum(), embedded)[0]


def test_the_deviations_are_those_of_the_words_of_the_training_texts() -> None:
    model = network("cnn")
    trained = TrainingLosses(model, TEXTS, EPSILON)
    words = torch.cat([model.embed(torch.from_numpy(row)) for row in TEXTS.ids])  # each as often as it occurs
    torch.testing.assert_close(trained.deviations(), words.std(dim=0, unbiased=False))
    assert trained.frequencies[PAD] == 0


def test_the_perturbation_has_its_norm_in_deviations() -> None:
    model = network("cnn").eval()
    trained = TrainingLosses(model, TEXTS, EPSILON)
    moved = trained.perturbation(gradient_of(model, padded(TEXTS.ids)))
    norms = (moved / trained.deviations()).flatten(1).norm(dim=1)
    torch.testing.assert_close(norms, torch.full_like(norms, EPSILON))


def test_scaling_vectors_and_what_reads_them_changes_no_adversarial_loss() -> None:
    """A network cannot make the perturbation small by lengthening its vectors."""
    model, longer = network("recurrent-network", dropout=0.0), network("recurrent-network", dropout=0.0)
    longer.get_parameter("embedding.weight").data *= 10
    longer.get_parameter("encoder.onward.0.input_weights").data /= 10
    ids = padded(TEXTS.ids)
    first, second = (TrainingLosses(one, TEXTS, EPSILON)(ids, LABELS) for one in (model, longer))
    torch.testing.assert_close(first, second, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_it_raises_the_loss_more_than_random_ones(name: str) -> None:
    model = network(name).eval()
    trained = TrainingLosses(model, TEXTS, EPSILON)
    ids = padded(TEXTS.ids)
    mask, embedded = model.mask(ids), model.embed(ids).detach()

    def rise(perturbation: Tensor) -> float:
        with torch.no_grad():
            moved = losses(model.classify(embedded + perturbation, mask), LABELS)
            return float((moved - losses(model.classify(embedded, mask), LABELS)).mean())

    noise = torch.randn(5, *embedded.shape) * (mask != 0).unsqueeze(-1)
    along = rise(trained.perturbation(gradient_of(model, ids)))
    assert along > 0
    assert along > 2 * max(rise(trained.perturbation(direction)) for direction in noise)


@pytest.mark.parametrize("name", NAMES)
def test_both_losses_are_added_and_padding_is_not_moved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = network(name, dropout=0.0)
    ids = padded(TEXTS.ids)
    rows = ids + SENTENCE * (torch.arange(ids.shape[1]) // 4) * (ids != PAD)
    ids = rows if architectures()[name].reads_sentences else ids
    seen: list[Tensor] = []
    classify = model.classify
    monkeypatch.setattr(model, "classify", lambda embedded, mask: (seen.append(embedded), classify(embedded, mask))[1])
    torch.manual_seed(1)
    loss = TrainingLosses(model, TEXTS, EPSILON)(ids, LABELS)
    before, after = seen
    assert torch.equal(before[model.mask(ids) == 0], after[model.mask(ids) == 0])
    assert (before != after)[model.mask(ids) != 0].any(dim=1).float().mean() > 0.5
    parts = []
    for embedded in (before, after):
        torch.manual_seed(1)
        parts.append(losses(classify(embedded, model.mask(ids)), LABELS))
    torch.testing.assert_close(loss, parts[0] + parts[1], rtol=1e-4, atol=1e-5)
    assert (parts[1] > parts[0]).float().mean() > 0.9


def test_both_passes_drop_the_same_words_and_units() -> None:
    """So that a perturbation of nearly nothing changes nearly nothing."""
    model = network("recurrent-network", dropout=0.5, word_dropout=0.4)
    torch.manual_seed(1)
    clean = losses(model(padded(TEXTS.ids)), LABELS)
    torch.manual_seed(1)
    both = TrainingLosses(model, TEXTS, 1e-6)(padded(TEXTS.ids), LABELS)
    torch.testing.assert_close(both, 2 * clean)


def test_without_it_a_network_learns_what_it_learnt_before(tmp_path: Path) -> None:
    """Against the loop written out, bit by bit."""
    model = network("cnn", dropout=0.4, word_dropout=0.2)
    expected = network("cnn", dropout=0.4, word_dropout=0.2)
    train = Labelled([row[:3] for row in TEXTS.ids], TEXTS.labels)  # one length: every batch is one row of texts
    settings = replace(FIT, epochs=1, batch_size=len(train))
    fit(model, train, TEXTS, settings, tmp_path, accelerator_for("cpu"))
    optimizer = torch.optim.AdamW(expected.parameters(), lr=settings.learning_rate, weight_decay=0.0, fused=True)
    order = np.random.default_rng([settings.seed, 1]).permutation(len(train))
    torch.manual_seed(settings.seed * 10_000 + 100)
    losses(expected(padded([train.ids[at] for at in order])), LABELS[order]).mean().backward()
    optimizer.step()
    for one, other in zip(model.parameters(), expected.parameters(), strict=True):
        assert torch.equal(one, other)


def test_frozen_vectors_are_perturbed_and_stay(tmp_path: Path) -> None:
    model = network("cnn", static=True)
    before = model.get_parameter("embedding.weight").clone()
    records = fit(model, TEXTS, TEXTS, replace(FIT, adversarial=EPSILON), tmp_path, accelerator_for("cpu"))
    assert torch.equal(model.get_parameter("embedding.weight"), before)
    assert records[-1].train_loss < records[0].train_loss


def test_a_network_without_word_vectors_cannot_be_perturbed() -> None:
    with pytest.raises(TrainingError, match="Linear has no word vectors"):
        TrainingLosses(nn.Linear(2, 1), TEXTS, EPSILON)
