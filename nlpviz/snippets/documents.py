"""Snippets of maps of documents: where each document lies, and how far to trust the maps."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def stored_map(run: str, epochs: Sequence[int], projector: str, dimensions: int, *, alone: bool) -> str:
    """Return code for the coordinates of the documents on the maps that a run keeps."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, projections_of

        run = open_run($run)
        table = pd.DataFrame({"id": documents_of(run).ids})
        for chart in projections_of(run):
            if (chart.projector, chart.dimensions, chart.alone) == $kind and chart.epoch in $epochs:
                for axis, values in zip("xyz", chart.coordinates.T):
                    table[f"{axis}, epoch {chart.epoch}"] = values
        print(table)
        """,
        run=run,
        epochs=list(epochs),
        kind=(projector, dimensions, alone),
    )


def learnt(run: str, part: str) -> str:
    """Return code for how a run learnt the documents of a part: ``"TRAINED"``, ``"HELD_OUT"`` or ``"TEST"``."""
    return written(
        """
        import pandas as pd

        from nlpviz.results.cartography import Cartography
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        log = training_log(open_run($run)).of(Role[$part])
        found = Cartography.of(log)
        order = found.suspects
        table = pd.DataFrame({"id": [log.ids[position] for position in order]})
        table["mean confidence"] = found.confidence[order]
        table["variability"] = found.variability[order]
        table["forgotten"] = found.forgotten[order]
        print(table)
        """,
        run=run,
        part=part,
    )


def story(run: str, document: str) -> str:
    """Return code for how probable a document's label was at each moment of a training."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        log = training_log(open_run($run))
        position = log.ids.index($document)
        table = pd.DataFrame({"epoch": log.moments, "P(label)": log.probabilities[position]})
        print(table)
        """,
        run=run,
        document=document,
    )


def confusion(run: str, epoch: int) -> str:
    """Return code for how many of the kept documents of each class are predicted as each class."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, probabilities_of

        run = open_run($run)
        labels, predicted = documents_of(run).labels, probabilities_of(run, $epoch).argmax(axis=1)
        counts = np.zeros((len(run.class_names),) * 2, dtype=int)
        np.add.at(counts, (labels, predicted), 1)
        table = pd.DataFrame({"count": counts.ravel()})
        table["share of the row"] = (counts / counts.sum(axis=1, keepdims=True)).ravel()
        print(table)
        """,
        run=run,
        epoch=epoch,
    )
