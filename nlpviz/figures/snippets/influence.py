"""Snippets of the training documents because of which a text is classified as it is."""

from __future__ import annotations

from nlpviz.figures.snippets import written


def influence(run: str, text: str, target: int, chosen: str) -> str:
    """Return code for the training documents that lowered and raised the loss of a class of ``text`` most.

    Args:
        run: with sketches.
        text: that is classified.
        target: the class.
        chosen: the document that the figure marks.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.attribution.influence import documents
        from nlpviz.figures.page import save_figure
        from nlpviz.run_kinds.influence import influence
        from nlpviz.runs import open_run

        found = influence(open_run($run), $text, target=$target)
        rows = [*found.helpful(), *found.harmful()]
        table = pd.DataFrame({"id": [found.ids[row] for row in rows]})
        table["influence, thousandths of a nat"] = found.scores[rows] * 1e3
        print(table)
        print("The figure:", save_figure(documents(found, $chosen)))
        """,
        run=run,
        text=text,
        target=target,
        chosen=chosen,
    )


def through(run: str, text: str, target: int, document: str, by: str) -> str:
    """Return code for the influence of a training document, one of the strongest, on a class of ``text``, in parts.

    Args:
        run: with sketches.
        text: that is classified.
        target: the class.
        document: how the corpus calls it.
        by: ``"word"`` or ``"epoch"``.
    """
    parts = {
        "word": "found.strongest_words(position, len(found.words))",
        "epoch": "list(zip(found.epochs, found.by_epoch[:, position]))",
    }
    return written(
        f"""
        import pandas as pd

        from nlpviz.figures.attribution.influence import {by}s
        from nlpviz.figures.page import save_figure
        from nlpviz.run_kinds.influence import influence
        from nlpviz.runs import open_run

        found = influence(open_run($run), $text, target=$target)
        position = found.ids.index($document)
        rows = {parts[by]}
        table = pd.DataFrame(rows, columns=["{by}", "influence, thousandths of a nat"])
        table["influence, thousandths of a nat"] *= 1e3
        print(table)
        print("The figure:", save_figure({by}s(found, position)))
        """,
        run=run,
        text=text,
        target=target,
        document=document,
    )


def left_out(run: str) -> str:
    """Return code for how far log-odds move when training leaves out documents: of most influence, or random ones."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.attribution.left_out import left_out_dots
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.left_out import left_out

        found = left_out(open_run($run))
        table = pd.DataFrame({"id": found.ids, "predicted": found.classes, "log-odds": found.whole})
        table["top"] = found.moved("top")[:, 0]
        for name in ("random", "same", "seeds"):
            for number, moved in enumerate(found.moved(name).T, start=1):
                table[f"{name} {number}"] = moved
        print(table)
        print("The figure:", save_figure(left_out_dots(found)))
        """,
        run=run,
    )
