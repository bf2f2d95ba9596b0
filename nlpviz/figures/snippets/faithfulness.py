"""Snippets of which methods can be believed, over many test documents."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def faithfulness(runs: Sequence[str], measure: str) -> str:
    """Return code for how faithful methods are to networks over many documents; ``measure`` as the view says."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution.baselines import titles
        from nlpviz.figures.attribution.methods_by_run import methods_by_run
        from nlpviz.figures.page import save_figure
        from nlpviz.results.faithfulness_survey import by_value
        from nlpviz.runs import open_run
        from nlpviz.runs.faithfulness import faithfulness_survey

        runs = [open_run(run) for run in $runs]
        surveys = [faithfulness_survey(run) for run in runs]
        rows = []
        for survey in surveys:
            known = [name for name in by_value(surveys, $measure) if name in survey.orders]
            rows += [(survey.run, name, *survey.cell(name, $measure)[0]) for name in known]
            rows.append((survey.run, "random", *survey.at_random($measure)))
        table = pd.DataFrame(rows, columns=["run", "order", "mean", "low", "high"])
        print(table)
        networks = {run.name: run.title for run in runs}
        print("The figure:", save_figure(methods_by_run(surveys, $measure, titles(), networks)))
        """,
        runs=list(runs),
        measure=measure,
    )


def shares_by_fifth(run: str) -> str:
    """Return code for where in a text the scores of each order lie, on average over many documents."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution.baselines import titles
        from nlpviz.figures.attribution.methods_by_run import shares_by_fifth
        from nlpviz.figures.page import save_figure
        from nlpviz.results.faithfulness_survey import BASELINES
        from nlpviz.runs import open_run
        from nlpviz.runs.faithfulness import faithfulness_survey

        survey = faithfulness_survey(open_run($run))
        fifths = ["first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth"]
        table = pd.DataFrame(survey.shares, columns=fifths)
        table.insert(0, "order", survey.orders)
        table = table.sort_values("order", key=lambda names: names.isin(BASELINES), kind="stable")
        print(table)
        print("The figure:", save_figure(shares_by_fifth(survey, titles())))
        """,
        run=run,
    )


def retrained(run: str) -> str:
    """Return code for what networks reach that were trained again without what methods call important."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution.baselines import titles
        from nlpviz.figures.attribution.roar import roar_curves
        from nlpviz.figures.page import save_figure
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
        print("The figure:", save_figure(roar_curves(found, titles())))
        """,
        run=run,
    )
