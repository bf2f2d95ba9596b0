"""The evidence bound of latent Dirichlet allocation on documents that it was not fitted to.

Blei, Ng and Jordan (2003), *Latent Dirichlet Allocation*, section 5.2 and equation 15: q(θ) is a Dirichlet for each
document, fitted to it; the words' topics are summed out at their best. The topics themselves are held fixed at their
means, so that the bound pays for θ alone, as a variational autoencoder's pays for its code alone; scikit-learn's
``perplexity`` has the topics pay for their uncertainty as well, which makes it larger.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import gammaln, psi

from nlpviz.runs.codes import Topics
from nlpviz.training.codes_measures import Costs, split_documents

_ITERATIONS = 200
_CLOSE = 1e-3  # mean change of the Dirichlet's parameters


def fit_documents(topics: Topics, bags: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return the parameters γ (N, K) of each document's Dirichlet that make its bound highest."""
    counts = csr_matrix(bags.astype(np.float64))
    documents, words = counts.nonzero()
    amounts = counts.data
    chances = topics.words.T[words]  # (P, K), P pairs of a document and a word
    summed = csr_matrix((amounts, (documents, np.arange(len(amounts)))), shape=(len(bags), len(amounts)))
    gamma = topics.prior + np.repeat(bags.sum(axis=1, keepdims=True) / len(topics.words), len(topics.words), axis=1)
    for _ in range(_ITERATIONS):
        shares = chances * np.exp(_expected_log(gamma))[documents]
        updated = topics.prior + summed @ (shares / shares.sum(axis=1, keepdims=True))
        change, gamma = np.abs(updated - gamma).mean(), updated
        if change < _CLOSE:
            break
    return np.asarray(gamma)


def bound(topics: Topics, bags: NDArray[np.uint16]) -> Costs:
    """Return what each of ``bags`` (N, W) costs in nats: its words, and KL(q(θ) || p(θ))."""
    gamma = fit_documents(topics, bags)
    expected = _expected_log(gamma)
    shares = np.exp(expected) @ topics.words  # (N, W)
    reconstruction = -np.where(bags > 0, bags * np.log(shares), 0.0).sum(axis=1)
    return Costs(bags.sum(axis=1).astype(np.float64), reconstruction, _divergence(gamma, topics.prior))


def completion(topics: Topics, bags: NDArray[np.uint16]) -> float:
    """Return the perplexity of one half of each document's words given the other, as of an autoencoder."""
    read, predicted = split_documents(bags)
    gamma = fit_documents(topics, read)
    words = (gamma / gamma.sum(axis=1, keepdims=True)) @ topics.words
    total = -np.where(predicted > 0, predicted * np.log(words), 0.0).sum()
    return float(np.exp(total / predicted.sum()))


def _expected_log(gamma: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return E[log θ] (N, K) under Dirichlet distributions with parameters ``gamma`` (N, K)."""
    return np.asarray(psi(gamma) - psi(gamma.sum(axis=1, keepdims=True)))


def _divergence(gamma: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    """Return KL(Dirichlet(γ) || Dirichlet(prior)) (N,), in nats."""
    topics = gamma.shape[1]
    own = gammaln(gamma.sum(axis=1)) - gammaln(gamma).sum(axis=1)
    others = gammaln(topics * prior) - topics * gammaln(prior)
    return np.asarray(own - others + ((gamma - prior) * _expected_log(gamma)).sum(axis=1))
