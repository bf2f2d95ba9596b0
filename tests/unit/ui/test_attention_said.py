"""What a page says of attention over test reviews: both sides, one set of reviews, no more than intervals let it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.results.attention_effect import AttentionSurvey, Intervention
from nlpviz.ui.attention.effect import survey_said, survey_table, taus_said, verdict

KINDS = ("uniform", "shuffled", "top", "random", "mass")
COUNT = 300


def survey(**shares: float) -> AttentionSurvey:
    """Return a survey in which each intervention changes these shares of the predictions, the first reviews' first."""
    interventions = tuple(
        Intervention(kind, 10 if kind in ("top", "random", "mass") else 0) for kind in KINDS if kind in shares
    )
    flipped = np.zeros((COUNT, len(interventions)), np.float32)
    for column, one in enumerate(interventions):
        flipped[: round(shares[one.kind] * COUNT), column] = 1
    agreement = np.zeros((COUNT, 3), np.float32)
    ids = tuple(map(str, range(COUNT)))
    return AttentionSurvey("net", 3, ids, np.full(COUNT, 50, np.int32), interventions, flipped / 4, flipped, agreement)


def said(found: AttentionSurvey) -> str:
    sentence, pieces = survey_said(found)
    return sentence.format(**pieces)


def test_how_many_change_is_said_and_every_kind_is_in_the_table() -> None:
    found = survey(uniform=0.07, shuffled=0.1, top=0.4, random=0.02, mass=0.2)
    text = said(found)
    assert "changes the prediction in **7.0%** of 300 test texts (epoch 3), shuffled attention in 10.0%." in text
    assert survey_table(found)["Predictions changed"] == ["7.0%", "10.0%", "40.0%", "2.0%", "20.0%"]
    assert survey_table(found)["Predictions unchanged"][0] == "93.0%"
    assert all(len(sentence.split()) <= 30 for sentence in text.split(". "))


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ({"top": 0.4, "random": 0.02, "mass": 0.2}, "and more than random words of equal total weight"),
        (
            {"top": 0.4, "random": 0.02, "mass": 0.4},
            "do not differ significantly from random words of equal total weight",
        ),
        (
            {"top": 0.4, "random": 0.02, "mass": 0.397},
            "do not differ significantly from random words of equal total weight",
        ),
        ({"top": 0.2, "random": 0.02, "mass": 0.5}, "but less than random words of equal total weight"),
        ({"top": 0.1, "random": 0.1, "mass": 0.1}, "10 heaviest words do not matter significantly more"),
        ({"top": 0.1, "random": 0.3, "mass": 0.1}, "10 heaviest words do not matter significantly more"),
        ({"top": 0.4, "random": 0.02}, "matter significantly more than 10 random words."),
    ],
)
def test_the_verdict_is_no_more_than_the_intervals_let_it_be(shares: dict[str, float], expected: str) -> None:
    assert expected in verdict(survey(uniform=0.1, shuffled=0.1, **shares), 10)


def test_few_changes_are_called_few() -> None:
    assert "hardly depend on the attention weights" in verdict(
        survey(uniform=0.01, shuffled=0.0, top=0.04, random=0.0, mass=0.0), 10
    )
    assert "hardly" not in verdict(survey(uniform=0.073, shuffled=0.0, top=0.04, random=0.0, mass=0.0), 10)


@pytest.mark.parametrize("kind", KINDS)
def test_few_is_said_where_every_kind_of_other_weights_changes_few(kind: str) -> None:
    shares = dict.fromkeys(KINDS, 0.01)
    assert "hardly depend" in verdict(survey(**shares), 10)
    assert "hardly depend" not in verdict(survey(**shares | {kind: 0.3}), 10)


def test_all_numbers_are_of_one_set_of_reviews() -> None:
    found = survey(uniform=0.5, shuffled=0.1, top=0.4, random=0.02, mass=0.2)
    change, flipped = found.change.copy(), found.flipped.copy()
    change[:100, -1] = flipped[:100, -1] = np.nan  # too little weight outside the heaviest words
    partial = AttentionSurvey("net", 3, found.ids, found.tokens, found.interventions, change, flipped, found.agreement)
    text = said(partial)
    assert "of 200 test texts" in text
    assert f"**{found.flipped[100:, 0].mean():.1%}**" in text
    assert survey_table(partial)["Predictions changed"][2] == f"{found.flipped[100:, 2].mean():.1%}"


def test_medians_are_of_the_reviews_that_have_every_ranking() -> None:
    found = survey(uniform=0.1, shuffled=0.1)
    agreement = np.full((COUNT, 3), [0.9, np.nan, np.nan], np.float32)
    agreement[:3] = [[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.6, 0.7, 0.8]]
    text = taus_said(replace(found, agreement=agreement))
    assert "over the 3 texts with leave-one-out" in text
    assert "attention and saliency **+0.20**, attention and leave-one-out **+0.30**" in text
    assert text.endswith("saliency and leave-one-out +0.40.")


def test_without_leave_one_out_no_rankings_are_compared() -> None:
    found = survey(uniform=0.1, shuffled=0.1)
    agreement = np.full((COUNT, 3), [0.9, np.nan, np.nan], np.float32)
    assert "cannot be compared" in taus_said(replace(found, agreement=agreement))
