"""Accuracies have their intervals, and one classifier is said to be better only where a paired test says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.figures.numbers import p_said
from nlpviz.figures.training.comparison import comparison_matrix
from nlpviz.results.comparison import Comparison, compare_all
from nlpviz.results.predictions import Predicted
from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.accuracy import INTERVAL, ON_TEST
from nlpviz.run_kinds.comparison import comparisons, difference
from nlpviz.runs import Run, open_run
from nlpviz.runs.predictions import PREDICTIONS, predictions_of, write_predictions
from nlpviz.stats.significance import wilson
from nlpviz.ui.training.comparison import comparison_said


def compared(*right: float, count: int = 1_000, seed: int = 0) -> Comparison:
    """Return classifiers that are right with these probabilities, each by itself."""
    rng = np.random.default_rng(seed)
    answers = [rng.random(count) < share for share in right]
    names = [f"run-{position}" for position in range(len(right))]
    return compare_all(names, [name.title() for name in names], answers)


def said(shown: Comparison) -> str:
    sentence, pieces = comparison_said(shown)
    return sentence.format(**pieces)


def test_the_best_stands_first_with_its_interval() -> None:
    shown = compared(0.7, 0.9, 0.8)
    assert shown.runs == ("run-1", "run-2", "run-0")
    assert shown.intervals[0] == wilson(shown.accuracies[0], 1_000)
    assert not shown.indistinct
    text = said(shown)
    assert text.startswith(f"Run-1 reaches {shown.accuracies[0]:.2%} (95% interval ")
    assert text.endswith(
        ", significantly better than all other models (paired test). 3 of 3 pairs differ significantly."
    )


def test_better_is_not_said_of_what_a_test_does_not_tell_apart() -> None:
    shown = compared(0.9, 0.9, 0.5)
    assert shown.indistinct == [(0, 1)]
    text = said(shown)
    rival = shown.titles[1]
    assert f", not significantly better than {rival} (paired test). 2 of 3 pairs differ significantly." in text


def test_only_what_is_told_apart_is_filled() -> None:
    shown = compared(0.9, 0.9, 0.5)
    view = comparison_matrix(shown, "toy")
    cells = np.array(view.figure.data[0].z, dtype=float)
    assert np.isnan(cells[1, 0]), "the two that are alike"
    assert cells[2, 0] == pytest.approx(100 * shown.pairs[0, 2].difference)
    assert len(view.figure.data[1].text) == 3
    assert list(view.figure.data[2].text) == [f"{share:.1%}" for share in shown.accuracies]
    assert view.table["p-value (McNemar’s mid-p)"][0] > 0.05
    assert f"the exceptions are {shown.titles[0]} and {shown.titles[1]}" in view.alt


def test_a_matrix_of_equals_is_drawn() -> None:
    same = np.ones(20, dtype=bool)
    view = comparison_matrix(compare_all("ab", "ab", [same, same]), "toy")
    assert np.isnan(np.array(view.figure.data[0].z, dtype=float)).all()
    assert view.alt.endswith("By a paired test, the two do not differ significantly.")


def test_two_classifiers_are_one_comparison() -> None:
    shown = compared(0.6, 0.9)
    assert said(shown).endswith(", significantly better than the other model (paired test).")
    rival = compared(0.9, 0.9).titles[1]
    assert said(compared(0.9, 0.9)).endswith(f", not significantly better than {rival} (paired test).")
    view = comparison_matrix(shown, "tickets")
    assert view.alt.endswith("By a paired test, the two differ significantly.")
    assert "1,000 test documents of tickets" in view.caption
    assert "comparisons" not in view.caption


@pytest.mark.parametrize(("p", "expected"), [(0.0, "p < 0.001"), (0.0123, "p = 0.012"), (1.0, "p = 1.000")])
def test_p_values_are_written_as_people_do(p: float, expected: str) -> None:
    assert p_said(p) == expected


class TestRuns:
    """The toy runs: every classifier is right of nearly all texts."""

    @pytest.fixture
    def run(self, trained: Path) -> Run:  # noqa: ARG002 - the toy runs, in the place of trained/
        return open_run("toy-cnn")

    def with_errors(self, run: Run, count: int) -> Run:
        """Return the run with ``count`` wrong predictions, as its files and its manifest say."""
        stored = predictions_of(run)
        classes = stored.labels.copy()
        classes[:count] = 1 - classes[:count]
        wrong = Predicted(classes, stored.predicted.probabilities)
        write_predictions(run.folder, stored.ids, stored.labels, {run.best_epoch: wrong}, wrong, np.zeros(90, int))
        test = {**run.metrics["test"], "accuracy": 1 - count / 90}
        return replace(run, metrics={**run.metrics, "test": test}).save()

    def test_interval_stands_in_table_and_line(self, run: Run) -> None:
        run = self.with_errors(run, 9)
        low, high = wilson(0.9, 90)
        assert INTERVAL.text(run) == f"{low:.2%} to {high:.2%}"
        assert ON_TEST.said(run) == f"90.00% on test ({low:.2%} to {high:.2%})"
        assert INTERVAL in kind_of(run).columns
        assert ON_TEST.between(replace(run, metrics={})) == "–"

    @pytest.mark.parametrize(("errors", "apart"), [(0, False), (2, False), (30, True)])
    def test_a_network_is_below_the_baseline_only_where_a_test_says_so(
        self, run: Run, errors: int, apart: bool
    ) -> None:
        baseline = self.with_errors(open_run("toy-ngrams"), 0)
        found = self.with_errors(run, errors)
        answer = kind_of(baseline).beside(baseline, found)
        text = answer.sentence.format(**answer.pieces)
        assert ("points below it" in text) == apart
        assert ("is not significant" in text) == (not apart)

    def test_a_network_above_the_baseline_is_said_to_be_above(self, run: Run) -> None:
        baseline = self.with_errors(open_run("toy-ngrams"), 30)
        answer = kind_of(baseline).beside(baseline, self.with_errors(run, 0))
        assert "33.3 points above it (95% interval" in answer.sentence.format(**answer.pieces)

    def test_without_predictions_nothing_is_claimed(self, run: Run) -> None:
        baseline = open_run("toy-ngrams")
        (run.folder / PREDICTIONS).unlink()
        answer = kind_of(baseline).beside(baseline, run.save())
        text = answer.sentence.format(**answer.pieces)
        assert "significance was not tested" in text
        assert difference(open_run("toy-cnn"), baseline) is None

    def test_runs_on_one_corpus_are_compared(self, run: Run) -> None:
        baseline = open_run("toy-ngrams")
        found = comparisons([run, baseline])
        assert set(found) == {"toy"}
        assert set(found["toy"].runs) == {"toy-cnn", "toy-ngrams"}
        assert comparisons([run]) == {}
