"""The desk of analogies solves what was planted in toy words, and says what else would come out."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.data.analogies import find_questions
from nlpviz.data.files import CorpusMissing
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.vectors import KIND, read_vectors
from nlpviz.ui.words.analogy_examples import EXAMPLES
from nlpviz.ui.words.lists import LONGEST_EXPRESSION
from nlpviz.word_vectors.questions import read_questions
from tests.pages.conftest import Page, asked_in_vain, figure, numbers, shown

PAGE = {"name": "Words", "view": "analogies"}
QUEEN = "king - man + woman"


def plain(app: AppTest) -> str:
    return shown(app).replace("\\", "")


def sums(epoch: int = 2) -> dict[str, float]:
    """Return the 3CosAdd score of every word for king - man + woman, by numpy alone, the highest first."""
    vectors = read_vectors(open_run("toy-first"), epoch)
    king, man, woman = (vectors.directions[vectors.words.index(word)] for word in ("king", "man", "woman"))
    target = king - man + woman
    scores = vectors.directions @ (target / np.linalg.norm(target))
    return {vectors.words[position]: float(scores[position]) for position in np.argsort(-scores)}


def without(scores: dict[str, float]) -> dict[str, float]:
    return {word: score for word, score in scores.items() if word not in ("king", "man", "woman")}


def bars(app: AppTest, position: int = 1) -> dict[str, float]:
    trace = figure(app, position)["figure"]["data"][0]
    return dict(zip(trace["customdata"], numbers(trace["x"]), strict=True))


def test_the_planted_analogy_comes_out(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first")
    result = without(sums())
    assert next(iter(result)) == "queen"
    assert bars(app) == pytest.approx(dict(list(result.items())[:10]), abs=1e-6)
    said = plain(app)
    assert f"*man : king :: woman* → **queen** (3CosAdd {result['queen']:.2f})." in said
    assert f"*queen* has rank 1 of {len(result)}." in said


def test_what_comes_out_with_the_typed_words(toy_page: Page) -> None:
    every = sums()
    first = next(iter(every))
    app = toy_page(**PAGE, run="toy-first", typed="in")
    assert list(bars(app)) == list(every)[:10]
    assert "With the input words excluded: *queen*" in plain(app)
    said = plain(toy_page(**PAGE, run="toy-first"))
    expected = "The same word is nearest" if first == "queen" else f"With the input words included: *{first}*"
    assert expected in said


def test_an_expected_word_has_its_rank(toy_page: Page) -> None:
    ranked = list(without(sums()))
    said = plain(toy_page(**PAGE, run="toy-first", analogy=QUEEN, expected="princess"))
    assert f"; *princess* has rank {ranked.index('princess') + 1}." in said
    assert f"*princess* has rank {ranked.index('princess') + 1} of {len(ranked)}." in said
    assert "is an input word, so it is excluded" in plain(
        toy_page(**PAGE, run="toy-first", analogy=QUEEN, expected="king")
    )
    said = plain(toy_page(**PAGE, run="toy-first", analogy=QUEEN, expected="queem"))
    assert "*'queem'* is out of vocabulary. Similar spellings: *queen*." in said


def test_what_was_expected_of_another_expression_is_not_expected_here(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", analogy="paris - france + italy")
    assert app.text_input(key="expected").value == ""
    app = toy_page(**PAGE, run="toy-first")
    assert app.text_input(key="expected").value == "queen"
    app.text_input(key="analogy").set_value("paris - france + italy").run()
    assert app.text_input(key="expected").value == ""
    assert "→ **rome**" in plain(app)


def test_the_product_is_another_method(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", method="3CosMul")
    vectors = read_vectors(open_run("toy-first"))
    rows = [vectors.words.index(word) for word in ("king", "woman", "man", "queen")]
    plus, other, minus = ((1 + vectors.directions[rows[3]] @ vectors.directions[row]) / 2 for row in rows[:3])
    assert bars(app)["queen"] == pytest.approx(float(plus * other / (minus + 0.001)), rel=1e-5)


def test_the_parallelogram_closes(toy_page: Page) -> None:
    payload = figure(toy_page(**PAGE, run="toy-first"))
    columns = {column["heading"]: column["column"] for column in payload["table"]}
    positions = np.stack([numbers(columns["x"]), numbers(columns["y"])], axis=1)
    at = dict(zip(columns["word"], positions, strict=True))
    np.testing.assert_allclose(at["king"] - at["man"], at["target"] - at["woman"], atol=1e-6)
    layout = payload["figure"]["layout"]
    assert layout["yaxis"]["scaleanchor"] == "x", "a parallelogram is one only on axes of one scale"


def test_the_share_of_the_plane_is_said(toy_page: Page) -> None:
    vectors = read_vectors(open_run("toy-first"))
    rows = np.stack([vectors.directions[vectors.words.index(word)] for word in ("king", "man", "woman", "queen")])
    spread = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    assert f"Explained variance: {spread[:2].sum() / spread.sum():.0%}." in shown(toy_page(**PAGE, run="toy-first"))


def test_the_same_analogy_at_every_epoch(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first")
    ranks = [list(without(sums(epoch))).index("queen") + 1 for epoch in (0, 1, 2)]
    assert numbers(figure(app, 2)["figure"]["data"][0]["y"]).tolist() == ranks
    table = app.table[0].value
    assert [int(rank) for rank in table["Rank of queen"]] == ranks
    assert list(table["Epoch"]) == ["0", "1", "2"]
    first = [row.replace("\\", "").split(", ")[0] for row in table["Top answers"]]
    assert first == [next(iter(without(sums(epoch)))) for epoch in (0, 1, 2)]


def test_sources_side_by_side(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", epoch=["0", "2"])
    assert list(bars(app, 1)) == list(without(sums(0)))[:10]
    assert list(bars(app, 3)) == list(without(sums(2)))[:10]
    ranges = [figure(app, position)["figure"]["layout"]["xaxis"]["range"] for position in (1, 3)]
    assert ranges[0] == ranges[1]


def test_accuracy_by_section(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-second")
    payload = figure(app, 3)
    columns = {column["heading"]: column["column"] for column in payload["table"]}
    rows = dict(zip(zip(columns["epoch"], columns["section"], strict=True), numbers(columns["accuracy"]), strict=True))
    assert rows[2, "capitals"] == rows[2, "all"] == 0.5
    assert rows[1, "capitals"] == 0.25
    assert np.isnan(rows[2, "none"])
    assert "none no in-vocabulary question" in payload["alt"]


def test_a_run_without_scores_says_what_makes_them(toy_page: Page) -> None:
    assert "`python -m nlpviz evaluate toy-first`" in shown(toy_page(**PAGE, run="toy-first"))


def test_what_cannot_be_asked_gets_a_sentence_and_stays(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first")
    for typed, said in {
        "": "Type words with + and -",
        "   ": "Type words with + and -",
        "king - king": "cancels out",
        "+ - +": "two consecutive signs",
        "king -": "ends with a sign",
        "2 king": "Words cannot be multiplied by numbers",
        "<b>king</b>": "is not among the",
        "**king** - man": "is not among the",
        "king - mann + woman": "did you mean man",
        "king woman": "is not in the vocabulary. Put + or - between its words",
        "king + " * 60 + "king": "at most 50 words",
        "word " * 1_000: "at most 1,000 characters",
        "a" * 100_000: "at most 1,000 characters",
        "king - {man}": "is not among the",
    }.items():
        app.text_input(key="analogy").set_value(typed).run()
        assert not app.exception, typed[:40]
        assert [said in error.value.replace("\\", "") for error in app.error] == [True], typed[:40]
        assert len(app.error[0].value) < 300
        assert app.text_input(key="analogy").value == typed[:LONGEST_EXPRESSION]


@pytest.mark.parametrize(
    "typed",
    ["King − Man + WOMAN", "king – man + woman", "king-man+woman", "man : king :: woman : ?", "+woman+king-man"],
)
def test_other_ways_to_type_it(toy_page: Page, typed: str) -> None:
    assert next(iter(bars(toy_page(**PAGE, run="toy-first", analogy=typed)))) == "queen"


def test_phrases_with_spaces_or_underscores(toy_page: Page) -> None:
    for typed in ("new york + country", "new_york + country"):
        assert "*new_york + country* → **" in plain(toy_page(**PAGE, run="toy-first", analogy=typed))


def test_a_spelling_takes_the_place_of_the_unknown_word(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", analogy="king - mann + woman")
    next(button for button in app.button if button.label == "man").click().run()
    assert app.text_input(key="analogy").value == QUEEN
    assert not app.error


def test_every_choice_is_in_the_address(toy_page: Page) -> None:
    app = toy_page(
        **PAGE, run="toy-second", analogy="paris - france + italy", expected="rome", method="3CosMul", typed="in"
    )
    held = {key: "".join(app.query_params[key]) for key in ("run", "analogy", "expected", "method", "typed")}
    assert list(held.values()) == ["toy-second", "paris - france + italy", "rome", "3CosMul", "in"]
    assert "3CosMul" in plain(app)
    assert "*rome* has rank" in plain(app)


def test_an_example_fills_both_fields(toy_page: Page) -> None:
    app = toy_page(**PAGE, run="toy-first", analogy="paris - france + italy")
    example = EXAMPLES[0]
    app.selectbox(key="analogy_example").select(example).run()
    assert (app.text_input(key="analogy").value, app.text_input(key="expected").value) == example[1:]
    assert "→ **queen**" in plain(app)


def test_an_address_that_names_nothing(toy_page: Page) -> None:
    wanted = {"method": "3Cos", "typed": "<b>", "run": "x", "epoch": "9"}
    app = toy_page(**PAGE, **wanted)
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()
    assert bars(app)


def test_there_is_an_example_of_each_section() -> None:
    assert len({example.section for example in EXAMPLES}) == len(EXAMPLES) == 14


def test_the_examples_are_questions_of_their_sections() -> None:
    """The sum b - a + c is that of a : b :: c : d, and of a : c :: b : d as well."""
    try:
        questions = read_questions(find_questions())
    except CorpusMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    for section, expression, expected in EXAMPLES:
        first, second, third = re.findall(r"\w+", expression)
        asked = {tuple(word.lower() for word in question) for question in questions.sections[section]}
        assert asked & {(first, second, third, expected), (first, third, second, expected)}, section


@pytest.mark.ci
def test_every_committed_run_has_an_answer_or_a_sentence(page: Page) -> None:
    """Runs on other corpora than an encyclopaedia may lack a word; they say so."""
    for name, run in list_runs()[0].items():
        if run.kind == KIND:
            app = page(**PAGE, run=name)
            assert not app.exception
            assert app.error or bars(app)
