"""Snippets of how far back networks remember, and of gradients that explode."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written
from nlpviz.snippets.asked import Followed, asked


def lines(sources: Followed, words: Sequence[str], text: str, quantity: str) -> str:
    """Return code for how much a change at each word still changes the state, or the score, after the last one.

    Args:
        sources: what reads.
        words: which of two comes next, as language models are asked; none of classifiers.
        text: that is read.
        quantity: ``"state"`` or ``"score"``.
    """
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.memory import read_memory
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch, target in $sources:
            memory = read_memory(open_run(run).load(epoch), text, target=target)
            columns["words back"] = range(memory.words)
            columns[f"log10, {run}, epoch {epoch}"] = memory.row($quantity)[::-1]
        table = pd.DataFrame(columns)
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
        quantity=quantity,
    )


def matrix(sources: Followed, words: Sequence[str], text: str, quantity: str) -> str:
    """Return code for the median over all pairs of words of each distance of what :func:`lines` has for the last."""
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.memory import read_memory
        from nlpviz.results.memory import by_distance
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch, target in $sources:
            memory = read_memory(open_run(run).load(epoch), text, target=target)
            columns[f"median log10, {run}, epoch {epoch}"] = pd.Series(by_distance(memory.matrix($quantity)))
        table = pd.DataFrame(columns).rename_axis("words from t to T").reset_index()
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
        quantity=quantity,
    )


def replaced(sources: Followed, words: Sequence[str], text: str) -> str:
    """Return code for how far the score moves when each word is replaced, beside its gradient."""
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.memory import read_memory
        from nlpviz.reading.replaced import replace_words
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch, target in $sources:
            trained = open_run(run).load(epoch)
            replaced, name = replace_words(trained, text, target=target), f"{run}, epoch {epoch}"
            columns["word"] = [token.name for token in replaced.text.read]
            columns[f"mean movement, {name}"] = replaced.moved
            columns[f"least, {name}"], columns[f"largest, {name}"] = replaced.band()
            columns[f"mean change, {name}"] = replaced.changes.mean(axis=1)
            columns[f"log10 of the gradient, {name}"] = read_memory(trained, text, target=target).row("score")
        table = pd.DataFrame(columns)
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
    )


def context(sources: Sources, words: Sequence[str], text: str) -> str:
    """Return code for the mean loss of the words of ``text`` by how many words before each were read."""
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.context_loss import lose_context
        from nlpviz.runs import open_run

        text = $text
        rows = []
        for run, epoch in $sources:
            found = lose_context(open_run(run).load(epoch), text)
            rows += [(run, epoch, kept, mean) for kept, mean in zip(found.kept, found.means)]
        table = pd.DataFrame(rows, columns=["run", "epoch", "words before", "mean loss, nats"])
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
    )


def clipping(start: tuple[float, float], rate: float, threshold: float) -> str:
    """Return code for gradient descent from ``start`` (w and b) at a wall of a loss surface, clipped and not."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.clipping import descend

        table = pd.DataFrame()
        for name, threshold in [("not clipped", None), ("clipped", $threshold)]:
            path = descend($start, $rate, threshold)
            table[f"w, {name}"], table[f"b, {name}"] = path.points.T
            table[f"loss, {name}"] = path.losses
            table[f"gradient norm, {name}"] = pd.Series(path.norms)  # none after the last step
        print(table)
        """,
        start=start,
        rate=rate,
        threshold=threshold,
    )


def norms(runs: Sequence[str]) -> str:
    """Return code for the mean norm of the gradients of each epoch's steps, before clipping."""
    return written(
        """
        import pandas as pd

        from nlpviz.kinds import history
        from nlpviz.runs import open_run

        rows = []
        for run in map(open_run, $runs):
            threshold = run.recipe.get("fit", {}).get("clip") or 0.0
            rows += [(run.name, one.epoch, one.gradient_norm, threshold) for one in history(run) if one.epoch > 0]
        table = pd.DataFrame(rows, columns=["run", "epoch", "mean gradient norm", "threshold"])
        print(table)
        """,
        runs=list(runs),
    )
