"""Adversarial training: each text is classified again with its word vectors moved where the loss rises fastest.

Miyato, Dai and Goodfellow (2017), *Adversarial Training Methods for Semi-Supervised Text Classification*. A network
could make a perturbation of fixed size negligible by lengthening its word vectors v. The paper therefore normalises
them to v̄ = (v − E(v)) / σ, with mean and standard deviation weighted by the words' frequencies (equation 1). Here the
perturbation is scaled instead, by σ of the vectors at each step: v + σ ∘ r is v̄ + r, and the gradient by v̄ is σ ∘ g
where g is that by v. The network reads v as before: pretrained weights stay valid, and nothing is stored differently.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.networks.layers import WordClassifier
from nlpviz.text.vocabulary import PAD, SENTENCE
from nlpviz.training import TrainingError
from nlpviz.training.batches import Labelled
from nlpviz.training.measures import losses


class TrainingLosses(nn.Module):
    """The loss of each text in training, all of it in one forward pass, after which processes average gradients.

    Attributes:
        frequencies: (V,), share of each word in the training texts; they sum to 1.
    """

    frequencies: Tensor

    def __init__(self, model: nn.Module, train: Labelled, epsilon: float) -> None:
        """Take the words' frequencies from the training texts.

        Args:
            model: a classifier.
            train: the training texts.
            epsilon: ε, the L2 norm of the perturbation r of a text's normalised word vectors; 0 adds no loss.

        Raises:
            TrainingError: if there is no cut at word vectors where ``model`` could be perturbed.
        """
        super().__init__()
        self.model, self.epsilon = model, epsilon
        if not epsilon:
            return
        if not isinstance(model, WordClassifier):
            raise TrainingError(f"{type(model).__name__} has no word vectors, which adversarial training needs.")
        counts = np.bincount(np.concatenate(train.ids) % SENTENCE, minlength=model.config.vocabulary_size)
        counts[PAD] = 0
        frequencies = torch.from_numpy(counts / max(counts.sum(), 1)).float()
        self.register_buffer("frequencies", frequencies, persistent=False)

    def forward(self, ids: Tensor, labels: Tensor) -> Tensor:
        """Return the loss (B,) of ``ids`` (B, T) with ``labels`` (B,), and the adversarial loss added (equation 6).

        Both passes draw the same dropout, so that the perturbation is that of the network which it is tried on.
        """
        if not self.epsilon:
            return losses(self.model(ids), labels)
        assert isinstance(self.model, WordClassifier)
        embedded, mask = self.model.embed(ids).requires_grad_(), self.model.mask(ids)
        with torch.random.fork_rng([embedded.device] if embedded.is_cuda else []):
            clean = losses(self.model.classify(embedded, mask), labels)
        (gradient,) = torch.autograd.grad(clean.sum(), embedded, retain_graph=True)
        # σ ∘ r moves the raw vectors as r moves the normalised ones of equation 1.
        moved = embedded + self.perturbation(gradient * (mask != 0).unsqueeze(-1))
        return clean + losses(self.model.classify(moved, mask), labels)

    def perturbation(self, gradient: Tensor) -> Tensor:
        """Return σ ∘ r (B, T, D) with r = ε σ ∘ g / ‖σ ∘ g‖ (equation 5), of the loss's ``gradient`` g (B, T, D)."""
        deviations = self.deviations()
        direction = functional.normalize((gradient * deviations).flatten(1)).view_as(gradient)
        return self.epsilon * direction * deviations

    @torch.no_grad()
    def deviations(self) -> Tensor:
        """Return the standard deviation (D,) of each dimension of the word vectors, by frequency (equation 1)."""
        assert isinstance(self.model, WordClassifier)
        vectors: Tensor = self.model.embedding(torch.arange(len(self.frequencies), device=self.frequencies.device))
        mean = self.frequencies @ vectors
        return torch.sqrt(self.frequencies @ (vectors - mean).square())
