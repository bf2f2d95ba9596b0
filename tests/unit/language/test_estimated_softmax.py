"""The estimated softmax: whole where all words are counted, right on average where some stand for the rest."""

from __future__ import annotations

import numpy as np
import torch

from nlpviz.training.estimated_softmax import candidates, estimated

SIZE = 60
TARGETS = np.array([5, 40, 5, 2])


def test_with_all_words_it_is_the_softmax() -> None:
    torch.manual_seed(0)
    logits = torch.randn(4, SIZE)
    chosen = candidates(TARGETS, range(1, SIZE), 10, 0, np.random.default_rng(0))
    found = estimated(lambda ids: logits[:, ids], torch.from_numpy(TARGETS), chosen)
    torch.testing.assert_close(found.denominator, logits[:, 1:].logsumexp(dim=1))
    torch.testing.assert_close(found.right, logits[torch.arange(4), torch.from_numpy(TARGETS)])
    torch.testing.assert_close(found.evenly, logits[:, 1:].mean(dim=1))


def test_the_common_words_and_those_that_came_are_counted_as_they_are() -> None:
    chosen = candidates(TARGETS, range(2, SIZE), 10, 7, np.random.default_rng(0))
    assert chosen.kept.tolist() == [*range(2, 10), 40]
    assert len(set(chosen.drawn)) == 7
    assert not set(chosen.drawn) & set(chosen.kept)
    assert chosen.share == (SIZE - 2 - 9) / 7
    few = candidates(np.array([3]), range(1, 5), 10, 7, np.random.default_rng(0))
    assert (few.kept.tolist(), few.drawn.tolist(), few.share) == ([1, 2, 3, 4], [], 0.0)


def test_the_denominator_is_right_on_average() -> None:
    torch.manual_seed(0)
    logits, rng = torch.randn(4, SIZE), np.random.default_rng(0)
    sums = []
    for _ in range(2_000):
        chosen = candidates(TARGETS, range(1, SIZE), 10, 10, rng)
        found = estimated(lambda ids: logits[:, ids], torch.from_numpy(TARGETS), chosen)
        sums.append(found.denominator.exp())
    torch.testing.assert_close(torch.stack(sums).mean(dim=0), logits[:, 1:].exp().sum(dim=1), rtol=0.01, atol=0)
