"""Which runs differ in their seed alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nlpviz.runs import Run
from nlpviz.runs.seeds import of_another_seed


@pytest.fixture
def run(toy_classifiers: Callable[[str], Path]) -> Run:
    return Run.open(toy_classifiers("cnn"))


@pytest.mark.parametrize("changed", [{}, {"validation_gap": None}, {"newer": 0}, {"kept_epochs": (0,)}])
def test_a_setting_that_is_off_or_says_what_is_kept_has_no_weight(run: Run, changed: dict[str, Any]) -> None:
    twin = replace(run, seed=run.seed + 1, recipe=dict(run.recipe) | changed)
    assert of_another_seed(run, [run, twin]) is twin


@pytest.mark.parametrize("changed", [{"max_length": 7}, {"newer": 0.3}])
def test_other_settings_are_another_training(run: Run, changed: dict[str, Any]) -> None:
    assert of_another_seed(run, [replace(run, seed=run.seed + 1, recipe=dict(run.recipe) | changed)]) is None


def test_the_same_seed_is_none_of_another(run: Run) -> None:
    assert of_another_seed(run, [run]) is None
