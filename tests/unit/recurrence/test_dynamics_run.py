"""The dynamics of a toy run, measured, written and read again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.analysis.inspection import dynamics_survey
from nlpviz.analysis.inspection.dynamics_survey import survey_dynamics
from nlpviz.run_kinds.classifier_survey import surveyed_files
from nlpviz.runs import Run, RunError
from nlpviz.runs.dynamics import DYNAMICS, dynamics_of, keeps_dynamics
from tests import three, toy

KINDS = ("recurrent-network", "qrnn", "skip-rnn", "tcn")


@pytest.fixture(scope="module", params=KINDS)
def surveyed(
    request: pytest.FixtureRequest, toy_classifiers: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Run]:
    """A toy run with its dynamics measured on a few texts; nobody writes into it."""
    folder = tmp_path_factory.mktemp("surveyed") / f"toy-{request.param}"
    shutil.copytree(toy_classifiers(request.param), folder)
    texts = toy.read("test")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"WALKED": 6, "STEPS": 30}.items():
            patch.setattr(dynamics_survey, name, value)
        yield survey_dynamics(Run.open(folder), texts.texts[:20], texts.labels[:20])


def test_dynamics_are_read_as_they_were_measured(surveyed: Run) -> None:
    texts = toy.read("test")
    epoch = surveyed.best_epoch
    (told,) = dynamics_survey.dynamics(surveyed.load(epoch), texts.texts[:20], texts.labels[:20])
    kept = dynamics_of(surveyed, epoch)
    assert (kept.space.reviews, kept.space.fitted) == (told.space.reviews, told.space.fitted)
    assert kept.space.labels.tolist() == texts.labels[:20].tolist()
    for name in ("mean", "axes", "shares"):
        assert np.array_equal(getattr(kept.space, name), getattr(told.space, name))
    assert np.allclose(kept.space.ends, told.space.ends, rtol=1e-3, atol=1e-3)
    assert [one.input for one in kept.slow] == [one.input for one in told.slow]
    for one, other in zip(kept.slow, told.slow, strict=True):
        for name in ("speeds", "scores", "eigenvalues", "shares"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        assert (one.state_size, one.step) == (other.state_size, pytest.approx(other.step))
        assert (one.spread, one.cosine) == (pytest.approx(other.spread), pytest.approx(other.cosine))
        assert (np.diff(one.speeds) >= 0).all()
    assert (kept.contexts is None) == (told.contexts is None)
    assert surveyed.file(DYNAMICS).stat().st_size < 150 * 1024


def test_each_of_three_classes_has_its_own_scores_on_the_same_axes(three_recurrent: Path) -> None:
    run = Run.open(three_recurrent / "three-recurrent")
    trained = run.load()
    kept = [dynamics_of(run, run.best_epoch, target) for target in range(3)]
    assert all(np.array_equal(one.space.axes, kept[0].space.axes) for one in kept)
    row = torch.from_numpy(trained.encode(three.read("test").texts[7]).row).unsqueeze(0)
    with torch.inference_mode():
        logits = trained.module(row)[0].numpy()
    for target, one in enumerate(kept):
        others = np.delete(logits, target)
        assert one.space.scores[7] == pytest.approx(logits[target] - others.mean(), abs=2e-2)
        assert one.contexts is not None
        assert one.modifiers is not None
        planted = one.modifiers.words.index(three.PLANTED[target])
        assert one.modifiers.plain[planted] == one.modifiers.plain.max() > 0
        means = [other.modifiers.plain[planted] for other in kept if other.modifiers is not None]
        assert sum(means) == pytest.approx(0, abs=1e-3), (
            "what speaks for one of three classes speaks against the others"
        )
    for slow in zip(*(one.slow for one in kept), strict=True):
        assert sum(one.scores for one in slow) == pytest.approx(0, abs=1e-3)
        assert len({one.cosine for one in slow}) == 3
        assert all(np.array_equal(one.speeds, slow[0].speeds) for one in slow)
    last = dynamics_of(run, run.best_epoch)
    assert np.array_equal(last.space.scores, kept[-1].space.scores)


def test_a_survey_of_the_last_of_three_classes_alone_counts_as_none(three_recurrent: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    run = Run.open(shutil.copytree(three_recurrent / "three-recurrent", tmp_path / "three-recurrent"))
    assert keeps_dynamics(run, 0)
    table = pq.ParquetFile(run.file(DYNAMICS)).read()
    names = [name.removesuffix(".2") for name in table["name"].to_pylist()]
    table = table.set_column(table.column_names.index("name"), "name", pa.array(names))
    pq.write_table(table.filter(pa.array([name.count(".") == 1 for name in names])), run.folder / DYNAMICS)
    older = run.save()
    assert not any(keeps_dynamics(older, target) for target in range(3))
    with pytest.raises(RunError, match="python -m nlpviz survey three-recurrent"):
        dynamics_of(older, 0)


def test_only_what_goes_on_word_by_word_has_slow_points(surveyed: Run) -> None:
    kept = dynamics_of(surveyed, 0)
    assert len(kept.slow) == (0 if surveyed.architecture == "tcn" else 2)
    assert (kept.contexts is None) == (surveyed.architecture == "tcn")
    assert DYNAMICS in surveyed_files(surveyed)


def test_the_ends_are_where_the_texts_end(surveyed: Run) -> None:
    trained = surveyed.load()
    kept = dynamics_of(surveyed, surveyed.best_epoch).space
    text = toy.read("test").texts[7]
    with torch.inference_mode():
        logit = float(trained.module(torch.from_numpy(trained.encode(text).row).unsqueeze(0))[0, 0])
    assert kept.scores[7] == pytest.approx(logit, abs=2e-2)  # in half precision


def test_a_run_that_nobody_measured_says_so(toy_classifiers: Callable[[str], Path]) -> None:
    run = Run.open(toy_classifiers("recurrent-network"))
    with pytest.raises(RunError, match="python -m nlpviz survey toy-recurrent-network"):
        dynamics_of(run, 0)


def test_a_file_that_lacks_an_array_is_refused(surveyed: Run, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.ParquetFile(surveyed.file(DYNAMICS)).read()
    names = table["name"].to_pylist()
    folder = shutil.copytree(surveyed.folder, tmp_path / surveyed.name)
    pq.write_table(table.filter(pa.array([name != "space.ends" for name in names])), folder / DYNAMICS)
    damaged = replace(surveyed, folder=folder).save()
    with pytest.raises(RunError, match=r"dynamics\.parquet of the run .* cannot be read"):
        dynamics_of(damaged, 0)
