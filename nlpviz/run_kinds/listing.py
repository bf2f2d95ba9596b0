"""Runs of several kinds side by side: which are known, and how they stand in tables."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.run_kinds import Kind, kind_of, kinds
from nlpviz.runs import Run, RunError, list_runs


def known_runs() -> tuple[dict[str, Run], list[str]]:
    """Return the runs whose kind is known by name, and one sentence for each other folder."""
    runs, problems = list_runs()
    known = kinds()
    for run in [run for run in runs.values() if run.kind not in known]:
        try:
            kind_of(run)
        except RunError as error:
            problems.append(str(error))
            del runs[run.name]
    return runs, problems


def ranked(runs: Sequence[Run]) -> list[Run]:
    """Return the runs, the best first, those that were not measured last; before that by what their kind groups by."""
    return sorted(runs, key=lambda run: (kind_of(run).group(run), -kind_of(run).headline.rank(run)))


def tables(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """Return the runs by the heading of their table, in the order of the kinds, the best of each first."""
    result: dict[str, list[Run]] = {kind.table: [] for kind in kinds().values()}
    for run in runs:
        result[kind_of(run).table].append(run)
    return {heading: ranked(some) for heading, some in result.items() if some}


def columns(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the titles of the columns of one table of runs, those of their first kind first."""
    return tuple(dict.fromkeys(one.title for kind in _kinds_of(runs) for one in kind.columns))


def cell(run: Run, title: str) -> str:
    """Return what stands in a column of a run's line; a dash where the run has none or cannot be read."""
    texts = [one.text for one in kind_of(run).columns if one.title == title]
    try:
        return texts[0](run) if texts else "–"
    except (KeyError, RunError):
        return "–"


def baseline_of(run: Run, runs: Sequence[Run]) -> Run | None:
    """Return the one of ``runs`` that is a baseline on the same corpus, measured by the same number; None without."""
    if kind_of(run).beside is not None:
        return None
    beside = [one for one in ranked(runs) if kind_of(one).beside and one.corpus["name"] == run.corpus["name"]]
    return next((one for one in beside if kind_of(one).headline.name == kind_of(run).headline.name), None)


def worth(run: Run) -> tuple[float, ...]:
    """Return what sorts runs of one kind, the one to begin with last."""
    kind = kind_of(run)
    return kind.worth(run) if kind.worth else (kind.headline.rank(run),)


def _kinds_of(runs: Sequence[Run]) -> list[Kind]:
    there = {run.kind for run in runs}
    return [kind for kind in kinds().values() if kind.name in there]
