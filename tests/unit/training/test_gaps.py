"""Texts with gaps: of each a share of its words is left out, drawn anew in each epoch; judges say what they reach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from nlpviz.runs import Run
from nlpviz.training import Options
from nlpviz.training.batches import Labelled
from nlpviz.training.classifier import ClassifierSettings, classifier_recipe
from nlpviz.training.produce import produce
from tests import toy


def test_words_are_left_out_in_order() -> None:
    texts = Labelled([np.arange(50) + 2 for _ in range(400)], np.zeros(400, dtype=np.int8))
    shares = np.array([1 - len(row) / 50 for row in texts.with_gaps(np.random.default_rng(0)).ids])
    assert abs(shares.mean() - 0.5) < 0.05
    np.testing.assert_allclose(np.percentile(shares, [10, 90]), [0.1, 0.9], atol=0.05)
    half = texts.with_gaps(np.random.default_rng(0), 0.5).ids
    assert abs(np.mean([len(row) for row in half]) - 25) < 1
    assert all((np.diff(row) > 0).all() for row in half)
    assert [len(row) for row in texts.with_gaps(np.random.default_rng(0), 0).ids] == [50] * 400


def test_a_judge_says_what_it_reaches_with_gaps(tmp_path: Path) -> None:
    with toy.discovered(tmp_path / "modules"):
        settings = ClassifierSettings(
            corpus="toy", class_names=toy.CLASSES, architecture="cnn", vocabulary_size=60, max_length=20,
            config={"dimensions": 8, "region_sizes": (1, 2), "filters": 4}, validation=40, kept_documents=40,
            fit=replace(toy.FIT, gaps=True, epochs=2),
        )  # fmt: skip
        recipe = classifier_recipe("toy-judge", "Toy judge", settings)
        run = produce(recipe, Options("cpu", None, "", lambda _: None), runs=tmp_path / "runs")
    assert run is not None
    metrics = Run.open(run.folder).metrics
    whole, half, most = (
        metrics[name]["accuracy"]
        for name in ("test", "test, 50% of the words left out", "test, 80% of the words left out")
    )
    assert whole >= half >= most - 0.1, "the planted word is often left out"
    assert "80% of the words left out" in (run.folder / "README.md").read_text(encoding="utf-8")
