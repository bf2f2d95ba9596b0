"""What classifiers make of minimal pairs, and how far their probabilities are right: computed once for all visitors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlpviz.results.assessment import Assessment
from nlpviz.results.behaviours import Probed
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.runs import Run
from nlpviz.runs.behaviours import read_probed
from nlpviz.runs.derived import BEHAVIOURS
from nlpviz.runs.documents import documents_of, every_epoch_of
from nlpviz.ui import progress
from nlpviz.ui.frame import escape_markdown


def probed(run: Run, pairs: Sequence[MinimalPair], token: str) -> list[Probed]:
    """Return what each kept epoch of a run makes of pairs, in ascending order; ``token`` names these very pairs.

    Of a run without epochs it is one result. What the run does not keep is asked; the page shows how far that is.
    """
    stored = read_probed(run, pairs) if BEHAVIOURS in run.files else None
    if stored is not None:
        return stored

    def ask(tell: Callable[[float], object]) -> list[Probed]:
        from nlpviz.run_kinds.behaviours import asked_epochs, probe

        epochs, found = asked_epochs(run), []
        for at, epoch in enumerate(epochs):
            tell(at / len(epochs))
            found.append(probe(run, epoch, pairs, "cpu"))
        return found

    doing = f"Running {escape_markdown(run.title)} on {len(pairs):,} pairs at every stored epoch"
    return progress.computed(("minimal pairs", run.name, run.fingerprint, token), doing, ask)


def assessed(run: Run) -> list[Assessment]:
    """Return how far the probabilities of every epoch are right on the test texts that a run keeps, in ascending order.

    Epochs whose weights are not kept are among them. A temperature is cross-fitted at each.
    """

    def assess_all(tell: Callable[[float], object]) -> list[Assessment]:
        from nlpviz.analysis.inspection.assessment import assess

        labels, by_epoch = documents_of(run).labels, every_epoch_of(run)
        source, found = f"the test split of {run.corpus['name']}", []
        for at, epoch in enumerate(sorted(by_epoch)):
            tell(at / len(by_epoch))
            found.append(assess((run.name, epoch, source), run.class_names, by_epoch[epoch], labels))
        return found

    doing = f"Measuring the calibration of {escape_markdown(run.title)}"
    return progress.computed(("calibration", run.name, run.fingerprint), doing, assess_all)
