"""Trained runs: the only door to ``trained/``.

Listing runs reads only their manifests; a damaged one says what is wrong and leaves the others usable.
"""

from __future__ import annotations

import os
from pathlib import Path

from nlpviz.runs.run import Documents, EpochRecord, Run, RunError, TrainedModel, listed

__all__ = ["Documents", "EpochRecord", "Run", "RunError", "TrainedModel", "list_runs", "open_run", "root"]


def root() -> Path:
    """Return the folder of the runs: ``$NLPVIZ_TRAINED``, or ``trained/`` beside the package."""
    return Path(os.environ.get("NLPVIZ_TRAINED") or Path(__file__).resolve().parents[2] / "trained")


def list_runs() -> tuple[dict[str, Run], list[str]]:
    """Return the readable runs by name, and one sentence for each folder that is not one."""
    runs, problems = {}, []
    for folder in _folders():
        try:
            runs[folder.name] = Run.open(folder)
        except RunError as error:
            problems.append(str(error))
    return runs, problems


def open_run(name: str) -> Run:
    """Return the run called ``name``.

    Raises:
        RunError: if there is none, naming those there are, or if it is damaged.
    """
    for folder in _folders():
        if folder.name == name:
            return Run.open(folder)
    runs, _ = list_runs()
    raise RunError(f"There is no run {name!r}; the runs are {listed(runs)}.")


def _folders() -> list[Path]:
    """Return the folders that should each be a run, by name; one whose name begins with a dot is none."""
    there = sorted(root().iterdir()) if root().is_dir() else []
    return [folder for folder in there if folder.is_dir() and not folder.name.startswith(".")]
