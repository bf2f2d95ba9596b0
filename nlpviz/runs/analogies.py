"""How many analogy questions each epoch of a run of word vectors answers, section by section: ``analogies.csv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from nlpviz.results.word_queries import AnalogyScores, SectionScore
from nlpviz.runs.files import write_text
from nlpviz.runs.run import Run, RunError

ANALOGIES = "analogies.csv"
_COLUMNS = ("epoch", "method", "among", *SectionScore._fields)


def write_scores(folder: Path, scores: Mapping[int, tuple[AnalogyScores, ...]]) -> None:
    """Write each epoch's scores, one row per method and section."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for epoch, of_methods in scores.items():
        for score in of_methods:
            writer.writerows((epoch, score.method, score.among, *section) for section in score.sections)
    write_text(folder / ANALOGIES, text.getvalue())


def scores_by_epoch(run: Run, method: str) -> dict[int, AnalogyScores]:
    """Return the scores by one method of each epoch that has any.

    Raises:
        RunError: if the file is damaged.
    """
    return {epoch: own[method] for epoch, own in read_scores(run).items() if method in own}


def read_scores(run: Run) -> dict[int, dict[str, AnalogyScores]]:
    """Return epoch -> method -> scores; empty where the run keeps none.

    Raises:
        RunError: if the file is damaged.
    """
    if ANALOGIES not in run.files:
        return {}
    sections: dict[tuple[int, str, int], list[SectionScore]] = {}
    try:
        with run.file(ANALOGIES).open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                key = int(row["epoch"]), row["method"], int(row["among"])
                score = SectionScore(row["section"], int(row["asked"]), int(row["known"]), int(row["right"]))
                sections.setdefault(key, []).append(score)
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{ANALOGIES} of the run {run.name!r} has a missing column or an invalid number.") from None
    scores: dict[int, dict[str, AnalogyScores]] = {}
    for (epoch, method, among), result in sections.items():
        source = f"{run.title}, epoch {epoch}"
        scores.setdefault(epoch, {})[method] = AnalogyScores(source, method, tuple(result), among)
    return scores
