"""What maps of random vectors are trusted: ``python docs/chance.py`` writes ``nlpviz/results/chance.csv``.

Independent Gaussian numbers have no neighbourhoods worth keeping. A projector still keeps some of them, and the more
the fewer points and the fewer dimensions there are: what a map of real vectors is to be compared with. Vectors scaled
to length 1, as words are mapped, are trusted more: no point lies nearer to all others. Each row is the mean over
``SEEDS`` of them, by every projector at its own perplexity. All of it takes a quarter of an hour on one core; rows that
are there are kept.
"""

from __future__ import annotations

import csv
import sys
from itertools import product
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

TABLE = ROOT / "nlpviz" / "results" / "chance.csv"
KEYS = ("scaled", "projector", "dimensions", "points", "features")
COLUMNS = (*KEYS, "seeds", "trustworthiness")
SEEDS = {12: 5, 25: 5, 50: 5, 100: 5, 200: 3, 500: 2, 1000: 1, 2000: 1}
"""How many times vectors are drawn, by the number of points: maps of few points differ more."""
FEATURES = (16, 32, 64, 128, 256, 512, 1024)


def measured(scaled: str, projector: str, dimensions: int, points: int, features: int) -> float:
    """Return the mean trustworthiness of maps of so many random vectors of so many numbers."""
    from nlpviz.analysis.projections import NEIGHBOURS, Fitting, projectors
    from nlpviz.analysis.projections.quality import trustworthiness

    used = projectors()[projector]
    perplexity = None if used.perplexity is None else min(used.perplexity, (points - 1) / 3)
    neighbours, values = min(NEIGHBOURS, (points - 1) // 2), []
    for seed in range(SEEDS[points]):
        vectors = np.random.default_rng(seed).normal(size=(points, features)).astype(np.float32)
        if scaled == "yes":
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        (positions,) = used.project([vectors], Fitting(0, dimensions, seed, perplexity))
        values.append(trustworthiness(vectors, positions, neighbours))
    return float(np.mean(values))


def read_table() -> dict[tuple[str, ...], dict[str, str]]:
    """Return the rows that are there, by what they are of."""
    if not TABLE.exists():
        return {}
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return {tuple(row[name] for name in KEYS): row for row in csv.DictReader(stream)}


if __name__ == "__main__":
    from nlpviz.analysis.projections import projectors

    known = read_table()
    with TABLE.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        for scaled, projector, dimensions, points, features in product(
            ("no", "yes"), projectors(), (2, 3), SEEDS, FEATURES
        ):
            key = (scaled, projector, str(dimensions), str(points), str(features))
            if key in known:
                value = known[key]["trustworthiness"]
            else:
                value = f"{measured(scaled, projector, dimensions, points, features):.4f}"
            writer.writerow((*key, SEEDS[points], value))
            stream.flush()
