"""Orders computed without the network: baselines that an explanation should beat before it is trusted.

The log-count ratio of a word says in how many more training texts of one class than of the other it stands (Wang and
Manning 2012, *Baselines and Bigrams*, section 2.1). Position asks nothing of a text but where its words are: people's
rationales of film reviews stand at the ends, so that "last words first" may come near to them. Both are put in the form
of an :class:`nlpviz.results.explanation.Explanation`, so that whatever measures methods measures them as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution import methods
from nlpviz.results.explanation import Explanation
from nlpviz.results.ngram_weights import NgramWeights

if TYPE_CHECKING:
    from nlpviz.networks.architectures import Classifier
    from nlpviz.runs import TrainedModel


class Baseline(Protocol):
    """An order of the words of a text, computed without a network.

    Attributes:
        name: where a method's name would stand.
        title: how people call it.
        signed: whether a negative score speaks against the target.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def title(self) -> str: ...  # noqa: D102

    @property
    def signed(self) -> bool: ...  # noqa: D102

    def scores(self, words: Sequence[str], target: int) -> NDArray[np.float32]:
        """Return the score of each word, (T,): the higher, the sooner it is removed.

        Args:
            words: of a text, in the vocabulary's spelling.
            target: the index of the class that is explained.
        """
        ...


@dataclass(frozen=True)
class LogCountRatio:
    """Each word's log-count ratio towards the target: 0 for one that the training texts do not have."""

    ratios: NgramWeights
    """Of single words: R = 1 for two classes, that of the second; else one of each class against the rest."""
    name: str = "log-count-ratio"
    title: str = "Log-count ratio"
    signed: bool = True

    def scores(self, words: Sequence[str], target: int) -> NDArray[np.float32]:
        """Return the ratios (T,), positive where a word is evidence for ``target``."""
        several = len(self.ratios.biases) > 1
        towards = self.ratios.of_words(words, target if several else 0)
        return towards if several or target else -towards


@dataclass(frozen=True)
class Position:
    """A word's position as its score: from 0 to 1 through the text, or from 1 to 0."""

    later: bool
    signed: bool = False

    @property
    def name(self) -> str:
        """``"later"`` or ``"earlier"``."""
        return "later" if self.later else "earlier"

    @property
    def title(self) -> str:
        """The displayed name of the order."""
        return "Last words first" if self.later else "First words first"

    def scores(self, words: Sequence[str], target: int) -> NDArray[np.float32]:  # noqa: ARG002 - of any class
        """Return each word's place, (T,)."""
        places = np.linspace(0, 1, len(words), dtype=np.float32)
        return places if self.later else places[::-1].copy()


LATER, EARLIER = Position(later=True), Position(later=False)


def baselines(corpus: str) -> tuple[Baseline, ...]:
    """Return the baselines for networks on a corpus: without the log-count ratio where no run keeps its ratios.

    Raises:
        RunError: if they are damaged.
    """
    from nlpviz.runs.word_ratios import word_ratios

    ratios = word_ratios(corpus)
    return (LATER, EARLIER) if ratios is None else (LogCountRatio(ratios), LATER, EARLIER)


def titles() -> dict[str, str]:
    """Return the displayed names of the methods and the baselines, by identifier."""
    known = {name: method.title for name, method in methods().items()}
    return known | {one.name: one.title for one in (LogCountRatio, LATER, EARLIER)}


def like(explanation: Explanation, baseline: Baseline) -> Explanation:
    """Return a baseline's scores for the text and the class that a method explained."""
    words = [token.word for token in explanation.encoded.read]
    return Explanation(
        run=explanation.run,
        epoch=explanation.epoch,
        method=baseline.name,
        encoded=explanation.encoded,
        scores=baseline.scores(words, explanation.target),
        matrix=None,
        signed=baseline.signed,
        target=explanation.target,
        class_names=explanation.class_names,
        probabilities=explanation.probabilities,
        class_score=explanation.class_score,
    )


def explain_by(trained: TrainedModel, text: str, baseline: Baseline, target: int | None = None) -> Explanation:
    """Return a baseline's scores for a text, with the prediction of a network.

    Args:
        trained: a classifier.
        text: anything.
        baseline: one of :func:`baselines`.
        target: a class index; None takes the predicted class.
    """
    import torch

    from nlpviz.analysis.attribution.class_score import class_score
    from nlpviz.networks.architectures import class_probabilities

    encoded = trained.encode(text)
    score = class_score(cast("Classifier", trained.module), torch.from_numpy(encoded.row), target)
    return Explanation(
        run=trained.run.name,
        epoch=trained.epoch,
        method=baseline.name,
        encoded=encoded,
        scores=baseline.scores([token.word for token in encoded.read], score.target),
        matrix=None,
        signed=baseline.signed,
        target=score.target,
        class_names=trained.run.class_names,
        probabilities=class_probabilities(score.logits.detach())[0].float().numpy(),
        class_score=score(score.embedded).item(),
    )
