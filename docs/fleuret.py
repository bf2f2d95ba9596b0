"""Fleuret's neighbours beside ours: ``python docs/fleuret.py`` writes ``docs/fleuret.csv``.

François Fleuret, *Deep Learning* (EE-559), the lecture on word embeddings, prints the ten nearest words of five words
by the CBOW of his course, trained on another and larger text.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

HIS = {
    "paris": "parisian france brussels bordeaux toulouse vienna strasbourg munich marseille rouen",
    "bike": "bicycle bicycles bikes biking motorcycle cyclists riders sled triathlon car",
    "cat": "cats dog kitten feline pet dogs kittens hound squirrel mouse",
    "fortress": "fortresses citadel castle fortifications forts siege stronghold castles monastery besieged",
    "powerful": "formidable power potent fearsome destroy wielded versatile capable strongest able",
}
RUNS = ("enwiki-cbow", "enwiki-skipgram")
AMONG = 50


def found_again(run: str) -> dict[str, list[str]]:
    """Return which of his neighbours stand among the run's fifty nearest words, by query."""
    from nlpviz.runs import open_run
    from nlpviz.runs.vectors import read_vectors
    from nlpviz.word_vectors.neighbours import neighbours

    vectors = read_vectors(open_run(run))
    ours = {word: {one.word for one in neighbours(vectors, word, AMONG).neighbours} for word in HIS}
    return {word: [his for his in nearest.split() if his in ours[word]] for word, nearest in HIS.items()}


def rows() -> list[list[str]]:
    """Return the table: each of his neighbours, which runs find it again, and ours at the same rank."""
    from nlpviz.runs import open_run
    from nlpviz.runs.vectors import read_vectors
    from nlpviz.word_vectors.neighbours import neighbours

    again = {run: found_again(run) for run in RUNS}
    vectors = {run: read_vectors(open_run(run)) for run in RUNS}
    table = [["word", "rank", "his", *RUNS, f"among the {AMONG} nearest of"]]
    for word, nearest in HIS.items():
        ours = [[one.word for one in neighbours(vectors[run], word, 10).neighbours] for run in RUNS]
        for rank, (his, *beside) in enumerate(zip(nearest.split(), *ours, strict=True), start=1):
            finders = " and ".join(run for run in RUNS if his in again[run][word])
            table.append([word, str(rank), his, *beside, finders])
    return table


if __name__ == "__main__":
    with (ROOT / "docs" / "fleuret.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows())
    for run in RUNS:
        counts = {word: len(his) for word, his in found_again(run).items()}
        sys.stdout.write(f"{run}: {sum(counts.values())} of 50 found again {counts}\n")
