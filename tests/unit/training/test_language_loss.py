"""A text in rows: every word counts once, with its own words before it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nlpviz.training.language_loss import CONTEXT, in_rows, rows_on

BOUNDARY, IGNORED = 9_999, -100


@pytest.mark.parametrize("length", [2 * CONTEXT, 2 * CONTEXT + 1, 5_000, 64 * CONTEXT + 63, 70_000])
@pytest.mark.parametrize("rows", [2, 7, 64])
def test_every_word_counts_once_and_has_its_context(length: int, rows: int) -> None:
    before, words = in_rows(np.arange(length), BOUNDARY, rows)
    assert before.shape == words.shape
    assert len(words) == min(rows, length // CONTEXT)
    counted = words != IGNORED
    assert sorted(words[counted]) == list(range(length))
    assert before[0, 0] == BOUNDARY
    np.testing.assert_array_equal(before[counted], np.concatenate([[BOUNDARY], np.arange(length - 1)])[words[counted]])
    assert np.all(np.diff(before[0, 1:]) == 1)
    for row in range(1, len(words)):
        first = int(counted[row].argmax())
        assert first == CONTEXT
        assert np.all(np.diff(before[row, : first + 1]) == 1), "the words before the first one that counts"


@pytest.mark.parametrize(("length", "rows"), [(5_000, 1), (CONTEXT + 40, 64), (3, 64), (0, 64)])
def test_one_row_is_the_text(length: int, rows: int) -> None:
    before, words = in_rows(np.arange(length), BOUNDARY, rows)
    assert words.tolist() == [list(range(length))]
    assert before.tolist() == [([BOUNDARY, *range(length - 1)])[:length]]


def test_a_cpu_measures_one_stream() -> None:
    assert rows_on(torch.device("cpu")) == 1
    assert rows_on(torch.device("cuda", 0)) > 1
