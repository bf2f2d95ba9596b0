"""Trainings without some documents: one that leaves out none is the whole one, and what is said of them is counted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.results.left_out import LeftOut
from nlpviz.run_kinds.left_out import LeavingOut, leave_out
from nlpviz.runs import RunError, open_run
from nlpviz.runs.left_out import LEFT_OUT, left_out
from nlpviz.training.left_out import SmallTraining, log_odds, retrained, settings_of
from nlpviz.training.trained_on import trained_on
from tests.unit.conftest import Printed

ASKED = LeavingOut(count=15, texts=3, draws=2, seeds=1)
SHORT = SmallTraining(epochs=2, words=20, batch_size=8, every=1)


def moved(top: list[float], random: list[list[float]]) -> LeftOut:
    """Return what was found of texts whose log-odds are 1 after the whole training."""
    whole = np.ones(len(top), dtype=np.float32)
    others = np.array(random, dtype=np.float32)
    words = tuple(f"test/{place}" for place in range(len(top)))
    return LeftOut(
        "toy-cnn", 5, 100, "for one epoch", 1.0, words, ("positive",) * len(top),
        whole, np.array(top, dtype=np.float32), others, others, others[:, :1],
    )  # fmt: skip


def test_ratios_are_of_means_over_texts() -> None:
    found = moved([0.0, 0.5, 2.0], [[1.1, 0.9], [1.2, 0.8], [1.1, 1.1]])
    np.testing.assert_allclose(found.moved("top")[:, 0], [-1, -0.5, 1])
    assert found.ratio().value == pytest.approx((2.5 / 3) / (0.4 / 3), rel=1e-4)
    assert found.ratio().interval.low < found.ratio().value < found.ratio().interval.high
    assert (found.fell, found.farther) == (2, 3)


@pytest.mark.usefixtures("toy_modules", "trained")
def test_leaving_out_nothing_repeats_the_training_and_leaving_out_a_class_moves_it() -> None:
    run = open_run("toy-cnn")
    (train, _), settings = trained_on(run), settings_of(run, SHORT)
    all_of_them = np.ones(len(train), dtype=bool)
    first, again = (list(retrained(run, train, all_of_them, settings))[-1] for _ in range(2))
    for one, other in zip(first.parameters(), again.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=0)
    rows, classes = train.ids[:4], np.ones(4, dtype=np.int64)
    *_, without = retrained(run, train, train.labels == 0, settings)
    assert (log_odds(without, rows, classes) < log_odds(first, rows, classes)).all()
    np.testing.assert_allclose(log_odds(first, rows, classes), -log_odds(first, rows, 1 - classes), rtol=1e-4)


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules", "trained")
def test_a_test_that_was_stopped_goes_on_and_its_table_is_kept(tmp_path: Path) -> None:
    run = open_run("toy-cnn")
    said: list[str] = []
    assert leave_out(run, ASKED, SHORT, tmp_path, said.append, lambda: len(said) < 4) is None
    assert len(said) == 4
    done = leave_out(run, ASKED, SHORT, tmp_path, said.append)
    assert done is not None
    assert len(said) == len({one.partition(":")[0] for one in said}) == len(_lines(tmp_path))
    found = left_out(done)
    assert found is not None
    assert (len(found.ids), found.count, found.documents) == (3, 15, 180)
    assert found.random.shape == found.same.shape == (3, 2)
    assert found.seeds.shape == (3, 1)
    assert found.training == "for 2 epochs instead of 3, on the first 20 words of each document"
    kept = {one["name"]: one["log_odds"] for one in _lines(tmp_path)}
    np.testing.assert_allclose(found.top, [kept[f"top.{place}"][place] for place in range(3)])
    np.testing.assert_allclose(found.random[1], [kept["random.0"][1], kept["random.1"][1]])


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules", "trained")
def test_the_command_says_what_it_found_or_what_makes_it(printed: Printed) -> None:
    assert "leave-out toy-cnn --again" in printed.refused("leave-out", "toy-cnn")
    run = open_run("toy-cnn")
    asked = ["--count=10", "--texts=2", "--draws=1", "--words=20", "--batch=8", "--every=1", "--epochs=2"]
    facts = printed.json("leave-out", "toy-cnn", "--again", *asked)
    assert len(facts["texts"]) == 2
    assert "times (" in printed("leave-out", "toy-cnn")
    assert not (run.folder.parent / ".unfinished" / "toy-cnn-left-out").exists()
    with pytest.raises(RunError, match="too few"):
        leave_out(run, LeavingOut(count=100), SHORT, run.folder, lambda _: None)
    import pyarrow.parquet as pq

    path = run.folder / LEFT_OUT
    pq.write_table(pq.read_table(path).replace_schema_metadata({"nlpviz": "{}"}), path)
    with pytest.raises(RunError, match="is damaged or incomplete"):
        left_out(run.save())


def _lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "left-out.jsonl").read_text().splitlines()]
