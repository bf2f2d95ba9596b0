"""What of the committed runs is measured again: of some at every commit, of all at full width."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from nlpviz.runs import Run


def again(runs: Iterable[Run]) -> pytest.MarkDecorator:
    """Run a test with each run: always in CI with the first one, where what is slow is run with the others."""
    marked = ((run, pytest.mark.slow if number else pytest.mark.ci) for number, run in enumerate(runs))
    return pytest.mark.parametrize("run", [pytest.param(run, id=run.name, marks=mark) for run, mark in marked])
