"""Does attention matter? How a prediction changes with other attention weights, and which rankings agree with them.

Jain and Wallace (2019), *Attention is not Explanation*; Wiegreffe and Pinter (2019), *Attention is not not
Explanation*; Serrano and Smith (2019), *Is Attention Interpretable?* The network itself stays as it is: the weights
alone are replaced, and what it computed from them is computed again. ``nlpviz/analysis/inspection/attention_effect.py``
says how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText


class Intervention(NamedTuple):
    """An intervention on the weights of one text.

    Attributes:
        kind: ``"uniform"``, ``"shuffled"``, ``"top"`` (the words of largest weight lose it), ``"random"`` ones do, or
            ``"mass"``: random ones that weigh as much as those of ``"top"``.
        removed: how many words lose their weight; with ``"mass"``, how many the heaviest ones are that weigh as much.
            0 for the first two kinds.
    """

    kind: str
    removed: int = 0

    @property
    def name(self) -> str:
        """How a table names it: ``"shuffled"``, ``"top.5"``."""
        return f"{self.kind}.{self.removed}" if self.removed else self.kind

    @classmethod
    def named(cls, name: str) -> Intervention:
        """Return the intervention that a table calls ``name``."""
        kind, _, removed = name.partition(".")
        return cls(kind, int(removed or 0))


class Agreement(NamedTuple):
    """Kendall's tau-b, -1 to 1, between two rankings of a text's words; None if a ranking has no order.

    Attributes:
        saliency: of the weights and gradient saliency.
        leave_one_out: of the weights and how far the class score moves without the word, either way.
        others: of gradient saliency and leave-one-out: what two other methods agree.
    """

    saliency: float | None
    leave_one_out: float | None
    others: float | None


@dataclass(frozen=True)
class AttentionEffect:
    """The effect of other weights on one text's prediction.

    Attributes:
        run: the run whose model reads the text.
        epoch: of its weights; 0 is before training.
        encoded: the text as the model saw it.
        class_names: the classes, in the order of all probabilities.
        probabilities: float32 (K,), with the network's own weights.
        answers: for each intervention the probabilities (R, K) of its R draws; R is 1 where nothing is drawn. What
            would take all words away is not among them.
        weights: float32 (T,), the network's own, in the document vector.
        saliency: float32 (T,), the norm of the gradient of the predicted class's score at each word.
        leave_one_out: float32 (T,), what the score of the predicted class, a log-odds, loses without each word; empty
            where nobody asked.
        agreement: of these three.
        seed: of what was drawn.
    """

    run: str
    epoch: int
    encoded: EncodedText
    class_names: tuple[str, ...]
    probabilities: NDArray[np.float32]
    answers: Mapping[Intervention, NDArray[np.float32]]
    weights: NDArray[np.float32]
    saliency: NDArray[np.float32]
    leave_one_out: NDArray[np.float32]
    agreement: Agreement
    seed: int

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse numbers that do not match the tokens or the classes."""
        count = len(self.encoded.ids)
        if (
            self.weights.shape != (count,)
            or self.saliency.shape != (count,)
            or len(self.leave_one_out) not in (0, count)
        ):
            raise ValueError("attention, saliency and leave-one-out need one number per token read")
        if any(answer.shape[1:] != self.probabilities.shape for answer in self.answers.values()):
            raise ValueError("every prediction needs a probability per class")
        for array in (self.probabilities, self.weights, self.saliency, self.leave_one_out, *self.answers.values()):
            array.setflags(write=False)

    @property
    def predicted(self) -> int:
        """The index of the class that the network's own weights predict."""
        return int(np.argmax(self.probabilities))

    def probability(self, intervention: Intervention) -> NDArray[np.float32]:
        """Return the probability of :attr:`predicted` at each draw, (R,)."""
        return self.answers[intervention][:, self.predicted]

    def change(self, intervention: Intervention) -> NDArray[np.float32]:
        """Return how far the probabilities move at each draw, (R,): their total variation distance, from 0 to 1.

        Half the sum of the absolute changes of all classes (Jain and Wallace 2019); with two classes, the
        absolute change of either probability.
        """
        moved: NDArray[np.float32] = np.abs(self.answers[intervention] - self.probabilities).sum(axis=1) / 2
        return moved

    def flipped(self, intervention: Intervention) -> NDArray[np.bool_]:
        """Return at which draws another class is predicted, (R,)."""
        other: NDArray[np.bool_] = self.answers[intervention].argmax(axis=1) != self.predicted
        return other


@dataclass(frozen=True)
class AttentionSurvey:
    """The effect of other weights on the predictions for N test documents at one epoch; no text is kept.

    Attributes:
        run: the run whose model read them.
        epoch: of its weights.
        ids: how the corpus calls the documents.
        tokens: int32 (N,), how many the model read of each.
        interventions: what was done to the weights, I ways.
        change: float32 (N, I), :meth:`AttentionEffect.change`, the mean of its draws; not a number where a document
            has no more words than were to be removed.
        flipped: float32 (N, I), the share of the draws at which another class is predicted; likewise.
        agreement: float32 (N, 3), the numbers of :class:`Agreement`; not a number where there is none, or where nobody
            asked for leave-one-out.
    """

    run: str
    epoch: int
    ids: tuple[str, ...]
    tokens: NDArray[np.int32]
    interventions: tuple[Intervention, ...]
    change: NDArray[np.float32]
    flipped: NDArray[np.float32]
    agreement: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse tables of another size."""
        documents, shape = len(self.ids), (len(self.ids), len(self.interventions))
        if self.change.shape != shape or self.flipped.shape != shape or self.tokens.shape != (documents,):
            raise ValueError("an attention survey needs one row per document and one column per intervention")
        if self.agreement.shape != (documents, len(Agreement._fields)):
            raise ValueError("an attention survey needs one row of agreement values per document")
        for array in (self.tokens, self.change, self.flipped, self.agreement):
            array.setflags(write=False)

    def changes(self, intervention: Intervention) -> NDArray[np.float32]:
        """Return the change of each document that has more words than were removed, (M,)."""
        column = self.change[:, self.interventions.index(intervention)]
        return column[np.isfinite(column)]

    def share_flipped(self, intervention: Intervention) -> float:
        """Return the share of these documents of which another class is predicted, draws averaged."""
        column = self.flipped[:, self.interventions.index(intervention)]
        known = column[np.isfinite(column)]
        return float(known.mean()) if known.size else float("nan")

    def of_all(self, interventions: Sequence[Intervention]) -> AttentionSurvey:
        """Return the survey of only those documents in which each of ``interventions`` could be made."""
        columns = [self.interventions.index(one) for one in interventions]
        return self._take(np.asarray(np.isfinite(self.change[:, columns]).all(axis=1)))

    def with_all_rankings(self) -> AttentionSurvey:
        """Return the survey of only those documents that have every number of :class:`Agreement`."""
        return self._take(np.asarray(np.isfinite(self.agreement).all(axis=1)))

    def _take(self, wanted: NDArray[np.bool_]) -> AttentionSurvey:
        return replace(
            self,
            ids=tuple(name for name, stays in zip(self.ids, wanted, strict=True) if stays),
            tokens=self.tokens[wanted],
            change=self.change[wanted],
            flipped=self.flipped[wanted],
            agreement=self.agreement[wanted],
        )

    def correlations(self, of: str) -> NDArray[np.float32]:
        """Return tau of the documents that have one, (M,); ``of`` is a field of :class:`Agreement`."""
        column = self.agreement[:, Agreement._fields.index(of)]
        return column[np.isfinite(column)]
