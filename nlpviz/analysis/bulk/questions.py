"""What is asked of every text of a file, and the network, or the weights of n-grams, that is asked."""

from __future__ import annotations

from dataclasses import dataclass

from nlpviz.analysis.bulk import BulkError
from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.runs import Run, RunError, TrainedModel, open_run
from nlpviz.runs.ngram_weights import check_weights, read_weights


@dataclass(frozen=True)
class BulkQuestion:
    """What is asked: it is kept beside unfinished answers, and sent to every worker.

    Attributes:
        about: a name in :data:`nlpviz.analysis.bulk.answers.ANSWERS`.
        run: the run's name.
        fingerprint: of the run, so that no answers of two trainings are mixed.
        epoch: of its weights; 0 where it has none.
        target: the class whose score is explained; None for the predicted one.
        method: of an explanation.
        rank: the order of regions.
        count: of the regions of each size; None for all.
        keep_texts: whether texts, words and n-grams are written next to the answers.
        labelled: whether the file's labels do.
    """

    about: str
    run: str
    fingerprint: str
    epoch: int
    target: int | None = None
    method: str = ""
    rank: str = ""
    count: int | None = None
    keep_texts: bool = False
    labelled: bool = False


@dataclass(frozen=True)
class LoadedQuestion:
    """A question with what answers it, loaded once: a network, or the weights of a baseline's n-grams."""

    question: BulkQuestion
    run: Run
    model: TrainedModel | NgramWeights

    @property
    def trained(self) -> TrainedModel:
        """The network.

        Raises:
            RunError: if there is none.
        """
        if isinstance(self.model, NgramWeights):
            raise RunError(f"The run {self.run.name!r} is not a neural network.")
        return self.model

    @classmethod
    def load(cls, question: BulkQuestion) -> LoadedQuestion:
        """Open the run and load its weights.

        Raises:
            RunError: if it is not there or damaged.
            BulkError: if it is another run of the same name.
        """
        run = open_run(question.run)
        if run.fingerprint != question.fingerprint:
            raise BulkError(
                f"The run {run.name!r} differs between machines. Copy it from the machine on which you started the job."
            )
        return cls(question, run, run.load(question.epoch) if run.architecture else read_weights(run))


def check_answers(run: Run) -> None:
    """Refuse a run that lacks what it would answer from, before a job begins: to add it makes another run of it."""
    if not run.architecture:
        check_weights(run)
