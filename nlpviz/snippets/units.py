"""Snippets of units that follow a feature: the best ones, and what is known of one of them."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written
from nlpviz.snippets.asked import asked

OfUnits = Sequence[tuple[str, int, str]]
"""Runs with an epoch each, and the id of the unit that is shown."""


def ranking(sources: Sources, feature: str) -> str:
    """Return code for how far the best units of a network follow a feature over test texts, as a survey found it."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        rows = []
        for run, epoch in $sources:
            found = unit_survey(open_run(run), epoch).searches[$feature]
            rows += [(found.units[at].id, found.r[at], found.low[at], found.high[at]) for at in found.ranked()]
        table = pd.DataFrame(rows, columns=["unit", "r", "95 % from", "95 % to"])
        print(table)
        """,
        sources=list(sources),
        feature=feature,
    )


def bins(sources: OfUnits, feature: str, title: str) -> str:
    """Return code for a unit's mean where a feature, which people call ``title``, has similar values."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        rows = []
        for run, epoch, unit in $sources:
            bins = unit_survey(open_run(run), epoch).searches[$feature].bins[unit]
            rows += [(run, epoch, unit, *means) for means in zip(bins.feature, bins.unit)]
        table = pd.DataFrame(rows, columns=["run", "epoch", "unit", $title, "mean of the unit"])
        print(table)
        """,
        sources=list(sources),
        feature=feature,
        title=title,
    )


def epochs(run: str, feature: str, unit: str) -> str:
    """Return code for how far a unit, and the best one, follow a feature at each epoch that a run keeps."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        run, unit = open_run($run), $unit
        found = [unit_survey(run, epoch).searches[$feature] for epoch in run.surveyed]
        table = pd.DataFrame({"epoch": run.surveyed})
        table[f"|r| of {unit}"] = [abs(one.r[one.position(unit)]) for one in found]
        table["best |r|"] = [abs(one.r[one.best]) for one in found]
        table["best unit"] = [one.units[one.best].id for one in found]
        table["null's 95 % line"] = [one.threshold for one in found]
        print(table)
        """,
        run=run,
        feature=feature,
        unit=unit,
    )


def ablated(run: str, unit: str) -> str:
    """Return code for the accuracy with a unit's hidden state held at its mean, and with random units' ones."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        run = open_run($run)
        survey = unit_survey(run, run.best_epoch)
        chosen = survey.ablations[$unit]
        others = [one for one in survey.random if one.unit != chosen.unit]
        rows = [chosen, *sorted(others, key=lambda one: one.change.difference)]
        table = pd.DataFrame({"unit": [one.unit.id for one in rows], "accuracy": [one.accuracy for one in rows]})
        table["change (points)"] = [100 * one.change.difference for one in rows]
        table["95 % from"] = [100 * one.change.interval.low for one in rows]
        table["95 % to"] = [100 * one.change.interval.high for one in rows]
        print(table)
        """,
        run=run,
        unit=unit,
    )


def course(sources: OfUnits, words: Sequence[str], text: str, feature: str, listed: Sequence[str]) -> str:
    """Return code for a unit after each word of ``text``, beside the feature that it may follow.

    Args:
        sources: what reads; the text is parted, and the feature weighed, as the first run does it.
        words: which of two comes next, as language models are asked; none of classifiers.
        text: that is read.
        feature: its name.
        listed: the words of a typed list that it is about; none of other features.
    """
    source, known = ("of_words", "of_words($listed)") if listed else ("features", "features()")
    return asked(
        f"""
        import pandas as pd

        from nlpviz.reading.features import {source}
        from nlpviz.reading.states import read_states
        from nlpviz.reading.units_sample import course_of, units_of
        from nlpviz.runs import open_run
        from nlpviz.runs.units import word_weights

        sources, text = $sources, $text
        run, *_ = sources[0]
        first = open_run(run)
        encoded = first.load().encode(text)
        table = pd.DataFrame({{"word": [token.name for token in encoded.read]}})
        table[$feature] = {known}[$feature].course(encoded, word_weights(first))
        for run, epoch, unit in sources:
            trained = open_run(run).load(epoch)
            (chosen,) = [one for one in units_of(trained) if one.id == unit]
            table[f"{{unit}}, {{run}}, epoch {{epoch}}"] = pd.Series(course_of(read_states(trained, text), chosen))
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
        feature=feature,
        **({"listed": list(listed)} if listed else {}),
    )
