"""Sequences of bits are what their tasks say, are drawn anew from the same seeds, and are held out from training."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from nlpviz.data import DataError, corpora
from nlpviz.data.bits import BitTask, bit_tasks, content


@pytest.fixture(params=bit_tasks())
def task(request: pytest.FixtureRequest) -> BitTask:
    return bit_tasks()[request.param]


def test_what_is_drawn_is_what_runs_were_measured_on(task: BitTask) -> None:
    corpus = corpora()[task.name]
    assert corpus.sha256 == (content(task),)
    assert corpus.drawn
    assert sum(len(batch.inputs) for batch in task.read("test")) >= 1_000
    with pytest.raises(DataError, match="has no split 'train'; available: validation, test"):
        task.read("train")
    with pytest.raises(DataError, match="has no documents"):
        corpus.find("1")


def test_shapes_are_those_that_are_said(task: BitTask) -> None:
    for length in (task.trained[0], task.trained[-1], task.twice):
        batch = task.held_out("test", length, 3)
        assert batch.inputs.shape == (3, task.steps(length), task.inputs)
        assert batch.targets.shape[2] == task.outputs
        assert not batch.inputs[:, -batch.targets.shape[1] :].any(), "nothing is read while an answer is asked for"
    assert task.twice in task.tested


def test_splits_differ_and_more_of_one_begin_alike(task: BitTask) -> None:
    few, more = (task.held_out("test", task.twice, count).targets for count in (2, 5))
    assert np.array_equal(few[0], more[0])
    assert not np.array_equal(task.held_out("validation", task.twice, 2).targets, few)


def test_lengths_that_cannot_be_are_refused(task: BitTask) -> None:
    for length in (0, -1, task.tested[-1] + 1):
        with pytest.raises(DataError, match=f"must be {task.trained[0]} to {task.tested[-1]} {task.unit}"):
            task.allowed(length)


def test_copying_asks_for_what_was_read() -> None:
    batch = bit_tasks()["copying"].held_out("test", 5, 4)
    assert np.array_equal(batch.inputs[:, :5, :8], batch.targets)
    assert batch.inputs[..., 8].argmax(axis=1).tolist() == [5] * 4
    assert batch.inputs[..., 8].sum() == 4


def test_recall_asks_for_the_item_after_the_one_that_is_read_again() -> None:
    batch = bit_tasks()["associative-recall"].held_out("test", 4, 50)
    for inputs, targets in zip(batch.inputs, batch.targets, strict=True):
        items = [inputs[4 * place + 1 : 4 * place + 4, :6] for place in range(4)]
        query = inputs[17:20, :6]
        assert any(np.array_equal(item, query) and np.array_equal(after, targets) for item, after in pairwise(items))
        assert np.flatnonzero(inputs[:, 6]).tolist() == [0, 4, 8, 12]
        assert np.flatnonzero(inputs[:, 7]).tolist() == [16, 20]
