"""Word vectors and language models of a person's own text: what is made and kept, that it repeats, what is refused."""

from __future__ import annotations

import gzip
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nlpviz.commands.cli import main
from nlpviz.data import CorpusMissing, DataError, corpus_named
from nlpviz.data.own_texts import OwnTextsError, Source, open_running
from nlpviz.data.own_texts.names import RECIPE
from nlpviz.results.own_texts import RunningReport
from nlpviz.runs import list_runs, open_run
from nlpviz.training import Options, TrainingError
from nlpviz.training.own import make
from nlpviz.training.own_plan import plan
from nlpviz.training.own_tasks import OwnRequest, tasks
from tests.made import made_once
from tests.toy import DULL

LINES = 500
WORDS = tuple(f"zz{word}" for word in DULL)
"""Which no analogy question has."""


def write_text(path: Path, lines: int = LINES) -> Path:
    """Write lines of dull words; the same word ends each of them."""
    rng = random.Random(0)
    path.write_text(
        "".join(" ".join([*(rng.choice(WORDS) for _ in range(8)), "stop"]) + "\n" for _ in range(lines)),
        encoding="utf-8",
    )
    return path


def planned(path: Path, *models: str, **more: object) -> RunningReport:
    """Return what is said of a text before training."""
    request = replace(OwnRequest("mine", Source(str(path)), models), **more)  # type: ignore[arg-type]
    report = plan(request).report
    assert isinstance(report, RunningReport)
    return report


def train(path: Path, *more: str, name: str = "mine") -> int:
    return main(["train", name, "--texts", str(path), "--epochs", "1", "--device", "cpu", *more])


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a text, and ``runs`` with a language model of it and its n-grams."""

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NLPVIZ_TRAINED", str(folder / "runs"))
            assert train(write_text(folder / "text.txt"), "--model", "elman-lm") == 0

    return made_once(tmp_path_factory, "own-text", make)


# --------------------------------------------------------------------------------------------------- language models


def test_a_text_becomes_a_language_model_with_ngrams_beside_it(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(made / "runs"))
    found, problems = list_runs()
    assert (sorted(found), problems) == (["mine", "mine-ngrams"], [])
    run = found["mine"]
    assert run.tokenizer.unit == "character"
    assert run.recipe["beside"] == ["mine-ngrams"]
    assert run.epochs == (0, 1)
    assert main(["evaluate", "mine", "--device", "cpu"]) == 0
    assert f"perplexity {run.metrics['test']['perplexity']:.2f}" in capsys.readouterr().out
    assert main(["surprisal", "mine", "--text", "stop", "--json"]) == 0
    for name in ("mine", "mine-ngrams"):
        card = (found[name].folder / "README.md").read_text(encoding="utf-8")
        assert "user data, text.txt, SHA-256" in card
        assert "`python -m nlpviz train recipe.toml`" in card
    assert "parts of the text can be reconstructed" in card


@pytest.mark.ci
def test_its_recipe_makes_the_same_weights_again(made: Path, tmp_path: Path) -> None:
    assert main(["train", str(made / "runs" / "mine" / RECIPE), "--device", "cpu"]) == 0
    first = _weights(made / "runs" / "mine")
    assert first
    assert _weights(tmp_path / "runs" / "mine") == first


def _weights(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.safetensors")}


def test_it_keeps_none_of_the_text_unless_asked(made: Path) -> None:
    lines = {" ".join(line.split()[:4]).encode() for line in (made / "text.txt").read_text().splitlines()}
    for path in (made / "runs").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not [line for line in lines if line in content], path


def test_a_text_that_is_gone_is_said(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(made / "runs"))
    corpus = corpus_named("mine")
    assert len(corpus.read("validation")) > 0
    with pytest.raises(DataError, match="has no split 'all'; available: train, validation, test"):
        corpus.read("all")
    (made / "text.txt").rename(made / "elsewhere.txt")
    try:
        with pytest.raises(CorpusMissing, match="no longer exists"):
            corpus.read("test")
    finally:
        (made / "elsewhere.txt").rename(made / "text.txt")


def test_with_keep_texts_it_is_not_missed(tmp_path: Path) -> None:
    path = write_text(tmp_path / "text.txt")
    assert train(path, "--model", "kneser-ney", "--keep-texts") == 0
    path.unlink()
    assert len(corpus_named("mine").read("test")) > 0
    assert main(["evaluate", "mine", "--device", "cpu"]) == 0


def test_splits_share_no_line_and_lose_none(tmp_path: Path) -> None:
    path = write_text(tmp_path / "text.txt")
    assert train(path, "--model", "kneser-ney") == 0
    texts = [corpus_named("mine").read(name).text for name in ("train", "validation", "test")]  # type: ignore[attr-defined]
    lines = [line for text in texts for line in text.splitlines(keepends=True)]
    assert sorted(lines) == sorted(path.read_text().splitlines(keepends=True))
    assert path.read_text().endswith(texts[2])
    assert 0.08 < len(texts[2]) / len(path.read_text()) < 0.12
    pieces = [place for place, line in enumerate(path.read_text().splitlines(keepends=True)) if line in texts[1]]
    assert max(pieces) - min(pieces) > LINES / 2, "validation text is from all over the rest"


def test_a_test_file_is_tested_on(tmp_path: Path) -> None:
    path, test = write_text(tmp_path / "text.txt"), write_text(tmp_path / "test.txt", 60)
    report = planned(path, "kneser-ney", test=str(test))
    assert report.split.startswith("Test set: a separate file")
    assert report.counts[2].lines == 60
    assert report.in_both > 0.9, "but for lines of the validation text"
    assert any("measure memorisation" in warning for warning in report.warnings)


def test_what_is_predicted_follows_from_the_text_or_is_said(tmp_path: Path) -> None:
    path = write_text(tmp_path / "text.txt")
    by_itself, asked = planned(path, "lstm-lm"), planned(path, "lstm-lm", tokens="words")
    assert (by_itself.unit, asked.unit) == ("character", "word")
    assert any(guess.startswith("The model predicts characters") for guess in by_itself.guesses)
    assert sum(one.tokens for one in asked.counts) == LINES * 10  # nine words, and the line's end
    chinese = tmp_path / "chinese.txt"
    chinese.write_text("他们在山上看见一只很大的鸟。\n" * 400, encoding="utf-8")
    assert any("no spaces between words" in guess for guess in planned(chinese, "lstm-lm").guesses)


def test_words_or_characters_are_predicted_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        train(write_text(tmp_path / "text.txt", 60), "--tokens", "syllables")
    assert "argument --tokens: invalid choice: 'syllables' (choose from" in capsys.readouterr().err


def test_a_column_of_a_table_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(
        "number,body\n"
        + "".join(f'{number},"some words\nand more of them, in row {number}"\n' for number in range(300))
    )
    report = planned(path, "kneser-ney")
    assert sum(one.lines for one in report.counts) == 300
    assert any("'body'" in guess for guess in report.guesses)


@pytest.mark.parametrize("line", ["a " * 2_200_000, "b" * 4_500_000], ids=["words", "one word"])
def test_a_line_of_millions_of_characters_is_read_in_pieces(tmp_path: Path, line: str) -> None:
    path = tmp_path / "line.txt.gz"
    with gzip.open(path, "wt", compresslevel=1) as stream:
        stream.write(line)
    opened = open_running(Source(str(path)))
    pieces = list(opened.running())
    assert len(pieces) > 1
    assert "".join(pieces) == line
    assert opened.bad_count == 0


def test_bad_lines_are_counted_and_cost_no_good_one(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    good = write_text(tmp_path / "good.txt").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*good[:100], b"\xff\xfe broken\n", *good[100:]]))
    report = planned(path, "kneser-ney")
    assert sum(one.lines for one in report.counts) + report.bad_count == LINES + 1


# ------------------------------------------------------------------------------------------------------- word vectors


def test_a_text_becomes_word_vectors_of_its_corpus(tmp_path: Path) -> None:
    recipe = plan(OwnRequest("mine", Source(str(write_text(tmp_path / "text.txt"))), ("ppmi-svd",))).recipe
    (run,) = make(recipe, Options(device="cpu"))
    assert (run.name, run.kind) == ("mine", "word-vectors")
    assert (run.corpus["name"], run.corpus["words"]) == ("mine", LINES * 9)
    assert run.config == {"vocabulary_size": len(set(WORDS)) + 1, "dimensions": 150}


@pytest.mark.ci
def test_a_packed_text_becomes_word_vectors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.txt.gz"
    with gzip.open(path, "wt") as stream:
        stream.write(write_text(tmp_path / "text.txt").read_text())
    assert train(path, "--model", "cbow,ppmi-svd") == 0
    said = capsys.readouterr().out
    run = open_run("mine-cbow")
    assert run.kind == "word-vectors"
    assert run.corpus["words"] == LINES * 9
    assert open_run("mine-ppmi-svd").config["vocabulary_size"] == run.config["vocabulary_size"] == len(set(WORDS)) + 1
    assert "No analogy question has all four words in the vocabulary" in said
    assert "has no analogy accuracy" in (run.folder / "README.md").read_text(encoding="utf-8")
    assert "nan" not in said
    assert main(["neighbours", "mine-cbow", "stop"]) == 0
    first = _weights(run.folder)
    run.folder.rename(tmp_path / "first")
    assert main(["train", str(tmp_path / "first" / RECIPE), "--device", "cpu"]) == 0
    assert _weights(run.folder) == first


@pytest.mark.ci
def test_networks_can_start_from_the_vectors_of_a_run(tmp_path: Path) -> None:
    assert train(write_text(tmp_path / "text.txt"), "--model", "ppmi-svd", name="vectors") == 0
    rows = [
        f"{line},{'ab'[number % 2]}\n" for number, line in enumerate((tmp_path / "text.txt").read_text().split("\n"))
    ]
    (tmp_path / "table.csv").write_text("text,label\n" + "".join(rows[:200]))
    source = Source(str(tmp_path / "table.csv"))
    recipe = plan(OwnRequest("classes", source, ("cnn",), vectors="vectors")).recipe
    assert [run.settings.get("fit", {}).get("starts_from") for run in recipe.runs] == [None, "vectors"]
    assert train(tmp_path / "text.txt", "--model", "kneser-ney", name="counted") == 0
    with pytest.raises(TrainingError, match="contains no word vectors"):
        plan(OwnRequest("classes", source, ("cnn",), vectors="counted"))


# ------------------------------------------------------------------------------------------------------------ refused


@pytest.mark.parametrize(
    ("text", "request_", "said"),
    [
        ("a few words\n" * 10, {"models": ("lstm-lm",)}, "The text is too short: only"),
        ("a few words\n" * 10, {"models": ("glove",)}, "has 30 words; word vectors need at least 1,000"),
        ("", {"models": ("lstm-lm",)}, "is empty"),
        ("a few words\n" * 900, {"models": ("glove",), "test": "x"}, "omit --test and --held-out"),
        ("a few words\n" * 900, {"models": ("glove",), "keep_texts": True}, "omit --keep-texts"),
        ("a few words\n" * 900, {"models": ("glove",), "tokens": "words"}, "belong to different tasks"),
        ("a few words\n" * 900, {"models": ("glove", "lstm-lm")}, "belong to different tasks"),
        ("a few words\n" * 900, {"models": ("word3vec",)}, "Unknown model 'word3vec'. Models by task: classes: cnn"),
        ("a few words\n" * 900, {"models": ("lstm-lm",), "held_out": 1.5}, "between 0 and 1, such as 0.2, not 1.5"),
        ("a few words\n" * 900, {"models": ("lstm-lm",), "tokens": "syllables"}, "Unknown token type 'syllables'"),
    ],
)
def test_what_cannot_be_learnt_is_a_sentence(tmp_path: Path, text: str, request_: dict[str, object], said: str) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text)
    with pytest.raises((TrainingError, OwnTextsError), match=re.escape(said)):
        planned(path, **request_)  # type: ignore[arg-type]
    assert not (tmp_path / "runs").exists()


def test_columns_of_classes_are_refused_elsewhere(tmp_path: Path) -> None:
    source = Source(str(write_text(tmp_path / "text.txt")), group="author")
    with pytest.raises(TrainingError, match="Language models cannot use a group column"):
        plan(OwnRequest("mine", source, ("lstm-lm",)))


def test_every_model_of_running_text_can_be_asked_for(tmp_path: Path) -> None:
    path = write_text(tmp_path / "text.txt")
    for task in ("words", "language"):
        for model in tasks()[task].models():
            assert planned(path, model).expected[-1].seconds > 0
