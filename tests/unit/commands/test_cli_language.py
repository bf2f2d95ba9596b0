"""``surprisal``, ``next`` and ``sample``, asked of committed counts and of a network, with whatever may be typed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from nlpviz.commands.cli import main

WORDS, CHARACTERS, NETWORK = "wikitext2-kn", "shakespeare-kn", "wikitext2-lstm"
ANYTHING = ["", "   ", "x", "\n", "qwxz vbnzz", "犬が好き", "привет, мир", "a" * 100_000, "a b " * 25_000]


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what a command prints."""
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the sentence with which a command refuses."""
    assert main([*arguments]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    return captured.err


def test_surprisal_of_each_word(capsys: pytest.CaptureFixture[str]) -> None:
    said = answered(capsys, "surprisal", WORDS, "--text", "the cat sat on the mat")
    facts = json.loads(answered(capsys, "surprisal", WORDS, "--text", "the cat sat on the mat", "--json"))
    assert [token["token"] for token in facts["tokens"]] == ["the", "cat", "sat", "on", "the", "mat"]
    nats = np.array([token["nats"] for token in facts["tokens"]])
    assert (nats > 0).all()
    assert facts["perplexity"] == pytest.approx(np.exp(nats.mean()))
    assert f"perplexity {facts['perplexity']:.2f}" in said
    assert facts["epoch"] is None
    assert nats[3] < nats[1], "on is expected, a cat is not"


def test_surprisal_of_characters_and_of_what_has_no_probability(capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(answered(capsys, "surprisal", CHARACTERS, "--text", "to é\nbe", "--json"))
    assert [token["token"] for token in facts["tokens"]] == ["t", "o", " ", "é", "<eos>", "b", "e"]
    assert [token["nats"] is None for token in facts["tokens"]] == [False, False, False, True, False, False, False]
    assert "not scored" in answered(capsys, "surprisal", CHARACTERS, "--text", "é")


@pytest.mark.parametrize(
    ("run", "text"),
    [
        # one of the three a text in `make test`
        pytest.param(run, text, marks=[pytest.mark.ci] if (row + column) % 3 else [])
        for row, text in enumerate(ANYTHING)
        for column, run in enumerate((WORDS, CHARACTERS, NETWORK))
    ],
)
def test_any_text_gets_an_answer(capsys: pytest.CaptureFixture[str], run: str, text: str) -> None:
    said = answered(capsys, "surprisal", run, "--text", text)
    assert not {"nan", "inf"} & set(said.rpartition("perplexity")[2].split())
    facts = json.loads(answered(capsys, "next", run, "--text", text, "--json"))
    assert sum(one["probability"] for one in facts["words"]) <= 1 + 1e-9
    assert len(facts["words"]) == 10
    facts = json.loads(answered(capsys, "sample", run, "--prompt", text, "--length", "3", "--json"))
    assert facts["prompt"] == text
    assert len(facts["tokens"]) == 3
    assert all(one["probability"] > 0 for one in facts["tokens"])


def test_what_was_not_read_of_a_long_text_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "surprisal", CHARACTERS, "--text", "a" * 2_001).endswith("; 1 more was not read\n")
    assert "only the last 2,000 of the 2,001 preceding tokens were read" in answered(
        capsys, "next", CHARACTERS, "--text", "a" * 2_001
    )
    assert answered(capsys, "surprisal", NETWORK, "--text", "a b " * 2_000).endswith("; 2,000 more were not read\n")


@pytest.mark.parametrize("run", [pytest.param(WORDS, marks=pytest.mark.ci), CHARACTERS, NETWORK])
def test_settings_at_their_ends(capsys: pytest.CaptureFixture[str], run: str) -> None:
    asked = ("sample", run, "--prompt", "The", "--length", "8")
    greedy = answered(capsys, *asked, "--temperature", "0")
    for coldest in (("--temperature", "1e-300"), ("--temperature", "5e-324"), ("--top-p", "0"), ("--top-k", "1")):
        assert answered(capsys, *asked, *coldest) == greedy
    plain = answered(capsys, *asked)
    for everything in (("--top-k", "0"), ("--top-k", "1000000000"), ("--top-p", "1"), ("--temperature", "1.0")):
        assert answered(capsys, *asked, *everything) == plain
    facts = json.loads(answered(capsys, *asked, "--temperature", "100", "--json"))
    words = len(json.loads(answered(capsys, "next", run, "--text", "The", "--top", "1000000", "--json"))["words"])
    assert all(one["after_filtering"] < 2 / words for one in facts["tokens"]), "nearly all are alike"


def test_next_says_what_came_and_its_rank(capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(
        answered(capsys, "next", WORDS, "--text", "one of the most", "--place", "3", "--top", "40000", "--json")
    )
    probabilities = [one["probability"] for one in facts["words"]]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) == pytest.approx(1)
    assert len(probabilities) == 33_278
    assert facts["words"][facts["rank"] - 1]["word"] == "the"
    assert facts["probability"] == probabilities[facts["rank"] - 1]
    assert answered(capsys, "next", WORDS, "--text", "one of the most", "--place", "3").splitlines() == [
        *(f"{one['word']:<20} {one['probability']:7.2%}" for one in facts["words"][:10]),
        f"the (actual next word): {facts['probability']:.2%}, rank {facts['rank']}",
        f"entropy {facts['entropy']:.2f} nats",
    ]
    assert json.loads(answered(capsys, "next", WORDS, "--text", "one of", "--json"))["rank"] is None


def test_a_long_text_is_gone_on_with_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    """Seven characters decide."""
    end = "ROMEO:"
    for name, flag, key in (("next", "--text", "words"), ("sample", "--prompt", "tokens")):
        texts = "zz\n" * 900 + end, "z\n" + end
        long, short = (json.loads(answered(capsys, name, CHARACTERS, "--json", flag, text))[key] for text in texts)
        assert long == short


def test_sample_repeats_and_goes_on_from_its_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("sample", CHARACTERS, "--prompt", "ROMEO:", "--length", "50", "--seed", "3")
    said = answered(capsys, *asked)
    assert said.startswith("ROMEO:")
    assert answered(capsys, *asked) == said
    facts = json.loads(answered(capsys, *asked, "--json"))
    assert facts["text"] == said[:-1]
    assert len(facts["tokens"]) == 50
    assert all(0 < one["probability"] <= one["after_filtering"] + 1e-9 for one in facts["tokens"])
    words = answered(capsys, "sample", WORDS, "--prompt", "The city of", "--length", "5", "--temperature", "0")
    assert words.startswith("The city of ")
    assert answered(capsys, "sample", WORDS, "--prompt", "", "--length", "1", "--top-k", "1", "--top-p", "0")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("surprisal", "imdb-cnn", "--text", "a"), "is a classifier"),
        (("explain", WORDS, "--text", "a"), "is a language model"),
        (("surprisal", WORDS, "--text", "a", "--epoch", "1"), "has no epochs"),
        (("surprisal", "wikitext2-lstm", "--text", "a", "--epoch", "77"), "has no stored epoch 77"),
        *((("sample", WORDS, "--temperature", wrong), "between 0 and 100") for wrong in ("-1", "nan", "inf", "100.1")),
        *((("sample", WORDS, "--top-p", wrong), "between 0 and 1") for wrong in ("-0.1", "nan", "inf")),
        (("sample", WORDS, "--top-k", "-1"), "at least"),
        (("sample", WORDS, "--top-p", "2"), "between 0 and 1"),
        (("sample", WORDS, "--length", "100000000"), "at most"),
        (("sample", WORDS, "--seed", "-1"), "must not be negative"),
        (("evaluate", WORDS, "--epoch", "1"), "has no epochs"),
        (("gates", WORDS, "--text", "a"), "not a recurrent language model"),
        (("memory", "wikitext2-lstm", "--text", "a", "--next", "he", "qqzx"), "two different words"),
        (("states", "wikitext2-lstm", "--text", "a", "--next", "he", "he"), "two different words"),
        (("states", "wikitext2-lstm", "--corpus"), "--corpus needs a classifier"),
        (("gates", "imdb-lstm", "--text", "a", "--next", "he", "she"), "is a classifier"),
        (("evaluate", WORDS, "--texts", "/no/such/file"), "cannot be read"),
    ],
)
def test_what_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(capsys, *arguments)


def test_evaluate_measures_any_text_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("To be, or not to be:\nthat is the question.\n", encoding="utf-8")
    facts = json.loads(answered(capsys, "evaluate", CHARACTERS, "--texts", str(path), "--json"))
    assert facts["tokens"] == facts["characters"] == 43
    assert facts["perplexity"] == pytest.approx(np.exp(facts["loss"]))
    assert facts["bits_per_character"] == pytest.approx(facts["loss"] / np.log(2))
    assert "variants" not in facts
    path.write_text("café", encoding="utf-8")
    facts = json.loads(answered(capsys, "evaluate", CHARACTERS, "--texts", str(path), "--json"))
    assert (facts["tokens"], facts["unpredicted"]) == (4, 1)
    assert np.isfinite(facts["perplexity"])


@pytest.mark.parametrize("command", ["gates", pytest.param("memory", marks=pytest.mark.ci), "states"])
def test_a_network_is_read_word_by_word(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Asked for two words, it is a classifier of two classes."""
    asked = (command, "wikitext2-lstm", "--text", "the cat sat")
    assert "he rather than she" in answered(capsys, *asked) or "she rather than he" in answered(capsys, *asked)
    assert "queen rather than king" in answered(capsys, *asked, "--next", "queen", "king").replace(
        "king rather than queen", "queen rather than king"
    )
    assert json.loads(answered(capsys, *asked, "--json"))["run"] == "wikitext2-lstm"


def test_what_begins_the_training_text_is_continued(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing but one word follows there, whose continuation count is zero."""
    assert "entropy -0" not in answered(capsys, "next", WORDS, "--text", "= 2013")
    for more in ((), ("--temperature", "0"), ("--top-p", "0.9")):
        asked = ("sample", WORDS, "--prompt", "= 2013", "--length", "4", *more, "--json")
        assert "<pad>" not in [one["token"] for one in json.loads(answered(capsys, *asked))["tokens"]]
