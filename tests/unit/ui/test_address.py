"""A page's address follows the last choice, however quickly one comes after the other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from nlpviz.ui import address

VIEWS = ["first", "second", "third", "fourth"]


class Query(dict[str, list[str]]):
    """The parameters of an address, as far as the module asks for them, and what was sent to the browser."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, list[str]]] = []

    def get_all(self, name: str) -> list[str]:
        return list(self.get(name, []))

    def from_dict(self, wanted: dict[str, list[str]]) -> None:
        self.clear()
        self.update(wanted)
        self.sent.append(dict(wanted))


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A browser's tab: what its controls hold, and its address."""
    shown = SimpleNamespace(session_state={}, query_params=Query())
    monkeypatch.setattr(address, "st", shown)
    return shown


def draw(stop_before: str = "", stop_after: str = "") -> str:
    """Draw a page with two controls; stop where the visitor chose on before or after one was read."""
    with address.kept("Page"):
        for key, options in (("view", VIEWS), ("run", ["one", "two"])):
            stop(key == stop_before)
            address.read(key, key, options, options[:1])
            stop(key == stop_after)
            address.write(key, key, [str(address.st.session_state[key])], options[:1])
    return str(address.st.session_state["view"])


def stop(here: bool) -> None:
    if here:
        raise RerunException(RerunData())


def choose(tab: SimpleNamespace, **controls: Any) -> None:
    tab.session_state.update(controls)


@pytest.mark.parametrize("stopped", [{"stop_before": "view"}, {"stop_after": "view"}, {"stop_before": "run"}])
def test_a_choice_before_the_last_one_was_drawn_is_followed(tab: SimpleNamespace, stopped: dict[str, str]) -> None:
    assert draw() == "first"
    for view in VIEWS[1:3]:
        choose(tab, view=view)
        assert draw() == view
    choose(tab, view="fourth")
    with pytest.raises(RerunException):
        draw(**stopped)
    choose(tab, view="second")
    assert draw() == "second"
    assert tab.query_params == {"view": ["second"]}


@pytest.mark.parametrize("stopped", [{"stop_before": "view"}, {"stop_after": "view"}])
def test_what_else_the_address_said_stays(tab: SimpleNamespace, stopped: dict[str, str]) -> None:
    draw()
    choose(tab, run="two")
    draw()
    choose(tab, view="third")
    with pytest.raises(RerunException):
        draw(**stopped)
    choose(tab, view="fourth")
    assert draw() == "fourth"
    assert tab.query_params == {"view": ["fourth"], "run": ["two"]}
    assert tab.session_state["run"] == "two"


def test_back_is_followed(tab: SimpleNamespace) -> None:
    draw()
    choose(tab, view="third")
    draw()
    tab.query_params.from_dict({})
    assert draw() == "first"


def asked_again() -> None:
    raise RerunException(RerunData())


def test_what_a_fragment_asks_for_before_the_address_arrived_takes_no_choice_back(tab: SimpleNamespace) -> None:
    """The browser says of a fragment's run what its address was when it asked for it."""
    tab.rerun = asked_again
    draw()
    choose(tab, view="third")
    assert draw() == "third"
    tab.query_params.clear()
    with pytest.raises(RerunException):
        address.rerun()
    assert draw() == "third"
    assert tab.query_params == {"view": ["third"]}


def test_an_address_that_is_still_on_its_way_is_followed_by_the_last_one(tab: SimpleNamespace) -> None:
    """The browser says of a choice what its address was when it was made: what was sent since arrives after that."""
    draw()
    for view in ("third", "second"):
        choose(tab, view=view)
        draw()
    tab.query_params["view"] = ["third"]
    choose(tab, view="fourth")
    with pytest.raises(RerunException):
        draw(stop_before="run")
    choose(tab, view="third")
    assert draw() == "third"
    assert [one["view"] for one in tab.query_params.sent] == [["third"], ["second"], ["third"]]


def test_choices_that_are_faster_than_several_addresses_end_at_the_last_one(tab: SimpleNamespace) -> None:
    draw()
    for view, said in (("second", []), ("third", []), ("fourth", ["second"]), ("third", ["second"])):
        tab.query_params.clear()
        if said:
            tab.query_params["view"] = said
        choose(tab, view=view)
        assert draw() == view
    assert tab.query_params == {"view": ["third"]}


def test_after_back_nothing_is_sent_that_the_address_says(tab: SimpleNamespace) -> None:
    """It would be a step of its own in the browser's history, and take Forward away."""
    draw()
    choose(tab, view="third")
    draw()
    tab.query_params.clear()
    assert draw() == "first"
    choose(tab, note="a control that the address does not know")
    address.st.session_state["the address"].drawn["note"] = ""
    draw()
    assert tab.query_params.sent == [{"view": ["third"]}]


def test_back_takes_a_choice_back(tab: SimpleNamespace) -> None:
    tab.rerun = asked_again
    draw()
    choose(tab, view="third")
    draw()
    with pytest.raises(RerunException):
        address.rerun()
    draw()
    tab.query_params.clear()
    assert draw() == "first"


# ------------------------------------------------------------------------------------------ what is remembered where


def shown(view: str = "", *, run: str = "one", able: tuple[str, ...] = ("one", "two", "three")) -> dict[str, Any]:
    """Draw a page with views, of which each shows the epochs of a run and a model that it is able to show."""
    if view:
        address.st.session_state["view"] = view
    with address.kept("Page"):
        now = address.read_view("view", "view", VIEWS)
        address.write("view", "view", [now], VIEWS[:1])
        key = "epochs" if now == "first" else "epoch"
        address.read(key, "epoch", ["1", "2", "3"], ["3"], many=now == "first", memory=f"epochs of {run}")
        value = address.st.session_state[key]
        address.write(key, "epoch", value if isinstance(value, list) else [value], ["3"])
        listed = ("one", "two", "three")
        address.read("model", "model", listed, able[:1], memory="models", recall=True, elsewhere=able)
        model = address.st.session_state["model"]
        address.write("model", "model", [model], able[:1])
    return {"epoch": value, "model": model}


def test_what_a_view_wrote_is_nothing_that_the_next_one_is_asked_for(
    tab: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[object] = []
    monkeypatch.setattr(address, "_refuse", lambda *about: refused.append(about))
    shown()
    choose(tab, epochs=["1", "2"])
    assert shown()["epoch"] == ["1", "2"]
    assert shown("second", run="two")["epoch"] == "3", "epochs are chosen for a run"
    assert tab.query_params == {"view": ["second"]}
    assert shown("third")["epoch"] == "2", "of several epochs the last one"
    assert shown("first")["epoch"] == ["1", "2"]
    assert not refused


def test_the_last_choice_of_an_epoch_is_that_of_all_views(tab: SimpleNamespace) -> None:
    shown()
    choose(tab, epochs=["1", "3"])
    shown()
    shown("second")
    choose(tab, epoch="2")
    assert shown("first")["epoch"] == ["2"], "also where the choice and the next view come at once"


def test_a_choice_that_a_view_is_not_able_to_show_waits_and_one_before_it_is_shown(tab: SimpleNamespace) -> None:
    some = ("one", "two")
    shown()
    assert shown("second", able=some)["model"] == "one"
    for model in ("two", "three"):
        choose(tab, model=model)
        shown("first")
    assert shown("second", able=some)["model"] == "two"
    assert shown("first")["model"] == "three"
    choose(tab, model="one")
    shown()
    choose(tab, model="three")
    shown()
    assert shown("third", able=some)["model"] == "one", "the last one that it is able to show"
    choose(tab, model="three")
    assert shown(able=some)["model"] == "three", "it was chosen here, in spite of what it lacks"
