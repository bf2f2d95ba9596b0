"""``attend`` and ``survey`` on toy runs with attention."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.attribution import explain
from nlpviz.analysis.inspection.attention import attend
from nlpviz.analysis.inspection.attention_effect import attention_effect
from nlpviz.analysis.inspection.attention_survey import LEFT_OUT, SAMPLE, sample, spaced
from nlpviz.runs import Run, open_run
from nlpviz.runs.attention_effects import ATTENTION, attention_survey
from tests import toy
from tests.unit.conftest import Printed

HAN, RNN, TRANSFORMER = "toy-han", "toy-attentive-rnn", "toy-transformer-encoder"
TEXT = "There is a splendid film. It was dreadful!"


@pytest.fixture(autouse=True)
def runs(toy_attentive: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy runs stand in the place of ``trained/``."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_attentive))
    return toy_attentive


@pytest.mark.parametrize("run", [HAN, RNN, TRANSFORMER])
def test_json_holds_every_weight(printed: Printed, run: str) -> None:
    facts = printed.json("attend", run, "--text", TEXT)
    result = attend(open_run(run).load(), TEXT)
    assert facts["text"] == TEXT
    assert [token["weight"] for token in facts["tokens"]] == pytest.approx(result.words.tolist())
    assert all(TEXT[token["start"] : token["end"]].lower() == token["word"] for token in facts["tokens"])
    assert sum(facts["probabilities"].values()) == pytest.approx(1)
    assert "heads" not in facts
    assert ("sentences" in facts) is (run == HAN)
    if run == HAN:
        assert [sentence["weight"] for sentence in facts["sentences"]] == pytest.approx(
            [part.weight for part in result.sentences]
        )
        assert TEXT[slice(facts["sentences"][1]["start"], facts["sentences"][1]["end"])] == "It was dreadful!"
        products = [
            token["within"] * facts["sentences"][position > 5]["weight"]
            for position, token in enumerate(facts["tokens"])
        ]
        assert products == pytest.approx(result.words.tolist())


def test_heads_are_the_matrices(printed: Printed) -> None:
    facts = printed.json("attend", TRANSFORMER, "--text", TEXT, "--heads", "--epoch", "0")
    result = attend(open_run(TRANSFORMER).load(0), TEXT)
    assert result.heads is not None
    np.testing.assert_allclose(np.array(facts["heads"]), result.heads, atol=1e-6)


def test_effect_is_what_was_computed(printed: Printed) -> None:
    facts = printed.json("attend", RNN, "--text", TEXT, "--effect")["effect"]
    trained = open_run(RNN).load()
    result = attention_effect(trained, explain(trained, TEXT, "saliency"))
    assert facts["change"] == pytest.approx({one.name: float(result.change(one).mean()) for one in result.answers})
    assert facts["leave_one_out"] == pytest.approx(result.leave_one_out.tolist())
    assert facts["kendall_tau"] == result.agreement._asdict()


def test_a_file_of_texts_gives_a_list(printed: Printed, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("a splendid film\n\ndreadful\n", encoding="utf-8")
    facts = printed.json("attend", HAN, "--file", str(texts))
    assert [one["text"] for one in facts] == ["a splendid film", "", "dreadful"]
    assert [len(one["tokens"]) for one in facts] == [3, 0, 1]
    lines = printed("attend", HAN, "--file", str(texts)).splitlines()
    assert "no words read" in lines[2]


def test_words_for_people(printed: Printed) -> None:
    first, *sentences = printed("attend", HAN, "--text", TEXT).splitlines()
    result = attend(open_run(HAN).load(), TEXT)
    position = result.strongest(1)[0]
    assert f'highest weights: "{result.text.read[position].word}" {result.words[position]:.1%}' in first
    assert [line.split(maxsplit=1)[1] for line in sentences] == ["There is a splendid film.", "It was dreadful!"]
    assert "Kendall’s tau with the weights: saliency" in printed("attend", RNN, "--text", TEXT, "--effect")


def test_the_corpus_is_summed_up(printed: Printed) -> None:
    facts = printed.json("attend", RNN, "--corpus")
    run = open_run(RNN)
    result = attention_survey(run, run.best_epoch)
    assert facts["documents"] == len(result.ids) == 60
    for row, one in zip(facts["interventions"], result.interventions, strict=True):
        assert (row["weights"], row["documents"]) == (one.name, len(result.changes(one)))
        assert row["flipped"] == pytest.approx(result.share_flipped(one))
    assert printed.json("attend", RNN, "--corpus", "--epoch", "0")["documents"] == 20
    assert "prediction changes for" in printed("attend", RNN, "--corpus")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("toy-cnn", "--text", "a"), "has no attention"),
        ((RNN, "--text", "a", "--epoch", "99"), "has no stored epoch 99"),
        (("nix", "--text", "a"), "no run 'nix'"),
        ((TRANSFORMER, "--text", "a", "--heads"), "--heads needs --json"),
        (
            (RNN, "--text", "a", "--heads", "--json"),
            "has no attention heads: --heads needs a network with self-attention",
        ),
        ((RNN, "--corpus", "--effect"), "--effect and --heads need a text"),
        (("toy-cnn", "--corpus"), "has no attention"),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(printed: Printed, arguments: tuple[str, ...], said: str) -> None:
    assert said in printed.refused("attend", *arguments)


def test_a_translator_is_pointed_to_its_own_command(
    printed: Printed, toy_attentive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(toy_attentive / RNN, tmp_path / RNN)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    replace(Run.open(tmp_path / RNN), kind="translator").save()
    for what in (("--text", "a"), ("--corpus",)):
        assert "Use `translate --attention`" in printed.refused("attend", RNN, *what)


def test_a_sample_has_as_many_of_each_label() -> None:
    labels = np.random.default_rng(0).permutation(np.repeat([0, 1], 1_000))
    positions = sample(labels)
    assert len(set(positions.tolist())) == SAMPLE
    assert labels[positions].sum() == SAMPLE // 2
    assert len(spaced(100, LEFT_OUT)) == LEFT_OUT
    assert spaced(3, 5).tolist() == [0, 1, 2]


@pytest.mark.ci
def test_survey_writes_the_numbers_and_no_word(
    printed: Printed, toy_attentive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(toy_attentive / RNN, tmp_path / "runs" / RNN)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    before = (tmp_path / "runs" / RNN / ATTENTION).read_bytes()
    (tmp_path / "runs" / RNN / ATTENTION).unlink()
    with toy.discovered(tmp_path / "modules"):
        assert printed.json("survey", RNN)["run"] == RNN
    written = tmp_path / "runs" / RNN / ATTENTION
    assert written.read_bytes() == before, "the same numbers every time"
    table = open_run(RNN).table(ATTENTION)
    assert [name for name in table.column_names if table[name].type == "string"] == ["id"]
    assert not set(json.dumps(table["id"].to_pylist())) & set("<>"), "ids alone"
