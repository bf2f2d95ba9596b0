"""The curves of a training that is not over have no best epoch; those of one that is over name it."""

from __future__ import annotations

import pytest

from nlpviz.figures.training.curves import training_curves
from nlpviz.results.history import LanguageEpoch, RunHistory
from nlpviz.run_kinds import kinds

RECORDS = [LanguageEpoch(epoch, 4 - epoch, 4.1 - epoch, 0.5, 1.0) for epoch in range(3)]


@pytest.mark.parametrize(
    ("best", "said"), [(None, "epoch 2 is the latest. At this epoch, the loss is 2"), (1, "epoch 1 was chosen")]
)
def test_the_best_epoch_is_marked_where_one_is_chosen(best: int | None, said: str) -> None:
    view = training_curves(RunHistory("plays", "Plays", best, 0, "cpu", RECORDS), kinds()["language-model"].measures)
    assert said in view.alt
    notes = [note.text for note in view.figure.layout.annotations if note.text == "best"]
    assert notes == ["best"] * (best is not None)
    assert len(view.figure.layout.shapes) == (best is not None)
    assert view.table["epoch"] == [0, 1, 2]
