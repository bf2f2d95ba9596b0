"""Snippets of one text through a training: a word's score, a part of a cell, and the documents learnt the same way."""

from __future__ import annotations

from nlpviz.figures.snippets import written


def part(source: tuple[str, int], text: str, part: tuple[str, int], target: int, word: int | None) -> str:
    """Return code for a part of a layer of a cell after each word of ``text``, over all units, at each kept epoch.

    Args:
        source: the run and the epoch that is drawn.
        text: that is read.
        part: its name, and the layer.
        target: the index of the class whose running prediction orders the units.
        word: the position of the word that stands out; None for none.
    """
    (run, epoch), (name, layer) = source, part
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.gates import read_course
        from nlpviz.analysis.inspection.states import read_states
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.part_by_epoch import part_at_epoch
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        tables, states = [], [read_states(run.load(epoch), text) for epoch in run.epochs]
        courses = read_course(states, $part, $layer, $target)
        for course in courses:
            columns = {"epoch": course.epoch, "token": [token.name for token in course.states.text.read]}
            columns |= {"mean over units": course.values.mean(axis=1), "least": course.values.min(axis=1)}
            tables.append(pd.DataFrame(columns | {"largest": course.values.max(axis=1)}))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        print("The figure:", save_figure(part_at_epoch(courses, $epoch, $word)))
        """,
        run=run,
        epoch=epoch,
        text=text,
        part=name,
        layer=layer,
        target=target,
        word=word,
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

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.time_machine.neighbours import OwnCourse, neighbour_lines
        from nlpviz.results.dynamics_neighbours import neighbours_of_document
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        run = open_run($run)
        log = training_log(run).of(Role[$part])
        position = log.ids.index($document)
        found = neighbours_of_document(log, position, $count)
        table = pd.DataFrame({"epoch": log.moments})
        for one in [position, *found.positions]:
            table[log.ids[one]] = log.log_odds[one]
        table["median of all"] = np.median(log.log_odds, axis=0)
        print(table)
        own, at = OwnCourse($document, log.moments, log.log_odds[position]), str(run.best_epoch)
        print("The figure:", save_figure(neighbour_lines(log, own, found, "the label", {at: at}, at)))
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

        from nlpviz.analysis.inspection.prediction import probabilities
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.time_machine.neighbours import OwnCourse, neighbour_lines
        from nlpviz.results.dynamics_neighbours import neighbours_of_course
        from nlpviz.results.training_log import Role
        from nlpviz.runs import open_run
        from nlpviz.runs.training_log import training_log

        run, text, target = open_run($run), $text, $target
        log = training_log(run).of(Role[$part])
        log = log.take(np.flatnonzero(log.labels == target))
        shares = np.array([probabilities(run.load(epoch), text)[target] for epoch in run.epochs], dtype=np.float64)
        shares = shares.clip(1e-12, 1 - 1e-12)
        own = OwnCourse("this text", np.array(run.epochs, dtype=np.float64), np.log(shares / (1 - shares)))
        found = neighbours_of_course(log, run.epochs, own.log_odds, $count)
        course = pd.Series(own.log_odds, index=run.epochs)
        table = pd.DataFrame({"this text": course.reindex(log.moments.astype(float).round(4))})
        for name, position in zip(found.ids, found.positions):
            table[name] = log.log_odds[position]
        table["median of all"] = np.median(log.log_odds, axis=0)
        table = table.rename_axis("epoch").reset_index()
        print(table)
        of, at = run.class_names[target], str(run.best_epoch)
        print("The figure:", save_figure(neighbour_lines(log, own, found, of, {at: at}, at)))
        """,
        run=run,
        part=part,
        text=text,
        target=target,
        count=count,
    )
