"""A text in rows: every word counts once, with its own words before it. A step's loss over all words."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nlpviz.networks.architectures import architectures
from nlpviz.networks.language_networks import LanguageNetwork
from nlpviz.training.estimated_softmax import candidates
from nlpviz.training.language_fit import _loss
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


@pytest.mark.parametrize("predicts_unknown", [False, True])
def test_the_whole_softmax_is_that_of_all_words_as_candidates(predicts_unknown: bool) -> None:
    rng, architecture = np.random.default_rng(0), architectures()["recurrent-language-model"]
    torch.manual_seed(0)
    model = architecture.build(architecture.config(40, dimensions=8, cutoffs=(20,), predicts_unknown=predicts_unknown))
    assert isinstance(model, LanguageNetwork)
    hidden, targets = torch.randn(30, 8), rng.integers(model.predicted.start, 40, 30)
    chosen, before = candidates(targets, model.predicted, 5, 0, rng), rng.bit_generator.state
    assert chosen.kept.tolist() == list(model.predicted)
    assert candidates(targets, model.predicted, 5, 0, rng).share == 1
    assert rng.bit_generator.state == before, "nothing is drawn"
    whole, listed = (_loss(model, hidden, torch.from_numpy(targets), some) for some in (None, chosen))
    torch.testing.assert_close(whole, listed)
    weights = [model.words.bands[0], model.words.bands[1], model.bias]
    ours, theirs = (torch.autograd.grad(loss, weights) for loss in (whole, listed))
    torch.testing.assert_close(ours, theirs)


def test_a_cpu_measures_one_stream() -> None:
    assert rows_on(torch.device("cpu")) == 1
    assert rows_on(torch.device("cuda", 0)) > 1
