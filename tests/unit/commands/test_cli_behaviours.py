"""``behaviours`` on committed runs: the battery, one's own pairs, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nlpviz.analysis.inspection.prediction import probabilities
from nlpviz.data.battery import battery
from nlpviz.results.behaviours import rates
from nlpviz.run_kinds.behaviours import check_sentiment, probe, tells_sentiment
from nlpviz.run_kinds.listing import known_runs
from nlpviz.runs import open_run
from nlpviz.runs.ngram_weights import WEIGHTS
from tests.unit.conftest import Printed

OWN = (
    "first,second,expected,capability\nGood film.,Bad film.,lower,mine\nzzqx good,zzqx bad,lower,mine\nGood,,lower,x\n"
)


def test_a_pair_gets_what_its_texts_get_alone() -> None:
    run, pairs = open_run("imdb-cnn"), battery()[:40:8]
    found, model = probe(run, 3, pairs), run.load(3)
    for one, row in zip(pairs, found.positive, strict=True):
        for text, share in zip((one.first, one.second), row, strict=True):
            assert share == pytest.approx(probabilities(model, text)[1], abs=1e-5)
    assert found.known.all()


def test_json_has_every_epoch_and_the_worst_failures(printed: Printed) -> None:
    facts = printed.json("behaviours", "imdb-lstm", "--failures", "2")
    run = open_run("imdb-lstm")
    assert [one["epoch"] for one in facts["epochs"]] == list(run.epochs)
    found = rates(battery(), probe(run, 14, battery()))
    for name, rate in found.items():
        told = facts["epochs"][-1]["capabilities"][name]
        assert (told["passed"], told["pairs"], told["interval"]) == (rate.passed, rate.pairs, list(rate.interval))
    assert facts["by_chance"]["negation"] == 0.25
    assert facts["by_chance"]["names"] is None
    assert 0 < sum(one["capability"] == "negation" for one in facts["failures"]) <= 2


def test_own_pairs_are_asked_and_bad_rows_named(printed: Printed, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(OWN, encoding="utf-8")
    said = printed("behaviours", "imdb-ngrams", "--file", str(tmp_path / "own.csv"))
    assert "row 4 has no words in the column 'second'" in printed.error
    assert "mine" in said
    assert "100% (21% to 100%)" in said
    assert "1 of 2 pairs contain out-of-vocabulary words and are excluded." in said
    facts = printed.json("behaviours", "imdb-cnn", "--epoch", "7", "--file", str(tmp_path / "own.csv"))
    assert [row["row"] for row in facts["bad_rows"]] == [4]
    assert facts["epochs"][0]["unknown_words"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("newsgroups-cnn",), "need a run with the classes negative and positive"),
        (("imdb-lm",), "is a language model"),
        (("imdb-cnn", "--epoch", "99"), "has no stored epoch 99"),
        (("imdb-cnn", "--epoch", "last"), "--epoch takes a number or 'all'"),
        (("imdb-ngrams", "--epoch", "3"), "has no stored epoch 3"),
        (("imdb-cnn", "--file", "/nowhere.csv"), "/nowhere.csv"),
    ],
)
def test_what_cannot_be_asked_is_refused(printed: Printed, arguments: tuple[str, ...], said: str) -> None:
    assert said in printed.refused("behaviours", *arguments)


def test_runs_that_tell_negative_from_positive_are_offered() -> None:
    offered = {name for name, run in known_runs()[0].items() if tells_sentiment(run)}
    assert {"imdb-cnn", "imdb-ngrams", "imdb-pv-dbow"} <= offered
    assert offered.isdisjoint({"newsgroups-cnn", "newsgroups-ngrams", "sst-lstm", "imdb-lm", "imdb-lda"})
    ngrams = open_run("imdb-ngrams")
    published = replace(ngrams, files={name: digest for name, digest in ngrams.files.items() if name != WEIGHTS})
    assert not tells_sentiment(published)
    renamed = replace(open_run("imdb-cnn"), class_names=("Pos", "neg"))
    assert check_sentiment(renamed) == 0
