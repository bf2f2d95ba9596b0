"""``edits`` on a toy run: what the search finds, in words and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.analysis.attribution import fluency_survey
from nlpviz.analysis.attribution.edit_search import search_edits
from nlpviz.runs import open_run
from nlpviz.text.tokenizers import REVIEWS
from tests.language import write_language_run
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")
RUN, TEXT = "toy-cnn", "the film was dreadful in town"


def test_it_says_what_was_found(printed: Printed) -> None:
    found = search_edits(open_run(RUN).load(), TEXT)
    facts = printed.json("edits", RUN, "--text", TEXT, "--judge", "none")
    assert facts["fewest"] == found.fewest
    assert [one["text"] for one in facts["found"]] == [one.text for one in found.found]
    assert facts["found"][0]["probability"] == pytest.approx(found.found[0].probability)
    assert (facts["language_model"], facts["texts_read"]) == (None, found.read)
    words = printed("edits", RUN, "--text", TEXT, "--judge", "none")
    assert f"  {found.found[0].said}: negative" in words
    assert "reduced to 'dreadful'" in words


def test_what_cannot_be_searched_is_said(printed: Printed) -> None:
    assert printed.json("edits", RUN, "--text", "", "--judge", "none")["found"] == []
    assert "found no set of at most 1 edits" in printed("edits", RUN, "--text", "", "--judge", "none", "--most", "1")
    assert "is not a language model" in printed.refused("edits", RUN, "--text", "a", "--judge", RUN)
    assert "`edits` does not apply to it" in printed.refused("edits", "toy-ngrams", "--text", "a")


@pytest.mark.usefixtures("toy_modules")
def test_a_sample_of_test_documents_is_counted(printed: Printed) -> None:
    facts = printed.json("edits", RUN, "--sample", "4", "--judge", "none", "--most", "2")
    assert facts["documents"] == 4
    assert 0 <= facts["turned_within"]["1"] <= facts["turned_within"]["2"] <= 4
    assert "flipped by 2 or fewer edits" in printed("edits", RUN, "--sample", "2", "--judge", "none", "--most", "2")


@pytest.mark.usefixtures("toy_modules")
def test_random_edits_are_judged(printed: Printed, trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fluency_survey, "REVIEWS", 3)
    monkeypatch.setattr(fluency_survey, "PLACES", 4)
    write_language_run(trained, REVIEWS)
    facts = printed.json("edits", RUN, "--random", "--judge", "toy-reviews", "--bits", "1000")["random_edits"]
    assert {one["passed"] == one["edits"] for one in facts.values()} == {True}
    assert facts["delete"]["edits"] == facts["any"]["edits"] == 2 * 3 * 4, "places of so many reviews of each class"
    facts = printed.json("edits", RUN, "--random", "--judge", "toy-reviews", "--bits", "-1000")["random_edits"]
    assert {one["passed"] for one in facts.values()} == {0}
    assert "Name it with --judge" in printed.refused("edits", RUN, "--random", "--judge", "none")
