"""What a run can show is asked of a network with its own configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from nlpviz.discovery import discover
from nlpviz.networks.architectures import DocumentEncoder, attends, untrained_instance
from tests.toy import add_modules

TWO_CELLS = """
from dataclasses import dataclass
from torch import nn
from nlpviz.networks.architectures import Architecture

@dataclass(frozen=True)
class Config:
    vocabulary_size: int
    cell: str = "gru"

class Gru(nn.Module):
    pass

class Lstm(nn.Module):
    def attend(self, embedded, mask):
        return mask

    def classify_attending(self, embedded, mask, weights):
        return weights

MODEL = Architecture("two-cells", "Two", "A 2026", Config, lambda config: {"gru": Gru, "lstm": Lstm}[config.cell]())
"""


def test_one_cell_shows_what_another_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_modules(monkeypatch, "nlpviz.networks.architectures", tmp_path, {"two_cells": TWO_CELLS})
    try:
        assert not attends("two-cells", {"vocabulary_size": 9})
        assert attends("two-cells", {"vocabulary_size": 9, "cell": "lstm"})
        assert untrained_instance("two-cells", {"cell": "elman"}) is None
        assert untrained_instance("two-cells", {"gates": 3}) is None
    finally:
        discover.cache_clear()


def test_it_is_small_made_once_and_disturbs_no_training() -> None:
    config = {"vocabulary_size": 1_000_000, "dimensions": 17}
    before = torch.random.get_rng_state()
    module = untrained_instance("cnn", config)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert isinstance(module, DocumentEncoder)
    assert module.get_parameter("embedding.weight").shape == (2, 17)
    assert untrained_instance("cnn", dict(reversed(config.items()))) is module


def test_what_nobody_knows_is_none() -> None:
    assert untrained_instance("perceptron", {}) is None
    assert not attends("perceptron", {})
