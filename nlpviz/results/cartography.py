"""Data maps: documents by how a network learnt them: confidence, variability, forgetting, suspected label errors.

Swayamdipta, Schwartz, Lourie, Wang, Hajishirzi, Smith and Choi (2020), *Dataset Cartography: Mapping and Diagnosing
Datasets with Training Dynamics*, section 2; Toneva, Sordoni, Tachet des Combes, Trischler, Bengio and Gordon (2019),
*An Empirical Study of Example Forgetting during Deep Neural Network Learning*, section 3; Pleiss, Zhang, Elenberg and
Weinberger (2020), *Identifying Mislabeled Data using the Area Under the Margin Ranking*, section 3.1.

They measure after whole epochs or at the steps that a document is part of; here all documents are measured at the same
moments, several an epoch, and by the averaged weights that a run keeps, which forget less than the latest step's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.map_selection import inside
from nlpviz.results.training_log import TrainingLog

NEVER = np.float32(np.inf)
"""When a document was first right that never was."""


@dataclass(frozen=True)
class Cartography:
    """N documents by how a network learnt them, over the M moments since training began.

    Attributes:
        log: what it is made of, with the moment before training.
        moments: float32 (M,), those that count: all but the one before training.
        confidence: float32 (N,), the mean probability of the document's own label.
        variability: float32 (N,), the standard deviation of that probability over the moments.
        correctness: float32 (N,), the share of the moments at which it is predicted rightly.
        forgotten: int16 (N,), how often a right prediction was a wrong one at the next moment.
        first_learnt: float32 (N,), the first moment, in epochs, at which it is right; :data:`NEVER` for none.
        margin: float32 (N,), the mean log-odds of the label: of two classes the area under the margin.
        loss: float32 (N,), the cross-entropy of the label at the last moment, in nats.
    """

    log: TrainingLog
    moments: NDArray[np.float32]
    confidence: NDArray[np.float32]
    variability: NDArray[np.float32]
    correctness: NDArray[np.float32]
    forgotten: NDArray[np.int16]
    first_learnt: NDArray[np.float32]
    margin: NDArray[np.float32]
    loss: NDArray[np.float32]

    @classmethod
    def of(cls, log: TrainingLog) -> Cartography:
        """Return the map of the documents of a log.

        Raises:
            ValueError: if nothing was measured after training began.
        """
        since = log.moments > 0
        if not since.any():
            raise ValueError("a training map needs a checkpoint from after the start of training")
        moments, right, log_odds = log.moments[since], log.right[:, since], log.log_odds[:, since]
        given = log.probabilities[:, since]
        return cls(
            log=log,
            moments=moments,
            confidence=given.mean(axis=1),
            variability=given.std(axis=1),
            correctness=right.mean(axis=1, dtype=np.float32),
            forgotten=(right[:, :-1] & ~right[:, 1:]).sum(axis=1).astype(np.int16),
            first_learnt=np.where(right.any(axis=1), moments[right.argmax(axis=1)], NEVER).astype(np.float32),
            margin=log_odds.mean(axis=1),
            loss=np.logaddexp(0, -log_odds[:, -1]),
        )

    @property
    def suspects(self) -> NDArray[np.intp]:
        """All documents, (N,): the one whose label is least believed over the whole training first."""
        return most_suspect(-self.confidence)

    def third(self, name: str) -> NDArray[np.intp]:
        """Return the positions of a third of the documents (Swayamdipta et al. 2020, section 3).

        Args:
            name: ``"easy"``, of the highest mean confidence, the highest first; ``"hard"``, of the lowest, the lowest
                first; or ``"ambiguous"``, of the highest variability, those of the lowest mean confidence first.

        Raises:
            KeyError: if it is another one.
        """
        doubted = self.suspects
        orders = {"easy": doubted[::-1], "hard": doubted, "ambiguous": most_suspect(self.variability)}
        chosen = orders[name][: -(-len(doubted) // 3)]
        return chosen[np.argsort(self.confidence[chosen], kind="stable")] if name == "ambiguous" else chosen

    def in_loop(self, corners: NDArray[np.floating]) -> NDArray[np.intp]:
        """Return the positions of the documents in a loop, the least believed first.

        Args:
            corners: (C, 2), variability and mean confidence of each.
        """
        within = inside(corners, self.variability, self.confidence)
        return self.suspects[within[self.suspects]]


def most_suspect(scores: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return the positions of documents, the highest score first; of equal ones the first."""
    return np.argsort(-scores, kind="stable")
