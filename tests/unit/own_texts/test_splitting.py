"""Classes, splits that do not leak, the report before training, the recipe and the corpus that it describes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.data import CorpusMissing
from nlpviz.data.own_texts import OwnTextsError, Source, open_source
from nlpviz.data.own_texts.classes import classes_of
from nlpviz.data.own_texts.collect import Gathered, gather
from nlpviz.data.own_texts.corpus import keep_texts, own_corpus
from nlpviz.data.own_texts.hashes import hash_of
from nlpviz.data.own_texts.names import KEPT_TEXTS
from nlpviz.data.own_texts.profile import Looked, report, script_of
from nlpviz.data.own_texts.readers.classes import split
from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe, TextsRecipe, read_recipe
from nlpviz.data.own_texts.splitting import held_out
from nlpviz.runs.files import write_text

ROWS = [
    (f"text number {at}", "it" if at % 3 else "HR ", f"author {at // 5}", f"2026-01-{1 + at // 4:02}")
    for at in range(100)
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A hundred texts in two classes, of twenty authors, on twenty-five days."""
    path = tmp_path / "tickets.csv"
    path.write_text("body,queue,author,day\n" + "".join(",".join(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def recipe(path: Path, **more: str) -> TextsRecipe:
    return TextsRecipe(str(path), hash_of(str(path)), "body", "queue", classes=("HR", "it"), **more)  # type: ignore[arg-type]


def gathered(path: Path, **more: str) -> Gathered:
    return gather(open_source(Source(str(path), "body", "queue", **more)))


def test_labels_match_without_case_and_blanks() -> None:
    classes = classes_of(["it", " IT", "it", "hr", "HR ", "HR", "odd"], "queue")
    assert classes.names == ("HR", "it")
    assert classes.indices(["It ", "hR", "other"]) == [1, 0, -1]
    assert classes.left_out == {"odd": 1}


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["it"] * 5, "All texts have the label 'it'"),
        ([str(number / 7) for number in range(4120)], "4,120 different values, which look like numbers; .* 100"),
        ([f"2026-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(300)], "300 different values, which look like dates"),
        ([f"class {number}" for number in range(50)], "0 of 50 classes have at least 3 texts"),
        (
            [f"class {number}" for number in range(10_000)] * 2,
            "10,000 different values; a classifier can have at most 100",
        ),
    ],
)
def test_labels_that_make_no_classes_are_a_sentence(labels: list[str], said: str) -> None:
    with pytest.raises(OwnTextsError, match=said):
        classes_of(labels, "queue")


def test_stars_are_in_the_order_of_numbers() -> None:
    assert classes_of(["10", "2", "1"] * 3, "stars").names == ("1", "2", "10")
    assert classes_of(["0.5", "2.5"] * 3, "score").looks_like == "numbers"


def test_a_share_of_each_class_is_held_out(table: Path) -> None:
    splits = split(recipe(table), gathered(table), None, classes_of([row[1] for row in ROWS], "queue"))
    test, train = splits["test"], splits["train"]
    assert np.bincount(test.labels).tolist() == [7, 13]
    assert len(train) == 80
    assert np.bincount(train.labels[train.held_out]).tolist() == [3, 5]
    assert not set(test.ids) & {f"test/{name.split('/')[1]}" for name in train.ids}


@pytest.mark.parametrize("column", ["author", "day"])
def test_groups_and_times_stand_on_one_side(table: Path, column: str) -> None:
    by = {"author": "group", "day": "time"}[column]
    rows = gathered(table, **{by: column})
    labels = np.zeros(len(rows), dtype=np.int8)
    chosen = held_out(rows, np.arange(len(rows)), labels, 0.2, 0)
    values = np.array([row[2 if by == "group" else 3] for row in ROWS])
    assert 10 <= len(chosen) <= 30
    assert not set(values[chosen]) & set(np.delete(values, chosen))
    if by == "time":
        assert min(values[chosen]) > max(np.delete(values, chosen))


@given(st.lists(st.sampled_from("abcdefgh"), min_size=6, max_size=60), st.integers(0, 3))
def test_equal_texts_stand_on_one_side(letters: list[str], seed: int) -> None:
    texts = [
        f"{letter} {'  ' * (place % 2)}TEXT" if place % 3 else f"{letter} text" for place, letter in enumerate(letters)
    ]
    rows = Gathered("x", list(range(len(texts))), texts, [""] * len(texts))
    chosen = set(held_out(rows, np.arange(len(texts)), np.zeros(len(texts), dtype=np.int8), 0.3, seed).tolist())
    assert not {letters[at] for at in chosen} & {letters[at] for at in range(len(letters)) if at not in chosen}


def test_the_report_says_what_leaks(tmp_path: Path) -> None:
    shared = "the same words stand here and in the other file as well so that it is found"
    train = tmp_path / "train.csv"
    train.write_text(
        f"text,label\nOne text,a\nOne text,a\nthird,a\n{shared},b\nfünf,b\nещё один текст,b\n,a\nbad\n",
        encoding="utf-8",
    )
    test = tmp_path / "test.csv"
    test.write_text(f"text,label\none  TEXT,A\nindeed {shared} at once,b\nnew,c\n", encoding="utf-8")
    opened = open_source(Source(str(train)))
    rows, others = gather(opened), gather(open_source(Source(str(test), "text", "label")))
    classes = classes_of(rows.labels, "label")
    described = TextsRecipe(str(train), "", "text", "label", test=str(test))
    looked = Looked(opened, rows, others, classes, split(described, rows, others, classes), "Split.")
    found = report(looked)
    assert (found.rows, found.texts, found.empty, found.repeated) == (11, 8, 1, 2)
    assert (found.in_both, found.nearly_in_both) == (1, 1)
    assert [(one.name, one.train + one.validation, one.test) for one in found.classes] == [("a", 3, 1), ("b", 3, 1)]
    assert dict(found.scripts) == {"Latin": 7, "Cyrillic": 1}
    said = "\n".join(found.lines())
    assert "Of 2 test texts, 1 also occur in the training set and 1 more have near-duplicates there" in said
    assert "1 texts of test.csv are excluded because their label does not occur" in said
    assert "Row 9 of train.csv has 1 cell instead of 2." in said


def test_scripts_are_told() -> None:
    assert [script_of(text) for text in ("abc", "текст", "これは", "12!")] == ["Latin", "Cyrillic", "Japanese", "none"]


def test_a_recipe_is_read_as_it_was_written(tmp_path: Path, table: Path) -> None:
    settings = {"config": {"sizes": [1, 2], "none": None, "name": 'q"uote\n'}, "rate": 0.5}
    written = OwnRecipe("mine", recipe(table), (RunRecipe("mine", "Mine", "classifier", settings),))
    write_text(tmp_path / "recipe.toml", written.toml)
    read = read_recipe(tmp_path / "recipe.toml")
    assert read.texts == written.texts
    assert read.runs[0].settings == {"config": {"sizes": [1, 2], "name": 'q"uote\n'}, "rate": 0.5}


@pytest.mark.parametrize("name", ["a/b", "a b", "", "-a", "ü", "a" * 65, "../x", "a\n"])
def test_a_name_with_other_signs_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(f'name = {name!r}\nruns = []\n[texts]\npath = "x"\nsha256 = ""\ntext = "t"\n'.replace("'", '"'))
    with pytest.raises(OwnTextsError, match="is not a valid run name"):
        read_recipe(path)


def test_a_corpus_reads_the_file_as_long_as_it_is_the_same(tmp_path: Path, table: Path) -> None:
    corpus = own_corpus(OwnRecipe("mine", recipe(table), ()), tmp_path)
    test = corpus.read("test")
    assert corpus.find(test.ids[3]) == test.texts[3]  # type: ignore[attr-defined]
    table.write_text("changed", encoding="utf-8")
    with pytest.raises(CorpusMissing, match="has changed since the run was trained"):
        corpus.read("test")
    table.unlink()
    with pytest.raises(CorpusMissing, match="no longer exists, and the run stores no texts"):
        corpus.find("test/3")


def test_kept_texts_need_no_file(tmp_path: Path, table: Path) -> None:
    described = OwnRecipe("mine", replace(recipe(table), keep_texts=True), ())
    corpus = own_corpus(described, tmp_path)
    before = {name: corpus.read(name) for name in ("train", "test")}
    keep_texts(described, tmp_path / KEPT_TEXTS)
    table.unlink()
    for name, split_before in before.items():
        after = corpus.read(name)
        for field in ("ids", "labels", "texts", "held_out"):
            assert list(getattr(after, field)) == list(getattr(split_before, field))
