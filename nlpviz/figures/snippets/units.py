"""Snippets of units that follow a feature: the best ones, and what is known of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpviz.figures.snippets import Sources, written
from nlpviz.figures.snippets.asked import asked

OfUnits = Sequence[tuple[str, int, str]]
"""Runs with an epoch each, and the id of the unit that is shown."""


class Followable(NamedTuple):
    """What units may follow: a feature's name, what people call it, and its unit, empty where it is 0 or 1."""

    feature: str
    title: str
    unit: str


def ranking(sources: Sources, followed: Followable, selected: str, other: tuple[str, int] | None) -> str:
    """Return code for how far the best units of a network follow a feature over test texts, as a survey found it.

    Args:
        sources: runs with their epochs.
        followed: the feature.
        selected: the id of the first run's unit that stands out.
        other: a run of the same network from another seed, with its epoch; None for none.
    """
    run, epoch = other or ("", 0)
    seed = "unit_survey(open_run($run), $epoch).searches[$feature]" if other else "None"
    return written(
        f"""
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.units import unit_bars
        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        searches, rows = [], []
        for run, epoch in $sources:
            found = unit_survey(open_run(run), epoch).searches[$feature]
            searches.append(found)
            rows += [(found.units[at].id, found.r[at], found.low[at], found.high[at]) for at in found.ranked()]
        table = pd.DataFrame(rows, columns=["unit", "r", "95% from", "95% to"])
        print(table)
        another_seed = {seed}
        print("The figure:", save_figure(unit_bars(searches, $title, another_seed, $selected)))
        """,
        sources=list(sources),
        feature=followed.feature,
        title=followed.title,
        selected=selected,
        run=run,
        epoch=epoch,
    )


def bins(sources: OfUnits, followed: Followable) -> str:
    """Return code for a unit's mean where a feature has similar values."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.units_facts import unit_bins
        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        shown, rows = [], []
        for run, epoch, unit in $sources:
            search = unit_survey(open_run(run), epoch).searches[$feature]
            shown.append((unit, search))
            bins = search.bins[unit]
            rows += [(run, epoch, unit, *means) for means in zip(bins.feature, bins.unit)]
        table = pd.DataFrame(rows, columns=["run", "epoch", "unit", $title, "mean of the unit"])
        print(table)
        print("The figure:", save_figure(unit_bins(shown, $title, $unit)))
        """,
        sources=list(sources),
        feature=followed.feature,
        title=followed.title,
        unit=followed.unit,
    )


def epochs(run: str, followed: Followable, unit: str) -> str:
    """Return code for how far a unit, and the best one, follow a feature at each epoch that a run keeps."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.units_facts import unit_epochs
        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        run, unit = open_run($run), $unit
        found = [unit_survey(run, epoch).searches[$feature] for epoch in run.surveyed]
        table = pd.DataFrame({"epoch": run.surveyed})
        table[f"|r| of {unit}"] = [abs(one.r[one.position(unit)]) for one in found]
        table["best |r|"] = [abs(one.r[one.best]) for one in found]
        table["best unit"] = [one.units[one.best].id for one in found]
        table["chance threshold (95%)"] = [one.threshold for one in found]
        print(table)
        print("The figure:", save_figure(unit_epochs(found, unit, $title)))
        """,
        run=run,
        feature=followed.feature,
        title=followed.title,
        unit=unit,
    )


def ablated(run: str, unit: str) -> str:
    """Return code for the accuracy with a unit's hidden state held at its mean, and with random units' ones."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.units_facts import ablation_dots
        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        run = open_run($run)
        survey = unit_survey(run, run.best_epoch)
        chosen = survey.ablations[$unit]
        others = [one for one in survey.random if one.unit != chosen.unit]
        rows = [chosen, *sorted(others, key=lambda one: one.change.difference)]
        table = pd.DataFrame({"unit": [one.unit.id for one in rows], "accuracy": [one.accuracy for one in rows]})
        table["change (points)"] = [100 * one.change.difference for one in rows]
        table["95% from"] = [100 * one.change.interval.low for one in rows]
        table["95% to"] = [100 * one.change.interval.high for one in rows]
        print(table)
        print("The figure:", save_figure(ablation_dots(chosen, survey, run.name, run.best_epoch)))
        """,
        run=run,
        unit=unit,
    )


def course(sources: OfUnits, words: Sequence[str], text: str, followed: Followable, listed: Sequence[str]) -> str:
    """Return code for a unit after each word of ``text``, beside the feature that it may follow.

    Args:
        sources: what reads; the feature is weighed as the first run does it.
        words: which of two comes next, as language models are asked; none of classifiers.
        text: that is read.
        followed: the feature.
        listed: the words of a typed list that it is about; none of other features.
    """
    source, known = ("of_words", "of_words($listed)") if listed else ("features", "features()")
    return asked(
        f"""
        import pandas as pd

        from nlpviz.analysis.inspection.features import {source}
        from nlpviz.analysis.inspection.states import read_states
        from nlpviz.analysis.inspection.units_sample import course_of, units_of
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.units_course import UnitCourse, course_lines
        from nlpviz.runs import open_run
        from nlpviz.runs.units import word_weights

        sources, text, courses = $sources, $text, []
        run, *_ = sources[0]
        feature, weights = {known}[$feature], word_weights(open_run(run))
        for run, epoch, unit in sources:
            trained = open_run(run).load(epoch)
            (chosen,) = [one for one in units_of(trained) if one.id == unit]
            states = read_states(trained, text)
            values, course = course_of(states, chosen), feature.course(states.text, weights)
            courses.append(UnitCourse(run, epoch, chosen, states.text, values, course))
        table = pd.DataFrame({{"word": [token.name for token in courses[0].encoded.read]}})
        table[$feature] = courses[0].feature
        for one in courses:
            table[f"{{one.unit.id}}, {{one.run}}, epoch {{one.epoch}}"] = pd.Series(one.values)
        print(table)
        print("The figure:", save_figure(course_lines(courses, $title, $unit)))
        """,
        words,
        sources=list(sources),
        text=text,
        feature=followed.feature,
        title=followed.title,
        unit=followed.unit,
        **({"listed": list(listed)} if listed else {}),
    )
