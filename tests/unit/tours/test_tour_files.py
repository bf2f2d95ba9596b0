"""Files of tours: read as they are written; what is none is refused in a sentence that says where."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from nlpviz.ui.tour_stories import OWN, TourError, TourPlace, read_tour, tours

WHOLE = """
title: A story
about: For a test.
steps:
  - page: Explore
    view: map
    address: {run: imdb-cnn, epoch: [0, 7]}
    says: >-
      One
      sentence.
    question:
      asks: Which?
      options: [this, "7"]
      answer: "7"
      reveals: That.
      address: {epoch: 7}
  - page: Glossary
    says: The end.
"""


def written(folder: Path, text: str, name: str = "story.yaml") -> Path:
    file = folder / name
    file.write_text(dedent(text), encoding="utf-8")
    return file


def test_a_tour_is_read_as_it_is_written(tmp_path: Path) -> None:
    tour = read_tour(written(tmp_path, WHOLE))
    assert (tour.slug, tour.title, len(tour.steps)) == ("story", "A story", 2)
    first, last = tour.steps
    assert first.says == "One sentence."
    assert first.shown(revealed=False) == TourPlace("Explore", "map", {"run": ("imdb-cnn",), "epoch": ("0", "7")})
    assert first.question is not None
    assert (first.question.options, first.question.answer) == (("this", "7"), 1)
    assert first.shown(revealed=True) == TourPlace("Explore", "map", {"run": ("imdb-cnn",), "epoch": ("7",)})
    assert last == type(last)(TourPlace("Glossary", "", {}), "The end.")


def test_an_answer_on_another_view_begins_with_its_defaults(tmp_path: Path) -> None:
    there = "address: {text: own}\n      view: table"
    question = read_tour(written(tmp_path, WHOLE.replace("address: {epoch: 7}", there))).steps[0].question
    assert question is not None
    assert question.place == TourPlace("Explore", "table", {"text": ("own",)})


def test_an_answer_may_be_in_another_figure(tmp_path: Path) -> None:
    whole = WHOLE.replace("    says: >-", "    figure: documents\n    says: >-")
    step = read_tour(written(tmp_path, whole)).steps[0]
    assert [step.shown(revealed=revealed).figure for revealed in (False, True)] == ["documents", "documents"]
    step = read_tour(written(tmp_path, whole.replace("{epoch: 7}", "{epoch: 7}\n      figure: quality"))).steps[0]
    assert [step.shown(revealed=revealed).figure for revealed in (False, True)] == ["documents", "quality"]
    step = read_tour(written(tmp_path, whole.replace("{epoch: 7}", "{epoch: 7}\n      view: table"))).steps[0]
    assert step.shown(revealed=True).figure == ""


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("title: A story", "", "story.yaml: 'title' is missing or is not text."),
        ("title: A story", "title: 7", "story.yaml: 'title' is missing or is not text."),
        ("title: A story", "title: [", "story.yaml, line 4: this is not valid YAML"),
        (
            "title: A story",
            "title: !!python/object/apply:os.system [true]",
            "story.yaml, line 2: this is not valid YAML",
        ),
        ("about:", "abuot:", "story.yaml: 'about' is missing or is not text."),
        ("page: Glossary", "pgae: Glossary", "story.yaml, steps 2: 'page' is missing or is not text."),
        (
            "says: The end.",
            "says: The end.\n    says_too: x",
            "story.yaml, steps 2: 'says_too' is not a valid name here.",
        ),
        ('answer: "7"', "answer: that", "question: the answer, 'that', is not one of the options."),
        ('[this, "7"]', '["7"]', "story.yaml, steps 1, question: a question needs at least two different options."),
        ('[this, "7"]', '["7", "7"]', "a question needs at least two different options."),
        ("options: [this", "options: [1", "story.yaml, steps 1, question: 'options' is missing or is not a list"),
        ("{epoch: 7}", "{step: 7}", "story.yaml, steps 1, question: the address of a step cannot set 'step'."),
        ("{epoch: 7}", "{epoch: yes}", "the values of 'epoch' must be words or numbers."),
        ("{epoch: 7}", "{epoch: []}", "the values of 'epoch' must be words or numbers."),
        ("{epoch: 7}", "7", "story.yaml, steps 1, question: 'address' has no parameters, such as `run: imdb-cnn`."),
        (WHOLE, "", "story.yaml: expected names with values"),
        (WHOLE, "title: A\nabout: B\nsteps: []", "story.yaml: 'steps' is missing or is not a list."),
        (WHOLE, "title: A\nabout: B\nsteps: [x]", "story.yaml, steps 1: expected names with values"),
    ],
)
def test_what_is_no_tour_is_refused_in_a_sentence(tmp_path: Path, before: str, after: str, sentence: str) -> None:
    with pytest.raises(TourError) as caught:
        read_tour(written(tmp_path, WHOLE.replace(before, after)))
    assert sentence in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00title")
    with pytest.raises(TourError, match=r"bytes\.yaml is not a valid YAML file in UTF-8\."):
        read_tour(tmp_path / "bytes.yaml")
    (tmp_path / "large.yaml").write_text("#" * 300_000, encoding="utf-8")
    with pytest.raises(TourError, match="larger than 256 KiB"):
        read_tour(tmp_path / "large.yaml")
    with pytest.raises(TourError, match=r"none\.yaml cannot be read"):
        read_tour(tmp_path / "none.yaml")


def test_a_folder_of_ones_own_adds_tours_and_a_bad_one_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [one.slug for one in tours()[0]]
    written(tmp_path, WHOLE)
    written(tmp_path, WHOLE, f"{own[0]}.yaml")
    written(tmp_path, "title: no more", "broken.yaml")
    monkeypatch.setenv(OWN, str(tmp_path))
    found, problems = tours()
    assert [one.slug for one in found] == [*own, "story"]
    assert problems == [
        "broken.yaml: 'about' is missing or is not text.",
        f"{own[0]}.yaml: another tour has this name.",
    ]
