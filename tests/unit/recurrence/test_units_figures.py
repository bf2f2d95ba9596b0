"""Figures of units: what they draw, say and hand on is what was found."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.figures.recurrence.units import NULL, OTHER, unit_bars
from nlpviz.figures.recurrence.units_course import course_lines, unit_html
from nlpviz.figures.recurrence.units_facts import ablation_dots, unit_bins, unit_epochs
from nlpviz.results.unit_course import UnitCourse
from nlpviz.results.units import Ablation, Bins, Unit, UnitSearch, UnitSurvey
from nlpviz.stats.significance import compare_counts
from nlpviz.text.vocabulary import Vocabulary

UNITS = tuple(Unit("hidden state", 0, number) for number in range(30))


def search(epoch: int = 8, run: str = "toy", line: float = 0.3) -> UnitSearch:
    """Return a search in which h4 is best, negative, and h7 the next one."""
    r = np.linspace(0.01, 0.2, 30).astype(np.float32)
    r[4], r[7] = -0.6, 0.5
    bins = {"h4": Bins(np.array([0, 1], np.float32), np.array([0.5, -0.25], np.float32))}
    return UnitSearch(
        run, epoch, "negation", UNITS, r, r - 0.1, r + 0.1, shifted=line, swapped=0.2, p=0.01, words=900, documents=9,
        redraws=300, mean=0.1, ever=True, bins=bins,
    )  # fmt: skip


def test_bars_are_the_best_units_with_the_lines() -> None:
    view = unit_bars([search()], "negation <b>in force</b>", search(run="again"), "h7")
    bars, null, other = view.figure.data
    assert list(bars.customdata[:2]) == ["h4", "h7"]
    np.testing.assert_allclose(bars.x[:2], [0.6, 0.5], atol=1e-6)
    np.testing.assert_allclose(bars.error_x.array[:2], [0.1, 0.1], atol=1e-6)
    assert list(bars.marker.pattern.shape[:2]) == ["/", ""]
    assert list(bars.marker.line.width[:2]) == [0, 2]
    assert (null.name, null.x) == (NULL, (0.3, 0.3))
    assert other.name == OTHER
    assert other.x == pytest.approx((0.6, 0.6))
    assert "best unit h4 with r −0.60" in view.alt
    assert "2 of 30 units above it" in view.alt
    assert view.table["unit"][:2] == ["h4", "h7"]


def test_a_text_is_coloured_by_the_unit_and_escaped() -> None:
    vocabulary = Vocabulary(["a", "film"], [2, 1])
    encoded = vocabulary.encode("<i>a</i> film & zyx film a", 4)
    values = np.array([0.5, -1.0, 0.0, 0.01], np.float32)
    course = UnitCourse("toy", 8, UNITS[4], encoded, values, np.array([0, 1, 0, 0], np.float32))
    html = unit_html(course, 1.0)
    assert "&lt;i&gt;" in html
    assert "<i>" not in html
    assert 'class="nlpviz-for" title="a: +0.5" style="--nlpviz-share:27.5%"' in html
    assert 'class="nlpviz-against" title="film: −1" style="--nlpviz-share:55.0%"' in html
    assert "truncated" in html
    assert course.r == pytest.approx(np.corrcoef(values, [0, 1, 0, 0])[0, 1])
    view = course_lines([course], "negation scope", "")
    unit, feature = view.figure.data
    np.testing.assert_allclose(unit.y, values)
    np.testing.assert_allclose(feature.y, [0, 1, 0, 0])
    assert f"r {'−' if course.r < 0 else '+'}" in view.alt
    assert UnitCourse("toy", 8, UNITS[4], encoded, values, np.zeros(4, np.float32)).r is None


def test_bins_epochs_and_ablations_hold_what_was_found() -> None:
    drawn = unit_bins([("h4", search())], "negation", "")
    assert list(drawn.table["mean of the unit"]) == [0.5, -0.25]
    every = unit_epochs([search(0, line=0.7), search(8)], "h7", "negation")
    np.testing.assert_allclose(every.table["|r| of h7"], [0.5, 0.5], atol=1e-6)
    assert list(every.table["best unit"]) == ["h4", "h4"]
    assert list(every.table["chance threshold (95%)"]) == [0.7, 0.3]
    ablations = [Ablation(UNITS[one], 0.1, 0.8, compare_counts(one, 10, 200), random=one > 4) for one in (4, 5, 6)]
    survey = UnitSurvey({}, {}, {one.unit.id: one for one in ablations}, 0.83, 200)
    held = ablation_dots(ablations[0], survey, "toy", 8)
    assert list(held.table["unit"]) == ["h4", "h5", "h6"]
    np.testing.assert_allclose(held.table["change (points)"], [-3, -2.5, -2])
    assert "changes accuracy by −3.00 points; ablating 2 random units changes it by −2.50 to −2.00" in held.alt
