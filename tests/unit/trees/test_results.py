"""Accuracies of nodes, what negation changes, contrasts, against numbers worked out by hand; how they are stored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.results.tree_cases import (
    CONTRAST,
    NEGATION,
    ROOT,
    TreeCases,
    all_right,
    change,
    decided,
    opposed,
    sides_with_second,
)
from nlpviz.results.trees import (
    BINARY,
    FINE,
    INNER,
    NON_NEUTRAL,
    ROOTS,
    Accuracy,
    LabelledNodes,
    LengthAccuracy,
    NodeAnswers,
    accuracies,
    expected,
    right,
    says_positive,
)
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.tree_cases import CASES, cases_of, find_cases, write_cases
from nlpviz.runs.trees import read_accuracies, write_accuracies
from nlpviz.text.trees import parse


def sure(*classes: int) -> NDArray[np.float32]:
    """Return probabilities with four fifths on each class and the rest spread evenly."""
    return np.array([[0.8 if place == label else 0.05 for place in range(5)] for label in classes], dtype=np.float32)


def test_accuracies_are_of_roots_inner_and_non_neutral_nodes() -> None:
    """Two trees: (film fine) and poor; labels of the leaves, then of the inner node."""
    nodes = LabelledNodes(np.array([2, 4, 3, 0]), np.array([1, 1, 2, 1]), np.array([False, False, True, True]))
    found = accuracies(sure(2, 3, 3, 1), nodes)
    assert found[ROOTS, FINE] == Accuracy(1, 2)
    assert found[ROOTS, BINARY] == Accuracy(2, 2)
    assert found[INNER, FINE] == found[INNER, BINARY] == Accuracy(0, 0)
    assert math.isnan(found[INNER, FINE].share)
    assert found[NON_NEUTRAL, FINE] == Accuracy(1, 3)
    assert found[NON_NEUTRAL, BINARY] == Accuracy(3, 3)


def test_inner_nodes_are_those_below_the_root() -> None:
    nodes = LabelledNodes(np.array([2, 2, 2, 2, 3]), np.array([1, 1, 1, 2, 3]), np.arange(5) == 4)
    assert accuracies(sure(2, 2, 2, 2, 2), nodes)[INNER, FINE] == Accuracy(1, 1)
    assert accuracies(sure(2, 2, 2, 2, 2), nodes)[INNER, BINARY] == Accuracy(0, 0), "a neutral node has no side"


def test_the_side_is_that_whose_two_classes_are_together_likelier() -> None:
    answers = np.array([[0.0, 0.3, 0.4, 0.15, 0.16], [0.2, 0.1, 0.5, 0.2, 0.0]])
    assert says_positive(answers).tolist() == [True, False]
    assert right(answers, np.array([3, 1]), BINARY).tolist() == [True, True]
    assert right(answers, np.array([2, 2]), BINARY).tolist() == [False, False]
    assert right(answers, np.array([2, 2]), FINE).tolist() == [True, True]
    np.testing.assert_allclose(expected(answers), [-0.3 + 0.15 + 0.32, -0.4 - 0.1 + 0.2])


def test_a_tree_says_its_classes_and_expected_ones() -> None:
    answers = NodeAnswers("run", "Run", 1, parse("(not fine)"), sure(2, 4, 1), (True, True))
    assert answers.classes.tolist() == [2, 4, 1]
    np.testing.assert_allclose(answers.sentiment, [0, 1.5, -0.75], atol=1e-6)


def cases(labels: Sequence[Sequence[int]], classes: Sequence[Sequence[int]], case: str) -> TreeCases:
    nodes = np.where(np.array(labels) < 0, -1, 0)
    answers = np.stack([sure(*row) for row in classes])
    return TreeCases("run", "Run", 1, case, np.arange(len(labels)), nodes, np.array(labels), answers)


def test_negation_changes_the_expected_class() -> None:
    """Whole, then what is negated: +2 to −1, +1 to +1; and −1 to 0."""
    of_three = cases([[1, 4, -1], [3, 3, -1], [2, 1, -1]], [[1, 4, 0], [3, 3, 0], [2, 1, 0]], NEGATION)
    praise, blame = (change(of_three, positive=positive) for positive in (True, False))
    assert (praise.phrases, praise.by_people, praise.turned) == (2, -1.5, Accuracy(1, 2))
    assert praise.by_network == pytest.approx(-2.25 / 2, abs=1e-6)
    half = 1.96 * np.std([-2.25, 0.0], ddof=1) / math.sqrt(2)
    assert praise.interval == pytest.approx((-1.125 - half, -1.125 + half), abs=1e-6)
    assert (blame.phrases, blame.by_people, blame.turned) == (1, 1.0, Accuracy(1, 1))
    assert math.isnan(blame.interval[0])
    assert math.isnan(change(of_three.where(np.zeros(3, dtype=bool)), positive=True).by_network)


def test_contrasts_are_right_if_all_three_are() -> None:
    four = cases([[3, 1, 4], [3, 1, 3], [3, 2, 4], [1, 3, 0]], [[4, 0, 3], [1, 1, 3], [3, 2, 4], [3, 4, 1]], CONTRAST)
    assert len(decided(four)) == len(opposed(four)) == 3
    assert all_right(decided(four)).tolist() == [True, False, False]
    assert sides_with_second(decided(four)).tolist() == [True, False, False]


TREES = tuple(map(parse, ("(3 (1 (2 It) (1 drags)) (3 (2 but) (4 pleases)))", "(1 (2 not) (3 fine))", "(0 awful)")))


def test_cases_are_found_and_stored(tmp_path: Path) -> None:
    found = find_cases(TREES)
    assert found == {ROOT: [(0, 6, -1, -1), (1, 2, -1, -1), (2, 0, -1, -1)], NEGATION: [(1, 2, 1, -1)],
                     CONTRAST: [(0, 6, 4, 3)]}  # fmt: skip
    answers = sure(2, 1, 2, 4, 1, 3, 3, 2, 3, 1, 0)
    write_cases(tmp_path, TREES, {0: answers[::-1].copy(), 2: answers})
    run = _run(tmp_path)
    contrast = cases_of(run, CONTRAST)
    assert (contrast.epoch, contrast.trees.tolist(), contrast.nodes.tolist()) == (2, [1], [[6, 4, 3]])
    assert contrast.labels.tolist() == [[3, 1, 4]]
    np.testing.assert_allclose(contrast.probabilities[0], answers[[6, 4, 3]], atol=1 / 255)
    roots = cases_of(run, ROOT, 0)
    assert roots.labels.tolist() == [[3, -1, -1], [1, -1, -1], [0, -1, -1]]
    np.testing.assert_allclose(roots.probabilities[:, 0], answers[::-1][[6, 9, 10]], atol=1 / 255)
    assert not roots.sentiment[:, 1:].any()
    with pytest.raises(RunError, match="has no stored epoch 1"):
        cases_of(run, ROOT, 1)
    (tmp_path / CASES).unlink()
    with pytest.raises(RunError, match="survey"):
        cases_of(_run(tmp_path), ROOT)


def test_accuracies_by_length_are_stored(tmp_path: Path) -> None:
    rows = [LengthAccuracy(0, ROOTS, FINE, 1, 1, 3, 4), LengthAccuracy(2, INNER, BINARY, 21, 1_000, 0, 7)]
    write_accuracies(tmp_path, rows)
    assert list(read_accuracies(_run(tmp_path))) == rows
    assert rows[0].accuracy.share == 0.75


def _run(folder: Path) -> Run:
    """Return a run whose files are those of ``folder``: the manifest of a committed one, with other epochs."""
    return replace(open_run("imdb-skipgram"), folder=folder, epochs=(0, 2), best_epoch=2, shared={}, files={}).save()
