"""Stored phrases of the test trees: ``tree-cases.parquet``, which pages use without the corpus.

A row for each root, each negation and each "X but Y": the number of its tree in the test split, its three nodes with
their labels, and for each kept epoch the probabilities of the five classes at the three, in 255ths
(``probability.07``). Never a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.tree_cases import CONTRAST, NEGATION, ROOT, TreeCases
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError
from nlpviz.text.tree_patterns import contrasts, negations
from nlpviz.text.trees import Tree

CASES = "tree-cases.parquet"
_KINDS = (ROOT, NEGATION, CONTRAST)
_STEPS = 255
_PARTS = ("whole", "first", "second")


def find_cases(trees: Sequence[Tree]) -> dict[str, list[tuple[int, ...]]]:
    """Return of each kind its cases: the place of the tree among ``trees``, and three nodes, -1 for none."""
    found: dict[str, list[tuple[int, ...]]] = {kind: [] for kind in _KINDS}
    for place, tree in enumerate(trees):
        found[ROOT].append((place, tree.root, -1, -1))
        found[NEGATION] += [(place, *negation, -1) for negation in negations(tree)]
        found[CONTRAST] += [(place, *contrast) for contrast in contrasts(tree)]
    return found


def write_cases(folder: Path, trees: Sequence[Tree], by_epoch: Mapping[int, NDArray[np.float32]]) -> None:
    """Write the cases of ``trees`` with the probabilities (N, 5) of all their nodes, one tree after the other."""
    import pyarrow as pa

    found = find_cases(trees)
    rows = np.array([row for rows in found.values() for row in rows])
    places, nodes = rows[:, 0], rows[:, 1:]
    sizes = np.array([len(tree) for tree in trees])
    among_all = (np.cumsum(sizes) - sizes)[places][:, None] + nodes
    labels = np.concatenate([np.array(tree.labels) for tree in trees])
    kinds = np.repeat(np.arange(len(_KINDS)), [len(found[kind]) for kind in _KINDS])
    columns = {"case": pa.array(kinds.astype(np.uint8)), "tree": pa.array((places + 1).astype(np.int32))}
    for part, name in enumerate(_PARTS):
        there = nodes[:, part] >= 0
        of_part = np.where(there, labels[np.where(there, among_all[:, part], 0)], -1)
        columns |= {name: pa.array(nodes[:, part].astype(np.int16)), f"{name}.label": pa.array(of_part.astype(np.int8))}
    for epoch, probabilities in by_epoch.items():
        levels = np.rint(probabilities[np.where(nodes >= 0, among_all, 0)] * _STEPS).astype(np.uint8)
        levels[nodes < 0] = 0
        flat = pa.array(levels.reshape(-1))
        columns[f"probability.{epoch:02d}"] = pa.FixedSizeListArray.from_arrays(flat, len(_PARTS) * levels.shape[2])
    write_table(folder / CASES, columns)


def cases_of(run: Run, case: str, epoch: int | None = None) -> TreeCases:
    """Return the cases of one kind at ``epoch``, by default the best one.

    Raises:
        RunError: if the run keeps no such epoch, or its file is damaged.
    """
    epoch = run.check_epoch(run.best_epoch if epoch is None else epoch)
    return run.kept(f"tree cases {case} {epoch}", lambda own: _read(own, case, epoch))


def _read(run: Run, case: str, epoch: int) -> TreeCases:
    if CASES not in run.files:
        raise RunError(
            f"The run {run.name!r} has no stored cases. Run `python -m nlpviz survey {run.name}` to find them."
        )
    answers = f"probability.{epoch:02d}"
    names = ["case", "tree", *_PARTS, *(f"{part}.label" for part in _PARTS), answers]
    table = run.table(CASES, names)
    columns = {name: table[name].combine_chunks() for name in names}
    chosen = columns["case"].to_numpy() == _KINDS.index(case)
    nodes, labels = (
        np.stack([columns[f"{part}{end}"].to_numpy() for part in _PARTS], axis=1)[chosen] for end in ("", ".label")
    )
    levels = columns[answers].flatten().to_numpy().reshape(len(chosen), len(_PARTS), -1)[chosen]
    trees = columns["tree"].to_numpy()[chosen]
    return TreeCases(run.name, run.title, epoch, case, trees, nodes, labels, (levels / _STEPS).astype(np.float32))
