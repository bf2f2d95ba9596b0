"""The autoencoders' equations beside independent ones, and what may keep a code from collapsing."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch.distributions import Normal, kl_divergence

from nlpviz.networks.architectures.contractive_autoencoder import ContractiveAutoencoder, ContractiveConfig
from nlpviz.networks.architectures.denoising_autoencoder import DenoisingAutoencoder, DenoisingConfig
from nlpviz.networks.architectures.variational_autoencoder import Posterior, VariationalAutoencoder, VariationalConfig
from nlpviz.networks.autoencoders import LENGTH, reconstruction, scaled
from nlpviz.training.codes_fit import CodesFit, charged, penalty_weight

BAGS = torch.tensor([[2.0, 0, 1, 0, 0, 3], [0, 1, 0, 0, 4, 0], [0, 0, 0, 0, 0, 0]])


def test_scaled_bags_have_one_length_and_an_empty_one_none() -> None:
    found = scaled(BAGS)
    assert found.norm(dim=1).tolist() == pytest.approx([LENGTH, LENGTH, 0])
    assert float(found[0, 2] / found[0, 0]) == pytest.approx(math.log(2) / math.log(3))


def test_reconstruction_is_the_cross_entropy_of_the_counts() -> None:
    uniform = torch.full((3, 6), 1 / 6).log()
    assert reconstruction(BAGS, uniform).tolist() == pytest.approx([6 * math.log(6), 5 * math.log(6), 0])


def test_contraction_is_the_squared_norm_of_the_jacobian() -> None:
    torch.manual_seed(0)
    module = ContractiveAutoencoder(ContractiveConfig(8, latent=3, contraction=0.5))
    inputs = scaled(BAGS)
    jacobians = [torch.autograd.functional.jacobian(lambda row: torch.tanh(module.code(row)), row) for row in inputs]
    expected = torch.stack([jacobian.square().sum() for jacobian in jacobians])
    torch.testing.assert_close(module.contraction(module.encode(BAGS)), expected)
    torch.testing.assert_close(module.cost(BAGS).penalty, 0.5 * expected)
    with pytest.raises(ValueError, match="cannot have a hidden layer"):
        ContractiveAutoencoder(ContractiveConfig(8, hidden=4))


def test_words_are_left_out_in_training_alone() -> None:
    module = DenoisingAutoencoder(DenoisingConfig(1_002, noise=0.3))
    ones = torch.ones(4, 1_000)
    assert torch.equal(module.eval().corrupted(ones), ones)
    torch.manual_seed(0)
    assert float(module.train().corrupted(ones).mean()) == pytest.approx(0.7, abs=0.03)


def test_divergence_is_that_of_torch() -> None:
    torch.manual_seed(0)
    posterior = Posterior(torch.randn(5, 4), torch.randn(5, 4))
    own = Normal(posterior.mean, (0.5 * posterior.log_variance).exp())
    torch.testing.assert_close(posterior.divergence(), kl_divergence(own, Normal(0.0, 1.0)))
    assert not Posterior(torch.zeros(1, 4), torch.zeros(1, 4)).divergence().any()


def test_batch_normalised_means_keep_every_unit_from_the_prior() -> None:
    torch.manual_seed(0)
    module = VariationalAutoencoder(VariationalConfig(42, latent=4, mean_scale=0.5)).train()
    divergence = module.posterior(torch.poisson(torch.ones(64, 40))).divergence().mean(dim=0)
    assert (divergence >= 0.5**2 / 2 - 1e-3).all()


def test_free_bits_charge_no_unit_below_them() -> None:
    penalty = torch.tensor([[0.0, 1.0], [0.1, 3.0]])
    assert float(charged(penalty)) == pytest.approx(0.05 + 2)
    assert float(charged(penalty, 0.3)) == pytest.approx(0.3 + 2)
    assert float(charged(torch.tensor([1.0, 3.0]), 9.0)) == pytest.approx(2), "one number a document has no units"


def test_annealing_rises_to_the_whole_penalty() -> None:
    annealed = CodesFit(annealing=2)
    assert [penalty_weight(step, 10, annealed) for step in (1, 10, 20, 40)] == pytest.approx([0.05, 0.5, 1, 1])
    assert penalty_weight(1, 10, CodesFit()) == 1


def test_codes_and_words_of_a_batch_are_its_rows_and_probabilities() -> None:
    torch.manual_seed(0)
    module = VariationalAutoencoder(VariationalConfig(8, latent=3, hidden=5)).eval()
    ids = torch.tensor([[2, 4, 2, 7, 7, 7], [3, 6, 6, 6, 6, 1]])
    torch.testing.assert_close(module.bags(ids), BAGS[:2])
    assert np.exp(module.decode(module.encode(BAGS)).detach().numpy()).sum(axis=1) == pytest.approx(1)
