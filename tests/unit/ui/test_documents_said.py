"""What pages say of the maps of reviews: no sentence and no heading says more than its numbers hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.results.projection import Projection
from nlpviz.runs import open_run
from nlpviz.ui.documents.answers import ceiling_said, formation_said

RUN = open_run("imdb-cnn")


def chart(epoch: int, purity: float, documents: int = 2_000) -> Projection:
    """Return a map of documents whose neighbours share their label that often."""
    return Projection(RUN.name, "pca", epoch, np.zeros((documents, 2), np.float32), 0.8, purity, 15, 0, "")


def said(first: Projection, best: Projection) -> str:
    """Return the sentence."""
    sentence, pieces = formation_said(RUN, first, best)
    return sentence.format(**pieces)


def test_label_purity_is_said_of_both_epochs_beside_chance() -> None:
    assert said(chart(0, 0.6), chart(4, 0.88)) == (
        "Nearest neighbours with the same label: 60% before training, **88%** after (by chance: 50%)."
    )


def test_the_first_epoch_that_is_kept_need_not_be_the_untrained_one() -> None:
    assert ": 60% at epoch 1, **90%** at epoch 4 (" in said(chart(1, 0.6), chart(4, 0.9))


def test_one_epoch_is_not_compared_with_itself() -> None:
    assert ": **90%** at epoch 4 (" in said(chart(4, 0.9), chart(4, 0.9))


def test_chance_is_that_of_as_many_classes() -> None:
    sentence, pieces = formation_said(replace(RUN, class_names=tuple("abcd")), chart(0, 0.3), chart(4, 0.9))
    assert sentence.format(**pieces).endswith("(by chance: 25%).")


@pytest.mark.parametrize(("share", "most"), [(None, 0.32), (0.1, 0.32), (0.32, 0.32)])
def test_what_two_seeds_share_is_the_most_to_expect(share: float | None, most: float) -> None:
    assert ceiling_said(most, share, "a and b").startswith(" Expect at most about 32%, the share for a and b")


def test_two_trainings_that_share_more_refute_no_sentence() -> None:
    text = ceiling_said(0.32, 0.4, "a and b")
    assert "at most" not in text
    assert text == " For comparison, a and b differ only in their seed and share only 32%."
