"""Toy word vectors with planted relations, and a run of them in the real format, small enough to check by hand.

A word is a sum of features: ``queen`` is royal and female, ``paris`` is a capital and French. Whatever finds
neighbours, analogies or axes must find those features.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from nlpviz.results.vectors import WordVectors
from nlpviz.runs import Run
from nlpviz.runs.quantized import pack
from nlpviz.runs.weights import weights_file
from nlpviz.text.vocabulary import Vocabulary

FEATURES = "person female royal young relative country capital france germany italy spain feeling good strong place old"
_WORDS = """
the of and in a
man person | woman person female | city capital capital | king person royal | queen person female royal
boy person young | girl person female young | country country country
france country france | paris capital france | germany country germany | berlin capital germany
italy country italy | rome capital italy | spain country spain | madrid capital spain
good feeling good | bad feeling | great feeling good strong | awful feeling strong | film feeling place
prince person royal young | princess person female royal young
uncle person relative old | aunt person female relative old | don't feeling feeling strong
café place place | new_york capital old place | 1984 old strong | fortress old place strong royal | well-known good old
"""
"""The first line: words without features. Then ``word features``, features that stand twice count twice."""

SECTIONS = {
    "capitals": (("paris", "france"), ("berlin", "germany"), ("rome", "italy"), ("madrid", "spain")),
    "gram-family": (("king", "queen"), ("man", "woman"), ("boy", "girl"), ("prince", "princess"), ("uncle", "aunt")),
}


def toy_vectors(source: str = "Toy words", share: float = 1.0) -> WordVectors:
    """Return 36 words with planted relations, the commonest first, and the last 5 of 21 dimensions for dull words.

    Args:
        source: what a caption calls them.
        share: of the planted features; the rest is noise, as before training.
    """
    words, planted = _planted()
    noise = np.random.default_rng(0).normal(scale=0.3, size=planted.shape)
    vectors = share * planted + (1.05 - share) * noise
    counts = np.array([10_000 // rank for rank in range(1, len(words) + 1)], dtype=np.int64)
    return WordVectors.of(source, words, vectors.astype(np.float32), counts)


def _planted() -> tuple[list[str], np.ndarray]:
    """Return the words, and what their vectors are without noise, (36, 21)."""
    dull, *rest = _WORDS.strip().split("\n")
    features = FEATURES.split()
    entries = [entry.split() for line in rest for entry in line.split("|")]
    words = [*dull.split(), *(word for word, *_ in entries)]
    planted = np.zeros((len(words), len(features) + 5))
    for row in range(5):
        planted[row, len(features) + row] = 1
    for row, (_, *has) in enumerate(entries, start=5):
        for feature in has:
            planted[row, features.index(feature)] += 1
    return words, planted


def questions_text() -> str:
    """Return the questions that the planted relations answer, in Google's format."""
    lines = []
    for section, pairs in SECTIONS.items():
        lines.append(f": {section}")
        lines += [f"{a} {b} {c} {d}" for a, b in pairs for c, d in pairs if a != c]
    return "\n".join(lines) + "\n"


def write_toy_run(folder: Path, name: str = "toy-words") -> Run:
    """Write a run of toy words with the epochs 0, 1 and 2, the last with output vectors, into ``folder/name``."""
    target = folder / name
    target.mkdir(parents=True)
    tables = {epoch: {"input": toy_vectors(share=share)} for epoch, share in ((0, 0.0), (1, 0.5), (2, 1.0))}
    tables[2]["output"] = toy_vectors(share=0.8)
    for epoch, vectors in tables.items():
        stored = {}
        for table, one in vectors.items():
            packed = pack(one.directions * one.lengths[:, None])
            stored |= {f"{table}.{part}": array for part, array in packed._asdict().items()}
        save_file(stored, target / weights_file(epoch))
    words = toy_vectors()
    assert words.counts is not None
    Vocabulary(words.words, words.counts.tolist()).save(target / "vocabulary.txt")
    rows, dimensions = words.directions.shape
    return Run(
        name=name,
        title="Toy skip-gram",
        kind="word-vectors",
        architecture="skipgram",
        config={"vocabulary_size": rows, "dimensions": dimensions},
        class_names=(),
        max_length=0,
        epochs=(0, 1, 2),
        best_epoch=2,
        parameters=tuple((f"{table} vectors", f"{rows} × {dimensions}", rows * dimensions) for table in tables[2]),
        metrics={"analogies": {"accuracy": 1.0, "questions": 32}},
        corpus={"name": "toy", "sha256": "0" * 64, "words": int(words.counts.sum())},
        recipe={"window": 5, "negative": 5},
        device="cpu: 1 threads",
        seconds=1.0,
        seconds_per_epoch=0.5,
        seed=0,
        created="2026-11-21",
        versions={},
        files={},
        folder=target,
    ).save()
