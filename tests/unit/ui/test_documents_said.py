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


def said(first: Projection, best: Projection) -> tuple[str, str]:
    """Return the heading and the sentence."""
    heading, sentence, pieces = formation_said(RUN, first, best)
    return heading, sentence.format(**pieces)


@pytest.mark.parametrize(
    ("before", "after", "documents", "separate"),
    [
        (0.60, 0.88, 2_000, True),
        (0.60, 0.65, 2_000, True),
        (0.60, 0.61, 2_000, False),
        (0.60, 0.60, 2_000, False),
        (0.88, 0.60, 2_000, False),
        (0.60, 0.80, 20, False),
    ],
)
def test_classes_separate_only_where_purity_rises(before: float, after: float, documents: int, separate: bool) -> None:
    heading, sentence = said(chart(0, before, documents), chart(4, after, documents))
    assert ("The classes separate" in heading) == separate
    assert f"**{before:.0%}** of a review's 15 nearest neighbours share its label" in sentence
    assert f"at epoch 4 **{after:.0%}** do. By chance it would be 50%." in sentence


def test_the_first_epoch_that_is_kept_need_not_be_the_untrained_one() -> None:
    assert said(chart(0, 0.6), chart(4, 0.9))[1].startswith("Before training (with the word vectors of imdb-skipgram")
    assert said(chart(1, 0.6), chart(4, 0.9))[1].startswith("At epoch 1 **60%**")


def test_one_epoch_is_not_compared_with_itself() -> None:
    heading, sentence = said(chart(4, 0.9), chart(4, 0.9))
    assert "separate as" not in heading
    assert "do." not in sentence


def test_chance_is_that_of_as_many_classes() -> None:
    _, sentence, pieces = formation_said(replace(RUN, class_names=tuple("abcd")), chart(0, 0.3), chart(4, 0.9))
    assert sentence.format(**pieces).endswith("By chance it would be 25%.")


@pytest.mark.parametrize(("share", "most"), [(None, 0.32), (0.1, 0.32), (0.32, 0.32)])
def test_what_two_seeds_share_is_the_most_to_expect(share: float | None, most: float) -> None:
    assert ceiling_said(most, share, "a and b").startswith(" Expect at most about 32%: a and b")


def test_two_trainings_that_share_more_refute_no_sentence() -> None:
    text = ceiling_said(0.32, 0.4, "a and b")
    assert "at most" not in text
    assert text == " That is more than a and b share, which differ only in their seed: 32%."
