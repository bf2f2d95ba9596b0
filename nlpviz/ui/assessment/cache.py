"""What classifiers make of minimal pairs, and how far their probabilities are right: computed once for all visitors."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.results.assessment import Assessment
from nlpviz.results.behaviours import Probed
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.runs import Run
from nlpviz.runs.behaviours import read_probed
from nlpviz.runs.derived import BEHAVIOURS
from nlpviz.ui import progress
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown


def probed(run: Run, pairs: Sequence[MinimalPair], token: str) -> list[Probed]:
    """Return what each kept epoch of a run makes of pairs, in ascending order; ``token`` names these very pairs.

    Of a run without epochs it is one result. What the run does not keep is asked; the page shows how far that is.
    """
    stored = read_probed(run, pairs) if BEHAVIOURS in run.files else None
    if stored is not None:
        return stored

    from nlpviz.run_kinds.behaviours import probe_epochs

    doing = f"Running {escape_markdown(run.title)} on {len(pairs):,} pairs at every stored epoch"
    key = ("minimal pairs", run.name, run.fingerprint, token)
    return progress.computed(key, doing, lambda report: probe_epochs(run, pairs, "cpu", report))


def assessed(run: Run) -> Call[list[Assessment]]:
    """Return how far the probabilities of every epoch are right on the test texts that a run keeps."""
    from nlpviz.analysis.inspection.assessment import assess_epochs

    doing = f"Measuring the calibration of {escape_markdown(run.title)}"
    key = ("calibration", run.name, run.fingerprint)
    return Call(assess_epochs, run).giving(progress.computed(key, doing, lambda report: assess_epochs(run, report)))
