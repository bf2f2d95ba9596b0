"""``regions``, ``filters`` and ``survey`` with the toy run."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.runs import RunError, ngram_counts, open_run
from nlpviz.runs.deletions import DELETION
from nlpviz.runs.predictions import PREDICTIONS, RATINGS_MASKED, masked_predictions, predictions_of
from nlpviz.runs.surveys import FILTERS, REGIONS, filters, top_ngrams
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")

TEXT = "was the film splendid zzz"


# ---------------------------------------------------------------------------------------------------------- regions


@pytest.mark.parametrize("epoch", ["0", "3"])
@pytest.mark.parametrize("target", ["negative", "positive"])
def test_regions_as_json_add_up_to_the_class_score(printed: Printed, epoch: str, target: str) -> None:
    facts = printed.json("regions", "toy-cnn", "--text", TEXT, "--epoch", epoch, "--target", target)
    assert (facts["epoch"], facts["target"], facts["text"]) == (int(epoch), target, TEXT)
    total = facts["bias"] + sum(region["contribution"] for region in facts["regions"])
    assert total == pytest.approx(facts["class_score"], abs=1e-4)
    assert facts["residual"] == pytest.approx(0, abs=1e-4)
    assert all(region["filters"] > 0 for region in facts["regions"])
    for region in facts["regions"]:
        assert TEXT[region["start"] : region["end"]] == region["ngram"]


def test_ngrams_say_how_often_they_stood_in_training(printed: Printed) -> None:
    counts = ngram_counts("toy")
    assert counts is not None
    regions = printed.json("regions", "toy-cnn", "--text", TEXT)["regions"]
    seen = {region["ngram"]: region["seen_in_training"] for region in regions}
    assert seen["splendid"] == counts.of(["splendid"]) > 0
    assert {ngram: times for ngram, times in seen.items() if "zzz" in ngram} == {
        ngram: 0 for ngram in seen if "zzz" in ngram
    }
    unseen = printed.json("regions", "toy-cnn", "--text", TEXT, "--unseen")["regions"]
    assert unseen == [region for region in regions if region["seen_in_training"] == 0]


def test_regions_without_ratings(printed: Printed) -> None:
    text = "was the film splendid 8 out of 10 dull"
    ngrams = [
        {region["ngram"] for region in printed.json("regions", "toy-cnn", "--text", text, *more)["regions"]}
        for more in ((), ("--without-ratings",))
    ]
    assert ngrams[1] == {ngram for ngram in ngrams[0] if not {"8", "out", "of", "10"} & set(ngram.split())}
    assert ngrams[1] < ngrams[0]


def test_without_a_baseline_nobody_knows_how_often(printed: Printed, trained: Path) -> None:
    shutil.rmtree(trained / "toy-ngrams")
    assert {region["seen_in_training"] for region in printed.json("regions", "toy-cnn", "--text", TEXT)["regions"]} == {
        None
    }
    assert "Omit --unseen" in printed.refused("regions", "toy-cnn", "--text", TEXT, "--unseen")


def test_regions_are_ranked_as_asked_for(printed: Printed) -> None:
    for rank in ("contribution", "norm"):
        facts = printed.json("regions", "toy-cnn", "--text", TEXT, "--rank", rank, "--count", "2")
        for size in (1, 2, 3):
            values = [abs(region[rank]) for region in facts["regions"] if region["size"] == size]
            assert len(values) == 2
            assert values == sorted(values, reverse=True)
    by_norm = printed.json("regions", "toy-cnn", "--text", TEXT, "--rank", "norm")["regions"]
    assert len(by_norm) == 5 + 4 + 3


def test_regions_in_words(printed: Printed) -> None:
    lines = printed("regions", "toy-cnn", "--text", TEXT, "--target", "positive").splitlines()
    assert lines[0].startswith("positive ")
    assert "= bias" in lines[0]
    assert [line[:9] for line in lines[1:]] == ["  size 1:", "  size 2:", "  size 3:"]
    assert '"splendid" +' in lines[1]
    assert '"splendid zzz"' in lines[2]
    assert "(not in the training texts)" in lines[2]


@pytest.mark.parametrize("text", ["", " ", "zzz", "?!", "<script>alert(1)</script>", "a " * 50_000, "\udcff 🚀"])
def test_any_text_has_regions_that_add_up(printed: Printed, text: str) -> None:
    facts = printed.json("regions", "toy-cnn", "--text", text)
    total = facts["bias"] + sum(region["contribution"] for region in facts["regions"])
    assert total == pytest.approx(facts["class_score"], abs=1e-4)
    assert printed("regions", "toy-cnn", "--text", text)


def test_a_file_of_texts_gives_a_list(printed: Printed, tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("splendid\n\ndreadful film\n")
    facts = printed.json("regions", "toy-cnn", "--file", str(tmp_path / "texts"))
    assert [fact["text"] for fact in facts] == ["splendid", "", "dreadful film"]
    assert [fact["target"] for fact in facts][::2] == ["positive", "negative"]


# ------------------------------------------------------------------------------------------------------------ board


def test_board_names_the_planted_words(printed: Printed) -> None:
    run = open_run("toy-cnn")
    facts = printed.json("regions", "toy-cnn", "--corpus", "--support", "10")
    assert (facts["epoch"], facts["target"]) == (run.best_epoch, "positive")
    words = facts["board"]["1"]
    assert words["for"][0]["ngram"] == "splendid"
    assert words["against"][0]["ngram"] == "dreadful"
    assert words["against"][0]["precision"] == 1
    said = [row["ngram"] for both in facts["board"].values() for side in both.values() for row in side]
    assert len(said) == sum(row.support >= 10 for row in top_ngrams(run, run.best_epoch) if row.contribution)
    lines = printed("regions", "toy-cnn", "--corpus", "--count", "1", "--support", "10").splitlines()
    assert lines[0].startswith('size 1, for positive: "splendid" +')
    assert "documents, 100%)" in lines[0]


def test_board_of_unseen_ngrams_has_no_other(printed: Printed) -> None:
    facts = printed.json("regions", "toy-cnn", "--corpus", "--unseen", "--epoch", "3")
    seen = [row["seen"] for both in facts["board"].values() for side in both.values() for row in side]
    assert seen
    assert set(seen) == {0}


# ---------------------------------------------------------------------------------------------------------- filters


def test_filters_are_listed_with_what_they_answer(printed: Printed) -> None:
    run = open_run("toy-cnn")
    result = filters(run, 3)
    facts = printed.json("filters", "toy-cnn", "--epoch", "3")["filters"]
    assert [fact["filter"] for fact in facts] == [one.id for one in result]
    assert facts[5]["ngrams"][0]["ngram"] == result[5].ngrams[0].ngram
    assert facts[5]["twin"] == result[result[5].twin].id
    lines = printed("filters", "toy-cnn", "--epoch", "3").splitlines()
    assert {line.split()[0] for line in lines} == {one.id for one in result}
    assert "splendid" in lines[0] or "dreadful" in lines[0], "the weightiest first"


def test_one_filter_is_shown(printed: Printed) -> None:
    (fact,) = printed.json("filters", "toy-cnn", "--filter", "2-7")["filters"]
    assert (fact["filter"], fact["size"], fact["number"]) == ("2-7", 2, 7)
    assert printed("filters", "toy-cnn", "--filter", "2-7").startswith("2-7  weight ")


# ---------------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["regions", "toy", "--corpus"], "There is no run 'toy'; available runs: toy-cnn, toy-ngrams."),
        (["regions", "toy-cnn", "--corpus", "--epoch", "9"], "has no stored epoch 9; stored epochs: 0, 1, 2, 3."),
        (["regions", "toy-cnn", "--text", "a", "--epoch", "9"], "has no stored epoch 9; stored epochs: 0, 1, 2, 3."),
        (["regions", "toy-cnn", "--text", "a", "--target", "x"], "no class 'x'; available: negative, positive."),
        (
            ["regions", "toy-cnn", "--corpus", "--target", "negative"],
            "the top n-grams are always listed for and against positive",
        ),
        (["regions", "toy-ngrams", "--corpus"], "is a baseline, so `regions` does not apply to it."),
        (["regions", "toy-ngrams", "--text", "a"], "is a baseline, so `regions` does not apply to it."),
        (["filters", "toy-ngrams"], "is a baseline, so `filters` does not apply to it."),
        (
            ["filters", "toy-cnn", "--filter", "9-9"],
            "no filter '9-9'; available: 1-0 to 1-99, 2-0 to 2-99, 3-0 to 3-99.",
        ),
        (["filters", "toy-cnn", "--filter", "<b>"], "no filter '<b>'"),
        (["filters", "toy-cnn", "--epoch", "-3"], "has no stored epoch -3"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_there_is_not_is_refused_in_a_sentence(printed: Printed, arguments: list[str], sentence: str) -> None:
    for flags in ([], ["--json"]):
        assert sentence in printed.refused(*arguments, *flags)


@pytest.mark.parametrize("arguments", [["--rank", "size"], ["--count", "0"], ["--corpus"], ["--support", "many"]])
def test_wrong_options_are_refused_with_the_usage(printed: Printed, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        printed("regions", "toy-cnn", "--text", "a", *arguments)
    assert ended.value.code == 2


# ----------------------------------------------------------------------------------------------------------- survey


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules")
def test_survey_writes_the_board_again(printed: Printed) -> None:
    run = open_run("toy-cnn")
    rows = top_ngrams(run, 3)
    (run.folder / REGIONS).unlink()
    (run.folder / FILTERS).unlink()
    run.save()
    assert "python -m nlpviz survey toy-cnn" in printed.refused("regions", "toy-cnn", "--corpus")
    assert printed.json("survey", "toy-cnn") == {"run": "toy-cnn", "epochs": [0, 1, 2, 3]}
    assert top_ngrams(open_run("toy-cnn"), 3) == rows
    assert printed("survey", "toy-cnn") == "toy-cnn: surveyed at epochs 0, 1, 2, 3\n"
    assert "epoch 3: read 90 documents" in printed.error


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules")
def test_what_runs_lack_is_added_the_worthiest_first(printed: Printed) -> None:
    run = open_run("toy-cnn")
    kept = {name: (run.folder / name).read_bytes() for name in (DELETION, PREDICTIONS)}
    assert printed.json("survey", "--all", "--minutes", "0")["made"] == []
    (run.folder / DELETION).unlink()
    (run.folder / REGIONS).unlink()
    run.save()
    left = printed.json("survey", "--all", "--minutes", "0")["left"]
    mine = [title for title in left if title.startswith("toy-cnn")]
    assert mine[:2] == ["toy-cnn: n-grams and filters", "toy-cnn: deletion"]
    found = printed.json("survey", "--all")
    assert set(mine[:2]) <= set(found["made"])
    assert {name: (run.folder / name).read_bytes() for name in kept} == kept, "what was there is not made again"
    assert printed.json("survey", "--all", "--minutes", "0")["left"] == found["left"]
    for wrong in ([], ["toy-cnn", "--all"], ["toy-cnn", "--minutes", "1"]):
        printed("survey", *wrong, code=2)
        assert "Name a run or use --all" in printed.error


@pytest.mark.usefixtures("toy_modules")
@pytest.mark.parametrize("name", [pytest.param("toy-cnn", marks=pytest.mark.ci), "toy-ngrams"])
def test_survey_asks_for_the_predictions_again(printed: Printed, name: str) -> None:
    run = open_run(name)
    stored = masked_predictions(run)
    (run.folder / PREDICTIONS).unlink()
    without = {split: values for split, values in run.metrics.items() if split != RATINGS_MASKED}
    replace(run, metrics=without).save()
    with pytest.raises(RunError, match=f"python -m nlpviz survey {name}"):
        predictions_of(open_run(name))
    printed("survey", name)
    again = open_run(name)
    assert again.metrics[RATINGS_MASKED] == pytest.approx(run.metrics[RATINGS_MASKED])
    np.testing.assert_array_equal(masked_predictions(again).masked.classes, stored.masked.classes)
    np.testing.assert_array_equal(predictions_of(again).predicted.classes, stored.plain.predicted.classes)
