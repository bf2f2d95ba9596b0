"""Snippets of the states of recurrent networks: gates, units, modifiers, slow points, gradient norms."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Literal, Sources, written


def unit(sources: Sources, text: str, layer: int, unit: int) -> str:
    """Return code for every part of one unit after each word of ``text``; layer and unit from 0."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.results.states import HIDDEN_STATE
        from nlpviz.runs import open_run

        tables = []
        for run, epoch in $sources:
            states = read_states(open_run(run).load(epoch), $text)
            parts = dict.fromkeys([*states.parts, HIDDEN_STATE])
            tables.append(pd.DataFrame({part: states.values(part)[:, $layer, $unit] for part in parts}))
        table = pd.concat(tables)
        print(table)
        """,
        sources=list(sources),
        text=text,
        layer=layer,
        unit=unit,
    )


def saturation(sources: Sources, text: str) -> str:
    """Return code for how often each unit's gates are open, and closed, over the words of ``text``."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.results.gates import CLOSED, OPEN, saturation
        from nlpviz.runs import open_run

        found = []
        for run, epoch in $sources:
            for one in saturation(read_states(open_run(run).load(epoch), $text)):
                gate = pd.DataFrame({f"open (> {OPEN})": one.opened, f"closed (< {CLOSED})": one.closed})
                gate.insert(0, "gate", one.gate)
                found.append(gate)
        table = pd.concat(found)
        print(table)
        """,
        sources=list(sources),
        text=text,
    )


def unit_epochs(run: str, feature: str, unit: str) -> str:
    """Return code for how far a unit follows a feature at every kept epoch, beside the best unit and the null."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        run, rows = open_run($run), []
        for epoch in run.epochs:
            if (found := unit_survey(run, epoch).searches.get($feature)) is not None:
                own = found.position($unit)
                value = None if own is None else abs(found.r[own])
                rows.append((epoch, value, abs(found.r[found.best]), found.threshold))
        table = pd.DataFrame(rows, columns=["epoch", "|r|", "best |r|", "null's 95 % line"], dtype=float)
        print(table)
        """,
        run=run,
        feature=feature,
        unit=unit,
    )


def held(run: str, epoch: int, unit: str) -> str:
    """Return code for how the accuracy changes with a unit held at its mean, beside units drawn at random."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        survey = unit_survey(open_run($run), $epoch)
        own = next(one for one in survey.ablations.values() if one.unit.id == $unit)
        others = sorted(
            (one for one in survey.random if one.unit != own.unit), key=lambda one: one.change.difference
        )
        rows = [(one.unit.id, one.held_at, one.accuracy, 100 * one.change.difference) for one in (own, *others)]
        table = pd.DataFrame(rows, columns=["unit", "held at", "accuracy", "change (points)"])
        print(table)
        """,
        run=run,
        epoch=epoch,
        unit=unit,
    )


def modified(sources: Sequence[tuple[str, int, int]], modifier: str) -> str:
    """Return code for the mean push of words without and after ``modifier``; ``sources`` say run, epoch and class."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.modifiers import pushes
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        tables = []
        for run, epoch, target in $sources:
            kept = dynamics_of(open_run(run), epoch, target)
            known = kept.modifiers
            if $modifier in known.modifiers:
                after = known.modified[known.modifiers.index($modifier)]
            else:
                after = pushes(open_run(run).load(epoch), kept.contexts, target, known.words, $modifier)
            tables.append(pd.DataFrame({"word": known.words, "push without": known.plain, "push after": after}))
        table = pd.concat(tables)
        print(table)
        """,
        sources=list(sources),
        modifier=modifier,
    )


def factors(sources: Sequence[tuple[str, int, int]]) -> str:
    """Return code for the factor by which each modifier changes the push of the next word, beside random words."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        rows = []
        for run, epoch, target in $sources:
            kept = dynamics_of(open_run(run), epoch, target).modifiers
            low, high = kept.band().low, kept.band().high
            rows += [(word, by, low, high) for word, by in zip(kept.modifiers, kept.factors())]
        table = pd.DataFrame(rows, columns=["modifier", "factor", "random words, from", "random words, to"])
        print(table)
        """,
        sources=list(sources),
    )


def slow_points(sources: Sequence[tuple[str, int, int]], word: Literal) -> str:
    """Return code for where the state nearly rests with one input; ``sources`` say run, epoch and class."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        tables = []
        for run, epoch, target in $sources:
            kept = dynamics_of(open_run(run), epoch, target)
            found = next(one for one in kept.slow if one.input == $word)
            points = pd.DataFrame({"speed, share of a step": found.speeds, "score": found.scores})
            points["longest time constant, words"] = found.time_constants.max(axis=1)
            points["growing directions"] = found.unstable
            tables.append(points)
        table = pd.concat(tables)
        print(table)
        """,
        sources=list(sources),
        word=word,
    )


def context(sources: Sources, text: str) -> str:
    """Return code for the mean loss on the words of ``text`` by how many words before each were read."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.context_loss import lose_context
        from nlpviz.runs import open_run

        tables = []
        for run, epoch in $sources:
            found = lose_context(open_run(run).load(epoch), $text)
            tables.append(pd.DataFrame({"words before": found.kept, "mean loss, nats": found.means}))
        table = pd.concat(tables)
        print(table)
        """,
        sources=list(sources),
        text=text,
    )


def norms(runs: Sequence[str]) -> str:
    """Return code for the mean gradient norm of each epoch's steps, before clipping."""
    return written(
        """
        import pandas as pd

        from nlpviz.kinds import history
        from nlpviz.runs import open_run

        rows = [
            (run, one.epoch, one.gradient_norm) for run in $runs for one in history(open_run(run)) if one.epoch > 0
        ]
        table = pd.DataFrame(rows, columns=["run", "epoch", "mean gradient norm"])
        print(table)
        """,
        runs=list(runs),
    )


def descent(start: tuple[float, float], rate: float, threshold: float) -> str:
    """Return code for gradient descent at a wall of a loss surface, with clipped gradients and without."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.clipping import descend

        columns = {}
        for name, threshold in (("free", None), ("clipped", $threshold)):
            path = descend($start, $rate, threshold)
            columns |= {f"w, {name}": path.points[:, 0], f"b, {name}": path.points[:, 1], f"loss, {name}": path.losses}
        table = pd.DataFrame(columns)
        print(table)
        """,
        start=tuple(start),
        rate=rate,
        threshold=threshold,
    )


def unit_bins(sources: Sequence[tuple[str, int, str]], feature: str) -> str:
    """Return code for the mean of a unit where a feature has similar values; ``sources`` say run, epoch and unit."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        tables = []
        for run, epoch, unit in $sources:
            bins = unit_survey(open_run(run), epoch).searches[$feature].bins[unit]
            tables.append(pd.DataFrame({"unit": unit, "feature": bins.feature, "mean of the unit": bins.unit}))
        table = pd.concat(tables)
        print(table)
        """,
        sources=list(sources),
        feature=feature,
    )


def path(sources: Sequence[tuple[str, int, int]], text: str) -> str:
    """Return code for the score after each word of ``text``, and its push; ``sources`` say run, epoch and class."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.state_path import state_path
        from nlpviz.runs import open_run

        tables = []
        for run, epoch, target in $sources:
            path = state_path(open_run(run).load(epoch), $text, target)
            tables.append(pd.DataFrame({"push": path.pushes, "score after": path.scores[1:]}))
        table = pd.concat(tables)
        print(table)
        """,
        sources=list(sources),
        text=text,
    )
