"""The words of a filter's slots, against dot products taken one word at a time."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.inspection.filters import WORDS, slot_words
from nlpviz.runs import open_run


@pytest.mark.usefixtures("trained")
def test_slot_words_are_the_largest_dot_products() -> None:
    trained = open_run("toy-cnn").load()
    table = trained.module.embedding.weight.numpy()
    words = trained.vocabulary.words
    position = 0
    for convolution in trained.module.convolutions:
        for weights in convolution.weight.numpy():  # (D, h)
            result = slot_words(trained, position)
            assert len(result) == weights.shape[1]
            for slot, said in enumerate(result):
                answers = sorted((float(np.dot(table[i], weights[:, slot])), words[i]) for i in range(2, len(words)))
                expected = answers[::-1][:WORDS]
                np.testing.assert_allclose([value for _, value in said], [value for value, _ in expected], atol=1e-5)
                assert {word for word, _ in said} <= set(words[2:])
            position += 1
