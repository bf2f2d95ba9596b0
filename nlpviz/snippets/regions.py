"""Snippets of regions and filters: of one text, and over all test texts."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def of_text(source: tuple[str, int], text: str, target: int, rank: str, size: int | None, most: int) -> str:
    """Return code for the strongest regions of ``text``, and what each adds to the score of the class ``target``."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.regions import predictive_regions
        from nlpviz.runs import open_run

        text = $text
        result = predictive_regions(open_run($run).load($epoch), text, target=$target)
        strongest = result.ranked($rank, size=$size)[:$most]
        table = pd.DataFrame(
            [(one.ngram, one.contribution, one.norm, one.won) for one in strongest],
            columns=["n-gram", "contribution", "norm", "filters won"],
        )
        print(table)
        """,
        text=text,
        run=run,
        epoch=epoch,
        target=target,
        rank=rank,
        size=size,
        most=most,
    )


def top_ngrams(source: tuple[str, int], target: int, size: int | None, support: int, by: str) -> str:
    """Return code for the n-grams that move the score of the class ``target`` over all test texts.

    Args:
        source: the run and the epoch.
        target: the index of the class.
        size: of the n-grams; None for all.
        support: in at least so many documents.
        by: ``"total"`` or ``"mean"``, which orders them.
    """
    run, epoch = source
    return written(
        f"""
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import top_ngrams

        rows = [row for row in top_ngrams(open_run($run), $epoch, $target) if row.support >= $support]
        rows = [row for row in rows if $size in (None, row.size)]
        rows.sort(key=lambda row: -row.{"total" if by == "total" else "contribution"})
        table = pd.DataFrame(
            [(row.ngram, row.contribution, row.total, row.support, row.precision) for row in rows],
            columns=["n-gram", "mean contribution", "sum", "documents", "precision"],
        )
        print(table)
        """,
        run=run,
        epoch=epoch,
        target=target,
        size=size,
        support=support,
    )


def filters(run: str, epochs: Sequence[int], size: int | None, target: int) -> str:
    """Return code for the filters of a run: the weight of each for the class ``target``, and its activation."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import filters

        rows = [one for epoch in $epochs for one in filters(open_run($run), epoch, $target)]
        table = pd.DataFrame(
            [(one.epoch, one.id, one.weight, one.mean, one.alive) for one in rows if $size in (None, one.size)],
            columns=["epoch", "filter", "weight", "mean activation", "active, share of documents"],
        )
        print(table)
        """,
        run=run,
        epochs=list(epochs),
        size=size,
        target=target,
    )


def weights(run: str, target: int, size: int | None) -> str:
    """Return code for the strongest weights of a linear classifier over n-grams, for the class ``target``."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.counts import read_strongest

        run = open_run($run)
        rows = [row for row in read_strongest(run)[run.class_names[$target]] if $size in (None, row.size)]
        rows.sort(key=lambda row: -row.weight)
        table = pd.DataFrame({"n-gram": [row.ngram for row in rows], "log-odds": [row.weight for row in rows]})
        print(table)
        """,
        run=run,
        target=target,
        size=size,
    )


def ngram(run: str, target: int, size: int, ngram: str) -> str:
    """Return code for what one n-gram does to the score of the class ``target``, at every kept epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import top_ngrams

        run, rows = open_run($run), []
        for epoch in run.epochs:
            ranked = {(row.size, row.ngram): row for row in top_ngrams(run, epoch, $target)}
            if row := ranked.get(($size, $ngram)):
                rows.append((epoch, row.contribution, row.support, row.precision))
            else:  # only the strongest of each epoch are kept
                rows.append((epoch, None, None, None))
        table = pd.DataFrame(rows, columns=["epoch", "mean contribution", "documents", "precision"], dtype=float)
        print(table)
        """,
        run=run,
        target=target,
        size=size,
        ngram=ngram,
    )


def of_filter(source: tuple[str, int], name: str) -> str:
    """Return code for the n-grams that activate the filter called ``name`` most, over all test texts."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import filters

        one = next(one for one in filters(open_run($run), $epoch) if one.id == $name)
        rows = [(said.ngram, said.activation, said.support) for said in one.ngrams]
        table = pd.DataFrame(rows, columns=["n-gram", "activation", "documents"])
        print(table)
        """,
        run=run,
        epoch=epoch,
        name=name,
    )


def activations(run: str, epochs: Sequence[int], place: int, target: int | None) -> str:
    """Return code for how many of the kept test documents activate a filter how strongly, by their labels.

    Args:
        run: of a network whose document embeddings are the pooled activations.
        epochs: that are compared.
        place: of the filter's activation in the embedding.
        target: the class that stands beside all others; None to tell both of two apart.
    """
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, embeddings_of

        run = open_run($run)
        labels = documents_of(run).labels{"" if target is None else " == $target"}
        values = [embeddings_of(run, epoch)[:, $place] for epoch in $epochs]
        edges = np.linspace(0, max(one.max() for one in values) or 1, 25)
        table = pd.DataFrame({{"from": edges[:-1], "to": edges[1:]}})
        for epoch, one in zip($epochs, values):
            for label in (0, 1):
                table[f"label {{label}}, epoch {{epoch}}"] = np.histogram(one[labels == label], edges)[0]
        print(table)
        """,
        run=run,
        epochs=list(epochs),
        place=place,
        target=target,
    )


def weights_of_text(run: str, text: str, target: int) -> str:
    """Return code for what each n-gram of ``text`` adds to the log-odds of the class ``target``."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.ngram_weights import read_weights

        known = read_weights(open_run($run))
        rows = known.terms($text, $target if len(known.biases) > 1 else 0)
        table = pd.DataFrame({"n-gram": [row.ngram for row in rows], "log-odds": [row.weight for row in rows]})
        print(table)
        """,
        run=run,
        text=text,
        target=target,
    )


def steps(source: tuple[str, int], text: str, target: int) -> str:
    """Return code for the bias and the contributions of regions that add up to the score of the class ``target``."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.figures.regions.class_score import steps
        from nlpviz.reading.regions import predictive_regions
        from nlpviz.runs import open_run

        result = predictive_regions(open_run($run).load($epoch), $text, target=$target)
        rows = [(one.name, one.amount) for one in steps(result)]
        table = pd.DataFrame([*rows, ("class score", result.class_score)], columns=["step", "adds"])
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        target=target,
    )
