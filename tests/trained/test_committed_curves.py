"""The committed curves of feed-forward networks are what comes of training them again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.experiments.feedforward.bags import newsgroups
from nlpviz.experiments.feedforward.experiment import conduct_one, experiments
from nlpviz.experiments.feedforward.stored import read_trials


@pytest.mark.slow  # the corpus is tokenized
@pytest.mark.parametrize("place", [("optimisers", "optimiser", "adagrad"), ("choices", "activation", "relu")])
def test_a_trial_is_trained_again(newsgroups_archive: Path, place: tuple[str, str, str]) -> None:
    assert newsgroups_archive.exists()
    name, group, choice = place
    (stored, *_), one = read_trials(name).of(group, choice), experiments()[name].groups[group][choice]
    again = conduct_one(one, (group, choice), newsgroups(), stored.rate, stored.seed)
    np.testing.assert_allclose(again.points[0], stored.points[0], rtol=1e-3)
    np.testing.assert_allclose(again.points[1], stored.points[1], rtol=0.05)
    assert again.test == pytest.approx(stored.test, abs=0.015), "another machine rounds in another order"
