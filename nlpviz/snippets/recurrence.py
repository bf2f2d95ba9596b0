"""Snippets of networks that read word by word: what they remember."""

from __future__ import annotations

from nlpviz.snippets import Sources, written


def memory(sources: Sources, text: str, quantity: str, target: int) -> str:
    """Return code for how much a change at each word still changes the state, or the score, after the last one.

    Args:
        sources: runs with their epochs.
        text: that is read.
        quantity: ``"state"`` or ``"score"``.
        target: the index of the class whose score it is.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.reading.memory import read_memory
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            memory = read_memory(open_run(run).load(epoch), text, target=$target)
            columns["words back"] = range(memory.words)
            columns[f"log10, {run}, epoch {epoch}"] = memory.row($quantity)[::-1]
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        quantity=quantity,
        target=target,
    )
