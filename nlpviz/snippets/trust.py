"""Snippets of tests of an explanation: words deleted, layers drawn anew, a word list beside it."""

from __future__ import annotations

from nlpviz.snippets import Sources, written


def deletion(sources: Sources, text: str, method: str, target: int) -> str:
    """Return code for the probability of the class ``target`` as tokens are removed in a method's order."""
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.attribution.deletion import deletion_curve
        from nlpviz.runs import open_run

        curves = []
        for run, epoch in $sources:
            trained = open_run(run).load(epoch)
            curve = deletion_curve(trained, explain(trained, $text, $method, target=$target))
            found = pd.DataFrame({"run": run, "epoch": epoch, "tokens removed": curve.taken})
            found["probability"] = curve.probability
            found["at random, mean"] = curve.random.mean(axis=0)
            curves.append(found)
        table = pd.concat(curves)
        print(table)
        """,
        sources=list(sources),
        text=text,
        method=method,
        target=target,
    )


def fifths(source: tuple[str, int], text: str, method: str, target: int) -> str:
    """Return code for which share of the magnitudes lies in each fifth of ``text``, beside the log-count ratio."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.attribution.baselines import LogCountRatio, baselines, like
        from nlpviz.results.fifths import fifths
        from nlpviz.runs import open_run

        run = open_run($run)
        explanation = explain(run.load($epoch), $text, $method, target=$target)
        ratios = next(one for one in baselines(run.corpus["name"]) if one.name == LogCountRatio.name)
        found = fifths(explanation, like(explanation, ratios))
        table = pd.DataFrame({$method: found.share, "log-count ratio": found.other_share})
        table["rank correlation within"] = found.correlation
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        method=method,
        target=target,
    )


def randomised(source: tuple[str, int], text: str, method: str, target: int) -> str:
    """Return code for how the ranks of tokens correlate with those by a network with more and more random layers."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.attribution.randomisation import randomisation, randomised, scores_at
        from nlpviz.runs import open_run

        trained = open_run($run).load($epoch)
        explanation = explain(trained, $text, $method, target=$target)
        stages = randomised(trained)
        scores = [scores_at(stage, explanation) for stage in stages]
        found = randomisation(explanation, [stage.layer for stage in stages], scores)
        table = pd.DataFrame({"rank correlation": [1, *found.scores], "without signs": [1, *found.magnitudes]})
        table.insert(0, "randomised, down to", ["none", *found.layers])
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        method=method,
        target=target,
    )


def stability(source: tuple[str, int], text: str, methods: list[str], before: int | None) -> str:
    """Return code for how much the scores of some methods change with the word vectors, and with another network.

    Args:
        source: the run and the epoch.
        text: that is explained.
        methods: their names.
        before: the epoch before training, where the run keeps it and it is another one.
    """
    run, epoch = source
    return written(
        f"""
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.attribution.stability import stability
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        trained = run.load($epoch)
        explained = [explain(trained, text, method) for method in $methods]
        found = stability(trained, explained, {"None" if before is None else "run.load($before)"})
        table = pd.DataFrame(found.correlation, columns=found.networks)
        table.insert(0, "method", found.methods)
        table.insert(1, "sensitivity", found.sensitivity)
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        methods=methods,
        before=before,
    )


def left_out(run: str) -> str:
    """Return code for how far log-odds move without the training documents of most influence, and without others."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.left_out import left_out

        found = left_out(open_run($run))
        table = pd.DataFrame({"id": found.ids, "the most influential": found.moved("top")[:, 0]})
        for name in ("random", "same", "seeds"):
            moved = found.moved(name)
            for draw in range(moved.shape[1]):
                table[f"{name}, {draw + 1}"] = moved[:, draw]
        print(table)
        """,
        run=run,
    )


def by_fifth(run: str) -> str:
    """Return code for the share of the magnitudes of each order's scores in each fifth of a text, on average."""
    return written(
        """
        import pandas as pd

        from nlpviz.results.faithfulness_survey import BASELINES
        from nlpviz.runs import open_run
        from nlpviz.runs.faithfulness import faithfulness_survey

        survey = faithfulness_survey(open_run($run))
        orders = sorted(survey.orders, key=BASELINES.__contains__)  # what asks no network comes last
        shares = [survey.shares[survey.orders.index(order)] for order in orders]
        table = pd.DataFrame(shares, columns=["first", "second", "third", "fourth", "last"])
        table.insert(0, "order", orders)
        print(table)
        """,
        run=run,
    )
