"""What a takeaway begins with: runs are called by their titles, and there are no more words than it may have."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.ui.compare import TAKEAWAY, called, called_within, predictions, titles


class Shown(NamedTuple):
    """What a checkpoint predicts."""

    run: str
    epoch: int
    probabilities: NDArray[np.float32] = np.array([0.25, 0.75], dtype=np.float32)
    class_names: tuple[str, ...] = ("negative", "positive")

    @property
    def predicted(self) -> int:
        """The index of the likeliest class."""
        return int(self.probabilities.argmax())


AFTER = 4
AGAINST = np.array([0.9, 0.1], dtype=np.float32)


def said(*shown: Shown) -> str:
    sentence, pieces = predictions(shown, AFTER)
    return sentence.format(**pieces)


def test_a_checkpoint_is_called_by_the_title_of_its_run_and_by_an_epoch_that_is_not_the_best() -> None:
    assert called(Shown("imdb-cnn", 7)) == "CNN on IMDB"
    assert called(Shown("imdb-cnn", 0)) == "CNN on IMDB, epoch 0"
    assert titles([Shown("imdb-cnn", 0), Shown("imdb-cnn", 7)]) == ["Epoch 0", "Epoch 7"]
    assert titles([Shown("imdb-cnn", 0), Shown("imdb-han", 11)]) == ["CNN on IMDB, epoch 0", "HAN on IMDB"]


def test_the_bold_word_is_the_prediction_of_each_of_two() -> None:
    assert said(Shown("imdb-cnn", 7)) == "CNN on IMDB: **positive**, 75%"
    two = said(Shown("imdb-cnn", 0, AGAINST), Shown("imdb-cnn", 7))
    assert two == "CNN on IMDB: **positive**, 75%; epoch 0: **negative**, 90%"
    two = said(Shown("imdb-cnn", 7), Shown("imdb-han", 11, AGAINST))
    assert two == "CNN on IMDB: **positive**, 75%; HAN on IMDB: **negative**, 90%"


def test_a_long_name_loses_its_epoch_and_then_its_run() -> None:
    judge = Shown("imdb-bigru-judge", 0)
    assert called_within(judge, 10) == "BiGRU with attention on IMDB, trained with gaps, epoch 0"
    assert called_within(judge, 9) == "BiGRU with attention on IMDB, trained with gaps"
    assert called_within(judge, 7) == "Epoch 0"


@pytest.mark.parametrize("epoch", [0, 7])
def test_long_titles_leave_the_others_out(epoch: int) -> None:
    shown = [Shown("imdb-cnn", epoch), Shown("imdb-bigru-judge", 0), Shown("imdb-han", 0)]
    for several in (shown[:1], shown[:2], shown):
        assert said(*several).count("**") // 2 == 1
        assert len(said(*several).split()) + AFTER <= TAKEAWAY
