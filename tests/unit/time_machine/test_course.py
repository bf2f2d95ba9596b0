"""One text through a training: which epoch is shown when, what is said of the course, and figures that go with it."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.figures.moments import CLOCK, at_moments, following
from nlpviz.figures.time_machine.lines import course_lines, labels, story_lines
from nlpviz.results.course import TextCourse, moments_of
from nlpviz.results.explanation import Explanation
from nlpviz.text.vocabulary import Vocabulary

VOCABULARY = Vocabulary(["not", "bad"], [2, 1])
SCORES = {0: [0.0, 0.1], 2: [0.5, -0.5], 5: [1.5, -0.25]}


def course(shares: dict[int, float], name: str = "one", best: int | None = None) -> TextCourse:
    """Return what epochs make of "not bad": the probability of the second class."""
    explanations = tuple(
        Explanation(
            run=name,
            epoch=epoch,
            method="saliency",
            encoded=VOCABULARY.encode("not bad", 10),
            scores=np.array(SCORES.get(epoch, [1.0, 1.0]), dtype=np.float32),
            matrix=None,
            signed=True,
            target=1,
            class_names=("negative", "positive"),
            probabilities=np.array([1 - share, share], dtype=np.float32),
            class_score=0.0,
        )
        for epoch, share in shares.items()
    )
    losses = np.array([[0, 0.7, 0.7], [1, 0.4, np.nan], [2, 0.3, 0.35]])
    return TextCourse(name, name.title(), max(shares) if best is None else best, explanations, losses)


def test_a_moment_shows_the_last_kept_epoch_up_to_it() -> None:
    one = course({1: 0.4, 2: 0.7, 5: 0.9})
    assert [one.at(moment).epoch for moment in (0, 1, 2, 3, 4, 5, 9)] == [1, 1, 2, 2, 2, 5, 5]
    assert moments_of((one, course({0: 0.5, 2: 0.6, 7: 0.6}))) == (0, 1, 2, 5, 7)


@pytest.mark.parametrize(
    ("shares", "turn"),
    [
        ({0: 0.4, 1: 0.7, 2: 0.9}, 1),
        ({0: 0.6, 1: 0.7, 2: 0.9}, None),
        ({0: 0.6, 1: 0.3, 2: 0.9}, 2),
        ({0: 0.6, 1: 0.3, 2: 0.2}, 1),
    ],
)
def test_the_turn_is_where_the_last_answer_begins_for_good(shares: dict[int, float], turn: int | None) -> None:
    assert course(shares).turn == turn


def test_the_figure_that_leads_has_a_cursor_at_each_epoch_that_any_run_keeps() -> None:
    courses = [course({0: 0.4, 2: 0.7, 5: 0.9}), course({0: 0.5, 3: 0.6}, "two")]
    playback = course_lines(courses, 2).playback
    assert playback is not None
    assert (playback.clock, playback.follows, playback.shown) == (CLOCK, False, "2")
    frames = {frame.value: frame for frame in playback.frames}
    assert list(frames) == ["0", "2", "3", "5"]
    assert frames["5"].layout["shapes"][0]["x0"] == 5
    assert set(frames["5"].layout) == {"shapes"}, "nothing but the cursor moves"
    assert "One: 70.0% at epoch 2" in frames["3"].alt
    assert "Two: 60.0% at epoch 3" in frames["3"].alt
    assert labels(courses) == {
        "0": "Epoch 0 (before training)", "2": "Epochs 2 and 0", "3": "Epochs 2 and 3", "5": "Epochs 5 and 3",
    }  # fmt: skip
    assert labels(courses[:1])["5"] == "Epoch 5 (best)"


def test_a_story_is_the_scores_of_one_word_and_follows() -> None:
    view = story_lines([course({0: 0.4, 2: 0.7, 5: 0.9})], 1, "log-odds", 5)
    np.testing.assert_allclose(view.table["score of bad, one"], [0.1, -0.5, -0.25], rtol=1e-6)
    assert view.playback is not None
    assert view.playback.follows


def test_figures_at_moments_have_equal_traces_and_follow_the_epochs_named() -> None:
    short, long = (course_lines([course({0: 0.4, 1: 0.7})] * count, 0) for count in (1, 2))
    with pytest.raises(ValueError, match="same number of traces"):
        at_moments({"0": short, "1": long}, "0", {"0": "a", "1": "b"}, leads=False)
    view = following(short, {"0": 0, "3": 0, "4": 1})
    assert view.playback is not None
    assert [(frame.value, frame.layout["shapes"][0]["x0"]) for frame in view.playback.frames if frame.layout] == [
        ("4", 1)
    ]
    assert view.playback.follows
    assert view.playback.shown == "0"
