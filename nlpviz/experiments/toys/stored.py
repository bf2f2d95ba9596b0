"""The committed curves: every network on every task, several seeds; ``python -m nlpviz toy TASK --write`` makes them.

``curves/<task>.csv`` has a row for each point, ``curves/<task>.json`` says how they were made.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nlpviz.experiments.toys import ToyError
from nlpviz.results.toys import Reached, StoredCurves, ToyCurve, ToyPoint

FOLDER = Path(__file__).with_name("curves")
_COLUMNS = ("network", "seed", "step", "length", "loss", "error", "exact")


def write_curves(
    task: str, curves: Sequence[ToyCurve], *, length: int, steps: int, device: str, folder: Path = FOLDER
) -> None:
    """Write the curves of a task in place of those there are."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{task}.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_COLUMNS)
        for curve in curves:
            # of the trained length the last step stands in both
            for point in dict.fromkeys((*curve.learning, *curve.lengths)):
                numbers = (f"{number:.5g}" for number in point.reached)
                rows.writerow((curve.network, curve.seed, point.step, point.length, *numbers))
    facts = {
        "length": length,
        "steps": steps,
        "device": device,
        "created": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name) for name in ("torch", "numpy")},
        "curves": [
            {
                "network": curve.network,
                "title": curve.title,
                "seed": curve.seed,
                "parameters": curve.parameters,
                "seconds": round(curve.seconds, 1),
            }
            for curve in curves
        ],
    }
    (folder / f"{task}.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@lru_cache(maxsize=16)
def read_curves(task: str, folder: Path = FOLDER) -> StoredCurves:
    """Return the committed curves of a task.

    Raises:
        ToyError: if there are none, or they are damaged.
    """
    try:
        facts = json.loads((folder / f"{task}.json").read_text(encoding="utf-8"))
        with (folder / f"{task}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        curves = tuple(_curve(one, rows, facts["length"], facts["steps"]) for one in facts["curves"])
        return StoredCurves(curves, facts["length"], facts["steps"], facts["device"], facts["created"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ToyError(
            f"There are no stored curves for {task!r}. Create them with `python -m nlpviz toy {task} --write`."
        ) from error


def _curve(one: dict[str, Any], rows: Sequence[dict[str, str]], length: int, steps: int) -> ToyCurve:
    points = [
        ToyPoint(int(row["step"]), int(row["length"]), Reached(*(float(row[name]) for name in Reached._fields)))
        for row in rows
        if row["network"] == one["network"] and int(row["seed"]) == one["seed"]
    ]
    return ToyCurve(
        **one,
        learning=tuple(point for point in points if point.length == length),
        lengths=tuple(sorted((point for point in points if point.step == steps), key=lambda point: point.length)),
    )
