"""Word vectors in bands: what is read and predicted, whole and for some candidates."""

from __future__ import annotations

import pytest
import torch

from nlpviz.word_tables import WordTable


@pytest.mark.parametrize("cutoffs", [(), (7,), (5, 12), (5, 100)])
def test_reads_and_scores_by_the_same_vectors(cutoffs: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    table, ids = WordTable(20, 8, cutoffs), torch.arange(20)
    vectors = table.vectors(ids)
    assert vectors.shape == (20, 8)
    assert not vectors[0].any(), "padding"
    some = torch.tensor([[3, 19, 3], [0, 6, 12]])
    torch.testing.assert_close(table(some), vectors[some])
    states = torch.randn(2, 5, 8)
    torch.testing.assert_close(table.scores(states), states @ vectors.T)
    for candidates in (torch.tensor([1, 4, 18]), torch.tensor([15]), ids):
        torch.testing.assert_close(table.scores(states, candidates), states @ vectors[candidates].T)
    assert table.term()[1] == sum(weight.numel() for weight in table.parameters())


def test_a_rarer_word_has_fewer_numbers() -> None:
    assert [tuple(band.shape) for band in WordTable(100, 64, (10, 40)).bands] == [(10, 64), (30, 16), (60, 4)]


@pytest.mark.parametrize("cutoffs", [(0,), (9, 9), (9, 5)])
def test_cutoffs_that_do_not_ascend_are_refused(cutoffs: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="do not ascend"):
        WordTable(20, 8, cutoffs)
