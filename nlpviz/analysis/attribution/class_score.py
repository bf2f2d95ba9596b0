"""The class score of one text as a function of its embedded words: what attribution methods differentiate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor

from nlpviz.networks.architectures import (
    Classifier,
    OccludedClassifier,
    RereadClassifier,
    ScaledClassifier,
    class_probabilities,
    class_scores,
)

_COPIES = 10  # scaled copies of a text that are classified at once
_WORDS = 8192  # of all copies that are classified at once without a graph: more gain nothing and take memory
_REREAD = 2048  # texts that are read together where what begins alike is read once


@dataclass(frozen=True)
class ClassScore:
    """The score of one class, a log-odds, of one text; called with embedded words (B, T, D) it returns (B,).

    Attributes:
        classifier: in evaluation mode, frozen.
        mask: of the text (1, T), what the classifier said of its ids.
        embedded: the text's own word vectors (1, T, D), which ask for a gradient.
        logits: what the model says of them (1, C), with its graph: the text itself is classified once.
        target: the index of the class.
    """

    classifier: Classifier
    mask: Tensor
    embedded: Tensor
    logits: Tensor
    target: int

    def __call__(self, words: Tensor) -> Tensor:
        """Return the target's class score (B,) of ``words`` (B, T, D)."""
        own = words is self.embedded
        logits = self.logits if own else self.classifier.classify(words, self.mask.expand(len(words), -1))
        return class_scores(logits)[:, self.target]

    def scaled(self, words: Tensor, shares: Tensor) -> Iterator[Tensor]:
        """Yield the class scores of ``words`` (1, T, D) times each of ``shares`` (S,), some of the S at a time.

        One convolution serves all shares where the model is a :class:`nlpviz.networks.architectures.ScaledClassifier`.
        """
        if isinstance(self.classifier, ScaledClassifier):
            logits = self.classifier.classify_scaled(words, self.mask, shares)
            yield class_scores(logits)[:, self.target]
            return
        for some in shares.chunk(-(-len(shares) // _COPIES)):
            yield self(words * some.view(-1, 1, 1))

    def occluded(self, words: Tensor, kept: Tensor) -> Tensor:
        """Return the class score (S,) of ``words`` (1, T, D) with zero vectors where ``kept`` (S, T) is False.

        No graph is recorded. What a word is multiplied by is asked once for all S where the model is an
        :class:`nlpviz.networks.architectures.OccludedClassifier`; of any other model, many copies are classified at
        once.
        """
        together = isinstance(self.classifier, RereadClassifier)
        whole, at_once = words.detach(), _REREAD if together else max(1, _WORDS // max(words.shape[1], 1))
        with torch.inference_mode():
            parts = kept.chunk(max(1, -(-len(kept) // at_once)))
            return torch.cat([self._some_occluded(whole, some) for some in parts])

    def _some_occluded(self, words: Tensor, kept: Tensor) -> Tensor:
        if isinstance(self.classifier, OccludedClassifier):
            logits = self.classifier.classify_occluded(words, self.mask, kept)
            return class_scores(logits)[:, self.target]
        return self(words * kept.unsqueeze(-1))


def class_score(classifier: Classifier, ids: Tensor, target: int | None) -> ClassScore:
    """Return the class score of the text ``ids`` (T,), by default that of the predicted class."""
    mask = classifier.mask(ids.unsqueeze(0))
    embedded = classifier.embed(ids.unsqueeze(0)).detach().requires_grad_()  # (1, T, D)
    with differentiable():
        logits = classifier.classify(embedded, mask)
    wanted = int(class_probabilities(logits).argmax()) if target is None else target
    return ClassScore(classifier, mask, embedded, logits, wanted)


@contextmanager
def differentiable() -> Iterator[None]:
    """Record graphs, whatever the caller's mode.

    cuDNN refuses to differentiate a recurrent network in evaluation mode; plain kernels do not.
    """
    with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):
        yield
