"""Snippets of explanations: scores of tokens, how methods compare, and what training documents did."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written


def scores(sources: Sources, text: str, method: str, target: int) -> str:
    """Return code for the scores of the tokens of ``text``, by one method, for the class ``target``."""
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            explanation = explain(open_run(run).load(epoch), text, $method, target=$target)
            columns["token"] = pd.Series([token.word for token in explanation.encoded.read])
            columns[f"score, {run}, epoch {epoch}"] = pd.Series(explanation.scores)
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        method=method,
        target=target,
    )


def course(runs: Sequence[str], text: str, target: int) -> str:
    """Return code for how probable the class ``target`` is for ``text`` at each epoch that some runs keep."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.prediction import probabilities
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run in map(open_run, $runs):
            given = [float(probabilities(run.load(epoch), text)[$target]) for epoch in run.epochs]
            columns[f"P, {run.name}"] = pd.Series(given, index=run.epochs)
        table = pd.DataFrame(columns).rename_axis("epoch").reset_index()
        print(table)
        """,
        runs=list(runs),
        text=text,
        target=target,
    )


def influence(run: str, text: str, target: int) -> str:
    """Return code for the training documents that lowered and raised the loss of a class of ``text`` most."""
    return written(
        """
        import pandas as pd

        from nlpviz.kinds.influence import influence
        from nlpviz.runs import open_run

        found = influence(open_run($run), $text, target=$target)
        rows = [*found.helpful(), *found.harmful()]
        table = pd.DataFrame({"id": [found.ids[row] for row in rows]})
        table["influence, millionths of a nat"] = found.scores[rows] * 1e6
        print(table)
        """,
        run=run,
        text=text,
        target=target,
    )


def influence_of(run: str, text: str, target: int, document: str, part: str) -> str:
    """Return code for the influence of one training document on a class of ``text``, in parts.

    Args:
        run: whose network is explained.
        text: that is predicted.
        target: the class's index.
        document: the id of the training document.
        part: ``"words"``, through which it acts, or ``"epochs"``, at which.
    """
    parts = {
        "words": """
        words = found.strongest_words(position, len(found.words))
        table = pd.DataFrame({"word": [word for word, _ in words]})
        table["influence, millionths of a nat"] = [1e6 * value for _, value in words]
        """,
        "epochs": """
        table = pd.DataFrame({"epoch": found.epochs})
        table["influence, millionths of a nat"] = found.by_epoch[:, position] * 1e6
        """,
    }
    return written(
        f"""
        import pandas as pd

        from nlpviz.kinds.influence import influence
        from nlpviz.runs import open_run

        found = influence(open_run($run), $text, target=$target)
        position = found.ids.index($document)
        {parts[part].strip()}
        print(table)
        """,
        run=run,
        text=text,
        target=target,
        document=document,
    )


def retrained(run: str) -> str:
    """Return code for what networks reach that were trained again without what methods call important."""
    return written(
        """
        import pandas as pd

        from nlpviz.results.roar import RANDOM, WHOLE
        from nlpviz.runs import open_run
        from nlpviz.runs.roar import roar_of

        found = roar_of(open_run($run))
        rows = [(WHOLE, 0.0), *((order, share) for order in (RANDOM, *found.methods) for share in found.shares)]
        reached = [found.reached(order, share) for order, share in rows]
        table = pd.DataFrame({"masked": [share for _, share in rows]})
        table["accuracy"] = [one.accuracy for one in reached]
        table["from"] = [one.interval.low for one in reached]
        table["to"] = [one.interval.high for one in reached]
        print(table)
        """,
        run=run,
    )


def faithfulness(runs: Sequence[str], measure: str) -> str:
    """Return code for how faithful methods are to networks over many documents; ``measure`` as the view says."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.attribution.methods_by_run import at_random, by_value
        from nlpviz.runs import open_run
        from nlpviz.runs.faithfulness import faithfulness_survey

        surveys = [faithfulness_survey(open_run(run)) for run in $runs]
        rows = []
        for survey in surveys:
            known = [name for name in by_value(surveys, $measure) if name in survey.orders]
            rows += [(survey.run, name, *survey.cell(name, $measure)[0]) for name in known]
            rows.append((survey.run, "random", *at_random(survey, $measure)))
        table = pd.DataFrame(rows, columns=["run", "order", "mean", "low", "high"])
        print(table)
        """,
        runs=list(runs),
        measure=measure,
    )


def methods_compared(source: tuple[str, int], text: str) -> str:
    """Return code for how faithful each method is on ``text``, between the worst and the best order of its words."""
    run, epoch = source
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.attribution.baselines import baselines, like
        from nlpviz.attribution.panel import step_by_step
        from nlpviz.attribution.ranking import ordered
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        trained, unasked = run.load($epoch), baselines(run.corpus["name"])
        steps = step_by_step(
            trained,
            ordered(run),
            lambda method: explain(trained, text, method),
            baselines_of=lambda one: [like(one, baseline) for baseline in unasked],
        )
        *_, (_, found) = steps  # without the first ones, which know the quick methods alone
        order = np.argsort(-found.comprehensiveness, kind="stable")
        random = [f"random order {number}" for number in range(1, 1 + len(found.random_removed))]
        table = pd.DataFrame({"order": [*(found.methods[at] for at in order), "best order", "worst order", *random]})
        for measure, name in enumerate(["comprehensiveness", "sufficiency"]):
            ends, by_chance = [found.best[measure], found.worst[measure]], getattr(found, f"random_{name}")
            values = np.concatenate([getattr(found, name)[order], ends, by_chance])
            table[f"{name}, normalised"] = found.normalised(values, measure)
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
    )


def agreement(source: tuple[str, int], text: str, methods: Sequence[str], measure: str) -> str:
    """Return code for the rank correlation of each two methods on ``text``, or the strongest words that they share.

    Args:
        source: the run and the epoch.
        text: that is explained.
        methods: their names.
        measure: ``"correlation"`` or ``"overlap"``.
    """
    run, epoch = source
    of = "overlap" if measure == "overlap" else "correlation"
    return written(
        f"""
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.attribution.baselines import baselines, like
        from nlpviz.results.agreement import agreement
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        trained = run.load($epoch)
        explained = [explain(trained, text, method) for method in $methods]
        unasked = [one for one in baselines(run.corpus["name"]) if one.name != "earlier"]
        agreed = agreement(explained + [like(explained[0], one) for one in unasked])
        table = pd.DataFrame(agreed.{of}, columns=agreed.methods)
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        methods=list(methods),
    )


def edited(source: tuple[str, int], texts: tuple[str, str], method: str, target: int) -> str:
    """Return code for what edits do to the scores of the words of a text; ``texts`` before and after them."""
    run, epoch = source
    before, after = texts
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.results.score_changes import score_changes
        from nlpviz.runs import open_run

        original, edited = $before, $after
        trained = open_run($run).load($epoch)
        both = [explain(trained, text, $method, target=$target) for text in (original, edited)]
        changes = score_changes(*both)
        table = pd.DataFrame([one.words for one in changes], columns=["original", "edited"])
        table[["score, original", "score, edited"]] = [one.scores for one in changes]
        print(table)
        """,
        run=run,
        epoch=epoch,
        before=before,
        after=after,
        method=method,
        target=target,
    )


def trail(source: tuple[str, int], text: str, edits: str, target: int) -> str:
    """Return code for how probable a class is after each step of a trail of edits.

    Args:
        source: the run and the epoch.
        text: without edits.
        edits: the steps, as the address has them.
        target: the class.
    """
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.prediction import probabilities
        from nlpviz.runs import open_run
        from nlpviz.text.edit_trail import read, walk

        run, text = open_run($run), $text
        trained, (steps, _) = run.load($epoch), read($edits)
        walked = walk(text, steps, run.vocabulary.tokens)
        table = pd.DataFrame({"edit": ["the original", *walked.said]})
        table["probability"] = [probabilities(trained, one)[$target] for one in walked.texts]
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        edits=edits,
        target=target,
    )
