"""Made-up classifiers of films, of which the manifest and the vocabulary alone are there."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nlpviz.runs import Run
from nlpviz.runs.run import VOCABULARY

WORDS = "the\t9\nfilm\t1\n"
METRICS = {"documents": 9.0, "accuracy": 0.9, "balanced_accuracy": 0.9, "loss": 0.3}


def write_runs(folder: Path, count: int) -> None:
    """Write ``count`` runs into ``folder``, no two of one configuration."""
    digest = hashlib.sha256(WORDS.encode()).hexdigest()
    for number in range(count):
        run = Run(
            name=f"made-up-{number:03}", title=f"Made up {number}", kind="classifier", architecture="cnn",
            config={"vocabulary_size": 4, "dimensions": 8 + number}, class_names=("negative", "positive"),
            max_length=20, epochs=(0, 1), best_epoch=1, parameters=(("convolution", "9", 9),),
            metrics={"validation": METRICS, "test": METRICS | {"accuracy": 0.5 + number / 1000}},
            corpus={"name": "made-up", "sha256": "0" * 64, "train": 180, "validation": 60, "test": 90},
            recipe={"seed": 1}, device="cpu: 2 threads", seconds=1.0, seconds_per_epoch=0.5, seed=1,
            created="2026-11-01", versions={}, files={VOCABULARY: digest}, folder=folder / f"made-up-{number:03}",
        )  # fmt: skip
        run.folder.mkdir()
        (run.folder / VOCABULARY).write_text(WORDS, encoding="utf-8", newline="\n")
        run.write()
