"""Snippets of how far back networks remember, and of gradients that explode."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import Sources, written
from nlpviz.figures.snippets.asked import Followed, asked


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

        from nlpviz.analysis.inspection.memory import read_memory
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.memory_lines import memory_lines
        from nlpviz.runs import open_run

        text = $text
        memories, columns = [], {}
        for run, epoch, target in $sources:
            memory = read_memory(open_run(run).load(epoch), text, target=target)
            memories.append(memory)
            columns["words back"] = range(memory.words)
            columns[f"log10, {run}, epoch {epoch}"] = memory.row($quantity)[::-1]
        table = pd.DataFrame(columns)
        print(table)
        print("The figure:", save_figure(memory_lines(memories, $quantity)))
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

        from nlpviz.analysis.inspection.memory import read_memory
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.memory_matrix import memory_matrix
        from nlpviz.results.memory import by_distance
        from nlpviz.runs import open_run

        text = $text
        memories, columns = [], {}
        for run, epoch, target in $sources:
            memory = read_memory(open_run(run).load(epoch), text, target=target)
            memories.append(memory)
            columns[f"median log10, {run}, epoch {epoch}"] = pd.Series(by_distance(memory.matrix($quantity)))
        table = pd.DataFrame(columns).rename_axis("words from t to T").reset_index()
        print(table)
        print("The figure:", save_figure(memory_matrix(memories, $quantity)))
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

        from nlpviz.analysis.inspection.memory import read_memory
        from nlpviz.analysis.inspection.replaced import replace_words
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.panels import reference
        from nlpviz.figures.recurrence.memory_replaced import replaced_words
        from nlpviz.results.replaced_words import parting
        from nlpviz.runs import open_run

        text = $text
        memories, every, columns = [], [], {}
        for run, epoch, target in $sources:
            trained = open_run(run).load(epoch)
            replaced, name = replace_words(trained, text, target=target), f"{run}, epoch {epoch}"
            memories.append(read_memory(trained, text, target=target))
            every.append(replaced)
            columns["word"] = [token.name for token in replaced.text.read]
            columns[f"mean |change|, {name}"] = replaced.moved
            columns[f"least, {name}"], columns[f"largest, {name}"] = replaced.band()
            columns[f"mean change, {name}"] = replaced.changes.mean(axis=1)
            columns[f"log10 of the gradient, {name}"] = memories[-1].row("score")
        table = pd.DataFrame(columns)
        print(table)
        found = parting(reference(memories), reference(every))
        print("The figure:", save_figure(replaced_words(memories, every, found)))
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

        from nlpviz.analysis.inspection.context_loss import lose_context
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.context_loss import context_lines
        from nlpviz.runs import open_run

        text = $text
        shown, rows = [], []
        for run, epoch in $sources:
            found = lose_context(open_run(run).load(epoch), text)
            shown.append(found)
            rows += [(run, epoch, kept, mean) for kept, mean in zip(found.kept, found.means)]
        table = pd.DataFrame(rows, columns=["run", "epoch", "words of context", "mean loss, nats"])
        print(table)
        print("The figure:", save_figure(context_lines(shown)))
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

        from nlpviz.analysis.inspection.clipping import descend, loss_surface
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.memory_clipping import clipped_descent

        free, clipped = (descend($start, $rate, threshold) for threshold in [None, $threshold])
        table = pd.DataFrame()
        for name, path in [("not clipped", free), ("clipped", clipped)]:
            table[f"w, {name}"], table[f"b, {name}"] = path.points.T
            table[f"loss, {name}"] = path.losses
            table[f"gradient norm, {name}"] = pd.Series(path.norms)  # none after the last step
        print(table)
        print("The figure:", save_figure(clipped_descent(loss_surface(), free, clipped)))
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

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.memory_clipping import norms_by_epoch
        from nlpviz.run_kinds.drawn.curves import gradient_norms
        from nlpviz.runs import open_run

        found = [gradient_norms(open_run(run)) for run in $runs]
        rows = [(one.run, *both, one.threshold) for one in found for both in zip(one.epochs, one.norms)]
        table = pd.DataFrame(rows, columns=["run", "epoch", "mean gradient norm", "threshold"])
        print(table)
        print("The figure:", save_figure(norms_by_epoch(found)))
        """,
        runs=list(runs),
    )
