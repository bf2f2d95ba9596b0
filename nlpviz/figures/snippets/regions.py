"""Snippets of regions and filters: of one text, and over all test texts."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def of_text(source: tuple[str, int], text: str, target: int, rank: str, size: int | None, most: int) -> str:
    """Return code for the strongest regions of ``text``, and what each adds to the score of the class ``target``."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.regions import predictive_regions
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.bars import RankedRegions, region_bars
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


def top_ngrams(
    source: tuple[str, int], target: int, size: int | None, support: int, by: str, *, short: bool = False
) -> str:
    """Return code for the n-grams that move the score of the class ``target`` over all test texts.

    Args:
        source: the run and the epoch.
        target: the index of the class.
        size: of the n-grams; None for all.
        support: in at least so many documents.
        by: ``"total"`` or ``"mean"``, which orders them.
        short: whether the figure shows fewer of them.
    """
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.figures.numbers import unit_of_score
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.top_ngrams import NgramRanking, ranking_bars, strongest
        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import top_ngrams

        run = open_run($run)
        rows = [row for row in top_ngrams(run, $epoch, $target) if row.support >= $support]
        of_size = tuple(row for row in rows if $size in (None, row.size))
        ranking = NgramRanking(run.name, $epoch, of_size, $by, short=$short)
        rows = sorted(ranking.rows, key=ranking.value, reverse=True)
        table = pd.DataFrame(
            [(row.ngram, row.contribution, row.total, row.support, row.precision) for row in rows],
            columns=["n-gram", "mean contribution", "sum", "documents", "precision"],
        )
        print(table)
        score = unit_of_score(len(run.class_names))
        figure = ranking_bars(ranking, run.class_names[$target], score, strongest([ranking]))
        print("The figure:", save_figure(figure))
        """,
        run=run,
        epoch=epoch,
        target=target,
        size=size,
        support=support,
        by=by,
        short=short,
    )


def filters(run: str, epochs: Sequence[int], size: int | None, target: int, chosen: str) -> str:
    """Return code for the filters of a run: the weight of each for the class ``target``, and its activation.

    Args:
        run: its name.
        epochs: one at least.
        size: of the filters; None for all.
        target: the index of the class.
        chosen: the id of the filter that stands out.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.filters import Filters, filter_map
        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import filters

        run, shown = open_run($run), []
        for epoch in $epochs:
            found = tuple(one for one in filters(run, epoch, $target) if $size in (None, one.size))
            shown.append(Filters(run.name, epoch, found))
        table = pd.DataFrame(
            [(one.epoch, one.id, one.weight, one.mean, one.alive) for each in shown for one in each.summaries],
            columns=["epoch", "filter", "weight", "mean activation", "share of documents that activate it"],
        )
        print(table)
        print("The figure:", save_figure(filter_map(shown, run.class_names[$target], $chosen)))
        """,
        run=run,
        epochs=list(epochs),
        size=size,
        target=target,
        chosen=chosen,
    )


def weights(run: str, target: int, size: int | None) -> str:
    """Return code for the strongest weights of a linear classifier over n-grams, for the class ``target``."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.linear import weight_bars
        from nlpviz.runs import open_run
        from nlpviz.runs.counts import read_strongest

        run = open_run($run)
        target = run.class_names[$target]
        rows = [row for row in read_strongest(run)[target] if $size in (None, row.size)]
        rows.sort(key=lambda row: -row.weight)
        table = pd.DataFrame({"n-gram": [row.ngram for row in rows], "log-odds": [row.weight for row in rows]})
        print(table)
        print("The figure:", save_figure(weight_bars(run.name, target, rows)))
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

        from nlpviz.figures.numbers import unit_of_score
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.top_ngrams import longest_ngrams, ranking_bars, strongest
        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import top_ngrams

        run = open_run($run)
        ranking = longest_ngrams(run.name, $epoch, top_ngrams(run, $epoch), support=$support, count=$count)
        table = pd.DataFrame(
            [(row.ngram, row.total, row.support, row.precision) for row in ranking.rows],
            columns=["n-gram", "sum of contributions", "documents", "precision"],
        )
        print(table)
        score = unit_of_score(len(run.class_names))
        print("The figure:", save_figure(ranking_bars(ranking, run.class_names[-1], score, strongest([ranking]))))
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

        from nlpviz.figures.numbers import unit_of_score
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.top_ngrams import ngram_by_epoch
        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import top_ngrams

        run, found = open_run($run), {}
        for epoch in run.surveyed:
            rows = [row for row in top_ngrams(run, epoch, $target) if (row.size, row.ngram) == $ngram]
            found[epoch] = rows[0] if rows else None
        known = [(epoch, row.contribution, row.precision) for epoch, row in found.items() if row]
        table = pd.DataFrame(known, columns=["epoch", "mean contribution", "precision"])
        table = table.set_index("epoch").reindex(run.surveyed).reset_index()
        print(table)
        score, (row, *_) = unit_of_score(len(run.class_names)), filter(None, found.values())
        figure = ngram_by_epoch(run.name, run.class_names[$target], score, row, found)
        print("The figure:", save_figure(figure))
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

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.one_filter import filter_ngrams
        from nlpviz.runs import open_run
        from nlpviz.runs.surveys import filters

        one = filters(open_run($run), $epoch)[$position]
        table = pd.DataFrame(one.ngrams, columns=["n-gram", "activation", "documents"])
        print(table)
        print("The figure:", save_figure(filter_ngrams($run, one, table["activation"].max())))
        """,
        run=run,
        epoch=epoch,
        position=position,
    )


def activations(run: str, epochs: Sequence[int], unit: tuple[str, int], target: int | None) -> str:
    """Return code for how strongly a filter answers documents of each class.

    Args:
        run: its name.
        epochs: one at least.
        unit: the filter's id, and its column in the document embedding.
        target: a class that is compared with all others; None for each by itself.
    """
    name, column = unit
    others = """
        labels, names = (labels == $target).astype(int), ("other classes", names[$target])"""
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.one_filter import Activations, activation_histogram
        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, embeddings_of

        run = open_run($run)
        labels, names = documents_of(run).labels, run.class_names{"" if target is None else others}
        answers = [Activations(run.name, epoch, embeddings_of(run, epoch)[:, $column], labels) for epoch in $epochs]
        edges = np.linspace(0, max(one.values.max() for one in answers) or 1, 25)
        table = pd.DataFrame({{"from": edges[:-1], "to": edges[1:]}})
        for one in answers:
            for label, name in enumerate(names):
                table[f"{{name}}, epoch {{one.epoch}}"] = np.histogram(one.values[labels == label], edges)[0]
        print(table)
        print("The figure:", save_figure(activation_histogram(answers, $name, names)))
        """,
        run=run,
        epochs=list(epochs),
        column=column,
        target=target,
        name=name,
    )


def terms(run: str, text: str, target: int, regression: int) -> str:
    """Return code for what each n-gram of ``text`` adds to the log-odds of the class ``target``.

    Args:
        run: its name.
        text: that is read.
        target: the index of the class.
        regression: of the class; 0 of two classes.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.linear import text_bars
        from nlpviz.runs import open_run
        from nlpviz.runs.ngram_weights import read_weights

        run = open_run($run)
        terms = read_weights(run).terms($text, $regression)
        table = pd.DataFrame(terms, columns=["n-gram", "log-odds"])
        print(table)
        print("The figure:", save_figure(text_bars(run.name, run.class_names[$target], terms)))
        """,
        run=run,
        text=text,
        target=target,
        regression=regression,
    )


def steps(source: tuple[str, int], text: str, target: int) -> str:
    """Return code for the bias and the contributions of regions that add up to the score of the class ``target``."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.regions import predictive_regions
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.regions.class_score import score_steps
        from nlpviz.runs import open_run

        result = predictive_regions(open_run($run).load($epoch), $text, target=$target)
        rows = [(one.name, one.amount) for one in result.steps()]
        table = pd.DataFrame([*rows, ("class score", result.class_score)], columns=["step", "adds"])
        print(table)
        print("The figure:", save_figure(score_steps(result)))
        """,
        run=run,
        epoch=epoch,
        text=text,
        target=target,
    )
