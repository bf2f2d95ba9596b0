"""What is asked of every text of a file, and the network that is asked."""

from __future__ import annotations

from dataclasses import dataclass

from nlpviz.bulk import BulkError
from nlpviz.runs import TrainedModel, open_run


@dataclass(frozen=True)
class BulkQuestion:
    """What is asked: it is kept beside unfinished answers, and sent to every worker.

    Attributes:
        about: a name in :data:`nlpviz.bulk.answers.ANSWERS`.
        run: the run's name.
        fingerprint: of the run, so that no answers of two trainings are mixed.
        epoch: of its weights.
        target: the class whose score is explained; None for the predicted one.
        method: of an explanation.
        rank: the order of regions.
        count: of the regions of each size; None for all.
        keep_texts: whether texts, words and n-grams stand beside the answers.
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
    """A question with the network that answers it, loaded once."""

    question: BulkQuestion
    trained: TrainedModel

    @classmethod
    def load(cls, question: BulkQuestion) -> LoadedQuestion:
        """Open the run and load its weights.

        Raises:
            RunError: if it is not there or damaged.
            BulkError: if it is another run of the same name.
        """
        run = open_run(question.run)
        if run.fingerprint != question.fingerprint:
            raise BulkError(f"The run {run.name!r} is not the same one on every machine: copy it from where you began.")
        return cls(question, run.load(question.epoch))
