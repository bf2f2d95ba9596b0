"""What another model says of a text: read as it was meant, refused in a sentence, drawn as those of the models here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlpviz.data.own_texts import OwnTextsError
from nlpviz.data.own_texts.foreign import foreign_of, read_foreign
from nlpviz.results.explanation import NO_EPOCH
from tests.unit.conftest import Printed

GIVEN: dict[str, Any] = {
    "model": "a BERT of mine",
    "method": "SHAP",
    "text": "Not bad, but unforgettable",
    "tokens": ["not", "bad", ",", "but", "un", "##forget", "##table"],
    "scores": [0.8, 1.1, 0, -0.1, 0.5, 0.25, 0],
    "unit": "log-odds",
    "probabilities": {"negative": 0.2, "positive": 0.8},
    "target": "negative",
}


def test_tokens_are_found_where_they_stand() -> None:
    known = foreign_of(GIVEN, "It").explanation
    assert known is not None
    assert [token.word for token in known.encoded.tokens] == ["Not", "bad", ",", "but", "un", "forget", "table"]
    assert all(known.encoded.text[token.start : token.end] == token.word for token in known.encoded.tokens)
    np.testing.assert_allclose(known.scores, GIVEN["scores"])
    assert (known.run, known.method, known.epoch, known.signed) == ("a BERT of mine", "SHAP", NO_EPOCH, True)
    assert known.class_names[known.target] == "negative"
    assert known.class_score == pytest.approx(np.log(0.25))


@pytest.mark.parametrize("token", ["Ġbad", "▁bad", "bad</w>", "BAD"])
def test_marks_of_word_pieces_and_case_do_not_count(token: str) -> None:
    given = {"text": "Not bad", "tokens": ["not", token], "scores": [1, 2]}
    known = foreign_of(given, "It").explanation
    assert known is not None
    assert known.encoded.tokens[1] == ("bad", 4, 7)
    assert not known.signed
    assert np.isnan(known.probabilities).all(), "nobody said them"


def test_without_a_target_the_most_probable_class_is_explained() -> None:
    known = foreign_of({key: value for key, value in GIVEN.items() if key != "target"}, "It").explanation
    assert known is not None
    assert known.class_names[known.target] == "positive"


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_attention_is_a_matrix_or_heads_or_layers(depth: int) -> None:
    heads = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4, 3))[(0,) * (4 - depth)]
    known = foreign_of({"text": "a b c", "tokens": ["a", "b", "c"], "attention": heads.tolist()}, "It").attention
    assert known is not None
    assert known.heads is not None
    np.testing.assert_allclose(np.squeeze(known.heads), np.squeeze(heads), rtol=1e-6)
    np.testing.assert_allclose(known.words, heads.reshape(-1, 3, 3).mean(axis=(0, 1)), rtol=1e-6)


def changed(**changes: object) -> dict[str, Any]:
    return {**GIVEN, **changes}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "It is not an object"),
        (changed(text=None), "has no `text`"),
        (changed(text="x" * 100_001), "at most 100,000 characters"),
        (changed(tokens=[]), "`tokens` must be a list of 1 to 2,000 tokens"),
        (changed(tokens=["not"] * 2_001), "1 to 2,000"),
        (changed(tokens=["[CLS]", "not"]), "token 1, '[CLS]', does not occur in the text after character 0"),
        (changed(tokens=["bad"]), "token 1, 'bad', does not occur"),
        (changed(tokens=[{"start": 0, "end": 99}]), "token 1 must be a string, or an object"),
        (changed(tokens=[{"start": 0, "end": 3}, {"start": 2, "end": 4}]), "token 2 must be a string"),
        (changed(tokens=[{"start": True, "end": 3}]), "token 1 must be a string"),
        (changed(scores=[1, 2]), "`scores` must be 7 numbers, one per token, not 2."),
        (changed(scores=["a"] * 7), "`scores` must be finite numbers."),
        (changed(scores=[1e400] * 7), "`scores` must be finite numbers."),
        (changed(scores=[None] * 7), "`scores` must be finite numbers."),
        (changed(scores=None), "has neither `scores` nor `weights` nor `attention`"),
        (changed(signed=False), "true if any score is negative"),
        (changed(signed="yes"), "`signed` must be true or false"),
        (
            changed(probabilities={"negative": 0.2, "positive": 0.2}),
            "`probabilities` must be non-negative and sum to 1",
        ),
        (changed(probabilities=[0.5, 0.5]), "`probabilities` must be 1 numbers"),
        (changed(classes=["x"] * 101, probabilities=None), "`classes` must be 1 to 100 names"),
        (changed(target="neutral"), "the `target` 'neutral' is not among the classes"),
        (changed(model="x" * 101), "`model` must be a name of at most 100 characters"),
        (changed(weights=[0.5] * 7), "`weights` must be non-negative"),
        (changed(weights=[2, -1, 0, 0, 0, 0, 0]), "`weights` must be non-negative"),
        (changed(attention=[0.1] * 7), "`attention` must be a matrix, a list of heads"),
        (changed(attention=[[1, 0], [1]]), "`attention` have rows of different lengths"),
        (changed(attention=np.eye(6).tolist()), "`attention` must be 7 × 7 numbers"),
        (changed(attention=np.ones((7, 7)).tolist()), "`attention` must be non-negative"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_mistake_has_its_sentence(given: object, said: str) -> None:
    with pytest.raises(OwnTextsError, match=re.escape(said)):
        foreign_of(given, "It")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not valid JSON"),
        ("{", "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ('{"text": "a", "tokens": ["a"], "scores": [NaN]}', "NaN is not a number"),
        ("[]", "contains 0 texts, but it must contain 1 to 100"),
        ("[1, 2]", "Text 1 is not an object"),
        ('"' + "x" * (1 << 24) + '"', "is larger than 16 MiB"),
    ],
    ids=["nothing", "half", "deep", "nan", "none", "numbers", "large"],
)
def test_a_file_that_is_none_has_its_sentence(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(OwnTextsError, match=re.escape(said)):
        read_foreign(path)
    with pytest.raises(OwnTextsError, match="cannot be read"):
        read_foreign(tmp_path / "none.json")


@pytest.mark.usefixtures("trained")
def test_what_explain_prints_is_of_the_form(printed: Printed, tmp_path: Path) -> None:
    """Its tokens beyond the maximum length, 20 for the toy, have no score: they were not read."""
    text = "a splendid film " * 10
    facts = printed.json("explain", "toy-cnn", "--text", text)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(facts), encoding="utf-8")
    ((known),) = read_foreign(path)
    assert known.explanation is not None
    assert len(known.explanation.scores) == 20
    assert len(known.explanation.encoded.tokens) == 30
    assert [one["score"] for one in facts["tokens"][:20]] == pytest.approx(known.explanation.scores.tolist())


def test_show_prints_the_strongest_tokens(printed: Printed, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(changed(weights=[1, 0, 0, 0, 0, 0, 0])), encoding="utf-8")
    said = printed("show", str(path)).splitlines()
    assert said[0].startswith('a BERT of mine, SHAP towards negative: "bad" +1.1, "Not" +0.8, "un" +0.5')
    assert said[1].startswith('a BERT of mine, weights: "Not" 100.0%')


def test_show_draws_one_file_that_fetches_nothing(printed: Printed, tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script> bad"
    given = [
        {
            "text": hostile,
            "tokens": ["</script><script>alert(1)</script>", "bad"],
            "scores": [1, -2],
            "model": "</title>",
        },
        changed(attention=[np.eye(7).tolist(), np.full((7, 7), 1 / 7).tolist()]),
    ]
    path, out = tmp_path / "mine.json", tmp_path / "out.html"
    path.write_text(json.dumps(given), encoding="utf-8")
    assert printed("show", str(path), "--html", str(out)) == f"{out}: 2 texts drawn\n"
    page = out.read_text(encoding="utf-8")
    assert "<script>alert" not in page
    without_library = re.sub(r'<script type="text/plain" id="plotly">.*?</script>', "", page, flags=re.DOTALL)
    assert without_library.count("</title>") == 1, "the page's own"
    assert "default-src 'none'" in page
    assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="?(?:https?:)?//', page)
    assert page.count("<figure ") == 2 + 1 + 3, "bars of both, those of the weights, the mean of both heads and each"
    assert "already exists" in printed.refused("show", str(path), "--html", str(out))
