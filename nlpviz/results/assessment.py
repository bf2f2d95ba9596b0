"""How good a classifier is on labelled texts: accuracy, each class, confusion, and calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from nlpviz.results.confusion import Confusion
from nlpviz.stats.calibration import ByChance, ProperScores, ReliabilityBin
from nlpviz.stats.significance import Interval

FittedOn = Literal["validation", "cross-fitting"]


class ClassMeasures(NamedTuple):
    """The measures of one class.

    Attributes:
        name: of the class.
        precision: which share of the texts predicted as it have its label; 0 where none is predicted so.
        recall: which share of the texts with its label are predicted as it; 0 where there are none.
        f1: the harmonic mean of the two (van Rijsbergen 1979).
        support: texts with its label.
        predicted: texts predicted as it.
    """

    name: str
    precision: float
    recall: float
    f1: float
    support: int
    predicted: int


class Temperature(NamedTuple):
    """The effect of dividing all log-probabilities by one number (temperature); no prediction changes.

    Attributes:
        value: above 1 the probabilities are too sure, below 1 not sure enough; of cross-fitting the geometric mean.
        fitted_on: the run's validation texts, or by cross-fitting: to the other texts of the same file.
        scores: at the temperature.
        error: the expected calibration error at the temperature.
    """

    value: float
    fitted_on: FittedOn
    scores: ProperScores
    error: float


@dataclass(frozen=True)
class Calibration:
    """How far the confidences of N texts, the probabilities of the predicted classes, are to be believed.

    Attributes:
        bins: of as many texts each, by confidence.
        histogram: texts in each of the bins of equal width by which the error is counted, from 0 to 1.
        confidence: the mean.
        error: the expected calibration error.
        by_chance: the same where every confidence is exactly right, for as many texts.
        scores: as the probabilities are; None where those of the predicted classes alone are known.
        temperature: what one makes of them; None where none was fitted.
    """

    bins: tuple[ReliabilityBin, ...]
    histogram: tuple[int, ...]
    confidence: float
    error: float
    by_chance: ByChance
    scores: ProperScores | None = None
    temperature: Temperature | None = None

    @property
    def miscalibrated(self) -> bool:
        """Whether the error is larger than 95% of those that chance makes."""
        return self.error > self.by_chance.highest


@dataclass(frozen=True)
class Assessment:
    """A classifier on N labelled texts.

    Attributes:
        run: its name.
        epoch: of the weights; 0 also of a run without epochs.
        source: what the texts are: a corpus's split, or a file's name.
        documents: N.
        accuracy: the share classified rightly.
        interval: of the accuracy, 95%.
        majority: the class with the most texts, the first of equals; what always answers it is right in
            ``majority_accuracy`` of the texts.
        majority_accuracy: its share.
        macro_f1: the mean F1 of the classes that are a text's label or predicted for one.
        classes: each class's scores, in the order of the run's classes.
        confusion: counts by label and predicted class.
        calibration: of the confidences.
    """

    run: str
    epoch: int
    source: str
    documents: int
    accuracy: float
    interval: Interval
    majority: int
    majority_accuracy: float
    macro_f1: float
    classes: tuple[ClassMeasures, ...]
    confusion: Confusion
    calibration: Calibration

    @property
    def calibration_said(self) -> str:
        """The calibration error in words, with the error expected by chance for as many texts."""
        known = self.calibration
        verdict = "larger than expected by chance" if known.miscalibrated else "no larger than expected by chance"
        return (
            f"Mean confidence {known.confidence:.1%}, accuracy {self.accuracy:.1%}; expected calibration error "
            f"{known.error:.1%}, {verdict} (a perfectly calibrated model: {known.by_chance.mean:.1%} on average, "
            f"up to {known.by_chance.highest:.1%} in 95% of draws)."
        )
