"""Maps of two runs side by side: the documents in common, and one turn for each run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nlpviz.results.projection import Projection
from nlpviz.runs import RunError
from nlpviz.ui.documents.answers import compared, seed_pair
from nlpviz.ui.documents.like_epochs import like_pairs, side_by_side
from nlpviz.ui.documents.maps import arrange


def run(name: str, ids: str, best_epoch: int = 2) -> Any:
    """Return as much of a run as is asked for, its documents a letter each."""
    documents = SimpleNamespace(ids=tuple(ids))
    return SimpleNamespace(name=name, best_epoch=best_epoch, kept=lambda *_: documents)


def chart(name: str, epoch: int, coordinates: np.ndarray, *, alone: bool = False) -> Projection:
    """Return a map."""
    return Projection(
        name, "pca", epoch, coordinates.astype(np.float32), 1.0, 0.5, 15, 0, "Epochs share their axes.", alone=alone
    )


PLACES = np.random.default_rng(0).normal(size=(6, 2))
TURN = np.array([[0, 1], [-1, 0]])


def test_one_run_is_left_as_it_is() -> None:
    fitted = (chart("a", 0, PLACES), chart("a", 2, 2 * PLACES))
    assert arrange({"a": run("a", "uvwxyz")}, fitted).maps == fitted


def test_other_run_is_turned_as_a_whole_by_its_chosen_epoch() -> None:
    first = (chart("a", 0, PLACES), chart("a", 2, 2 * PLACES))
    other = (chart("b", 1, PLACES @ TURN + 9), chart("b", 5, 2 * PLACES @ TURN + 7))
    shown = arrange({"a": run("a", "uvwxyz"), "b": run("b", "uvwxyz", best_epoch=5)}, first + other)
    np.testing.assert_allclose(shown.maps[3].coordinates, 2 * PLACES, atol=1e-5)
    # 2 * PLACES @ TURN + 7 came to lie on 2 * PLACES: the same turn leaves the other epoch 2 beside its position
    np.testing.assert_allclose(shown.maps[2].coordinates - PLACES, np.tile([[2, 2] @ TURN.T], (6, 1)), atol=1e-5)


def test_documents_are_matched_by_id_and_cut_to_those_in_common() -> None:
    first, other = chart("a", 2, PLACES), chart("b", 2, PLACES[[3, 2, 1, 0]])
    shown = arrange({"a": run("a", "uvwxyz"), "b": run("b", "xwvu")}, (first, other))
    for one, members in zip(shown.maps, ([0, 1, 2, 3], [3, 2, 1, 0]), strict=True):
        np.testing.assert_allclose(one.coordinates, PLACES[:4], atol=1e-5)
        assert one.members is not None
        assert one.members.tolist() == members


def test_maps_fitted_alone_are_not_turned() -> None:
    fitted = (chart("a", 2, PLACES, alone=True), chart("b", 2, PLACES @ TURN, alone=True))
    shown = arrange({"a": run("a", "uvwxyz"), "b": run("b", "uvwxyz")}, fitted)
    assert shown.transforms == {}
    np.testing.assert_array_equal(shown.maps[1].coordinates, fitted[1].coordinates)


def test_runs_without_a_document_in_common_are_refused() -> None:
    with pytest.raises(RunError, match="no documents in common"):
        arrange({"a": run("a", "uvwxyz"), "b": run("b", "abcdef")}, (chart("a", 2, PLACES), chart("b", 2, PLACES)))


@dataclass(frozen=True)
class Learnt:
    """What decides whether two runs differ in their seed alone."""

    seed: int
    best_epoch: int = 2
    architecture: str = "cnn"
    static: bool = False
    kept_epochs: tuple[int, ...] | None = None

    def kept(self, _name: str, make: Callable[[Learnt], Any]) -> Any:
        """Return what ``make`` makes of it; a run remembers that."""
        return make(self)

    @property
    def config(self) -> dict[str, Any]:
        """Of the network."""
        return {"static": self.static}

    @property
    def corpus(self) -> dict[str, str]:
        """What it learnt from."""
        return {"sha256": "0"}

    @property
    def recipe(self) -> dict[str, Any]:
        """How it learnt."""
        return {"fit": {"seed": self.seed, "epochs": 3}, "kept_epochs": self.kept_epochs}


def test_like_epochs_stand_in_one_row() -> None:
    """Of one number or both the best: a 0 beside b 0, a 2 beside b 5; a 1 has no like."""
    runs = {"a": run("a", "uvwxyz"), "b": run("b", "uvwxyz", best_epoch=5)}
    maps = tuple(chart(name, epoch, PLACES) for name, epoch in (("a", 0), ("a", 1), ("a", 2), ("b", 0), ("b", 5)))
    assert like_pairs(runs, maps) == [(0, 3), (2, 4)]
    shown = [(one.run, one.epoch) for one in side_by_side(runs, maps)]
    assert shown == [("a", 0), ("b", 0), ("a", 2), ("b", 5), ("a", 1)]
    assert side_by_side({"a": runs["a"]}, maps[:3]) == maps[:3]
    assert arrange(runs, side_by_side(runs, maps)).told == 3, "sentences are about b 5"
    assert arrange({"a": runs["a"]}, maps[:3]).told == 2


def test_unlike_epochs_are_not_compared() -> None:
    """One run's best epoch is not like the other's epoch of that number, and an untrained network like none."""
    runs = {"a": run("a", "uvwxyz"), "b": run("b", "uvwxyz", best_epoch=5)}
    unlike = tuple(chart(name, epoch, PLACES) for name, epoch in (("a", 0), ("a", 2), ("b", 2)))
    assert compared(arrange(runs, unlike)) is None
    like = (*unlike, chart("b", 5, PLACES))
    assert compared(arrange(runs, like)) == (1, 3)
    assert compared(arrange({"a": runs["a"]}, unlike[:2])) == (0, 1)


def test_seeds_are_compared_between_runs_that_differ_in_their_seed_alone() -> None:
    own = Learnt(0)
    twin = Learnt(1, best_epoch=5, kept_epochs=(0,))
    runs: dict[str, Any] = {"static": Learnt(1, static=True), "same": Learnt(0), "twin": twin}
    assert seed_pair(runs, own) == ((own, 2), (twin, 5))  # type: ignore[arg-type]
    assert seed_pair({"static": replace(own, seed=3, static=True)}, own) is None  # type: ignore[arg-type, dict-item]
