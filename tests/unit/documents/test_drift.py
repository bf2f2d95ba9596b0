"""Neighbours that are others: beside plain loops, beside the seeds' band, and in words that say no more than that."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.analysis.projections.drift import drift_of, nearest_by_cosine, nearest_of, neighbours_there, seeds
from nlpviz.figures.documents.drift import drift_dots
from nlpviz.figures.documents.drift_sentences import compared_said, count_said, floor_said, moved_said, verdicts_table
from nlpviz.results.drift import ComparedSpace, Difference, Drift, NoiseFloor, Verdict, changed_share, floor_of
from nlpviz.results.seeds import SeedAnswers
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.runs.more_seeds import write_seeds
from nlpviz.runs.predictions import predictions_of
from tests.unit.conftest import Printed

RNG = np.random.default_rng(5)


def plain_nearest(rows: NDArray[np.floating], count: int) -> list[set[int]]:
    """Return the neighbours of each row by cosine, one pair after the other."""
    found = []
    for own, one in enumerate(rows):
        cosines = [
            (-float(one @ other) / float(np.linalg.norm(one) * np.linalg.norm(other)), at)
            for at, other in enumerate(rows)
            if at != own
        ]
        found.append({at for _, at in sorted(cosines)[:count]})
    return found


def test_shares_are_those_of_a_plain_loop() -> None:
    first, second = RNG.normal(size=(40, 7)), RNG.normal(size=(40, 7))
    first[:, 0] *= 5  # lengths differ, and cosine does not heed them
    near = [nearest_by_cosine(one)[:, :6] for one in (first, second)]
    by_hand = [
        1 - len(one & other) / 6 for one, other in zip(plain_nearest(first, 6), plain_nearest(second, 6), strict=True)
    ]
    np.testing.assert_allclose(changed_share(*near), by_hand, atol=1e-6)
    assert changed_share(near[0], near[0]).max() == 0
    assert abs(np.mean(by_hand) - (1 - 6 / 39)) < 0.1, "unrelated spaces are at chance"
    with pytest.raises(ValueError, match="same documents and numbers of neighbours"):
        changed_share(near[0], near[1][:, :5])
    assert nearest_by_cosine(np.zeros((4, 3))).shape == (4, 3), "no document has a length, and none is its neighbour"


def differing(mean: float, key: str = "x", count: int = 400) -> Difference:
    """Return a difference with about this mean."""
    return Difference(key, f"network {key}", RNG.binomial(10, mean, count).astype(np.float32) / 10)


FLOOR = NoiseFloor(tuple(differing(mean, f"{at}") for at, mean in enumerate((0.5, 0.52, 0.55))), ("Toy", "Other"))


def test_the_band_is_what_any_two_seeds_differ_by_and_decides_what_is_a_change() -> None:
    lows, highs = zip(*(pair.interval for pair in FLOOR.pairs), strict=True)
    assert FLOOR.band == (min(lows), max(highs))
    assert FLOOR.verdict(differing(0.9)) is Verdict.BEYOND
    assert FLOOR.verdict(differing(0.53)) is Verdict.WITHIN
    assert FLOOR.verdict(differing(0.1)) is Verdict.BELOW
    assert all(FLOOR.verdict(pair) is Verdict.WITHIN for pair in FLOOR.pairs), "seeds are no change of themselves"
    np.testing.assert_array_equal(FLOOR.most, np.max([pair.changed for pair in FLOOR.pairs], axis=0))
    excess = [
        (pair.changed > np.max([one.changed for one in FLOOR.pairs if one is not pair], axis=0)).mean()
        for pair in FLOOR.pairs
    ]
    assert FLOOR.exceeded_by_chance == pytest.approx(np.mean(excess))
    assert NoiseFloor(FLOOR.pairs[:1]).exceeded_by_chance is None
    assert floor_of("toy", ["seed 0"], [np.zeros((4, 2), dtype=int)]) is None


def drift(*compared: ComparedSpace, floor: NoiseFloor | None = FLOOR) -> Drift:
    """Return what lies beside a space of 400 documents."""
    ids = tuple(f"test/{at}" for at in range(400))
    return Drift("toy", "Toy", 3, 10, ids, np.zeros(400, dtype=int), compared, floor, (0, 1, 2) if floor else (0,))


@pytest.mark.parametrize("mean", [0.1, 0.53, 0.9])
@pytest.mark.parametrize("floor", [FLOOR, NoiseFloor(FLOOR.pairs[:1], ("Toy",)), None])
def test_nothing_is_called_a_change_that_is_within_the_band(mean: float, floor: NoiseFloor | None) -> None:
    one = ComparedSpace("networks", differing(mean), floor)
    whole = drift(one, floor=floor)
    beyond = floor is not None and one.found.interval.low > floor.band.high
    said = compared_said(whole, one, "epoch 3")
    whose = {0: "unknown seed noise.", 1: "another seed of Toy.", 2: "another seed of either network."}
    assert whose[len(floor.recipes) if floor else 0] in said[0].format(**said[1])
    assert len(said[0].format(**said[1]).split()) <= 25
    moved = moved_said(one, "review")
    if floor is None:
        assert not moved
    else:
        start = f"For {int(floor.moved(one.found).sum())} of {len(one.found.known)} reviews, more neighbours change "
        assert moved.startswith(f"{start}than between any two seeds of {' or '.join(floor.recipes)} (")
        assert ("by chance: up to half" in moved) == (floor.exceeded_by_chance is None)
    assert ("**more** than" in said[0]) == beyond
    assert ("**more** than" in verdicts_table(whole)["Compared with another seed"][0]) == beyond
    sentence, pieces = count_said(whole)
    assert sentence.format(**pieces).startswith(f"**{int(beyond)}** of 1 comparisons") == (floor is not None)
    assert len(sentence.format(**pieces).split()) <= 15
    figure = drift_dots(whole, one.found.key, "review")
    assert ("change" in {trace.name.partition(":")[0] for trace in figure.figure.data}) == beyond
    opening, pieces = floor_said(whole, "review")
    written = opening.format(**pieces)
    assert ("Seed noise is unknown" in written) == (floor is None)
    assert ("(only " in written) == (floor is not None and len(floor.pairs) == 1)
    assert len(written.split()) <= 25


def test_documents_are_ranked_by_what_seeds_do_not_do() -> None:
    pair = Difference("0-1", "seeds", np.array([0.9, 0.1, 0.5, 0.2], dtype=np.float32))
    found = Difference("x", "other", np.array([0.9, 0.8, np.nan, 1.0], dtype=np.float32))
    one = ComparedSpace("networks", found, NoiseFloor((pair,)))
    assert one.movers.tolist() == [3, 1, 0]
    assert one.floor is not None
    assert one.floor.moved(found).tolist() == [False, True, False, True]
    assert found.mean == pytest.approx(0.9)
    assert ComparedSpace("networks", found, None).movers.tolist() == [3, 0, 1]


@pytest.fixture
def run(trained: Path) -> Run:
    """The toy run, beside which another one keeps the very same vectors."""
    shutil.copytree(trained / "toy-cnn", trained / "toy-again")
    return open_run("toy-cnn")


def with_seeds(run: Run, count: int) -> Run:
    """Return the run with so many seeds whose vectors are near its own."""
    rows, said = embeddings_of(run, run.best_epoch), predictions_of(run).predicted
    spread = rows.std()
    noisy = [rows + RNG.normal(size=rows.shape).astype(np.float32) * spread for _ in range(count)]
    return write_seeds(run, [SeedAnswers(7 + at, 1, 0.5, 1.0, "cpu", one, said) for at, one in enumerate(noisy)])


def test_a_run_is_compared_with_its_epochs_seeds_and_other_networks(run: Run) -> None:
    run, others = with_seeds(run, 2), [open_run("toy-again"), open_run("toy-ngrams")]
    told: list[float] = []
    found = drift_of(run, others, 5, done=told.append)
    assert told[-1] == 1
    assert found.seeds == (run.seed, 7, 8)
    assert len(found.floor.pairs) == 3
    assert [one.found.key for one in found.group("epochs")] == [f"epoch {at}" for at in run.epochs if at != 3][:3]
    (twin,) = found.group("networks")
    assert (twin.found.key, twin.found.mean, twin.verdict) == ("toy-again", 0, Verdict.BELOW)
    assert all(one.verdict is Verdict.WITHIN for one in found.group("seeds"))
    own, before = (nearest_of(run, epoch)[:, :5] for epoch in (run.best_epoch, 0))
    by_hand = [1 - len(set(one) & set(other)) / 5 for one, other in zip(own.tolist(), before.tolist(), strict=True)]
    np.testing.assert_allclose(found.compared[0].found.changed, by_hand, atol=1e-6)
    first = drift_of(run, others, 5, "before").group("epochs")
    assert [one.found.title for one in first] == [f"epoch {at} to {at + 1}" for at in range(len(run.epochs) - 1)]
    for key in ("epoch 0", "seed 8", others[0].name):
        near, whose = neighbours_there(run, found, key, others)
        assert near.shape == (60, 5)
        assert whose.name in (run.name, key)


def test_two_runs_that_keep_different_documents_are_compared_on_those_of_both(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nlpviz.analysis.projections import drift as module

    other = replace(run, name="other")
    half = np.arange(0, 60, 2)

    def documents(one: Run) -> object:
        kept = documents_of(one)
        return kept if one.name == run.name else replace(kept, ids=tuple(kept.ids[at] for at in half))

    def embeddings(one: Run, epoch: int) -> NDArray[np.float32]:
        rows = embeddings_of(run, epoch)
        return rows if one.name == run.name else rows[half]

    monkeypatch.setattr(module, "documents_of", documents)
    monkeypatch.setattr(module, "embeddings_of", embeddings)
    monkeypatch.setattr(module, "seeds_of", lambda *_: [])
    found = drift_of(run, [other], 5).group("networks")[0].found
    assert len(found.known) == 30
    assert found.mean == 0, "they are the same vectors"


def test_one_seed_has_no_floor_and_what_has_no_vectors_is_refused(run: Run, printed: Printed) -> None:
    facts = printed.json("drift", "toy-cnn", "--neighbours", "4", "--movers", "2")
    assert facts["band"] is None
    assert {one["verdict"] for one in facts["compared"]} == {"seed range unknown"}
    assert all(len(one["movers"]) == 2 for one in facts["compared"])
    assert "seed noise unknown: train another seed with `python -m nlpviz seeds toy-cnn --seed" in printed(
        "drift", "toy-cnn"
    )
    with_seeds(open_run("toy-cnn"), 2)
    assert "; seed noise " in printed("drift", "toy-cnn")
    compared = printed.json("drift", "toy-cnn")["compared"]
    assert {one["verdict"] for one in compared if one["group"] == "seeds"} == {"within the seed range"}
    assert "at most 50" in printed.refused("drift", "toy-cnn", "--neighbours", "51")
    assert "`drift` does not apply to it" in printed.refused("drift", "toy-ngrams")
    with pytest.raises(RunError, match="has no stored embeddings"):
        nearest_of(replace(run, files={}), 0)
    with pytest.raises(RunError, match="has no stored epoch 9"):
        nearest_of(run, 9)
    assert len(seeds(run, [])) == 1
