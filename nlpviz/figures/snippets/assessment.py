"""Snippets of how far classifiers are to be believed: calibration, and paired comparison."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def calibration(runs: Sequence[str], chosen: int) -> str:
    """Return code for the calibration error after each epoch of some runs, on the test documents that they keep.

    The figure marks the epoch ``chosen``.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.assessment import assess
        from nlpviz.figures.assessment.calibration_epochs import calibration_by_epoch
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, every_epoch_of

        rows, found = [], {}
        for run in map(open_run, $runs):
            labels, found[run.title] = documents_of(run).labels, []
            for epoch, given in sorted(every_epoch_of(run).items()):
                one = assess((run.name, epoch, "kept test documents"), run.class_names, given, labels)
                found[run.title].append(one)
                rows.append((run.name, epoch, one.calibration.error, one.calibration.confidence, one.accuracy))
        table = pd.DataFrame(rows, columns=["run", "epoch", "calibration error", "mean confidence", "accuracy"])
        print(table)
        print("The figure:", save_figure(calibration_by_epoch(found, $chosen)))
        """,
        runs=list(runs),
        chosen=chosen,
    )


def reliability(run: str, epoch: int) -> str:
    """Return code for accuracy by confidence after one epoch, in bins of as many of the kept test documents each."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.assessment import assess
        from nlpviz.figures.assessment.reliability import reliability_diagram
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, every_epoch_of

        run = open_run($run)
        given, labels = every_epoch_of(run)[$epoch], documents_of(run).labels
        found = assess((run.name, $epoch, "kept test documents"), run.class_names, given, labels)
        table = pd.DataFrame(
            [(one.texts, one.confidence, one.accuracy, *one.interval) for one in found.calibration.bins],
            columns=["texts", "mean confidence", "accuracy", "from", "to"],
        )
        print(table)
        print("The figure:", save_figure(reliability_diagram(found)))
        """,
        run=run,
        epoch=epoch,
    )


def compared(runs: Sequence[str], corpus: str) -> str:
    """Return code for how each two of some classifiers differ in accuracy, with intervals and tests.

    Args:
        runs: on one corpus.
        corpus: its title.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.training.comparison import comparison_matrix
        from nlpviz.run_kinds.comparison import comparisons
        from nlpviz.runs import open_run

        (found,) = comparisons([open_run(name) for name in $runs]).values()
        rows = [
            (found.runs[first], found.runs[second], 100 * pair.difference, 100 * pair.interval.low, pair.p)
            for (first, second), pair in found.pairs.items()
        ]
        table = pd.DataFrame(rows, columns=["run", "other run", "difference, points", "from, points", "p, mid-p"])
        print(table)
        print("The figure:", save_figure(comparison_matrix(found, $corpus)))
        """,
        runs=list(runs),
        corpus=corpus,
    )


def behaviours(runs: Sequence[str], chosen: str) -> str:
    """Return code for how many pairs of the battery pass, by capability, run and kept epoch.

    The figure marks the capability ``chosen``.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.data.battery import battery
        from nlpviz.figures.assessment.behaviours import behaviour_panels
        from nlpviz.figures.page import save_figure
        from nlpviz.results.behaviours import rates
        from nlpviz.run_kinds.behaviours import asked_epochs, probe
        from nlpviz.runs import open_run

        pairs = battery()
        probed = {run.name: [probe(run, at, pairs) for at in asked_epochs(run)] for run in map(open_run, $runs)}
        found = [(one.title, rates(pairs, one)) for own in probed.values() for one in own]
        rows = [
            (capability, title, rate[capability].passed, rate[capability].pairs, rate[capability].share)
            for capability in found[0][1]
            for title, rate in found
        ]
        table = pd.DataFrame(rows, columns=["capability", "run", "pass", "pairs", "share"])
        print(table)
        print("The figure:", save_figure(behaviour_panels(pairs, probed, "nlpviz's built-in pairs", $chosen)))
        """,
        runs=list(runs),
        chosen=chosen,
    )
