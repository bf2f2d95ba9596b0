"""Faithfulness over many texts: exact over all orders, baselines among the methods, kept, read and told."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution import faithfulness_survey as faithfulness_surveys
from nlpviz.analysis.attribution.baselines import EARLIER, LATER, LogCountRatio, explain_by, like
from nlpviz.analysis.attribution.faithfulness import GroupReader, order_of
from nlpviz.analysis.attribution.faithfulness_survey import GROUPS, Lattice, sample, survey_faithfulness
from nlpviz.results.faithfulness import fall, shortfall
from nlpviz.results.faithfulness_survey import MEASURES, FaithfulnessSurvey, told_apart
from nlpviz.runs import Run, RunError
from nlpviz.runs.faithfulness import FAITHFULNESS, faithfulness_survey, write_faithfulness
from nlpviz.runs.word_ratios import counted
from tests import toy
from tests.unit.conftest import Printed

RUN = "toy-cnn"


def long_texts(count: int) -> list[tuple[str, str]]:
    """Return texts of over twenty words, each of toy texts of one label."""
    texts = [toy.read("test").texts[label::2] for label in (0, 1)]
    return [(f"long/{number}", " ".join(texts[number % 2][number : number + 4])) for number in range(count)]


@pytest.fixture(scope="module")
def surveyed(toy_trained: Path) -> FaithfulnessSurvey:
    return survey_faithfulness(Run.open(toy_trained / RUN), long_texts(12))


def test_all_orders_are_known_from_all_sets() -> None:
    p = np.random.default_rng(0).random(2**5)
    lattice, orders = Lattice(p), np.array(list(permutations(range(5))))
    curves = np.array([[p[sum(1 << g for g in order[:k])] for k in range(6)] for order in orders])
    every = lattice.comprehensiveness(orders)
    np.testing.assert_allclose(every, fall(curves))
    assert (lattice.best, lattice.worst) == pytest.approx((every.max(), every.min()))
    assert lattice.mean == pytest.approx(every.mean())
    kept = np.array([[p[sum(1 << g for g in order[k:])] for k in range(6)] for order in orders])
    np.testing.assert_allclose(lattice.sufficiency(lattice.comprehensiveness(orders[:, ::-1])), shortfall(kept))


def test_what_the_survey_says_of_a_text_is_what_the_text_says(surveyed: FaithfulnessSurvey, toy_trained: Path) -> None:
    trained = Run.open(toy_trained / RUN).load()
    assert surveyed.orders == (*methods_for(trained.run), LATER.name, EARLIER.name)
    for number, (_, text) in list(enumerate(long_texts(12)))[::5]:
        one = explain(trained, text, "gradient-input")
        reader = GroupReader(trained, one.encoded, one.target, GROUPS)
        order = order_of(one, reader.starts)
        place = surveyed.orders.index("gradient-input")
        assert surveyed.comprehensiveness[number, place] == pytest.approx(float(fall(reader.curve(order))))
        kept = reader.curve(order[::-1])[::-1]
        assert surveyed.sufficiency[number, place] == pytest.approx(float(shortfall(kept)))
    for measure in MEASURES:
        values, random = surveyed.values(measure)
        assert np.nanmin(values) > -1e-6
        assert np.nanmax(values) < 1 + 1e-6
        assert ((random > 0) & (random < 1)).all()


def test_a_method_that_finds_the_planted_word_wins_and_one_that_does_not_is_not_said_to(
    surveyed: FaithfulnessSurvey,
) -> None:
    apart = told_apart([surveyed])
    assert apart[RUN, "gradient-input"] == 1
    assert surveyed.wins("gradient-input").share > 0.9
    assert surveyed.gained("gradient-input", "comprehensiveness").low > 0
    gained = surveyed.gained("later", "comprehensiveness", over="gradient-input")
    assert gained.high < 0
    np.testing.assert_allclose(surveyed.shares.sum(axis=1), 1)
    assert surveyed.shares[surveyed.orders.index("later"), -1] > 0.3


def test_baselines_explain_without_a_network(toy_trained: Path) -> None:
    trained = Run.open(toy_trained / RUN).load()
    train = toy.read("train")
    ratios = LogCountRatio(counted([text.split() for text in train.texts], np.asarray(train.labels), 2))
    text = "the splendid film was dreadful qqq"
    for target in (0, 1):
        said = explain_by(trained, text, ratios, target)
        words = dict(zip((token.word for token in said.encoded.read), said.scores.tolist(), strict=True))
        assert words["qqq"] == 0
        assert (words["splendid"] > 1, words["dreadful"] < -1) == (target == 1, target == 1)
        assert (words["dreadful"] > 1) == (target == 0)
    one = explain(trained, text, "saliency")
    assert like(one, LATER).scores.tolist() == sorted(like(one, EARLIER).scores.tolist())
    assert like(one, LATER).target == one.target
    with_word = np.array([("splendid" in text.split()) for text in train.texts])
    p, q = (1 + int(with_word[np.asarray(train.labels) == label].sum()) for label in (1, 0))
    assert abs(float(ratios.scores(["splendid"], 1)[0]) - np.log(p / q)) < 0.2, "but for the sums of all counts"


def test_as_many_of_each_label_are_drawn_of_lengths_that_can_be_measured() -> None:
    texts = ["word " * length for length in (3, 8, 200, 201, 50, 60, 70)]
    labels = np.array([0, 0, 1, 1, 0, 1, 1])
    drawn = sample([str(number) for number in range(7)], labels, texts, 4)
    assert {name for name, _ in drawn} <= {"1", "2", "4", "5", "6"}
    assert sorted(labels[int(name)] for name, _ in drawn) == [0, 0, 1, 1]
    odd = sample([str(number) for number in range(7)], labels, texts, 3)
    assert sorted(labels[int(name)] for name, _ in odd) == [0, 0, 1], "the first label has one more"
    assert len(sample(["a"], np.array([0]), ["short"], 4)) == 0


def test_it_is_kept_and_told(trained: Path, printed: Printed, surveyed: FaithfulnessSurvey) -> None:
    run = Run.open(trained / RUN)
    assert "--survey 300`." in printed.refused("faithfulness", RUN, "--survey")
    run = write_faithfulness(run, surveyed)
    kept = faithfulness_survey(run)
    assert kept is not None
    assert (kept.orders, kept.ids, kept.groups, kept.epoch) == (surveyed.orders, surveyed.ids, GROUPS, run.best_epoch)
    for name in ("comprehensiveness", "sufficiency", "beaten", "within", "best", "worst", "random", "within_random"):
        np.testing.assert_allclose(getattr(kept, name), getattr(surveyed, name), atol=1e-4)
    facts = printed.json("faithfulness", RUN, "--survey")
    values = [one["comprehensiveness"]["mean"] for one in facts["orders"]]
    assert values == sorted(values, reverse=True)
    assert facts["documents"] == 12
    words = printed("faithfulness", RUN, "--survey")
    assert f"{facts['orders'][0]['order']:20} {values[0]:.2f}" in words
    assert max(map(len, words.splitlines())) < 120
    (run.folder / FAITHFULNESS).write_bytes(b"no table")
    with pytest.raises(RunError):
        faithfulness_survey(Run.open(trained / RUN).save())


@pytest.mark.usefixtures("toy_modules", "trained")
def test_it_is_measured_by_the_command(printed: Printed) -> None:
    facts = printed.json("faithfulness", RUN, "--survey", "4")
    assert facts["documents"] == 4
    assert facts["random"]["within fifths"]["mean"] is None, "texts of under twenty words have no fifths of four groups"


def test_a_stopped_survey_goes_on(toy_trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, texts, log = Run.open(toy_trained / RUN), long_texts(4), tmp_path / "log.jsonl"
    survey_faithfulness(run, texts[:2], log=log)
    with log.open("a", encoding="utf-8") as stream:
        stream.write('["long/2", [0.1')  # killed while it wrote
    asked: list[str] = []
    explain_with = faithfulness_surveys.explain_with
    monkeypatch.setattr(
        faithfulness_surveys,
        "explain_with",
        lambda trained, text, method: asked.append(text) or explain_with(trained, text, method),
    )
    found = survey_faithfulness(run, texts, log=log)
    assert set(asked) == {text for _, text in texts[2:]}
    np.testing.assert_allclose(found.comprehensiveness, survey_faithfulness(run, texts).comprehensiveness)
