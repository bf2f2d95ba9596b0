"""Figures of a network's memory hold its numbers, whatever these are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.analysis.inspection.clipping import descend, loss_surface
from nlpviz.figures import theme
from nlpviz.figures.recurrence.memory_clipping import RunNorms, clipped_descent, norms_by_epoch
from nlpviz.figures.recurrence.memory_lines import DEEPEST, HALVED, memory_lines
from nlpviz.figures.recurrence.memory_matrix import by_distance, memory_matrix
from nlpviz.figures.recurrence.memory_replaced import replaced_words
from nlpviz.figures.recurrence.memory_text import power, share, ticks
from nlpviz.results.memory import SCORE, STATE, Gate, Probes, TextMemory
from nlpviz.results.replaced_words import ReplacedWords, parting
from nlpviz.text.vocabulary import EncodedText, tokenize

CLASSES = ("negative", "positive")
TEXT = "not <b> a {bad} film"
COUNT = len(tokenize(TEXT))


def logs(seed: int, depth: float = 3.0) -> NDArray[np.float32]:
    """Return the lower triangle of random logarithms, not a number over it."""
    found = np.random.default_rng(seed).uniform(-depth, 0.5, (COUNT, COUNT)).astype(np.float32)
    found[np.triu_indices(COUNT, 1)] = np.nan
    return found


def memory(run: str = "net", epoch: int = 3, seed: int = 0, **about: Any) -> TextMemory:
    """Return what a network remembers of the text."""
    state = logs(seed)
    np.fill_diagonal(state, 0)
    gates = [(np.linspace(-depth, 0, COUNT)).astype(np.float32) for depth in (20.0, 1.0)]
    facts: dict[str, Any] = {
        "state": state, "last": state[-1].copy(), "probes": Probes(2, 0.25), "state_size": 8,
        "gate": Gate("forget gate", "f", *gates),
    }  # fmt: skip
    text = EncodedText(TEXT, tuple(tokenize(TEXT)), np.full(COUNT, 2), 99)
    shares = np.array([0.4, 0.6], dtype=np.float32)
    return TextMemory(run, epoch, text, CLASSES, shares, 1, logs(seed + 1), **facts | about)


def replaced(one: TextMemory, seed: int = 0) -> ReplacedWords:
    """Return what replacing its words by three others does."""
    changes = np.random.default_rng(seed).normal(size=(COUNT, 3)).astype(np.float32)
    return ReplacedWords(one.run, one.epoch, one.text, CLASSES, 1, 0.2, ("a", "b", "c"), changes, 0)


def test_lines_are_the_last_row_by_distance() -> None:
    one = memory()
    view = memory_lines([one], STATE)
    line, longest, kept, half = view.figure.data
    np.testing.assert_array_equal(line.x, np.arange(COUNT)[::-1])
    np.testing.assert_allclose(line.y, one.last)
    assert one.gate is not None
    np.testing.assert_allclose(longest.y, one.gate.longest)
    np.testing.assert_allclose(kept.y, one.gate.kept)
    np.testing.assert_allclose(10.0 ** np.asarray(half.y), 0.5 ** np.asarray(half.x, dtype=float), rtol=1e-5)
    assert half.name == HALVED
    assert "&lt;b&gt;" not in "".join(line.text)  # markup is no token; what is one is escaped
    assert view.table["words back"].tolist() == list(range(COUNT))  # type: ignore[union-attr]
    np.testing.assert_allclose(view.table["log10 of the gain, Epoch 3"], one.last[::-1])  # type: ignore[index,arg-type]


def test_lines_of_scores_have_neither_gates_nor_halves() -> None:
    shown = [memory(epoch=0), memory(seed=5)]
    view = memory_lines(shown, SCORE)
    assert [line.name for line in view.figure.data] == ["Epoch 0", "Epoch 3"]
    assert len({line.line.dash for line in view.figure.data}) == 2  # told apart by more than hue
    np.testing.assert_allclose(view.figure.data[1].y, shown[1].score[-1])


def test_several_networks_differ_in_hue_and_one_without_a_state_is_left_out() -> None:
    shown = [memory("one", 0), memory("one", 3), memory("two"), memory("tcn", state=None, last=None, probes=None)]
    view = memory_lines(shown, STATE)
    names = [line.name for line in view.figure.data]
    assert names[:3] == ["one, epoch 0", "one, epoch 3", "two, epoch 3"]
    assert not any("tcn" in name for name in names)
    assert [line.line.color for line in view.figure.data[:3]] == [*[theme.CATEGORIES[0]] * 2, theme.CATEGORIES[1]]


def test_what_falls_beyond_all_bounds_leaves_the_frame_and_not_the_table() -> None:
    deep = memory().last.copy()  # type: ignore[union-attr]
    deep[0], deep[1], deep[2] = -300, -np.inf, np.inf
    view = memory_lines([memory(last=deep)], STATE)
    low, high = view.figure.layout.yaxis.range
    assert high - low < DEEPEST + 1
    drawn = np.asarray(view.figure.data[0].y, dtype=float)
    assert drawn[0] == -300
    assert np.isnan(drawn[1:3]).all()
    assert np.asarray(view.table["log10 of the gain, Epoch 3"])[-1] == -300
    assert "3.0" not in power(-300.0)
    nothing = np.full(COUNT, -np.inf, dtype=np.float32)
    assert "no word reaches 1%" in memory_lines([memory(last=nothing)], STATE).alt


def test_matrices_are_all_pairs_on_one_scale() -> None:
    shown = [memory(epoch=0), memory(seed=3)]
    for quantity in (STATE, SCORE):
        view = memory_matrix(shown, quantity)
        for trace, one in zip(view.figure.data, shown, strict=True):
            np.testing.assert_allclose(np.asarray(trace.z, dtype=float), one.matrix(quantity), rtol=1e-6)
            assert trace.coloraxis == "coloraxis"
        scale = view.figure.layout.coloraxis
        known = np.concatenate([m[np.isfinite(m)] for m in (one.matrix(quantity) for one in shown) if m is not None])
        assert (scale.cmin, scale.cmax) == pytest.approx((known.min(), known.max()))
    assert "standard error 25%" in memory_matrix(shown, STATE).caption
    assert "exact" in memory_matrix([memory(probes=Probes(8, 0.0))], STATE).caption


def test_zeros_and_single_words_are_drawn() -> None:
    zero = logs(0)
    zero[np.tril_indices(COUNT)] = -np.inf
    view = memory_matrix([replace(memory(), score=zero)], SCORE)
    assert np.isnan(np.asarray(view.figure.data[0].z, dtype=float)).all()
    assert by_distance(logs(0))[1] == pytest.approx(np.median(np.diagonal(logs(0), -1)))


def test_replaced_words_stand_over_the_gradient() -> None:
    one = memory()
    other = replaced(one)
    found = parting(one, other)
    view = replaced_words([one], [other])
    band, moved, gradient = view.figure.data
    np.testing.assert_allclose(moved.y, np.log10(other.moved), rtol=1e-5)
    np.testing.assert_allclose(gradient.y, one.score[-1])
    assert (moved.yaxis, gradient.yaxis) == ("y", "y2")
    sizes = np.log10(np.abs(other.changes))
    np.testing.assert_allclose(band.y, [*sizes.max(axis=1), *sizes.min(axis=1)[::-1]], rtol=1e-5)
    words = [token.word for token in one.text.read]
    named = [note.text for note in view.figure.layout.annotations]
    assert named == [words[position].replace("<", "&lt;").replace(">", "&gt;") for position in found[1:3]]  # type: ignore[index]
    np.testing.assert_allclose(view.table["mean change in the score, Epoch 3"], other.changes.mean(axis=1))  # type: ignore[arg-type]


def test_words_that_move_nothing_are_gaps() -> None:
    one = memory()
    still = replace(replaced(one), changes=np.zeros((COUNT, 3), dtype=np.float32))
    view = replaced_words([one], [still])
    assert np.isnan(np.asarray(view.figure.data[1].y, dtype=float)).all()
    assert len(view.figure.layout.annotations) == 0


def test_paths_on_the_wall_are_the_steps() -> None:
    surface, free, clipped = loss_surface(), descend((5, -2.2), 1, None), descend((5, -2.2), 1, 0.3)
    view = clipped_descent(surface, free, clipped)
    ground, *lines = view.figure.data
    np.testing.assert_allclose(ground.z, surface.losses)
    for (path, losses), one in zip((lines[:2], lines[2:]), (free, clipped), strict=True):
        np.testing.assert_allclose(np.stack([path.x, path.y], axis=1), one.points)
        np.testing.assert_allclose(losses.y, one.losses)
    assert lines[0].line.dash != lines[2].line.dash
    assert f"{clipped.losses[-1]:.3f}" in view.alt


def test_norms_of_a_run_stand_beside_its_threshold() -> None:
    view = norms_by_epoch([RunNorms("a", "A", [1, 2], [0.5, 1.5], 1.0), RunNorms("b", "B", [1], [0.2], 0.0)])
    assert [list(line.y) for line in view.figure.data] == [[0.5, 1.5], [0.2], [1.0, 1.0]]
    assert view.figure.data[2].name == "threshold 1"
    assert view.table["threshold"] == [1.0, 1.0, 0.0]
    assert "B: from 0.20 in epoch 1 to 0.20 in epoch 1, not clipped." in view.alt


@pytest.mark.parametrize(
    ("log", "written"),
    [(0, "1.0"), (-1, "0.10"), (-0.6990, "0.20"), (2, "100"), (1.0792, "12"), (-7.4949, "3.2 × 10⁻⁸"),
     (-3.0004, "10.0 × 10⁻⁴"), (5, "1.0 × 10⁵"), (400, "1.0 × 10⁴⁰⁰"), (-np.inf, "0"), (np.inf, "infinite"),
     (np.nan, "not a number")],
)  # fmt: skip
def test_numbers_are_written_with_two_digits(log: float, written: str) -> None:
    assert power(log) == written.replace("10.0 × 10⁻⁴", "1.0 × 10⁻³")


def test_shares_and_ticks() -> None:
    assert (share(-0.5), share(0.0), share(-3.0), share(-9.0)) == ("32%", "100%", "0.10%", "1.0 × 10⁻⁹")
    assert ticks(-2.3, 0.4) == ([0.0, -1.0, -2.0], ["1", "0.1", "0.01"])
    values, said = ticks(-80, 1)
    assert len(values) <= 9
    assert said[1] == "10⁻¹⁰"
