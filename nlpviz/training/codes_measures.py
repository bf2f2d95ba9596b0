"""The measures of an autoencoder of documents on some documents: perplexity bound, reconstruction, KL, information.

The one definition of the bound, for a variational autoencoder and a model of topics alike: exp of the mean of -ELBO per
word, over all words of all documents (corpus words); an ELBO is E_q[log p(x | z)] - KL(q(z | x) || p(z)), in nats, the
expectation over samples of the code. Others average over documents first (Miao et al. 2016), so that short documents
count as much as long ones: that number is given as well. Documents without a word of the vocabulary are left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.networks.architectures.variational_autoencoder import Posterior, VariationalAutoencoder
from nlpviz.networks.autoencoders import Autoencoder, reconstruction
from nlpviz.text.bags import halves

SAMPLES = 10
"""Codes that are drawn of each document's posterior to estimate its reconstruction."""
ACTIVE = 0.01
"""A unit is active if its code's variance over documents is more (Burda, Grosse and Salakhutdinov 2016)."""
_AT_ONCE = 512  # documents
_PAIRS_AT_ONCE = 128  # documents of which each is compared with all others


class Costs(NamedTuple):
    """Of each document, in nats: (N,) each.

    Attributes:
        words: how many words of the vocabulary it has.
        reconstruction: -log p of its words, by its code or on average over codes drawn of its posterior.
        divergence: KL(q(z | x) || p(z)); None where the code is no distribution.
    """

    words: NDArray[np.float64]
    reconstruction: NDArray[np.float64]
    divergence: NDArray[np.float64] | None

    @property
    def per_word(self) -> float:
        """The mean of -ELBO over all words; NaN where there is none."""
        if self.divergence is None:
            return float("nan")
        return float((self.reconstruction + self.divergence).sum() / max(self.words.sum(), 1))

    @property
    def each(self) -> NDArray[np.float64]:
        """The mean of -log p over each document's words (N,), in nats."""
        return self.reconstruction / np.maximum(self.words, 1)

    @property
    def facts(self) -> dict[str, float]:
        """What is written into a manifest."""
        total = max(self.words.sum(), 1)
        facts = {
            "reconstruction": float(self.reconstruction.sum() / total),
            "documents": float(len(self.words)),
            "words": float(self.words.sum()),
        }
        if self.divergence is not None:
            per_document = (self.reconstruction + self.divergence) / np.maximum(self.words, 1)
            facts |= {
                "divergence": float(self.divergence.mean()),
                "bound": self.per_word,
                "perplexity": float(np.exp(self.per_word)),
                "perplexity by document": float(np.exp(per_document.mean())),
            }
        return facts


@torch.inference_mode()
def costs(module: Autoencoder, bags: NDArray[np.uint16], samples: int = SAMPLES) -> Costs:
    """Return the cost of each of ``bags`` (N, W); codes are drawn with a fixed seed, document by document."""
    device = next(module.parameters()).device
    numbers = torch.Generator().manual_seed(0)
    reconstructions, divergences = [], []
    for batch in _batches(bags):
        counts = batch.to(device)
        if isinstance(module, VariationalAutoencoder):
            posterior = module.posterior(counts)
            noise = torch.randn(len(batch), samples, module.config.latent, generator=numbers).to(device)
            drawn = [posterior.sample(noise[:, sample]) for sample in range(samples)]
            each = torch.stack([reconstruction(counts, module.decode(codes)) for codes in drawn])
            reconstructions.append(each.mean(dim=0))
            divergences.append(posterior.divergence().sum(dim=1))
        else:
            reconstructions.append(reconstruction(counts, module.decode(module.encode(counts))))
    return Costs(
        bags.sum(axis=1).astype(np.float64),
        torch.cat(reconstructions).double().cpu().numpy(),
        torch.cat(divergences).double().cpu().numpy() if divergences else None,
    )


@torch.inference_mode()
def codes_of(module: Autoencoder, bags: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Return the codes (N, Z) of ``bags`` (N, W): of a variational autoencoder the means."""
    device = next(module.parameters()).device
    found = torch.cat([module.encode(batch.to(device)) for batch in _batches(bags)])
    return np.asarray(found.cpu().numpy())


def active_units(codes: NDArray[np.floating]) -> int:
    """Return how many units of ``codes`` (N, Z) differ between documents: a variance of more than :data:`ACTIVE`."""
    return int((codes.var(axis=0) > ACTIVE).sum())


@torch.inference_mode()
def posteriors(module: VariationalAutoencoder, bags: NDArray[np.uint16]) -> Posterior:
    """Return q(z | x) of each of ``bags`` (N, W), on the CPU."""
    device = next(module.parameters()).device
    found = [module.posterior(batch.to(device)) for batch in _batches(bags)]
    return Posterior(*(torch.cat(parts).cpu() for parts in zip(*found, strict=True)))


@torch.inference_mode()
def mutual_information(posterior: Posterior) -> float:
    """Return an estimate of the mutual information I(x; z) under q, in nats, over N documents.

    I = E_x E_q(z|x) [log q(z | x) - log q(z)], q(z) the mean of the N documents' posteriors (Hoffman and Johnson 2016,
    *ELBO surgery*; He et al. 2019, *Lagging Inference Networks*), with one z drawn for each document. A document's own
    posterior is one of the N, so that no estimate is above log N.
    """
    count, units = posterior.mean.shape
    noise = torch.randn(count, units, generator=torch.Generator().manual_seed(0))
    codes = posterior.sample(noise).double()
    own = -0.5 * (noise.square() + posterior.log_variance).sum(dim=1)  # but for what both densities have
    mean, log_variance = posterior.mean.double(), posterior.log_variance.double()
    precision = (-log_variance).exp()
    always = (mean.square() * precision + log_variance).sum(dim=1)
    mixed = []
    for drawn in torch.split(codes, _PAIRS_AT_ONCE):  # squares multiplied out: products of matrices are quick
        distances = drawn.square() @ precision.T - 2 * drawn @ (mean * precision).T + always
        mixed.append(torch.logsumexp(-0.5 * distances, dim=1) - np.log(count))
    return float((own - torch.cat(mixed)).mean())


def completion(module: Autoencoder, bags: NDArray[np.uint16]) -> float:
    """Return the perplexity of half of each document's words given the code of the other half.

    No code pays for what it says of the half that is predicted, so that autoencoders with and without a distribution,
    and models of topics, can be compared. Halves are drawn with a fixed seed (:func:`split_documents`).
    """
    read, predicted = split_documents(bags)
    with torch.inference_mode():
        device = next(module.parameters()).device
        total = 0.0
        for first, second in zip(_batches(read), _batches(predicted), strict=True):
            log_probabilities = module.decode(module.encode(first.to(device)))
            total += float(reconstruction(second.to(device), log_probabilities).double().sum())
    return float(np.exp(total / predicted.sum()))


def split_documents(bags: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Return two halves of each of ``bags`` (N, W) with two words at least: the same ones for every model."""
    rng = np.random.default_rng(0)
    several = bags[bags.sum(axis=1) > 1]
    parts = np.zeros((2, *several.shape), dtype=np.uint16)
    for place, bag in enumerate(several):
        parts[0, place], parts[1, place] = halves(bag, rng)
    return parts[0], parts[1]


def measure(module: Autoencoder, bags: NDArray[np.uint16]) -> dict[str, float]:
    """Return all that is measured of ``bags`` (N, W) with a word each."""
    facts = costs(module, bags).facts
    facts["active"] = float(active_units(codes_of(module, bags)))
    facts["completion"] = completion(module, bags)
    if isinstance(module, VariationalAutoencoder):
        facts["information"] = mutual_information(posteriors(module, bags))
    return facts


def _batches(bags: NDArray[np.uint16]) -> list[Tensor]:
    """Return ``bags`` (N, W) in parts, single precision."""
    return [
        torch.from_numpy(bags[start : start + _AT_ONCE].astype(np.float32)) for start in range(0, len(bags), _AT_ONCE)
    ]
