"""The committed networks that caption scenes: as good as they must be, and they look at what a word names.

Written for whatever is in ``trained/``: without such a run they are skipped.
"""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.data import corpora
from nlpviz.data.scene_captions import is_true
from nlpviz.data.scene_objects import MOST, UNSEEN
from nlpviz.data.scene_pictures import render
from nlpviz.data.scenes import TESTED, held_out
from nlpviz.language.decoding.captions import describe, measure_captions
from nlpviz.results.history import CaptionEpoch
from nlpviz.runs import Run, list_runs
from nlpviz.runs.captioners import KIND, load_captioner
from nlpviz.runs.history import read_history
from nlpviz.training.captioner import measure
from nlpviz.training.captioner_fit import score
from nlpviz.training.recipes import recipes
from tests.promises import for_each
from tests.trained.again import again

RUNS = [run for run in list_runs()[0].values() if run.kind == KIND]
TRUE, UNSEEN_TRUE, TIMES_CHANCE = 0.95, 0.80, 3.0
SAMPLE = 200  # scenes of a split

pytestmark = pytest.mark.skipif(not RUNS, reason="no network that captions is in trained/ yet")
every = for_each(RUNS)


def test_both_ways_of_attending_are_there() -> None:
    assert {run.config["attention"] for run in RUNS} == {"soft", "hard"}


@every
def test_captions_are_as_true_as_they_must_be(run: Run) -> None:
    assert run.metrics["test"]["true"] >= TRUE
    assert run.metrics["unseen"]["true"] >= UNSEEN_TRUE


@every
def test_it_looks_at_the_object_of_a_word(run: Run) -> None:
    for split in TESTED:
        found = run.metrics[split]
        assert found["looks"] >= 1_000
        assert found["on_object"] >= TIMES_CHANCE * found["chance"]


@again(RUNS)
def test_a_sample_is_measured_again(run: Run) -> None:
    """Within three standard errors of a share of so many scenes; the card's numbers are those of the manifest."""
    trained = load_captioner(run)
    for split in TESTED:
        stored = run.metrics[split]
        found = measure(trained, held_out(split).first(SAMPLE))
        spread = 3 * np.sqrt(max(stored["true"] * (1 - stored["true"]), 0.01) / SAMPLE)
        assert abs(found["true"] - stored["true"]) <= spread, split
        assert found["loss"] == pytest.approx(stored["loss"], abs=0.1)
        card = (run.folder / "README.md").read_text(encoding="utf-8")
        assert f"| {stored['true']:.1%} |" in card
    assert corpora()[run.corpus["name"]].sha256 == (run.corpus["sha256"],)


@every
def test_random_weights_tell_nothing_true_and_the_best_epoch_is_that_of_validation(run: Run) -> None:
    history = read_history(run, CaptionEpoch)
    random = not run.recipe["fit"]["starts_from"]
    assert history[0].validation_true < (0.1 if random else max(history, key=score).validation_true)
    assert max(history, key=score).epoch == run.best_epoch
    assert run.metrics["validation"]["true"] == pytest.approx(max(history, key=score).validation_true, abs=1e-6)
    assert {0, run.best_epoch} <= set(run.epochs)
    some = held_out("test").first(50)
    first = measure_captions(describe(load_captioner(run, 0), some.images), some.scenes)
    assert (first.true < 0.1) == random


@every
def test_an_erased_object_is_said_no_more(run: Run) -> None:
    """Of scenes with objects to spare the first that a true caption names is erased: most captions name others then."""
    told = held_out("test").first(SAMPLE)
    trained = load_captioner(run)
    before = describe(trained, told.images)
    kept = [
        (scene, one.words) for scene, one in zip(told.scenes, before, strict=True) if len(scene) == MOST and one.ended
    ]
    assert len(kept) >= 20
    fewer = [scene[1:] for scene, _ in kept]
    after = describe(trained, np.stack([render(scene) for scene in fewer]))
    assert np.mean([is_true(one.words, scene) for one, scene in zip(after, fewer, strict=True)]) >= TRUE - 0.1


@every
def test_probabilities_and_weights_are_some(run: Run) -> None:
    for one in describe(load_captioner(run), held_out("unseen").first(20).images):
        assert one.ended
        assert ((one.probabilities > 0) & (one.probabilities <= 1)).all()
        np.testing.assert_allclose(one.weights.sum(axis=(1, 2)), 1, rtol=1e-4)
        assert (one.places is not None) == (run.config["attention"] == "hard")


def test_the_best_epoch_has_a_lower_loss_than_before_training() -> None:
    for run in RUNS:
        history = read_history(run, CaptionEpoch)
        assert max(history, key=score).validation_loss < history[0].validation_loss


def test_runs_are_what_their_recipes_make() -> None:
    for run in RUNS:
        settings = recipes()[run.name].settings
        assert run.seed == settings.fit.seed
        assert run.config["attention"] == settings.config["attention"]
        for name in ("batch_size", "epochs", "learning_rate", "reward", "entropy", "steps"):
            assert run.recipe["fit"][name] == getattr(settings.fit, name)
    assert len(UNSEEN) == 5
