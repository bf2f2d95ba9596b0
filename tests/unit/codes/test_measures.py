"""The bound by hand, information where it is known, and topics beside Monte Carlo and scikit-learn."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.distributions import Dirichlet, kl_divergence

from nlpviz.networks.architectures.autoencoder import PlainAutoencoder
from nlpviz.networks.architectures.variational_autoencoder import Posterior, VariationalAutoencoder, VariationalConfig
from nlpviz.networks.autoencoders import AutoencoderConfig
from nlpviz.runs.codes import Topics
from nlpviz.training.codes_measures import Costs, active_units, completion, costs, mutual_information, split_documents
from nlpviz.training.topic_bound import _divergence, bound, fit_documents
from nlpviz.training.topic_bound import completion as topic_completion

BAGS = np.array([[2, 0, 1, 0], [0, 1, 0, 5], [1, 1, 1, 1]], dtype=np.uint16)
TOPICS = Topics(np.array([[0.6, 0.2, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6]]), 0.5)


def test_bound_averages_over_words_and_by_document() -> None:
    facts = Costs(np.array([2.0, 8.0]), np.array([4.0, 8.0]), np.array([1.0, 3.0])).facts
    assert facts["bound"] == pytest.approx(16 / 10)
    assert facts["perplexity"] == pytest.approx(math.exp(1.6))
    assert facts["perplexity by document"] == pytest.approx(math.exp((5 / 2 + 11 / 8) / 2))
    assert facts["reconstruction"] == pytest.approx(1.2)
    assert facts["divergence"] == 2


def test_without_a_distribution_there_is_no_bound() -> None:
    found = Costs(np.array([2.0]), np.array([4.0]), None)
    assert math.isnan(found.per_word)
    assert not {"bound", "perplexity", "divergence"} & found.facts.keys()


def test_a_decoder_that_ignores_its_code_costs_the_words_alone() -> None:
    module = VariationalAutoencoder(VariationalConfig(6, latent=2, hidden=3)).eval()
    torch.nn.init.zeros_(module.output.weight)
    torch.nn.init.zeros_(module.output.bias)
    torch.nn.init.zeros_(module.code.weight)
    torch.nn.init.zeros_(module.code.bias)
    found = costs(module, BAGS)
    assert found.reconstruction.tolist() == pytest.approx([3 * math.log(4), 6 * math.log(4), 4 * math.log(4)])
    assert found.divergence is not None
    assert not found.divergence.any(), "mean and variance are the prior's"
    assert completion(module, BAGS) == pytest.approx(4)


def test_information_is_none_at_the_prior_and_log_n_apart() -> None:
    prior = Posterior(torch.zeros(50, 3), torch.zeros(50, 3))
    assert mutual_information(prior) == pytest.approx(0, abs=1e-6)
    apart = Posterior(100.0 * torch.arange(50.0).unsqueeze(1).repeat(1, 3), torch.zeros(50, 3))
    assert mutual_information(apart) == pytest.approx(math.log(50), abs=1e-3)


def test_a_unit_is_active_above_a_hundredth() -> None:
    codes = np.array([[0.0, 0.0, 5.0], [0.19, 0.21, 5.0]])
    assert active_units(codes) == 1, "variances 0.009, 0.011 and 0"


def test_halves_are_the_same_for_every_model() -> None:
    first, second = split_documents(np.array([[3, 1], [1, 0], [0, 4]], dtype=np.uint16))
    assert (first + second).tolist() == [[3, 1], [0, 4]], "of one word there is no half"
    again = split_documents(np.array([[3, 1], [1, 0], [0, 4]], dtype=np.uint16))
    assert np.array_equal(first, again[0])


def test_plain_codes_are_measured_by_their_reconstruction() -> None:
    torch.manual_seed(0)
    module = PlainAutoencoder(AutoencoderConfig(6, latent=2)).eval()
    found = costs(module, BAGS)
    expected = -(
        torch.from_numpy(BAGS.astype(np.float32))
        * module.decode(module.encode(torch.from_numpy(BAGS.astype(np.float32))))
    ).sum(1)
    assert found.reconstruction.tolist() == pytest.approx(expected.tolist(), rel=1e-5)


def test_divergence_of_topics_is_that_of_torch() -> None:
    gamma = np.array([[1.5, 0.7, 3.0]])
    expected = kl_divergence(Dirichlet(torch.from_numpy(gamma[0])), Dirichlet(torch.full((3,), 0.5).double()))
    assert _divergence(gamma, 0.5).tolist() == pytest.approx([float(expected)])


def test_bound_of_topics_is_below_the_evidence_and_close() -> None:
    """The evidence is an integral over two shares, here summed over a fine grid."""
    found = bound(TOPICS, BAGS)
    shares = (np.arange(20_000) + 0.5) / 20_000
    prior = np.exp(math.lgamma(1.0) - 2 * math.lgamma(0.5)) / np.sqrt(shares * (1 - shares))
    words = shares[:, None] * TOPICS.words[0] + (1 - shares)[:, None] * TOPICS.words[1]
    evidence = np.log((np.exp(BAGS @ np.log(words).T) * prior).mean(axis=1))
    assert found.divergence is not None
    elbo = -(found.reconstruction + found.divergence)
    assert (elbo <= evidence + 1e-3).all()
    assert elbo.tolist() == pytest.approx(evidence.tolist(), abs=0.7)


def test_documents_are_fitted_as_by_scikit_learn() -> None:
    from sklearn.decomposition import LatentDirichletAllocation

    known = LatentDirichletAllocation(2, doc_topic_prior=0.5, max_iter=1, max_doc_update_iter=500, mean_change_tol=1e-8)
    known.fit(BAGS)
    known.components_ = 1e7 * TOPICS.words  # so many words that topics are as good as certain
    known.exp_dirichlet_component_ = TOPICS.words
    gamma = fit_documents(TOPICS, BAGS)
    assert gamma / gamma.sum(axis=1, keepdims=True) == pytest.approx(known.transform(BAGS), abs=2e-3)
    assert gamma.sum(axis=1).tolist() == pytest.approx((BAGS.sum(axis=1) + 1.0).tolist())
    assert 1 < topic_completion(TOPICS, BAGS) < 10


def test_topics_are_read_as_they_were_written(tmp_path: Path) -> None:
    from nlpviz.runs.codes import read_topics, write_topics

    class Folder:
        name = "toy"

        def file(self, name: str) -> Path:
            return tmp_path / name

    write_topics(tmp_path, TOPICS)
    found = read_topics(Folder())  # type: ignore[arg-type]
    assert found.prior == 0.5
    assert found.words == pytest.approx(TOPICS.words, rel=0.02)
