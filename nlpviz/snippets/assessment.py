"""Snippets of how far classifiers are to be believed: calibration, and paired comparison."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def calibration(runs: Sequence[str]) -> str:
    """Return code for the calibration error after each epoch of some runs, on the test documents that they keep."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.assessment import assess
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, every_epoch_of

        rows = []
        for run in map(open_run, $runs):
            labels = documents_of(run).labels
            for epoch, given in sorted(every_epoch_of(run).items()):
                one = assess((run.name, epoch, "kept test documents"), run.class_names, given, labels)
                rows.append((run.name, epoch, one.calibration.error, one.calibration.confidence, one.accuracy))
        table = pd.DataFrame(rows, columns=["run", "epoch", "calibration error", "mean confidence", "accuracy"])
        print(table)
        """,
        runs=list(runs),
    )


def reliability(run: str, epoch: int) -> str:
    """Return code for accuracy by confidence after one epoch, in bins of as many of the kept test documents each."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.assessment import assess
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
        """,
        run=run,
        epoch=epoch,
    )


def compared(runs: Sequence[str]) -> str:
    """Return code for how each two of some classifiers on one corpus differ in accuracy, with intervals and tests."""
    return written(
        """
        import pandas as pd

        from nlpviz.kinds.comparison import comparisons
        from nlpviz.runs import open_run

        (found,) = comparisons([open_run(name) for name in $runs]).values()
        rows = [
            (found.runs[first], found.runs[second], 100 * pair.difference, 100 * pair.interval.low, pair.p)
            for (first, second), pair in found.pairs.items()
        ]
        table = pd.DataFrame(rows, columns=["run", "other run", "difference, points", "from, points", "p, mid-p"])
        print(table)
        """,
        runs=list(runs),
    )


def behaviours(runs: Sequence[str]) -> str:
    """Return code for how many pairs of the battery pass, by capability, run and kept epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.data.battery import battery
        from nlpviz.kinds.behaviours import asked_epochs, probe
        from nlpviz.results.behaviours import rates
        from nlpviz.runs import open_run

        pairs = battery()
        asked = [(run, epoch) for run in map(open_run, $runs) for epoch in asked_epochs(run)]
        found = [(run.title, rates(pairs, probe(run, epoch, pairs))) for run, epoch in asked]
        rows = [
            (capability, title, rate[capability].passed, rate[capability].pairs, rate[capability].share)
            for capability in found[0][1]
            for title, rate in found
        ]
        table = pd.DataFrame(rows, columns=["capability", "run", "pass", "pairs", "share"])
        print(table)
        """,
        runs=list(runs),
    )
