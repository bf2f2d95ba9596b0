"""Two more kinds of runs, in a temporary folder: they are found, and so is nothing of a kind that nobody knows."""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.commands.cli import main
from nlpviz.discovery import discover
from nlpviz.networks.architectures import architectures
from nlpviz.run_kinds import chosen_epoch, history, kind_of
from nlpviz.run_kinds.listing import baseline_of, cell, columns, known_runs, ranked, tables
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.sharing import copied
from tests import kinds as toy_kinds
from tests import toy
from tests.contracts import test_contracts as contracts
from tests.pages.conftest import figure, numbers, opened, shown
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")

ROOT = Path(__file__).resolve().parents[3]
UNKNOWN = "The run 'stranger' has the kind 'cellular-automaton', which this version does not support."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with runs of both toy kinds, the CNN on film reviews and its baseline, and a run of an unknown kind."""
    folder = tmp_path_factory.mktemp("kinds") / "trained"
    with toy_kinds.discovered(tmp_path_factory.mktemp("modules")):
        toy_kinds.make_runs(folder)
        for name in ("imdb-cnn", "imdb-ngrams"):
            copied(Run.open(ROOT / "trained" / name), folder / name)
        shutil.copytree(folder / "toy-tagger", folder / "stranger")
        replace(Run.open(folder / "stranger"), kind="cellular-automaton", metrics={}, parameters=()).save()
        yield folder


@pytest.fixture
def trained(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let those runs stand in the place of ``trained/``."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(made))


def page(name: str, **address: str) -> AppTest:
    """Run a page where these runs are all there are."""
    return opened(name, **address).run(timeout=90)


# ------------------------------------------------------------------------------------------------------ the toy kinds


def test_they_are_trained_and_measured() -> None:
    letters, tags = (open_run(name) for name in toy_kinds.RUNS)
    assert history(letters)[0].validation_perplexity > 8
    assert kind_of(letters).headline.value(letters) < 3
    assert kind_of(tags).headline.value(tags) > 0.99
    assert history(tags)[0].train_loss != history(tags)[0].train_loss, "nothing is known of the loss before training"
    for run in (letters, tags):
        assert kind_of(run).files(run) <= set(run.files)


def test_train_makes_one(printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    line = printed("train", "toy-letters", "--device", "cpu").splitlines()[-1]
    assert re.match(r"toy-letters  perplexity \d\.\d\d on test  epoch 3 of 3  ", line)


def test_runs_lists_them_and_says_what_it_does_not_know(printed: Printed) -> None:
    lines = printed("runs").splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["imdb-cnn", "imdb-ngrams", "toy-letters", "toy-tagger"]
    assert "perplexity" in lines[2]
    assert "accuracy" not in lines[2]
    assert "100.0% on test words" in lines[3]
    assert lines[-1] == UNKNOWN
    facts = printed.json("runs")
    assert facts["problems"] == [UNKNOWN]
    assert [run["kind"] for run in facts["runs"]] == ["classifier", "baseline", "toy-language-model", "toy-tagger"]


def test_evaluate_measures_them(printed: Printed) -> None:
    facts = printed.json("evaluate", "toy-letters")
    assert facts["perplexity"] == pytest.approx(open_run("toy-letters").metrics["test"]["perplexity"], rel=1e-2)
    assert printed.json("evaluate", "toy-letters", "--epoch", "0")["perplexity"] > 8
    assert printed("evaluate", "toy-tagger") == "100.0% of the words are correct\n"
    assert printed.refused("evaluate", "toy-tagger", "--epoch", "0") == (
        "The run 'toy-tagger' is a toy tagger, so it accepts only --device and --json."
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "toy-letters", "--text", "a"], "is a language model, so `explain` does not apply to it."),
        (["attend", "toy-tagger", "--text", "a"], "is a toy tagger, so `attend` does not apply to it."),
        (["survey", "toy-tagger"], "cannot be surveyed, because it is a toy tagger."),
        (["project", "toy-letters"], "is a language model, so `project` does not apply to it."),
        (["neighbours", "toy-letters", "a"], "has no word vectors. Runs with word vectors: none."),
        (
            ["translate", "toy-tagger", "--text", "a"],
            "is a toy tagger, not a translator. Available translators: none.",
        ),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_commands_that_ask_no_such_run_say_so(printed: Printed, arguments: list[str], said: str) -> None:
    assert printed.refused(*arguments) == f"The run {arguments[1]!r} {said}"
    if arguments[0] != "neighbours":
        assert printed.refused(arguments[0], "stranger", *arguments[2:]) == UNKNOWN


def test_evaluate_refuses_a_run_of_an_unknown_kind(printed: Printed) -> None:
    assert printed.refused("evaluate", "stranger") == UNKNOWN


def test_home_counts_them() -> None:
    app = page("Overview")
    assert not app.exception
    assert any(one.proto.label.startswith("4 trained models") for one in app.get("page_link"))
    assert UNKNOWN in shown(app).replace("\\", "")


def test_training_shows_their_curves_and_tables() -> None:
    app = page("Models", view="training", run="toy-letters")
    assert not app.exception
    assert app.selectbox(key="run").options == ["CNN on IMDB", "Toy bigrams", "Toy tagger on film reviews"]
    drawn = figure(app)
    run = open_run("toy-letters")
    records, reached = history(run), kind_of(run).headline.value(run)
    level = f"{run.title}: {reached:.2f} on test"
    assert [trace["name"] for trace in drawn["figure"]["data"]] == ["train", "validation", level]
    assert numbers(drawn["figure"]["data"][2]["y"]).tolist() == [reached] * 2
    assert numbers(drawn["figure"]["data"][1]["y"]).tolist() == [record.validation_perplexity for record in records]
    assert "Before training the perplexity is" in shown(app)
    assert "exponential of the mean" in shown(app)
    assert UNKNOWN in shown(app).replace("\\", "")
    app = page("Models", view="compare")
    assert UNKNOWN in shown(app).replace("\\", "")
    assert [header.value for header in app.header][:3] == ["Classifiers", "Language models", "Toy tagger"]


def test_training_leaves_a_gap_where_nothing_is_known() -> None:
    app = page("Models", view="training", run="toy-tagger")
    assert not app.exception
    drawn = figure(app)["figure"]["data"]
    assert drawn[0]["y"][0] is None
    assert [len(curve["y"]) for curve in drawn[:3]] == [3, 3, 3]


@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "view"),
    [("Explore", ""), ("One review", ""), ("One review", "attention"), ("Translate", ""), ("Words", "")],
)
def test_pages_that_do_not_ask_them_go_on(name: str, view: str) -> None:
    app = page(name, view=view)
    assert not app.exception
    offered = [box for box in app.selectbox if box.key == "run"]
    assert all(len(box.options) == 1 and box.options[0].startswith("CNN on IMDB") for box in offered)


CONTRACTS = {name: test for name, test in vars(contracts).items() if name.startswith("test_")}


@pytest.mark.parametrize("test", CONTRACTS)
@pytest.mark.parametrize("model", ["toy-bigram", "toy-tagger"])
def test_contracts_are_asked_of_their_models(model: str, test: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    assert model in architectures()
    assert model not in toy.classifiers()
    architecture = architectures()[model]
    given = {
        "architecture": architecture, "promise": contracts.promised(architecture), "tmp_path": tmp_path,
        "subtests": subtests,
    }  # fmt: skip
    wanted = inspect.signature(CONTRACTS[test]).parameters
    CONTRACTS[test](**{name: value for name, value in given.items() if name in wanted})


def test_a_model_that_meets_no_contract_fails(tmp_path: Path) -> None:
    said = "toy-stranger meets the contract of no kind: it is none of Classifier, .*LanguageNetwork, .*ToyTagger"
    with pytest.MonkeyPatch.context() as patch:
        toy.add_modules(patch, "nlpviz.networks.architectures", tmp_path, {"toy_stranger": toy_kinds.STRANGER})
        stranger = architectures()["toy-stranger"]
    discover.cache_clear()
    with pytest.raises(pytest.fail.Exception, match=said):
        contracts.promised(stranger)


# --------------------------------------------------------------------------------------------------------- side by side


def test_the_best_comes_first_whether_more_is_better_or_less() -> None:
    run = open_run("toy-letters")
    worse = replace(run, name="worse", metrics={"test": {"perplexity": 9.0}})
    assert [one.name for one in ranked([worse, run])] == ["toy-letters", "worse"]
    accurate = open_run("imdb-cnn")
    less = replace(accurate, name="less", metrics={"test": {"accuracy": 0.1, "documents": 1}})
    assert [one.name for one in ranked([less, accurate])] == ["imdb-cnn", "less"]


def test_what_was_not_measured_is_the_last_of_its_table() -> None:
    run = known_runs()[0]["toy-tagger"]
    unmeasured = replace(run, name="unmeasured", metrics={})
    (table,) = tables([unmeasured, run]).values()
    assert [one.name for one in table] == ["toy-tagger", "unmeasured"]
    assert cell(unmeasured, kind_of(run).headline.name) == "–"
    assert kind_of(unmeasured).headline.said(unmeasured) == ""


def test_a_cell_that_cannot_be_read_is_a_dash() -> None:
    run = replace(open_run("toy-tagger"), files={})
    assert columns([run]) == ("Correct words", "Best epoch (validation)")
    assert cell(run, "Best epoch (validation)") == cell(run, "Perplexity") == "–"
    with pytest.raises(RunError, match=r"has no file history\.csv"):
        chosen_epoch(run)


def test_a_baseline_stands_beside_runs_on_its_corpus_alone() -> None:
    runs = list(known_runs()[0].values())
    result = {run.name: baseline_of(run, runs) for run in runs}
    assert {name for name, one in result.items() if one is not None} == {"imdb-cnn"}
    assert result["imdb-cnn"] == open_run("imdb-ngrams")


def test_an_unknown_kind_is_no_error_for_the_shell() -> None:
    assert main(["runs"]) == 0
