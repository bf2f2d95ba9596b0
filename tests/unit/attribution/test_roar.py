"""ROAR: as many words masked in every order, the right ones; what is said of curves; a toy trained without its word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.attribution.orders import magnitudes, ranks
from nlpviz.figures.attribution.roar import roar_curves
from nlpviz.results.roar import RANDOM, WHOLE, WORD_LIST, Retraining, Roar, cells
from nlpviz.run_kinds.roar import usual_methods
from nlpviz.runs import RunError, open_run
from nlpviz.runs.roar import ROAR, roar_of, write_roar
from nlpviz.stats.significance import wilson
from nlpviz.text.vocabulary import SENTENCE, UNKNOWN
from nlpviz.training.masking import count_masked, log_count_ratios, masked
from nlpviz.ui.attribution.roar import said_of_shares
from tests import toy
from tests.unit.conftest import Printed


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 1.0])
def test_every_order_masks_as_many_words_the_first_ones(share: float) -> None:
    rng = np.random.default_rng(0)
    row = rng.integers(2, 50, size=23) + rng.integers(0, 3, size=23) * SENTENCE
    for scores in (rng.random(23), np.zeros(23), np.repeat([1.0, 0.0], [3, 20])):
        order = ranks(scores, rng)
        assert sorted(order) == list(range(23))
        found = masked(row, order, share)
        gone = found % SENTENCE == UNKNOWN
        assert gone.sum() == count_masked(share, 23) == round(share * 23)
        assert not gone.any() or scores[gone].min() >= scores[~gone].max(initial=-1)
        np.testing.assert_array_equal(found // SENTENCE, row // SENTENCE)
        np.testing.assert_array_equal(found[~gone], row[~gone])


def test_words_without_scores_are_in_no_order() -> None:
    """A max-pooling network gives many words none: the beginning of a text must not come first."""
    first = [int(np.argmin(ranks(np.zeros(10), np.random.default_rng(seed)))) for seed in range(40)]
    assert len(set(first)) > 5


def test_log_count_ratios_by_hand() -> None:
    rows = [np.array([2, 3, 3]), np.array([2, 4]), np.array([2, 3]), np.array([4])]
    found = log_count_ratios(rows, np.array([1, 0, 1, 0]), 6, 2)
    assert found[2] == pytest.approx(np.log(3 / 2))
    assert found[3] == pytest.approx(np.log(3)), "a word counts once for a text"
    assert found[4] == pytest.approx(np.log(3))
    assert found[5] == 0


def test_magnitudes_are_those_of_the_explanation() -> None:
    from nlpviz.analysis.attribution import explain

    trained = open_run("imdb-cnn-static").load()
    text = "a dull film but the acting is wonderful"
    for name in ("gradient-input", "regions"):
        expected = np.abs(explain(trained, text, name).scores)
        np.testing.assert_allclose(magnitudes(trained, trained.encode(text).row, name), expected, atol=1e-6)
    assert len(magnitudes(trained, np.zeros(0, dtype=np.int64), "saliency")) == 0
    assert usual_methods(open_run("imdb-cnn-static"))[-1] == "regions"
    assert usual_methods(open_run("imdb-gru"))[-1] == "occlusion"


def made(own: float, random: float, seeds: int = 2, texts: int = 400) -> Roar:
    """Return trainings in which so many of the texts are right, the same ones as far as they go."""
    share = {WHOLE: 0.95, RANDOM: random, "saliency": own, WORD_LIST: random}
    asked = cells(("saliency", WORD_LIST), seeds, (0.3,))
    right = np.array([np.arange(texts) < round(share[cell.order] * texts) for cell in asked])
    ids = tuple(f"test/{number}" for number in range(texts))
    return Roar("toy-cnn", 3, ids, asked, right, 6000, 1000, 150, 3, 600.0, "cpu: 1 thread")


def test_what_is_reached_and_what_tests_make_of_it() -> None:
    found = made(0.7, 0.8)
    assert found.methods == ("saliency", WORD_LIST)
    assert found.shares == (0.3,)
    assert found.reached("saliency", 0.3).interval == wilson(0.7, 400)
    assert found.reached(WHOLE).seeds == (0.95, 0.95)
    against = found.against("saliency", 0.3)
    assert against.difference == pytest.approx(-0.1)
    spread = np.sqrt(0.1 * 0.9 * 400 / 399 / 400)
    assert against.interval.low == pytest.approx(-0.1 - 1.959964 * spread)
    assert against.below
    assert not against.above
    assert found.against(WORD_LIST, 0.3).p == 1
    assert found.below(0.3) == ("saliency",)
    assert made(0.9, 0.8).against("saliency", 0.3).above
    assert not made(0.795, 0.8, texts=200).against("saliency", 0.3).below, "one text of 200 tells nothing"
    with pytest.raises(KeyError):
        found.reached("lime", 0.3)


def test_random_masks_may_have_more_seeds() -> None:
    asked = cells(("saliency",), 1, (0.1, 0.3), random_seeds=3)
    assert len(asked) == 5 + 2 * 3
    assert [cell.seed for cell in asked] == sorted(cell.seed for cell in asked)
    assert {cell.order for cell in asked if cell.seed} == {WHOLE, RANDOM}
    assert cells(("saliency",), 2, (0.1,)) == cells(("saliency",), 2, (0.1,), random_seeds=1)
    assert made(0.7, 0.8).seeds_said == "2 seeds per order"
    right = np.zeros((len(asked), 400), dtype=bool)
    assert replace(made(0.7, 0.8), cells=asked, right=right).seeds_said == "1 seed per order, 3 for random masks"


def test_a_seed_on_the_other_side_keeps_the_sentence_quiet() -> None:
    found, right = made(0.7, 0.8), made(0.7, 0.8).right.copy()
    right[found.cells.index(Retraining("saliency", 0.3, 1))] = np.arange(400) < 0.85 * 400
    mixed = replace(found, right=right)
    assert mixed.against("saliency", 0.3).difference < 0
    assert not mixed.against("saliency", 0.3).below
    assert said_of_shares(mixed).startswith("No order costs significantly more accuracy")
    assert (
        said_of_shares(found) == "In 1 of 2 comparisons, an order costs significantly more accuracy than random words."
    )
    alone = [at for at, cell in enumerate(found.cells) if cell.order != WORD_LIST]
    every = replace(found, cells=tuple(found.cells[at] for at in alone), right=found.right[alone])
    assert said_of_shares(every) == "Every order costs significantly more accuracy than random words at all 1 shares."
    assert said_of_shares(made(0.9, 0.8)).endswith(" comparisons; in 1, it costs significantly less.")


def test_the_figure_holds_what_was_reached() -> None:
    view = roar_curves(made(0.7, 0.8), {"saliency": "Saliency"})
    lines = {line.name: line for line in view.figure.data}
    assert list(lines) == ["Random words", "Saliency", "Log-count ratio"]
    assert list(lines["Saliency"].y) == pytest.approx([0.95, 0.7])
    assert view.table["accuracy"] == pytest.approx([0.95, 0.8, 0.7, 0.8])
    assert view.table["difference from random"] == ["–", "–", "−10.0 points", "0.0 points"]
    assert "Saliency 70.0% at 30%" in view.alt


@pytest.mark.usefixtures("trained")
def test_what_is_kept_is_printed_order_by_order(printed: Printed) -> None:
    write_roar(open_run("toy-cnn"), made(0.7, 0.8))
    facts = printed.json("roar", "toy-cnn", "--kept")
    assert [(one["order"], one["share"], one["accuracy"]) for one in facts["trained"]] == [
        (WHOLE, 0.0, 0.95),
        (RANDOM, 0.3, 0.8),
        ("saliency", 0.3, 0.7),
        (WORD_LIST, 0.3, 0.8),
    ]
    assert [one.get("difference") for one in facts["trained"]] == [None, None, pytest.approx(-0.1), 0]


@pytest.mark.usefixtures("trained")
def test_it_is_kept_with_the_run_and_a_damaged_file_costs_a_sentence() -> None:
    import pyarrow.parquet as pq

    assert roar_of(open_run("toy-cnn")) is None
    run, found = write_roar(open_run("toy-cnn"), made(0.7, 0.8)), made(0.7, 0.8)
    kept = roar_of(run)
    np.testing.assert_array_equal(kept.right, found.right)
    assert (kept.cells, kept.ids, kept.seconds) == (found.cells, found.ids, 600.0)
    table = pq.read_table(run.folder / ROAR)
    for damaged in (
        table.replace_schema_metadata({"nlpviz": "{}"}),
        table.select([name for name in table.column_names if "random" not in name]),
    ):
        pq.write_table(damaged, run.folder / ROAR)
        with pytest.raises(RunError, match="is damaged or incomplete"):
            roar_of(run.save())


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules", "trained")
def test_without_its_word_a_toy_text_cannot_be_classified(printed: Printed) -> None:
    """One word decides: masked by a method it is gone in every text, at random in some of them."""
    run = open_run("toy-cnn")
    asked = ("roar", "toy-cnn", "--device", "cpu", "--seeds", "1", "--methods", "gradient-input", "--epochs", "2")
    assert "The time limit is reached" in printed.refused(*asked, "--minutes", "0", "--json")
    assert (run.folder.parent / ".unfinished" / "toy-cnn-roar" / "sample.npz").exists()
    assert "was created with different settings" in printed.refused(*asked, "--tokens", "7", "--json")
    facts = printed.json(*asked)
    by = {(one["order"], one["share"]): one["accuracy"] for one in facts["trained"]}
    assert by[WHOLE, 0.0] > 0.9
    for order in ("gradient-input", WORD_LIST):
        assert by[order, 0.3] < by[RANDOM, 0.3] - 0.1, "its word is among the first three"
    assert not (run.folder.parent / ".unfinished" / "toy-cnn-roar").exists()
    assert printed.json("roar", "toy-cnn", "--kept") == facts
    assert len(roar_of(open_run("toy-cnn")).ids) == toy.SIZES["test"]
    assert "There is no method 'guess'" in printed.refused("roar", "toy-cnn", "--methods", "guess")
    assert "`roar` does not apply to it" in printed.refused("roar", "toy-ngrams")


def test_a_run_without_it_says_how_to_get_it(printed: Printed) -> None:
    said = printed.refused("roar", "imdb-gru", "--kept")
    assert "has no ROAR result. Run `python -m nlpviz roar imdb-gru`" in said


@pytest.mark.usefixtures("trained")
def test_a_run_that_no_recipe_trains_is_refused(printed: Printed, tmp_path: Path) -> None:
    (tmp_path / "trained" / "toy-cnn").rename(tmp_path / "trained" / "other")
    assert "other has no recipe to retrain it" in printed.refused("roar", "other", "--json")
