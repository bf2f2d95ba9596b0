"""Each command with a toy run: what it prints, and how it refuses what there is not."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz import __version__
from nlpviz.analysis.attribution import explain
from nlpviz.analysis.projections import projectors
from nlpviz.commands.cli import STOPPED, main
from nlpviz.results.deletion import DeletionSurvey
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.deletions import DELETION, write_deletion
from nlpviz.runs.documents import projections_of
from nlpviz.training.recipes import recipes
from tests import toy
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")

TEXT = "was the film splendid zzz"


# ------------------------------------------------------------------------------------------------------------- runs


def test_runs_are_listed_one_a_line(printed: Printed) -> None:
    lines = printed("runs").splitlines()
    assert [line.split()[0] for line in lines] == ["toy-cnn", "toy-ngrams"]
    assert "of 3" in lines[0]
    assert "100.00% on test (95.91% to 100.00%)" in lines[1]


def test_runs_as_json(printed: Printed) -> None:
    facts = printed.json("runs")
    assert facts["problems"] == []
    cnn, ngrams = facts["runs"]
    run = open_run("toy-cnn")
    assert cnn["metrics"] == run.metrics
    assert cnn["epochs"] == [0, 1, 2, 3]
    assert cnn["best_epoch"] == run.best_epoch
    assert cnn["parameters"] == run.parameter_count
    assert cnn["corpus"] == "toy"
    assert (ngrams["name"], ngrams["kind"], ngrams["epochs"], ngrams["best_epoch"]) == (
        "toy-ngrams",
        "baseline",
        [],
        None,
    )


def test_damaged_run_is_named_and_the_others_are_listed(printed: Printed, trained: Path) -> None:
    (trained / "toy-cnn" / "run.json").write_text("{")
    sentence = "The manifest of the run 'toy-cnn' is damaged and cannot be read."
    lines = printed("runs").splitlines()
    assert lines[0].startswith("toy-ngrams")
    assert lines[1:] == [sentence]
    assert printed.json("runs")["problems"] == [sentence]
    assert printed.refused("explain", "toy-cnn", "--text", TEXT) == sentence


def test_no_runs_are_no_error(printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "empty"))
    assert printed("runs") == ""
    assert printed.json("runs") == {"runs": [], "problems": []}


# ---------------------------------------------------------------------------------------------------------- explain


@pytest.mark.parametrize("method", ["saliency", "gradient-input"])
def test_explain_as_json_has_every_token_with_its_span_and_score(printed: Printed, method: str) -> None:
    facts = printed.json("explain", "toy-cnn", "--text", TEXT, "--method", method)
    assert (facts["run"], facts["epoch"], facts["method"]) == ("toy-cnn", open_run("toy-cnn").best_epoch, method)
    assert (facts["text"], facts["target"]) == (TEXT, "positive")
    assert list(facts["probabilities"]) == ["negative", "positive"]
    assert sum(facts["probabilities"].values()) == pytest.approx(1)
    assert facts["probabilities"]["positive"] > 0.5 < facts["class_score"] + 0.5
    tokens = facts["tokens"]
    assert [TEXT[token["start"] : token["end"]] for token in tokens] == TEXT.split()
    assert [token["seen"] for token in tokens] == ["known"] * 4 + ["unknown"]
    assert max(tokens, key=lambda token: token["score"])["word"] == "splendid"


def test_explain_in_words(printed: Printed) -> None:
    line = printed("explain", "toy-cnn", "--text", TEXT, "--method", "gradient-input", "--target", "negative")
    assert line.startswith("positive ")
    assert 'gradient-input towards negative: "splendid" -' in line
    assert line.count("\n") == 1


def test_explain_says_in_how_many_steps_it_integrated(printed: Printed) -> None:
    how = ("explain", "toy-cnn", "--text", TEXT, "--method", "integrated-gradients")
    steps = printed.json(*how)["steps"]
    assert steps >= 50
    assert f"integrated-gradients in {steps} steps towards positive" in printed(*how)
    assert printed.json("explain", "toy-cnn", "--text", TEXT, "--method", "saliency")["steps"] is None


def test_explain_takes_the_method_that_did_best(printed: Printed) -> None:
    """None was measured on the run at first; then what was measured decides."""
    run = open_run("toy-cnn")
    (run.folder / DELETION).unlink(missing_ok=True)
    run = run.save()
    assert printed.json("explain", "toy-cnn", "--text", TEXT)["method"] == "gradient-input"
    one = np.ones((1, 1), np.float32)
    ids, tokens = ("test/0",), np.array([3], np.int32)
    write_deletion(run, DeletionSurvey(run.name, 3, ids, tokens, 10, ("saliency-l1",), one, one.astype(int), one[0]))
    assert printed.json("explain", "toy-cnn", "--text", TEXT)["method"] == "saliency-l1"


def test_epoch_and_target_are_the_ones_asked_for(printed: Printed) -> None:
    facts = printed.json("explain", "toy-cnn", "--text", TEXT, "--epoch", "0", "--target", "negative")
    assert (facts["epoch"], facts["target"]) == (0, "negative")
    assert facts["probabilities"]["positive"] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", []),
        (" \n", []),
        ("splendid", ["known"]),
        ("zzz qqq", ["unknown"] * 2),
        ("?! ...", ["unknown"] * 3),
        ("שלום <script>alert(1)</script> 👩\N{ZERO WIDTH JOINER}🚀", ["unknown"] * 6),
        ("a\0b", ["known", "unknown"]),
        ("a " * 21, ["known"] * 20 + ["cut off"]),
    ],
    ids=ascii,
)
def test_any_text_gets_a_sensible_answer(printed: Printed, text: str, seen: list[str]) -> None:
    facts = printed.json("explain", "toy-cnn", "--text", text)
    assert facts["text"] == text
    assert [token["seen"] for token in facts["tokens"]] == seen
    assert [token["score"] is None for token in facts["tokens"]] == [word == "cut off" for word in seen]
    words = printed("explain", "toy-cnn", "--text", text)
    assert ("no words read" in words) is (not seen)


def test_a_hundred_thousand_characters(printed: Printed) -> None:
    facts = printed.json("explain", "toy-cnn", "--text", "the film " * 11_111)
    assert len(facts["tokens"]) == 22_222
    assert sum(token["seen"] == "cut off" for token in facts["tokens"]) == 22_222 - 20


def test_text_that_is_no_unicode_is_answered(printed: Printed) -> None:
    """What a shell hands over for the byte FF, which no UTF-8 text has."""
    facts = printed.json("explain", "toy-cnn", "--text", "splendid \udcff")
    assert facts["text"] == "splendid ?"
    assert [token["word"] for token in facts["tokens"]] == ["splendid", "?"]


def test_file_holds_one_text_a_line_and_only_line_feeds_end_one(printed: Printed, tmp_path: Path) -> None:
    path = tmp_path / "texts"
    path.write_bytes("splendid\rfilm\n\na\0dreadful\u2028night\x85\r\n".encode())
    facts = printed.json("explain", "toy-cnn", "--file", str(path))
    assert [fact["text"] for fact in facts] == ["splendid\rfilm", "", "a\0dreadful\u2028night\x85\r"]
    assert [len(fact["tokens"]) for fact in facts] == [2, 0, 3]
    assert len(printed("explain", "toy-cnn", "--file", str(path)).splitlines()) == 3


def test_file_of_one_text_gives_a_list_still(printed: Printed, tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("splendid")
    assert [fact["text"] for fact in printed.json("explain", "toy-cnn", "--file", str(tmp_path / "texts"))] == [
        "splendid"
    ]


def test_standard_input(printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("très splendid\r\ndreadful\n".encode()), "ascii"))
    facts = printed.json("explain", "toy-cnn", "--file", "-")
    assert [fact["text"] for fact in facts] == ["très splendid\r", "dreadful"]
    assert [fact["target"] for fact in facts] == ["positive", "negative"]


@pytest.mark.parametrize("content", [None, b"caf\xe9"], ids=["missing", "Latin-1"])
def test_file_that_cannot_be_read_is_refused(printed: Printed, tmp_path: Path, content: bytes | None) -> None:
    if content:
        (tmp_path / "texts").write_bytes(content)
    assert f"{tmp_path / 'texts'} cannot be read" in printed.refused(
        "explain", "toy-cnn", "--file", str(tmp_path / "texts")
    )


# ---------------------------------------------------------------------------------------------------- wrong names


@pytest.mark.parametrize(
    ("arguments", "wrong", "right"),
    [
        (["explain", "toy", "--text", TEXT], "'toy'", "toy-cnn, toy-ngrams"),
        (["explain", "../toy-cnn", "--text", TEXT], "'../toy-cnn'", "toy-cnn, toy-ngrams"),
        (
            ["explain", "toy-cnn", "--text", TEXT, "--method", "magic"],
            "'magic'",
            "gradient-input, integrated-gradients, saliency",
        ),
        (["explain", "toy-cnn", "--text", TEXT, "--epoch", "9"], "9", "0, 1, 2, 3"),
        (["explain", "toy-cnn", "--text", TEXT, "--epoch", "-1"], "-1", "0, 1, 2, 3"),
        (["explain", "toy-cnn", "--text", TEXT, "--target", "neutral"], "'neutral'", "negative, positive"),
        (["explain", "toy-ngrams", "--text", TEXT], "'toy-ngrams'", "is a baseline"),
        (["evaluate", "toy"], "'toy'", "toy-cnn, toy-ngrams"),
        (["evaluate", "toy-cnn"], "'toy-cnn'", "imdb-cnn, imdb-ngrams"),
        (["project", "toy"], "'toy'", "toy-cnn, toy-ngrams"),
        (["project", "toy-ngrams"], "'toy-ngrams'", ""),
        (["train", "imdb"], "'imdb'", "imdb-cnn, imdb-ngrams"),
        (["fetch", "imbd"], "'imbd'", "imdb"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_name_is_refused_with_the_right_ones(
    printed: Printed, arguments: list[str], wrong: str, right: str
) -> None:
    for flags in ([], ["--json"] if arguments[0] not in ("train", "fetch") else []):
        sentence = printed.refused(*arguments, *flags)
        assert wrong in sentence
        assert all(name in sentence for name in right.split(", "))
        assert sentence.endswith(".")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["teach"],
        ["explain", "toy-cnn", "--text", "a", "--file", "b"],
        ["explain", "toy-cnn", "--text", "a", "--epoch", "first"],
        ["train", "imdb-cnn", "--device", "tpu"],
        ["train", "imdb-cnn", "--epochs", "0"],
    ],
    ids=" ".join,
)
def test_command_that_is_none_is_refused_with_its_usage(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: python -m nlpviz" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------- train, evaluate, project


@pytest.mark.usefixtures("toy_modules")
def test_train_makes_a_run_with_maps(printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "empty"))
    assert printed("train", "toy-cnn", "--device", "cpu", "--epochs", "1").splitlines()[-1].startswith("toy-cnn  ")
    assert "Training on 180 texts, 60 held out" in printed.error
    runs, problems = list_runs()
    assert problems == []
    assert runs["toy-cnn"].epochs == (0, 1)
    assert {chart.projector for chart in projections_of(runs["toy-cnn"])} == set(projectors())
    assert "Toy texts" in (runs["toy-cnn"].folder / "README.md").read_text()


@pytest.mark.usefixtures("toy_modules")
def test_stopped_training_says_that_it_goes_on(printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = open_run("toy-cnn")
    recipe = replace(recipes()["toy-cnn"], make=stop)
    monkeypatch.setattr("nlpviz.commands.train.recipes", lambda: {"toy-cnn": recipe})
    assert printed("train", "toy-cnn", code=130) == ""
    assert printed.error.strip() == f"nlpviz: {STOPPED}"
    assert open_run("toy-cnn") == before


@pytest.mark.usefixtures("toy_modules")
@pytest.mark.parametrize("name", ["toy-cnn", "toy-ngrams"])
def test_evaluate_measures_what_the_run_says(printed: Printed, name: str) -> None:
    run = open_run(name)
    facts = printed.json("evaluate", name, "--device", "cpu")
    assert facts["run"] == name
    assert facts["epoch"] == (run.best_epoch if run.epochs else None)
    assert facts["accuracy"] == run.metrics["test"]["accuracy"]
    assert facts["loss"] == pytest.approx(run.metrics["test"]["loss"])
    assert facts["documents"] == toy.SIZES["test"]
    which = f"{name}, epoch {run.best_epoch}" if run.epochs else name
    low, high = facts["interval"]
    assert low < facts["accuracy"] <= high
    said = f"{which}: accuracy {facts['accuracy']:.2%} (95% interval {low:.2%} to {high:.2%}), loss "
    assert printed("evaluate", name, "--device", "cpu").startswith(said)


@pytest.mark.usefixtures("toy_modules")
@pytest.mark.parametrize("epoch", [0, 1])
def test_evaluate_measures_the_epoch_that_was_asked_for(printed: Printed, epoch: int) -> None:
    texts = toy.read("test")
    trained = open_run("toy-cnn").load(epoch)
    said = [explain(trained, text, "saliency").probabilities for text in texts.texts]
    facts = printed.json("evaluate", "toy-cnn", "--device", "cpu", "--epoch", str(epoch))
    assert facts["epoch"] == epoch
    assert facts["accuracy"] == np.mean([one.argmax() == label for one, label in zip(said, texts.labels, strict=True)])
    own = [-np.log(one[label]) for one, label in zip(said, texts.labels, strict=True)]
    assert facts["loss"] == pytest.approx(np.mean(own), abs=1e-6)


def write(folder: Path, texts: str, labels: str) -> tuple[str, ...]:
    """Write a person's own texts and labels; return the options that name them."""
    (folder / "texts").write_bytes(texts.encode())
    (folder / "labels").write_bytes(labels.encode())
    return "--texts", str(folder / "texts"), "--labels", str(folder / "labels")


def test_evaluate_measures_own_texts(printed: Printed, tmp_path: Path) -> None:
    own = write(tmp_path, "a splendid film\na dreadful film\n\nthe splendid night", "positive\r\n0\n1 \nnegative\n")
    facts = printed.json("evaluate", "toy-cnn", "--device", "cpu", *own)
    trained = open_run("toy-cnn").load()
    empty = explain(trained, "", "saliency").probabilities
    assert (facts["run"], facts["epoch"], facts["documents"]) == ("toy-cnn", trained.epoch, 4)
    assert facts["accuracy"] == (2 + (empty.argmax() == 1)) / 4, "the last label is wrong"
    said = printed("evaluate", "toy-cnn", "--device", "cpu", "--epoch", "0", *own)
    assert said.startswith("toy-cnn, epoch 0: accuracy ")
    assert said.endswith(" nats, 4 texts\n")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ("positive\n", "2 lines, but "),
        ("positive\nneutral\n", "Line 2 of "),
        ("positive\n2\n", "contains an unknown class: '2'; the classes are negative, positive."),
        (f"{'x' * 100_000}\n1\n", f"contains an unknown class: '{'x' * 39}…'"),
    ],
    ids=["too few", "unknown", "no number of a class", "long"],
)
def test_evaluate_refuses_labels_that_are_none(printed: Printed, tmp_path: Path, labels: str, said: str) -> None:
    own = write(tmp_path, "splendid\ndreadful\n", labels)
    assert said in printed.refused("evaluate", "toy-cnn", *own)


def test_evaluate_refuses_what_a_run_has_not(printed: Printed, tmp_path: Path) -> None:
    own = write(tmp_path, "splendid\n", "1\n")
    assert "together" in printed.refused("evaluate", "toy-cnn", *own[2:])
    assert "has no stored epoch 9; stored epochs: 0, 1, 2, 3" in printed.refused(
        "evaluate", "toy-cnn", "--epoch", "9", *own
    )
    for option in (own, ("--epoch", "0"), ("--epoch", "1")):
        refused = printed.refused("evaluate", "toy-ngrams", *option)
        assert refused.startswith(
            "The run 'toy-ngrams' is a baseline, so it accepts only --device, --json, --texts, --text, "
        )


def test_fetch_says_where_the_corpus_is(printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlpviz.data.files.fetch", lambda corpus, progress: progress(5, 10) or tmp_path / corpus.file)
    monkeypatch.setattr("nlpviz.commands.fetch.corpora", lambda: {"toy": toy.CORPUS})
    assert printed("fetch", "toy") == f"Toy texts: {tmp_path / 'toy.txt'}\n"


def test_evaluate_without_the_corpus_says_how_to_get_it(
    printed: Printed, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("NLPVIZ_DATA", "NLPVIZ_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path / "empty"))
    (trained / "toy-cnn").rename(trained / "imdb-cnn")
    replace(open_run("imdb-cnn"), corpus={"name": "imdb"}).save()
    assert "python -m nlpviz fetch imdb" in printed.refused("evaluate", "imdb-cnn")


# ------------------------------------------------------------------------------------------------------- as a module


def test_package_is_a_program() -> None:
    helped = subprocess.run([sys.executable, "-m", "nlpviz", "--help"], capture_output=True, text=True, check=True)
    assert all(name in helped.stdout for name in ("fetch", "train", "runs", "evaluate", "explain", "project"))
    refused = subprocess.run(
        [sys.executable, "-m", "nlpviz", "explain", "x", "--text", ""], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert refused.stderr == "nlpviz: There is no run 'x'; available runs: toy-cnn, toy-ngrams.\n"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"nlpviz {__version__}\n"


@pytest.mark.ci
def test_reader_that_has_enough_is_no_error() -> None:
    """As in ``… explain … --json | head -1``."""
    command = [sys.executable, "-m", "nlpviz", "explain", "toy-cnn", "--json", "--text", "the film " * 11_111]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "{\n"
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
        process.wait()
