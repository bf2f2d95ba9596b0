"""Tours: every step is drawn as it is, what is predicted and revealed, what is wrong with a tour, and the way on."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.ui.frame import page_file
from nlpviz.ui.tour_stories import OWN, Tour, TourPlace, tours
from tests.pages.conftest import Page, figure, opened, said

TOURS = {one.slug: one for one in tours()[0]}
STEPS = [(tour, number) for tour in TOURS.values() for number in range(1, len(tour.steps) + 1)]
CNN = TOURS["what-a-cnn-learnt"]


def at(place: TourPlace, **address: str) -> AppTest:
    """Return the visit of a link to a place."""
    shown: dict[str, str | list[str]] = {name: list(values) for name, values in place.address.items()}
    return opened(place.page, view=place.view, **shown, **address).run()


def address(app: AppTest) -> dict[str, list[str]]:
    """Return what the address of a visit says."""
    said_of = {name: app.query_params[name] for name in app.query_params}
    return {name: [value] if isinstance(value, str) else list(value) for name, value in said_of.items()}


@pytest.mark.parametrize(("tour", "number"), STEPS, ids=[f"{tour.slug}-{number}" for tour, number in STEPS])
def test_every_step_is_drawn_before_and_after_its_answer(tour: Tour, number: int, *, in_ci: bool) -> None:
    step = tour.steps[number - 1]
    for guess in ("", "1") if step.question and in_ci else ("",):
        place = step.shown(revealed=bool(guess))
        app = at(place, tour=tour.slug, step=str(number), guess=guess)
        assert not app.exception
        assert not [*app.warning, *app.error]
        words = [" ".join(one.value.split()) for one in app.markdown]
        assert step.says in words
        assert (step.question is None) or any(step.question.reveals in one for one in words) == bool(guess)
        figures = [element.proto.id for element in app.get("bidi_component")]
        assert not place.figure or any(one.endswith(f"-{place.figure}") for one in figures)
        asked = {name: list(values) for name, values in place.address.items()}
        assert asked.items() <= address(app).items(), "refused, or dropped"
        assert address(app)["tour"] == [tour.slug]


# ------------------------------------------------------------------------------------------------------ the way


@pytest.fixture
def visit() -> AppTest:
    """A visit of the second step of a tour, in the whole app."""
    app = opened("Overview").run()
    return gone(app, CNN.steps[1].place, tour=CNN.slug, step="2")


def gone(app: AppTest, place: TourPlace, **more: str) -> AppTest:
    """Return the visit after a link led to a place."""
    file = page_file(place.page)
    assert file is not None
    app.switch_page(f"pages/{file.name}")
    app.query_params.clear()
    app.query_params["view"] = place.view
    for parameter, values in (place.address | {name: (value,) for name, value in more.items()}).items():
        app.query_params[parameter] = list(values)
    app.run()
    assert not app.exception
    return app


def links(app: AppTest) -> dict[str, dict[str, list[str]]]:
    """Return what the addresses of the bar's links ask for, by their words."""
    found = {one.proto.label.replace("\\", ""): parse_qs(one.proto.query_string) for one in app.get("page_link")}
    return {label: asked for label, asked in found.items() if "tour" in asked}


def test_the_bar_leads_back_on_and_to_the_answer(visit: AppTest) -> None:
    question = CNN.steps[1].question
    assert question is not None
    there = links(visit)
    assert list(there) == [*question.options, "Back", "Reveal"]
    assert [there[option]["guess"] for option in question.options] == [["1"], ["2"], ["3"]]
    assert there["Reveal"]["guess"] == ["0"]
    assert all(there[name]["epoch"] == ["0", "7"] for name in ("Reveal", *question.options))
    assert "epoch" not in there["Back"]
    assert there["Back"]["step"] == ["1"]
    assert question.reveals not in said(visit)
    gone(visit, question.place, tour=CNN.slug, step="2", guess="2")
    assert "You predicted *common words, with hardly any contribution*. Correct." in said(visit)
    assert links(visit)["Next"]["step"] == ["3"]
    gone(visit, question.place, tour=CNN.slug, step="2", guess="0")
    assert "You predicted" not in said(visit)


def test_a_step_begins_with_defaults_and_what_is_changed_there_stays(visit: AppTest) -> None:
    visit.pills(key="epochs").set_value(["3"]).run()
    assert address(visit)["epoch"] == ["3"]
    assert address(visit)["step"] == ["2"], "whoever tries something stays on the tour"
    gone(visit, CNN.steps[0].place, tour=CNN.slug, step="1")
    assert visit.pills(key="epochs").value == ["7"], "the best epoch, not what was chosen at another step"


def test_elsewhere_the_bar_leads_back_to_the_step(visit: AppTest) -> None:
    visit.segmented_control[0].set_value("filters").run()
    assert "This step of the tour is on another page: Inside the model: Top n-grams." in said(visit)
    assert links(visit)["Return to this step"]["view"] == ["top-n-grams"]
    gone(visit, TourPlace("Words", "neighbours", {}))
    assert "This step of the tour is on another page" in said(visit)


def test_who_leaves_stays_where_they_are(visit: AppTest) -> None:
    visit.pills(key="epochs").set_value(["3"]).run()
    next(one for one in visit.button if one.label == "Leave").click().run()
    assert not links(visit)
    assert address(visit) == {"epoch": ["3"], "list": ["short"], "run": ["imdb-cnn"], "view": ["top-n-grams"]}


def test_large_type_goes_along(visit: AppTest) -> None:
    visit.toggle[0].set_value(True).run()
    assert address(visit)["present"] == ["1"]
    assert all(asked["present"] == ["1"] for asked in links(visit).values())
    assert figure(visit)["type"] > 1
    visit.toggle[0].set_value(False).run()
    assert "present" not in address(visit)
    assert figure(visit)["type"] == 1


# -------------------------------------------------------------------------------------------------- what is wrong

BAD = """
title: Bad <b>story</b>
about: For a test.
steps:
  - {{page: {page}, view: {view}, address: {{run: {run}, epoch: {epoch}}}, says: Never seen.}}
"""


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"page": "Nowhere"}, "This step uses the page 'Nowhere', which does not exist."),
        ({"view": "nothing"}, "This step uses the view 'nothing' of the page One review, which does not exist."),
        ({"run": "no-run"}, "This step needs the run 'no-run', which does not exist."),
        ({"epoch": "99"}, "This step needs epoch 99, which is not stored."),
    ],
)
def test_what_a_tour_names_and_is_not_there_costs_a_sentence(
    page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrong: dict[str, str], sentence: str
) -> None:
    whole = {"page": "One review", "view": "saliency", "run": "imdb-cnn", "epoch": "7"}
    (tmp_path / "bad.yaml").write_text(BAD.format(**whole | wrong), encoding="utf-8")
    monkeypatch.setenv(OWN, str(tmp_path))
    for app in (page("Tours"), page("One review", tour="bad")):
        assert not app.exception
        assert [one.value.replace("\\", "") for one in app.error] == [sentence]
        assert "Never seen." not in said(app)


def test_a_file_that_is_no_tour_spoils_no_other(page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("title: [", encoding="utf-8")
    monkeypatch.setenv(OWN, str(tmp_path))
    app = page("Tours")
    assert len(app.error) == 1
    assert [one.value.replace("\\", "") for one in app.header] == [tour.title for tour in TOURS.values()]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"tour": "<script>"}, "The link sets tour to <script>, which does not exist."),
        ({"tour": CNN.slug, "step": "99"}, "The link sets step to 99, which does not exist."),
        ({"tour": CNN.slug, "step": "2", "guess": "9"}, "The link sets guess to 9, which does not exist."),
        ({"present": "2"}, "The link sets present to 2, which does not exist."),
    ],
)
def test_an_address_that_asks_in_vain_is_told(page: Page, asked: dict[str, str], sentence: str) -> None:
    app = page("Inside the model", **asked)
    assert not app.exception
    assert len(app.warning) == 1
    assert app.warning[0].value.replace("\\", "").startswith(sentence)
