"""``units`` on toy runs that read word by word."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nlpviz.analysis.inspection.features import features_of, of_words
from nlpviz.analysis.inspection.states import read_states
from nlpviz.analysis.inspection.units_live import live_sample, search_words
from nlpviz.runs import open_run
from nlpviz.runs.units import unit_survey
from nlpviz.text.tokenizers import REVIEWS, TOKENIZERS
from tests import toy
from tests.made import made_once
from tests.unit.conftest import Printed

RUN = "toy-recurrent-network"


@pytest.fixture(autouse=True)
def runs(
    tmp_path_factory: pytest.TempPathFactory,
    toy_classifiers: Callable[[str], Path],
    toy_surveyed: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Iterator[None]:
    """A toy run whose units were searched, and the toy corpus."""

    def make(folder: Path) -> None:
        shutil.copytree(toy_surveyed("recurrent-network"), folder / RUN)
        shutil.copytree(toy_classifiers("cnn"), folder / "toy-cnn")

    monkeypatch.setenv("NLPVIZ_TRAINED", str(made_once(tmp_path_factory, "units", make)))
    with toy.discovered(tmp_path / "modules"):
        yield


def test_json_holds_the_search(printed: Printed) -> None:
    facts = printed.json("units", RUN, "--feature", "position")
    run = open_run(RUN)
    kept = unit_survey(run, run.best_epoch)
    found = kept.searches["position"]
    assert facts["units"][0]["unit"] == found.units[found.best].id
    assert facts["units"][0]["r"] == pytest.approx(float(found.r[found.best]))
    assert facts["units"][0]["interval"] == pytest.approx([found.low[found.best], found.high[found.best]])
    assert facts["null"]["threshold"] == pytest.approx(found.threshold)
    assert facts["null"]["swapped"] is None
    assert facts["words"] == found.words
    assert facts["other_seed"] is None
    one = kept.ablation(found.units[found.best])
    assert one is not None
    assert facts["ablation"]["best"]["change"] == pytest.approx(one.change.difference)
    assert len(facts["ablation"]["random"]) == 10


def test_a_feature_that_never_occurs_is_said(printed: Printed) -> None:
    facts = printed.json("units", RUN, "--feature", "quotes")
    assert facts["ever"] is False
    assert facts["units"] == []
    assert facts["null"]["threshold"] is None
    assert "The feature is constant" in printed("units", RUN, "--feature", "quotes")


def test_words_are_looked_for_in_test_documents(printed: Printed) -> None:
    facts = printed.json("units", RUN, "--feature-words", "Splendid, dreadful", "--epoch", "0")
    trained = open_run(RUN).load(0)
    found = search_words(trained, live_sample(trained), ["splendid", "dreadful"])["words"]
    assert facts["units"][0]["r"] == pytest.approx(float(found.r[found.best]), abs=1e-5)
    assert facts["epoch"] == 0
    assert facts["ablation"] is None


def test_a_text_has_the_unit_after_each_word(printed: Printed) -> None:
    facts = printed.json("units", RUN, "--feature", "unknown", "--text", "a splendid zyx")
    (course,) = facts["texts"]
    states = read_states(open_run(RUN).load(), "a splendid zyx")
    position = [unit.id for unit in unit_survey(open_run(RUN), 3).searches["unknown"].units].index(course["unit"])
    assert [one["word"] for one in course["tokens"]] == ["a", "splendid", "zyx"]
    own = states.states.reshape(3, -1)[:, position]
    assert [one["value"] for one in course["tokens"]] == pytest.approx(own.tolist(), abs=1e-5)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--feature", "nothing"], "available: position, negation"),
        ([], "No feature was given"),
        (["--feature-words", " , "], "contains no words"),
        (["--feature", "negation", "--feature-words", "a"], "available: words, trace"),
        (["--feature-words", "qqqq", "--json"], "None of these words occurs"),
        (["--feature", "position", "--epoch", "77"], "has no stored epoch 77"),
    ],
)
def test_what_is_wrong_is_one_sentence(printed: Printed, words: list[str], says: str) -> None:
    assert says in printed.refused("units", RUN, *words)


def test_a_run_that_does_not_read_word_by_word(printed: Printed) -> None:
    assert "Choose a recurrent network" in printed.refused("units", "toy-cnn", "--feature", "position")


def test_all_features_are_told_in_words(printed: Printed) -> None:
    for name, one in (features_of(TOKENIZERS[REVIEWS]) | of_words(["a"])).items():
        words = ["--feature-words", "film"] if name in of_words(["a"]) else []
        said = printed("units", RUN, "--feature", name, *words)
        assert one.title in said
