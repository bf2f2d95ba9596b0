"""Snippets of one text through a training: a word's score, a part of a cell, and the documents learnt the same way."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def story(runs: Sequence[str], text: str, method: str, target: int, place: int) -> str:
    """Return code for the score of the token at ``place`` of ``text`` at each epoch that some runs keep.

    Args:
        runs: their names.
        text: that is explained.
        method: that gives the scores.
        target: the index of the class that they are for.
        place: of the token among those read, from 0.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run in map(open_run, $runs):
            explained = [explain(run.load(epoch), text, $method, target=$target) for epoch in run.epochs]
            columns[f"score, {run.name}"] = pd.Series([one.scores[$place] for one in explained], index=run.epochs)
        table = pd.DataFrame(columns).rename_axis("epoch").reset_index()
        print(table)
        """,
        runs=list(runs),
        text=text,
        method=method,
        target=target,
        place=place,
    )


def part(run: str, text: str, part: str, layer: int) -> str:
    """Return code for a part of a layer of a cell after each word of ``text``, over all units, at each kept epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        tables = []
        for epoch in run.epochs:
            states = read_states(run.load(epoch), text)
            values = states.values($part)[:, $layer]
            columns = {"epoch": epoch, "token": [token.name for token in states.text.read]}
            columns |= {"mean over units": values.mean(axis=1), "least": values.min(axis=1)}
            tables.append(pd.DataFrame(columns | {"largest": values.max(axis=1)}))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        run=run,
        text=text,
        part=part,
        layer=layer,
    )


def like_document(run: str, part: str, document: str, count: int) -> str:
    """Return code for the log-odds through a training of a document and of those that were learnt the same way.

    Args:
        run: whose training.
        part: that the documents are of: ``"TRAINED"``, ``"HELD_OUT"`` or ``"TEST"``.
        document: its id.
        count: of its neighbours.
    """
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.results.dynamics_neighbours import neighbours_of_document
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        log = training_log(open_run($run)).of(Role[$part])
        position = log.ids.index($document)
        found = neighbours_of_document(log, position, $count)
        table = pd.DataFrame({"epoch": log.moments})
        for one in [position, *found.positions]:
            table[log.ids[one]] = log.log_odds[one]
        table["median of all"] = np.median(log.log_odds, axis=0)
        print(table)
        """,
        run=run,
        part=part,
        document=document,
        count=count,
    )


def like_text(run: str, part: str, text: str, target: int, count: int) -> str:
    """Return code for the log-odds of a class for ``text``, and of its documents that were learnt the same way."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.reading.prediction import probabilities
        from nlpviz.results.dynamics_neighbours import neighbours_of_course
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        run, text, target = open_run($run), $text, $target
        log = training_log(run).of(Role[$part])
        log = log.take(np.flatnonzero(log.labels == target))
        shares = np.array([probabilities(run.load(epoch), text)[target] for epoch in run.epochs], dtype=np.float64)
        shares = shares.clip(1e-12, 1 - 1e-12)
        course = pd.Series(np.log(shares / (1 - shares)), index=run.epochs)
        found = neighbours_of_course(log, run.epochs, course, $count)
        table = pd.DataFrame({"this text": course.reindex(log.moments.astype(float).round(4))})
        for name, position in zip(found.ids, found.positions):
            table[name] = log.log_odds[position]
        table["median of all"] = np.median(log.log_odds, axis=0)
        table = table.rename_axis("epoch").reset_index()
        print(table)
        """,
        run=run,
        part=part,
        text=text,
        target=target,
        count=count,
    )
