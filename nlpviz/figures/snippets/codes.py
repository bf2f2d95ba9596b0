"""Snippets of autoencoders of documents: codes, what comes back, walks, topics."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def code(source: tuple[str, int], text: str) -> str:
    """Return code for the code of ``text``, unit by unit."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.codes import text_code
        from nlpviz.figures.codes.units import code_units
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        found = text_code(open_run($run).load($epoch), $text)
        table = pd.DataFrame({"unit": range(len(found.mean)), "code": found.mean})
        print(table)
        print("The figure:", save_figure(code_units(found)))
        """,
        run=run,
        epoch=epoch,
        text=text,
    )


def words_back(source: tuple[str, int], text: str) -> str:
    """Return code for the words that come back from the code of ``text``, and those of the text."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.codes import text_code
        from nlpviz.figures.codes.words_back import words_back
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        found = text_code(open_run($run).load($epoch), $text)
        words = [*found.returned, *found.read]
        table = pd.DataFrame({"word": [one.word for one in words]})
        table["probability"] = [one.probability for one in words]
        print(table)
        print("The figure:", save_figure(words_back(found)))
        """,
        run=run,
        epoch=epoch,
        text=text,
    )


def walk(source: tuple[str, int], first: str, second: str) -> str:
    """Return code for what lies between the codes of two texts."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.codes import walk
        from nlpviz.figures.codes.walk import walk_words
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        found = walk(open_run($run).load($epoch), $first, $second, ("one end", "the other"))
        table = pd.DataFrame(found.probabilities, columns=[f"p({word})" for word in found.words])
        table.insert(0, "share", found.shares)
        print(table)
        print("The figure:", save_figure(walk_words(found)))
        """,
        run=run,
        epoch=epoch,
        first=first,
        second=second,
    )


def topic(source: tuple[str, int], unit: int) -> str:
    """Return code for the words that one unit makes more and less likely."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.codes import unit_topics
        from nlpviz.figures.codes.topics import unit_words
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.codes import divergences_of

        run = open_run($run)
        topic = unit_topics(run.load($epoch), divergences_of(run, $epoch))[$unit]
        words = [*topic.up, *topic.down]
        table = pd.DataFrame(words, columns=["word", "change of log p (nats)"])
        print(table)
        print("The figure:", save_figure(unit_words(topic, run.title, $epoch)))
        """,
        run=run,
        epoch=epoch,
        unit=unit,
    )


def remedies(runs: Sequence[str]) -> str:
    """Return code for how the codes of some runs collapse or not, epoch by epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.codes.remedies import Trained, remedies
        from nlpviz.figures.page import save_figure
        from nlpviz.run_kinds import history
        from nlpviz.runs import open_run

        runs = [open_run(name) for name in $runs]
        table = pd.DataFrame([one for run in runs for one in history(run)])
        table = table[["epoch", "active", "divergence", "information"]]
        print(table)
        trained = [Trained(run.recipe["remedy"], run.name, history(run)) for run in runs]
        print("The figure:", save_figure(remedies(trained)))
        """,
        runs=list(runs),
    )


def unit_classes(source: tuple[str, int], unit: int) -> str:
    """Return code for how well each unit separates each class from the others (AUC); ``unit`` stands out."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.codes import unit_classes, unit_topics
        from nlpviz.figures.codes import topics
        from nlpviz.figures.page import save_figure
        from nlpviz.results.codes import ranked_units
        from nlpviz.runs import open_run
        from nlpviz.runs.codes import divergences_of

        run = open_run($run)
        model = run.load($epoch)
        found = unit_classes(model)
        table = pd.DataFrame(found.auc, columns=found.classes)
        print(table)
        order = [one.unit for one in ranked_units(unit_topics(model, divergences_of(run, $epoch)))]
        print("The figure:", save_figure(topics.unit_classes(found, order, $unit)))
        """,
        run=run,
        epoch=epoch,
        unit=unit,
    )
