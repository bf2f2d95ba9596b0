"""Word vectors in bands: what is read and predicted, whole and for some candidates."""

from __future__ import annotations

import pytest
import torch

from nlpviz.networks.word_tables import WordTable


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
    with pytest.raises(ValueError, match="must increase"):
        WordTable(20, 8, cutoffs)


@pytest.mark.parametrize(("trained_bands", "trained"), [(None, 5), (0, 0), (1, 1), (2, 3), (3, 5)])
def test_bands_that_are_not_trained_get_no_gradient_and_are_not_counted(
    trained_bands: int | None, trained: int
) -> None:
    torch.manual_seed(0)
    table = WordTable(20, 16, (5, 12), trained_bands)
    weights = [weight for weight in table.parameters() if weight.requires_grad]
    assert len(weights) == trained
    assert table.term()[1] == sum(weight.numel() for weight in weights)
    if weights:
        table(torch.arange(20)).square().sum().backward()
        assert all(weight.grad is not None for weight in weights)
    assert all(weight.grad is None for weight in table.parameters() if not weight.requires_grad)


@pytest.mark.parametrize("cutoffs", [(), (7,), (5, 12)])
def test_a_vector_of_each_band_for_each_id_gives_the_same_vectors_and_gradients(cutoffs: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    table, ids = WordTable(20, 8, cutoffs), torch.tensor([[3, 19, 3, 4, 5], [0, 6, 12, 11, 15]])
    weights, later = list(table.parameters()), torch.randn(2, 5, 8)
    expected, found = table(ids), table.of_all_bands(ids)
    torch.testing.assert_close(found, expected)
    ours, theirs = (torch.autograd.grad(one, weights, later) for one in (found, expected))
    torch.testing.assert_close(ours, theirs)
