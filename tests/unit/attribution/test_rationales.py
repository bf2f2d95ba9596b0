"""Against people: average precision by plain loops and scikit-learn's, chance exactly, files with good and bad rows."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from nlpviz.analysis.attribution import explain
from nlpviz.analysis.attribution.rationales import class_of, compare
from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts.rationales import read_rationales
from nlpviz.figures.attribution.rationales import rationale_dots
from nlpviz.results.rationales import AgainstPeople, Marked, average_precision, by_chance, marked_tokens
from nlpviz.runs import RunError, open_run
from tests.unit.conftest import Printed

TEXT = "A dull film, but the acting is wonderful."
DULL, WONDERFUL = (2, 6), (31, 40)


def looped(scores: NDArray[np.float64], marked: NDArray[np.bool_]) -> float:
    """Precision at each threshold, by a loop over them, times what recall gains."""
    total, before = 0.0, 0.0
    for threshold in sorted(set(scores.tolist()), reverse=True):
        taken = [bool(mark) for score, mark in zip(scores, marked, strict=True) if score >= threshold]
        recall = sum(taken) / int(marked.sum())
        total += (recall - before) * sum(taken) / len(taken)
        before = recall
    return total


@pytest.mark.parametrize("seed", range(8))
def test_average_precision_is_that_of_a_loop_and_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6 if seed % 2 else 1000, size=30).astype(float)  # odd seeds have many ties
    marked = rng.random(30) < 0.3
    assert average_precision(scores, marked) == pytest.approx(looped(scores, marked))
    assert average_precision(scores, marked) == pytest.approx(average_precision_score(marked, scores))


def test_average_precision_at_its_ends() -> None:
    marked = np.array([True, False, False, True])
    assert average_precision(np.array([3.0, 1, 0, 2]), marked) == 1
    assert average_precision(np.zeros(4), marked) == 0.5, "equal scores are found together"
    with pytest.raises(ValueError, match="without marked tokens"):
        average_precision(np.zeros(2), np.zeros(2, dtype=bool))


@pytest.mark.parametrize(("tokens", "marked"), [(1, 1), (5, 1), (6, 2), (7, 4), (4, 4)])
def test_chance_is_the_mean_over_all_orders(tokens: int, marked: int) -> None:
    found = []
    for places in combinations(range(tokens), marked):
        here = np.isin(np.arange(tokens), places)
        found.append(average_precision(-np.arange(tokens, dtype=float), here))
    assert by_chance(tokens, marked) == pytest.approx(np.mean(found))


def test_a_token_is_marked_where_it_shares_a_character() -> None:
    assert marked_tokens([(4, 5), (9, 30)], [0, 2, 6, 10], [1, 5, 9, 12]).tolist() == [False, True, False, True]


def written(folder: Path, *rows: object, name: str = "marked.jsonl") -> Source:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Source(str(folder / name))


def row(text: str = TEXT, label: str = "positive", spans: object = (WONDERFUL,)) -> dict[str, object]:
    return {"text": text, "label": label, "spans": spans}


def test_rows_are_read_and_bad_ones_named(tmp_path: Path) -> None:
    bad = [
        row(spans=[[0, 99]]), row(text=" "), row(label=""), row(spans=[]), row(spans="x"), row(spans=[[5, 5]]),
        row(spans=[[True, 3]]), "no json",
    ]  # fmt: skip
    read = read_rationales(written(tmp_path, row(), *bad, row(label="neg", spans=[DULL])))
    assert [one.number for one in read.rows] == [1, 10]
    assert read.rows[1] == Marked(10, TEXT, "neg", (DULL,))
    assert [one.number for one in read.bad] == list(range(2, 10))
    assert [one.why for one in read.bad] == [
        f"marks characters 0 to 99, but a span must be non-empty and lie within the {len(TEXT)} characters",
        "has no words in its text",
        "has no label",
        "has no marked span",
        "has spans that are not a list of [start, end] integers",
        f"marks characters 5 to 5, but a span must be non-empty and lie within the {len(TEXT)} characters",
        "has spans that are not a list of [start, end] integers",
        "is not a JSON object",
    ]
    assert "2 of 10 rows used. Excluded: row 2 marks characters 0 to 99" in read.said
    assert "3 more" in read.said
    assert "Only the first 1 rows" in read_rationales(written(tmp_path, row(), row()), most=1).said


def test_spans_of_a_csv_are_json(tmp_path: Path) -> None:
    (tmp_path / "marked.csv").write_text(f'Text,label,spans\n"{TEXT}",positive,"[[31, 40]]"\n', encoding="utf-8")
    assert read_rationales(Source(str(tmp_path / "marked.csv"))).rows[0].spans == (WONDERFUL,)


def eraser(name: str, *pieces: tuple[int, int], **more: object) -> dict[str, object]:
    evidence = [[{"docid": name, "start_token": start, "end_token": end, "text": "…"}] for start, end in pieces]
    return {"annotation_id": name, "classification": "POS", "evidences": evidence, "query": "", **more}


def test_erasers_documents_stand_beside_the_file_or_in_the_row(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "posR_000.txt").write_text("a dull film .\nbut the acting is wonderful .\n", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("nobody reads this", encoding="utf-8")
    rows = (
        eraser("posR_000.txt", (6, 9), (1, 2)),
        eraser("inline", (0, 2), document="so good it hurts"),
        eraser("../secret.txt", (0, 1)),
        eraser("missing.txt", (0, 1)),
        eraser("posR_000.txt", (8, 40)),
        eraser("posR_000.txt"),
    )
    read = read_rationales(written(tmp_path, *rows))
    assert read.form == "ERASER"
    text = read.rows[0].text
    assert [text[start:end] for start, end in read.rows[0].spans] == ["acting is wonderful", "dull"]
    assert [read.rows[1].text[start:end] for start, end in read.rows[1].spans] == ["so good"]
    assert [one.why for one in read.bad] == [
        "needs '../secret.txt', which is not in the folder docs next to the file",
        "needs 'missing.txt', which is not in the folder docs next to the file",
        "marks words 8 to 40, but a span must be non-empty and lie within the 10 words",
        "has no marked span",
    ]


@pytest.mark.parametrize("rows", [("a,b", "1,2"), ({"text": "good", "label": "x"},), (row(text=""),)])
def test_a_file_without_marked_texts_gets_a_sentence(tmp_path: Path, rows: tuple[object, ...]) -> None:
    name = "marked.csv" if isinstance(rows[0], str) else "marked.jsonl"
    with pytest.raises(OwnTextsError, match="contains no"):
        read_rationales(written(tmp_path, *rows, name=name))


def test_each_order_gets_the_average_precision_of_its_scores() -> None:
    trained = open_run("imdb-cnn").load()
    texts = [
        Marked(1, TEXT, "positive", (WONDERFUL,)),
        Marked(2, TEXT, "NEG", (DULL,)),
        Marked(3, TEXT, "neutral", (DULL,)),
        Marked(4, "awful", "negative", ((0, 5),)),
    ]
    found = compare(trained, texts, ["saliency", "gradient-input"], "a file")
    assert found.numbers == (1, 2)
    assert [number for number, _ in found.left_out] == [3, 4]
    assert found.orders[2:] == ("log-count-ratio", "later", "earlier")
    tokens = trained.encode(TEXT).read
    for at, (span, target) in enumerate(((WONDERFUL, 1), (DULL, 0))):
        marked = np.array([token.start < span[1] and token.end > span[0] for token in tokens])
        for name in ("saliency", "gradient-input"):
            scores = explain(trained, TEXT, name, target).scores
            expected = average_precision_score(marked, scores if name == "gradient-input" else np.abs(scores))
            assert found.precision[at, found.orders.index(name)] == pytest.approx(expected)
        place = int(np.flatnonzero(marked)[0])
        assert found.precision[at, found.orders.index("later")] == pytest.approx(1 / (len(tokens) - place))
        assert found.precision[at, found.orders.index("log-count-ratio")] == 1, "each is its text's strongest word"
    assert found.marked.tolist() == [1, 1]
    with pytest.raises(RunError, match="No text in a file can be compared: row 3 has the label 'neutral'"):
        compare(trained, texts[2:], ["saliency"], "a file")


@pytest.mark.parametrize(
    ("label", "index"), [("Positive", 1), ("neg", 0), ("pos", 1), ("n", None), ("sad", None), ("", None)]
)
def test_a_label_names_a_class_or_begins_one(label: str, index: int | None) -> None:
    assert class_of(open_run("imdb-cnn"), label) == index


def found(texts: int = 3) -> AgainstPeople:
    precision = np.array([[0.5, 0.2], [0.9, 0.4], [0.7, 0.6]])[:texts]
    return AgainstPeople(
        "net", 2, "file", ("lime", "later"), 1, tuple(range(1, texts + 1)), np.array([10] * texts),
        np.array([2] * texts), np.array([True] * texts), precision,
    )  # fmt: skip


def test_the_figure_holds_means_with_intervals() -> None:
    titles = {"lime": "LIME <b>", "later": "Later"}
    view = rationale_dots(found(), titles)
    assert view.table["order"] == ["LIME <b>", "Later", "random orders"]
    assert view.table["average precision"][:2] == pytest.approx([0.7, 0.4])
    half = 4.302653 * 0.2 / np.sqrt(3)  # Student's t for two degrees of freedom
    assert view.table["to"][0] == pytest.approx(min(0.7 + half, 1), abs=1e-5)
    assert view.table["average precision"][2] == pytest.approx(by_chance(10, 2))
    assert "LIME &lt;b&gt;" in view.figure.data[0].y
    assert "LIME <b> 0.70 (0.20 to 1.00)" in view.alt
    assert found(1).of("lime").interval == (0, 1)
    assert found(1).over("lime").interval == (-1, 1)
    assert found().over("lime", "later").mean == pytest.approx(0.3)


def test_the_command_says_it(printed: Printed, tmp_path: Path) -> None:
    source = written(tmp_path, row(), row(label="neutral"), row(spans=[[0, 99]]))
    facts = printed.json("rationales", "imdb-cnn", source.path, "--methods", "saliency", "lime")
    assert facts["texts"] == 1
    assert {one["order"] for one in facts["orders"]} == {"saliency", "lime", "log-count-ratio", "later", "earlier"}
    assert facts["left_out"][0]["row"] == 2
    assert facts["bad_rows"][0]["row"] == 3
    assert "log-count-ratio (no network)" in printed("rationales", "imdb-cnn", source.path)
    assert "row 3 marks characters" in printed.error
    assert "row 2 has the label 'neutral'" in printed.error
    assert "There is no method 'guess'" in printed.refused("rationales", "imdb-cnn", source.path, "--methods", "guess")
    assert "There is no file" in printed.refused("rationales", "imdb-cnn", str(tmp_path / "none.csv"))
    assert "`rationales` does not apply to it" in printed.refused("rationales", "imdb-ngrams", source.path)
