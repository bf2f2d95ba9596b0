"""A run whose network skips words says at how many it updates its state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
import torch

from nlpviz.networks.architectures import WordByWord
from nlpviz.run_kinds import Request, kind_of
from nlpviz.runs import Run
from tests import toy


def counted(run: Run) -> float:
    """Return the share of the test texts' words with an update, read one text at a time, without padding."""
    trained, updates, words = run.load(), 0.0, 0
    module = cast("WordByWord", trained.module)
    for text in toy.read("test").texts:
        ids = torch.from_numpy(trained.encode(text).ids).unsqueeze(0)
        with torch.inference_mode():
            parts = module.unroll(module.embed(ids), module.mask(ids)).parts
        updates += parts["update"][..., 0].sum().item()
        words += ids.numel()
    return updates / words


def test_manifest_card_and_evaluation_say_at_how_many_words_it_updates(toy_classifiers: Callable[[str], Path]) -> None:
    run = Run.open(toy_classifiers("skip-rnn"))
    share = run.metrics["test"]["updates"]
    assert share == pytest.approx(counted(run))
    assert f"updates its state at {share:.1%} of the words" in (run.folder / "README.md").read_text(encoding="utf-8")


def test_evaluation_of_own_texts_says_it_too(toy_classifiers: Callable[[str], Path], tmp_path: Path) -> None:
    run = Run.open(toy_classifiers("skip-rnn"))
    texts, labels = tmp_path / "texts.txt", tmp_path / "labels.txt"
    texts.write_text("\n".join(toy.read("test").texts), encoding="utf-8")
    labels.write_text("\n".join(map(str, toy.read("test").labels)), encoding="utf-8")
    found = kind_of(run).evaluate(run, Request({"epoch": None, "texts": texts, "labels": labels}, "cpu", print))
    assert found.facts["updates"] == pytest.approx(counted(run))
    assert f"state updated at {counted(run):.1%} of the words" in found.lines[0]


def test_a_network_that_reads_every_word_says_nothing_of_it(toy_trained: Path) -> None:
    run = Run.open(toy_trained / "toy-cnn")
    assert "updates" not in run.metrics["test"]
    assert "updates its state at" not in (run.folder / "README.md").read_text(encoding="utf-8")
