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

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.bars import RankedRegions, region_bars
        from nlpviz.reading.regions import predictive_regions
        from nlpviz.results.survey import UNCOUNTED
        from nlpviz.runs import open_run

        text = $text
        result = predictive_regions(open_run($run).load($epoch), text, target=$target)
        strongest = result.ranked($rank, size=$size)[:$most]
        table = pd.DataFrame(
            [(one.ngram, one.contribution, one.norm, one.won) for one in strongest],
            columns=["n-gram", "contribution", "norm", "filters won"],
        )
        print(table)
        times = dict.fromkeys((one.words for one in strongest), UNCOUNTED)  # the page counts them in the training texts
        ranked = RankedRegions(result, $rank, tuple(strongest), times)
        print("The figure:", save_figure(region_bars(ranked, max(map(abs, map(ranked.strength, strongest))))))
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


def strongest_ngrams(source: tuple[str, int], support: int, count: int) -> str:
    """Return code for the longest n-grams, ``count`` each way, that move the score of the last class most in all."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import top_ngrams

        rows = [row for row in top_ngrams(open_run($run), $epoch) if row.support >= $support]
        size = max(row.size for row in rows)
        rows = sorted((row for row in rows if row.size == size), key=lambda row: -row.total)
        strongest = [row for row in rows if row.total > 0][:$count] + [row for row in rows if row.total < 0][-$count:]
        table = pd.DataFrame(
            [(row.ngram, row.total, row.support, row.precision) for row in strongest],
            columns=["n-gram", "sum of contributions", "documents", "precision"],
        )
        print(table)
        """,
        run=run,
        epoch=epoch,
        support=support,
        count=count,
    )


def ngram_by_epoch(run: str, target: int, ngram: tuple[int, str]) -> str:
    """Return code for an n-gram, by its size and words, at each kept epoch, with gaps where it is no top one."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import top_ngrams

        run, found = open_run($run), {}
        for epoch in run.surveyed:
            for row in top_ngrams(run, epoch, $target):
                if (row.size, row.ngram) == $ngram:
                    found[epoch] = (row.contribution, row.precision)
        table = pd.DataFrame.from_dict(found, orient="index", columns=["mean contribution", "precision"])
        table = table.reindex(run.surveyed).rename_axis("epoch").reset_index()
        print(table)
        """,
        run=run,
        target=target,
        ngram=ngram,
    )


def filter_ngrams(source: tuple[str, int], position: int) -> str:
    """Return code for the n-grams that activate a filter most, by its position among all."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import filters

        one = filters(open_run($run), $epoch)[$position]
        table = pd.DataFrame(one.ngrams, columns=["n-gram", "activation", "documents"])
        print(table)
        """,
        run=run,
        epoch=epoch,
        position=position,
    )


def activations(run: str, epochs: Sequence[int], column: int, target: int | None) -> str:
    """Return code for how strongly a filter answers documents of each class.

    Args:
        run: its name.
        epochs: one at least.
        column: of the filter, in the document embedding.
        target: a class that stands beside all others; None for each by itself.
    """
    several = '{"other classes": labels != $target, run.class_names[$target]: labels == $target}'
    of_class = "{name: labels == label for label, name in enumerate(run.class_names)}" if target is None else several
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, embeddings_of

        run = open_run($run)
        labels = documents_of(run).labels
        of_class = {of_class}
        answers = {{epoch: embeddings_of(run, epoch)[:, $column] for epoch in $epochs}}
        edges = np.linspace(0, max(values.max() for values in answers.values()) or 1, 25)
        table = pd.DataFrame({{"from": edges[:-1], "to": edges[1:]}})
        for epoch, values in answers.items():
            for name, rows in of_class.items():
                table[f"{{name}}, epoch {{epoch}}"] = np.histogram(values[rows], edges)[0]
        print(table)
        """,
        run=run,
        epochs=list(epochs),
        column=column,
        target=target,
    )


def terms(run: str, text: str, regression: int) -> str:
    """Return code for what each n-gram of ``text`` adds to a class's log-odds; ``regression`` is 0 of two classes."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.ngram_weights import read_weights

        terms = read_weights(open_run($run)).terms($text, $regression)
        table = pd.DataFrame(terms, columns=["n-gram", "log-odds"])
        print(table)
        """,
        run=run,
        text=text,
        regression=regression,
    )


def steps(source: tuple[str, int], text: str, target: int) -> str:
    """Return code for the bias and the contributions of regions that add up to the score of the class ``target``."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.regions import predictive_regions
        from nlpviz.runs import open_run

        result = predictive_regions(open_run($run).load($epoch), $text, target=$target)
        rows = [(one.name, one.amount) for one in result.steps()]
        table = pd.DataFrame([*rows, ("class score", result.class_score)], columns=["step", "adds"])
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        target=target,
    )
