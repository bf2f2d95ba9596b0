"""Analogy questions and word pairs: files, and scores against a plain loop, gensim and scipy."""

from __future__ import annotations

import math
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors import answers
from nlpviz.word_vectors.analogies import EPSILON, METHODS, solve
from nlpviz.word_vectors.expressions import parse
from nlpviz.word_vectors.pairs import Pair, PairsError, read_pairs, score_pairs
from nlpviz.word_vectors.questions import Question, Questions, QuestionsError, known_rows, read_questions, score
from tests.words import questions_text, toy_vectors


def written(folder: Path, text: str, name: str = "asked.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# ----------------------------------------------------------------------------------------------- files of questions


def test_questions_are_read_by_section(tmp_path: Path) -> None:
    text = "// Copyright\n: capitals \nAthens Greece Oslo Norway\n\n:  gram1-x\nA B C D\r\nE F G H\n: empty\n"
    result = read_questions(written(tmp_path, text))
    assert result.name == "asked.txt"
    assert result.sections == {
        "capitals": (Question("Athens", "Greece", "Oslo", "Norway"),),
        "gram1-x": (Question("A", "B", "C", "D"), Question("E", "F", "G", "H")),
        "empty": (),
    }
    assert len(result) == 3


def test_questions_without_a_section_belong_to_the_file(tmp_path: Path) -> None:
    assert list(read_questions(written(tmp_path, "a b c d\n")).sections) == ["asked"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "contains no questions"),
        (": a\n: b\n", "contains no questions"),
        (": a\nx y z w\nx y z\n", "^Line 3 of asked.txt is 'x y z': a question needs four words, not 3"),
        ("x y z w v\n", "^Line 1 .* not 5"),
        (":\nx y z w\n", "^Line 1 of asked.txt has no section name"),
        ("<html>\n", "^Line 1 "),
    ],
)
def test_a_malformed_file_is_named_by_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(QuestionsError, match=sentence):
        read_questions(written(tmp_path, text))


def test_what_is_no_text_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match=r"cannot be read as UTF-8 text \(FileNotFoundError\)"):
        read_questions(tmp_path / "none.txt")
    with pytest.raises(QuestionsError, match="IsADirectoryError"):
        read_questions(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(QuestionsError, match="UnicodeDecodeError"):
        read_questions(tmp_path / "binary")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "king queen man woman\n")
    monkeypatch.setattr("nlpviz.word_vectors.questions._LARGEST", path.stat().st_size)
    assert len(read_questions(path)) == 1
    monkeypatch.setattr("nlpviz.word_vectors.questions._LARGEST", path.stat().st_size - 1)
    with pytest.raises(QuestionsError, match="is larger than the limit of 0 MiB"):
        read_questions(path)


# ----------------------------------------------------------------------------------------------------------- scores


def test_planted_questions_come_out_right(tmp_path: Path) -> None:
    questions = read_questions(written(tmp_path, questions_text()))
    result = score(toy_vectors(), questions)
    assert [(one.section, one.asked, one.known) for one in result.sections] == [
        ("capitals", 12, 12),
        ("gram-family", 20, 20),
    ]
    assert result.total.accuracy > 0.8
    assert (result.method, result.among, result.source) == ("3CosAdd", 30_000, "Toy words")
    noise = score(toy_vectors(share=0.0), questions)
    assert noise.total.accuracy < 0.3


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("exclude", [True, False])
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_scores_are_those_of_one_question_at_a_time(tmp_path: Path, method: str, exclude: bool, share: float) -> None:
    vectors = toy_vectors(share=share)
    questions = read_questions(written(tmp_path, questions_text()))
    result = score(vectors, questions, method=method, exclude=exclude)
    for section, (name, asked) in zip(result.sections, questions.sections.items(), strict=True):
        answers = [
            solve(vectors, parse(vectors, f"{b} - {a} + {c}"), method=method, exclude=exclude).neighbours[0].word == d
            for a, b, c, d in asked
        ]
        assert (section.section, section.right) == (name, sum(answers))


def structured(words: int, rng: np.random.Generator) -> WordVectors:
    """Return vectors of which many a difference stands several times, so that some questions come out right."""
    stems = rng.normal(size=(words // 2, 12))
    vectors = np.concatenate([stems, stems + rng.normal(size=12) + 0.35 * rng.normal(size=stems.shape)])
    return WordVectors.of("stems", [f"w{n}" for n in range(len(vectors))], vectors.astype(np.float32))


def searched(vectors: WordVectors, a: int, b: int, c: int, method: str, exclude: bool) -> int:
    """Return the answer to one question, sought among all words."""
    cosines = [vectors.directions @ vectors.directions[row] for row in (a, b, c)]
    scores = cosines[1] - cosines[0] + cosines[2]
    if method == "3CosMul":
        moved = [(1 + one) / 2 for one in cosines]
        scores = moved[1] * moved[2] / (moved[0] + EPSILON)
    if exclude:
        scores[[a, b, c]] = -np.inf
    return int(scores.argmax())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("exclude", [True, False])
@pytest.mark.parametrize("numbers", [16 << 20, 40_000], ids=["one chunk", "many chunks"])
def test_the_tops_decide_as_a_full_search_does(
    monkeypatch: pytest.MonkeyPatch, method: str, exclude: bool, numbers: int
) -> None:
    monkeypatch.setattr(answers, "_TOP", 8)  # most questions stay open: both ways are walked
    monkeypatch.setattr(answers, "_NUMBERS", numbers)
    rng = np.random.default_rng(3)
    vectors = structured(2_000, rng)
    asked = [(i, i + 1_000, j, j + 1_000) for i, j in rng.integers(1_000, size=(300, 2)).tolist()]
    asked += [(0, 1, 2, 2), (0, 1, 1, 5), (3, 3, 4, 4), (0, 1, 2, 0)]
    # what comes out right by construction: any words, also c beside b, which would win were it not left out
    beside = np.argsort(-(vectors.directions @ vectors.directions[:300].T), axis=0)[1]
    triples = [*rng.integers(2_000, size=(300, 3)).tolist(), *((b + 300, b, int(beside[b])) for b in range(300))]
    asked += [(a, b, c, searched(vectors, a, b, c, method, exclude)) for a, b, c in triples]
    expected = [searched(vectors, a, b, c, method, exclude) == d for a, b, c, d in asked]
    assert answers.right(vectors, asked, range(2_000), method=method, exclude=exclude).tolist() == expected
    assert 0 < sum(expected) < len(expected)


def test_the_papers_epsilon_keeps_opposite_words_from_winning() -> None:
    angles = np.radians([0, 5, -5, 10, 180])  # a, b, c, d; the last is opposite to a, so that it divides by nothing
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    vectors = WordVectors.of("circle", list("abcdx"), points)
    assert answers.right(vectors, [(0, 1, 2, 3)], range(5), method="3CosMul", exclude=True).tolist() == [True]


def test_scores_are_gensims(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models import KeyedVectors
    rng = np.random.default_rng(4)
    vectors = structured(1_000, rng)
    pairs = [(f"w{n}", f"w{n + 500}") for n in rng.permutation(500)[:60]]
    lines = [": one", *(f"{a} {b} {c} {d}" for (a, b), (c, d) in pairwise(pairs)), ": two", "w1 W501 w2 W502"]
    path = written(tmp_path, "\n".join(lines) + "\n")
    theirs = KeyedVectors(vectors.dimensions)
    theirs.add_vectors(list(vectors.words), vectors.directions * vectors.lengths[:, None])
    for among in (1_000, 800):
        accuracy, sections = theirs.evaluate_word_analogies(str(path), restrict_vocab=among)
        result = score(vectors, read_questions(path), among=among)
        assert result.total.accuracy == pytest.approx(accuracy)
        assert [one.right for one in result.sections] == [len(one["correct"]) for one in sections[:-1]]
    assert 0 < result.total.known < result.total.asked


def test_questions_are_compared_in_lower_case_and_the_commonest_spelling_counts() -> None:
    vectors = toy_vectors()
    capitals = WordVectors.of(
        "capitals",
        [word.title() for word in vectors.words] + ["KING"],
        np.concatenate([vectors.directions, vectors.directions[:1]]),
    )
    questions = Questions("q", {"family": (Question("man", "KING", "woman", "Queen"),)})
    assert score(capitals, questions).total.right == 1
    assert known_rows(capitals, questions)["family"][0][1] == vectors.positions["king"]
    nothing = Questions("q", {"family": (Question("man", "king", "woman", "kaiser"),)})
    result = score(capitals, nothing).total
    assert (result.asked, result.known, result.right) == (1, 0, 0)
    assert math.isnan(result.accuracy)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from 3CosAdd, 3CosMul"):
        score(toy_vectors(), Questions("q", {}), method="4Cos")


# ------------------------------------------------------------------------------------------------------------ pairs


@pytest.mark.parametrize(
    "text",
    [
        "king\tqueen\t9\nman\twoman\t7.5\n",
        "# people's\nking queen 9\n\nman woman 7.5 and more\n",
        "Word 1,Word 2,Human (mean)\nking,queen,9\nman,woman,7.5\n",
        "king;queen;9\r\nman;woman;7.5\r\n",
        "\ufeffking, queen, 9\nman, woman, 7.5\n",
    ],
)
def test_pairs_are_read_however_they_are_parted(tmp_path: Path, text: str) -> None:
    assert read_pairs(written(tmp_path, text)).pairs == (Pair("king", "queen", 9), Pair("man", "woman", 7.5))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "contains no pairs"),
        ("king queen 9\nman woman\n", "^Line 2 of asked.txt is 'man woman', not two words and a number"),
        ("word word score\nword word score\n", "^Line 2 "),
        ("king queen nan\n", "contains no pairs"),
        ("a b 1\nking queen inf\n", "^Line 2 "),
        ("a b 1\n,,3\n", "^Line 2 "),
    ],
)
def test_malformed_pairs_are_named_by_their_line(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(PairsError, match=sentence):
        read_pairs(written(tmp_path, text))


def test_pairs_are_ranked_as_scipy_ranks_them(tmp_path: Path) -> None:
    vectors = toy_vectors()
    words = ["King", "queen", "paris", "berlin", "good", "bad", "don’t", "new york"]
    rng = np.random.default_rng(0)
    lines = [(a, b, int(rng.integers(5))) for a in words for b in words if a < b] + [("king", "xyzzy", 3)]
    result = score_pairs(vectors, read_pairs(written(tmp_path, "\n".join(f"{a}\t{b}\t{s}" for a, b, s in lines))))
    spelt = {"King": "king", "don’t": "don't", "new york": "new_york"}
    cosines = [
        float(np.dot(*(vectors.directions[vectors.positions[spelt.get(word, word)]] for word in (a, b))))
        for a, b, _ in lines[:-1]
    ]
    assert result.rho == pytest.approx(spearmanr([score for *_, score in lines[:-1]], cosines).statistic)
    assert (result.pairs, result.known) == (29, 28)


@pytest.mark.parametrize("text", ["king queen 9\n", "king queen 9\nman woman 9\n", "x y 1\nz w 2\n"])
def test_without_an_order_there_is_no_correlation(tmp_path: Path, text: str) -> None:
    assert math.isnan(score_pairs(toy_vectors(), read_pairs(written(tmp_path, text))).rho)
