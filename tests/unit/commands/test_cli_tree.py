"""``tree`` and ``evaluate`` on a committed tree network."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.runs import open_run
from nlpviz.runs.trees import load_trees
from nlpviz.text.trees import parse
from tests.unit.conftest import Printed

RUN = "sst-recursive"


def test_json_holds_every_phrase(printed: Printed) -> None:
    facts = printed.json("tree", RUN, "--text", "((not very) zzgood)")
    answers = load_trees(open_run(RUN)).answer(parse("((not very) zzgood)"))
    assert (facts["tree"], facts["bracketed"], facts["unknown"]) == ("((not very) zzgood)", True, ["zzgood"])
    assert [node["phrase"] for node in facts["nodes"]] == ["not", "very", "zzgood", "not very", "not very zzgood"]
    assert [node["children"] for node in facts["nodes"]] == [None, None, None, [0, 1], [3, 2]]
    for node, row, sentiment in zip(facts["nodes"], answers.probabilities, answers.sentiment, strict=True):
        assert node["probabilities"] == pytest.approx(row.tolist())
        assert node["sentiment"] == pytest.approx(sentiment)
        assert node["class"] == open_run(RUN).class_names[row.argmax()]


def test_lines_say_that_nobody_parsed_the_sentence(printed: Printed, tmp_path: Path) -> None:
    said = printed("tree", RUN, "--text", "It isn't bad", "--epoch", "0").splitlines()
    assert [line.partition(":")[0] for line in said[:3]] == ["It is n't bad", "  It", "  is n't bad"]
    assert "right-branching" in said[-1]
    (tmp_path / "texts").write_text("(good film)\ngood\n", encoding="utf-8")
    assert len(printed.json("tree", RUN, "--file", str(tmp_path / "texts"))) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--text", "((good)"), "Unclosed brackets"),
        (("--text", ""), "no word"),
        (("--text", "word " * 20_000), "at most"),
        (("--text", "good", "--epoch", "99"), "has no stored epoch 99"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(printed: Printed, options: tuple[str, ...], said: str) -> None:
    assert said in printed.refused("tree", RUN, *options)


def test_other_runs_compose_no_trees(printed: Printed) -> None:
    assert "is a classifier" in printed.refused("tree", "imdb-cnn", "--text", "good")
