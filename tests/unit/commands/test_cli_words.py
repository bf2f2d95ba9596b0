"""``neighbours``, ``analogy``, ``similarity``, ``export`` and ``evaluate`` with toy words, and how they refuse."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlpviz.runs import open_run
from nlpviz.runs.vectors import read_vectors
from nlpviz.word_vectors.formats import read, write_text
from nlpviz.word_vectors.neighbours import neighbours
from tests.unit.conftest import Printed
from tests.words import questions_text, toy_vectors, write_toy_run

RUN = "toy-words"


@pytest.fixture(autouse=True)
def trained_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of runs with the toy words alone."""
    folder = tmp_path / "trained"
    write_toy_run(folder)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return folder


@pytest.fixture
def beside_classifiers(trained_words: Path, toy_trained: Path) -> None:
    """The toy classifiers and the toy baseline stand beside the toy words."""
    shutil.copytree(toy_trained, trained_words, dirs_exist_ok=True)


@pytest.fixture
def own_file(tmp_path: Path) -> str:
    """A person's own vectors, the toy words without their counts."""
    path = tmp_path / "own.vec"
    write_text(path, toy_vectors())
    return str(path)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    """A file of the questions that the toy words answer."""
    path = tmp_path / "questions.txt"
    path.write_text(questions_text(), encoding="utf-8")
    return str(path)


# --------------------------------------------------------------------------------------------- neighbours, similarity


def test_neighbours_as_json(printed: Printed) -> None:
    facts = printed.json("neighbours", RUN, "Paris", "--count", "4")
    assert (facts["run"], facts["epoch"], facts["table"], facts["word"]) == (RUN, 2, "input", "paris")
    expected = neighbours(read_vectors(open_run(RUN)), "paris", 4)
    assert [(one["word"], one["count"]) for one in facts["neighbours"]] == [
        (one.word, one.count) for one in expected.neighbours
    ]
    assert (facts["count"], facts["frequency_rank"]) == (expected.count, expected.position + 1)


def test_neighbours_in_words(printed: Printed) -> None:
    first, *lines = printed("neighbours", RUN, "king", "--count", "3").splitlines()
    assert first.startswith("king (word 9 of 36, 1,111 occurrences in the corpus), Toy skip-gram, epoch 2")
    assert len(lines) == 3
    assert lines[0].split()[0] == "1"


def test_epoch_and_table_are_the_ones_asked_for(printed: Printed) -> None:
    scores = set()
    for options in ([], ["--epoch", "0"], ["--epoch", "1"], ["--output-vectors"]):
        facts = printed.json("similarity", RUN, "king", "queen", *options)
        scores.add(round(facts["cosine"], 4))
        assert facts["epoch"] == (int(options[1]) if len(options) == 2 else 2)
        assert facts["table"] == ("output" if options == ["--output-vectors"] else "input")
    assert len(scores) == 4


def test_similarity_in_words(printed: Printed) -> None:
    assert printed("similarity", RUN, "KING", "king") == "king and king: cosine 1.000, Toy skip-gram, epoch 2\n"


# ---------------------------------------------------------------------------------------------------------- analogy


def test_analogy_as_json(printed: Printed) -> None:
    facts = printed.json("analogy", RUN, "king − man + Woman", "--expect", "Queen", "--count", "2")
    assert facts["expression"] == "king - man + woman"
    assert facts["answers"][0]["word"] == "queen"
    assert len(facts["answers"]) == 2
    assert (facts["expected"], facts["expected_rank"]) == ("queen", 1)
    assert (facts["method"], facts["excludes_inputs"]) == ("3CosAdd", True)
    other = printed.json("analogy", RUN, "king - man + woman", "--method", "3CosMul", "--include-inputs")
    assert (other["method"], other["excludes_inputs"], other["expected"]) == ("3CosMul", False, None)
    assert other["answers"][0]["score"] != facts["answers"][0]["score"]
    assert {"king", "woman"} & {one["word"] for one in other["answers"]}


def test_analogy_in_words(printed: Printed) -> None:
    lines = printed("analogy", RUN, "king - man + woman", "--expect", "king").splitlines()
    assert lines[0] == "king - man + woman, 3CosAdd, input words excluded, Toy skip-gram, epoch 2"
    assert lines[1].split()[2] == "queen"
    assert lines[-1] == "king is one of the input words, which are excluded"
    assert printed("analogy", RUN, "- man + king + woman", "--expect", "queen").endswith("queen has rank 1\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["neighbours", RUN, "qeen"], "'qeen' is not among the 36 words; did you mean queen?"),
        (["neighbours", RUN, "<b>"], "'<b>' is not among the 36 words; no similar spelling was found."),
        (["analogy", RUN, "king -"], "The expression ends with a sign. Put a word after it."),
        (
            ["analogy", RUN, ""],
            "Type words with + and - between them, or an analogy: paris : france :: tokyo.",
        ),
        (["analogy", RUN, "king", "--expect", "mann"], "'mann' is not among the 36 words; did you mean man?"),
        (["similarity", RUN, "king", "mann"], "'mann' is not among the 36 words; did you mean man?"),
        (["neighbours", "nope", "king"], "There is no run 'nope'; available runs: toy-words."),
        (
            ["neighbours", RUN, "king", "--epoch", "7"],
            f"The run {RUN!r} has no stored epoch 7; stored epochs: 0, 1, 2.",
        ),
        (
            ["neighbours", RUN, "king", "--epoch", "1", "--output-vectors"],
            f"Epoch 1 of the run {RUN!r} has no stored output vectors.",
        ),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence(printed: Printed, arguments: list[str], sentence: str) -> None:
    assert printed.refused(*arguments) == sentence
    assert printed.refused(*arguments, "--json") == sentence


@pytest.mark.usefixtures("beside_classifiers")
def test_a_run_without_words_is_refused(printed: Printed, tmp_path: Path) -> None:
    for arguments in (["neighbours", "toy-cnn", "king"], ["export", "toy-ngrams", str(tmp_path / "file")]):
        sentence = f"The run {arguments[1]!r} has no word vectors. Runs with word vectors: toy-words."
        assert printed.refused(*arguments) == sentence


# ------------------------------------------------------------------------------------------------------- a file's own


def test_own_vectors_are_asked_like_a_run(printed: Printed, own_file: str) -> None:
    facts = printed.json("neighbours", own_file, "king", "--count", "3")
    assert (facts["run"], facts["epoch"], facts["count"]) == (own_file, None, None)
    assert [one["word"] for one in facts["neighbours"]] == [
        one.word for one in neighbours(toy_vectors(), "king", 3).neighbours
    ]
    assert "occurrences in the corpus" not in printed("neighbours", own_file, "king")
    assert printed.json("analogy", own_file, "king - man + woman")["answers"][0]["word"] == "queen"
    assert printed.json("similarity", own_file, "king", "king")["cosine"] == pytest.approx(1)


def test_own_vectors_are_refused_like_a_run(printed: Printed, own_file: str, tmp_path: Path) -> None:
    assert printed.refused("neighbours", own_file, "qeen").startswith("'qeen' is not among the 36 words")
    assert "no epochs" in printed.refused("neighbours", own_file, "king", "--epoch", "0")
    (tmp_path / "none.txt").write_text("once upon a time\n")
    assert printed.refused("neighbours", str(tmp_path / "none.txt"), "king").startswith(
        "none.txt is not a file of word"
    )


# --------------------------------------------------------------------------------------------------------- evaluate


def test_evaluate_says_how_many_questions_come_out_right(printed: Printed, questions: str) -> None:
    facts: dict[str, Any] = printed.json("evaluate", RUN, "--questions", questions)
    assert (facts["run"], facts["epoch"], facts["method"], facts["among"]) == (RUN, 2, "3CosAdd", 30_000)
    assert facts["accuracy"] == facts["right"] / facts["known"] > 0.8
    assert [(one["section"], one["asked"]) for one in facts["sections"]] == [("capitals", 12), ("gram-family", 20)]
    assert sum(one["right"] for one in facts["sections"]) == facts["right"]
    before = printed.json("evaluate", RUN, "--questions", questions, "--epoch", "0", "--method", "3CosMul")
    assert (before["epoch"], before["method"]) == (0, "3CosMul")
    assert before["accuracy"] < 0.3
    few = printed.json("evaluate", RUN, "--questions", questions, "--among", "9")
    assert (few["known"], few["accuracy"], few["among"]) == (0, None, 9)


def test_evaluate_in_words(printed: Printed, questions: str, own_file: str) -> None:
    first, *sections, total = printed("evaluate", RUN, "--questions", questions).splitlines()
    assert first == "Toy skip-gram, epoch 2, 3CosAdd, among the 30,000 most frequent words"
    assert [line.split()[-1] for line in sections] == ["capitals", "gram-family"]
    assert total.endswith("32 in vocabulary, 32 in total  all")
    assert printed("evaluate", own_file, "--questions", questions).startswith("own.vec, 3CosAdd")


def test_evaluate_reads_word_pairs(printed: Printed, tmp_path: Path, questions: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("king\tqueen\t8\nking\tparis\t1\nking\txyzzy\t3\nman\twoman\t9\n")
    facts = printed.json("evaluate", RUN, "--pairs", str(path))
    assert facts["pairs"]["pairs"] == 4
    assert facts["pairs"]["known"] == 3
    assert -1 <= facts["pairs"]["rho"] <= 1
    assert "accuracy" not in facts
    both = printed.json("evaluate", RUN, "--pairs", str(path), "--questions", questions)
    assert both["pairs"] == facts["pairs"]
    assert both["known"] == 32
    line = printed("evaluate", RUN, "--pairs", str(path))
    assert line == f"Toy skip-gram, epoch 2: Spearman’s rho {facts['pairs']['rho']:.3f}, 3 of 4 pairs in vocabulary\n"
    path.write_text("king\tqueen\t8\n")
    assert printed.json("evaluate", RUN, "--pairs", str(path))["pairs"]["rho"] is None
    assert "undefined" in printed("evaluate", RUN, "--pairs", str(path))


def test_malformed_questions_and_pairs_are_named_by_their_line(printed: Printed, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("a b c d\na b\n")
    assert printed.refused("evaluate", RUN, "--questions", str(path)).startswith("Line 2 of file.txt")
    assert printed.refused("evaluate", RUN, "--pairs", str(path)).startswith("Line 2 of file.txt")
    assert "FileNotFoundError" in printed.refused("evaluate", RUN, "--pairs", str(tmp_path / "none"))


@pytest.mark.usefixtures("beside_classifiers")
def test_a_classifier_takes_no_questions(printed: Printed, questions: str) -> None:
    for option in ("--questions", "--pairs", "--references", "--output-vectors"):
        value = () if option == "--output-vectors" else (questions,)
        refused = printed.refused("evaluate", "toy-cnn", option, *value)
        assert refused.startswith("The run 'toy-cnn' is a classifier, so it accepts only --device, --json, --epoch, ")
        assert option not in refused


def test_word_vectors_take_no_texts(printed: Printed, questions: str) -> None:
    for option in ("--texts", "--labels", "--references"):
        refused = printed.refused("evaluate", RUN, option, questions)
        assert refused.startswith(f"{RUN} is a set of word vectors, so it accepts only ")


# ----------------------------------------------------------------------------------------------------------- export


@pytest.mark.parametrize("options", [[], ["--binary"], ["--epoch", "1"], ["--output-vectors", "--binary"]])
def test_what_is_exported_is_read_again(printed: Printed, tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "exported"
    facts = printed.json("export", RUN, str(path), *options)
    assert (facts["words"], facts["dimensions"], facts["file"]) == (36, 21, str(path))
    assert facts["format"] == ("word2vec binary" if "--binary" in options else "word2vec text")
    table = "output" if "--output-vectors" in options else "input"
    vectors = read_vectors(open_run(RUN), 1 if "--epoch" in options else 2, table)
    result = read(path, source="x")
    assert result.words == vectors.words
    assert np.abs(result.directions - vectors.directions).max() < 1e-6
    assert np.abs(result.lengths - vectors.lengths).max() < 1e-5
    assert f"load_word2vec_format({str(path)!r}, binary=" in printed("export", RUN, str(path), *options)


def test_what_cannot_be_written_is_refused_and_leaves_nothing(printed: Printed, tmp_path: Path) -> None:
    sentence = printed.refused("export", RUN, str(tmp_path / "none" / "file"))
    assert sentence == f"{tmp_path / 'none' / 'file'} cannot be written (FileNotFoundError)."
    before = sorted(tmp_path.rglob("*"))
    assert "IsADirectoryError" in printed.refused("export", RUN, str(tmp_path / "trained"))
    assert sorted(tmp_path.rglob("*")) == before


# --------------------------------------------------------------------------------------------------------- at once


def test_commands_about_words_load_neither_torch_nor_scipy() -> None:
    code = (
        "import sys; from nlpviz.commands.cli import main; "
        f"code = main(['analogy', {RUN!r}, 'king - man + woman']) or main(['neighbours', {RUN!r}, 'king']); "
        "heavy = {'torch', 'scipy', 'sklearn', 'pandas', 'streamlit', 'plotly', 'gensim'} & set(sys.modules); "
        "sys.exit(f'loaded {heavy}' if heavy else code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
