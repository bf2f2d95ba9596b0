"""The bar of a tour, at the foot of every page: where on it a visitor is, the sentence, and the way on.

A tour's steps are real pages; the address says the tour, the step and, where something was predicted, what:
``?tour=what-a-cnn-learnt&step=3&guess=2``. With ``present=1`` the type of every page is large. On a tour, and where a
page is presented, the picture has the window: tabs, subtitle and controls wait behind one chip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from nlpviz.ui import address, cache, frame, plotly_view
from nlpviz.ui.palette import Place, TourStart
from nlpviz.ui.tour_stories import Address, Tour, TourPlace, TourStep, tours

_HERE = Path(__file__).parent
_TOUR, _STEP, _GUESS, _PRESENT = "tour", "step", "guess", "present"  # in the session, and in the address
_NO_GUESS = "0"
"""The answer was asked for without a prediction."""
_LARGER = 1.3
"""By how much type is larger where a page is presented."""
_STYLE = f"<style>{(_HERE / 'tour_bar.css').read_text(encoding='utf-8')}</style>"
_LARGE = f"<style>:root {{ font-size: {_LARGER:.0%}; }}</style>"
_ALONE = "<style>.stSidebar, [data-testid=stExpandSidebarButton] { display: none; }</style>"
"""On a tour that is presented the bar leads on; the menu comes back with small type."""

_mount = st.components.v2.component(
    "nlpviz_stage", js=(_HERE / "tour_bar.js").read_text(encoding="utf-8"), isolate_styles=False
)


class Stand(NamedTuple):
    """Where on a tour a visitor is.

    Attributes:
        tour: that was begun.
        number: of the step, from 1.
        guess: what was predicted, as the address says it: the number of an option, ``"0"`` for nothing; None before.
    """

    tour: Tour
    number: int
    guess: str | None

    @property
    def step(self) -> TourStep:
        """The step."""
        return self.tour.steps[self.number - 1]

    @property
    def place(self) -> TourPlace:
        """What is shown there now."""
        return self.step.shown(revealed=self.guess is not None)

    @property
    def asks(self) -> bool:
        """Whether something is still to be predicted."""
        return self.step.question is not None and self.guess is None


def enter() -> None:
    """Hear from the address which step of which tour is shown; a step begins with defaults. The page begins."""
    named = {one.slug: one for one in tours()[0]}
    address.read(_PRESENT, _PRESENT, ["1"], [])
    plotly_view.enlarge(_LARGER if st.session_state[_PRESENT] else 1)
    address.read(_TOUR, _TOUR, list(named), [])
    tour = named.get(st.session_state[_TOUR])
    if tour is None:
        address.begin("")
        return
    numbers = [str(number + 1) for number in range(len(tour.steps))]
    address.read(_STEP, _STEP, numbers, numbers[:1])
    step = st.session_state[_STEP]
    address.read(_guess(tour, step), _GUESS, _guesses(tour.steps[int(step) - 1]), [])
    address.begin(f"{tour.slug} {step} {st.session_state[_guess(tour, step)] is not None}")


def show(page: str, view: str, places: Mapping[str, Sequence[Place]]) -> None:
    """Show the bar, where a tour was begun; let the address say where on it the visitor is.

    Args:
        page: that is shown, by its name in the menu.
        view: of it, by its name in the address; empty of a page that is a single view.
        places: all pages by name, with their views.
    """
    present = st.session_state[_PRESENT]
    address.write(_PRESENT, _PRESENT, [present] if present else [], [])
    stand = _stand()
    if present:
        st.html(_LARGE + (_ALONE if stand else ""))
    if stand is None:
        if present:
            _stage("", "")
        return
    number = str(stand.number)
    _stage(f"{stand.tour.slug} {number} {stand.guess is not None}", stand.place.figure)
    address.write(_TOUR, _TOUR, [stand.tour.slug], [])
    address.write(_STEP, _STEP, [number], ["1"])
    key = _guess(stand.tour, number)
    address.write(key, _GUESS, [] if stand.guess is None else [stand.guess], [])
    wrong = problem(stand.step, places)
    with st.bottom, st.container(key="nlpviz_tour", gap="small"):
        if wrong:
            frame.explain_error(wrong)
        elif (stand.place.page, stand.place.view) != (page, view):
            elsewhere = next(
                one.label for one in places[stand.place.page] if one.query.get("view", "") == stand.place.view
            )
            st.markdown(f"This step of the tour is on another page: {frame.escape_markdown(elsewhere)}.")
            _lead(stand, stand.number, "Return to this step", ":material/undo:", stand.guess)
        else:
            st.markdown(stand.step.says)
            _ask(stand)
        _show_way(stand, can_ask=not wrong)


def _stage(step: str, figure: str) -> None:
    """Give the picture the window, and bring a step's figure into sight."""
    st.html(_STYLE)
    _mount(key="nlpviz_stage", data={"step": step, "shows": figure})


def problem(step: TourStep, places: Mapping[str, Sequence[Place]]) -> str:
    """Return in a sentence what a step names that is not there; empty where all is there.

    Args:
        step: of a tour.
        places: all pages by name, with their views.
    """
    return _missing(step.place, places) or (step.question and _missing(step.question.place, places)) or ""


def _missing(place: TourPlace, places: Mapping[str, Sequence[Place]]) -> str:
    if place.page not in places:
        return f"This step uses the page {place.page!r}, which does not exist."
    views = [one.query["view"] for one in places[place.page] if "view" in one.query]
    if place.view not in (views or [""]):
        return f"This step uses the view {place.view!r} of the page {place.page}, which does not exist."
    kept: set[str] = set()
    runs = cache.runs()
    for name in place.runs:
        if name not in runs:
            return f"This step needs the run {name!r}, which does not exist."
        kept.update(map(str, runs[name].epochs))
    missing = [epoch for epoch in place.address.get("epoch", ()) if kept and epoch not in kept]
    return f"This step needs epoch {missing[0]}, which is not stored." if missing else ""


def lead_in(tour: Tour, label: str) -> None:
    """Lead to the first step of a tour."""
    _lead(Stand(tour, 1, None), 1, label)


def beginnings() -> dict[str, TourStart]:
    """Return where each tour begins, by its name in an address."""
    return {tour.slug: _begins(tour) for tour in tours()[0]}


def _begins(tour: Tour) -> TourStart:
    place = tour.steps[0].shown(revealed=False)
    view: Address = {"view": (place.view,)} if place.view else {}
    return TourStart(tour.title, place.page, view | place.address | {_TOUR: (tour.slug,), _STEP: ("1",)})


def pick_present() -> None:
    """Offer large type, for a room; it stays from page to page."""
    chosen = st.toggle("Large type", value=bool(st.session_state[_PRESENT]))
    if chosen != bool(st.session_state[_PRESENT]):
        st.session_state[_PRESENT] = "1" if chosen else None
        st.rerun()


def _stand() -> Stand | None:
    slug = st.session_state.get(_TOUR)
    tour = next((one for one in tours()[0] if one.slug == slug), None)
    if tour is None:
        return None
    number = st.session_state[_STEP]
    return Stand(tour, int(number), st.session_state[_guess(tour, number)])


def _guess(tour: Tour, number: str) -> str:
    """Return where the session keeps what was predicted at a step: of another step it means nothing."""
    return f"{_GUESS} {tour.slug} {number}"


def _guesses(step: TourStep) -> list[str]:
    return [str(number) for number in range(len(step.question.options) + 1)] if step.question else []


def _ask(stand: Stand) -> None:
    """Ask what is to be predicted, or tell how it is."""
    question = stand.step.question
    if question is None:
        return
    with st.container(key="nlpviz_tour_question", gap="small"):
        if stand.asks:
            st.markdown(f"**{frame.escape_markdown(question.asks)}**")
            with st.container(horizontal=True, key="nlpviz_tour_options"):
                for number, option in enumerate(question.options, start=1):
                    _lead(stand, stand.number, option, ":material/radio_button_unchecked:", str(number))
            return
        right = question.options[question.answer]
        said = "" if stand.guess == _NO_GUESS else question.options[int(stand.guess or 0) - 1]
        verdict = f"You predicted *{frame.escape_markdown(said)}*. " * bool(said) + (
            "Correct." if said == right else f"The answer is *{frame.escape_markdown(right)}*."
        )
        st.markdown(f"**{verdict}** {question.reveals}")


def _show_way(stand: Stand, *, can_ask: bool) -> None:
    """Show where on the tour this is, and lead back, on and out of it."""
    steps = len(stand.tour.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="nlpviz_tour_way"):
        st.caption(f"{frame.escape_markdown(stand.tour.title)} · {stand.number} of {steps}", width="content")
        if stand.number > 1:
            with st.container(key="nlpviz_tour_back", width="content"):
                _lead(stand, stand.number - 1, "Back", ":material/arrow_back:")
        if stand.asks and can_ask:
            with st.container(key="nlpviz_tour_next", width="content"):
                _lead(stand, stand.number, "Reveal", ":material/visibility:", _NO_GUESS)
        elif stand.number < steps:
            with st.container(key="nlpviz_tour_next", width="content"):
                _lead(stand, stand.number + 1, "Next")
        else:
            _lead_out(stand)
        pick_present()
        st.button("Leave", icon=":material/close:", type="tertiary", on_click=_leave)


def _leave() -> None:
    st.session_state[_TOUR] = None


def _lead_out(stand: Stand) -> None:
    """Lead on from the last step: to the tour after this one, and to the visitor's review."""
    there = tours()[0]
    following = there[(there.index(stand.tour) + 1) % len(there)]
    with st.container(key="nlpviz_tour_next", width="content"):
        _lead(Stand(following, 1, None), 1, f"Next tour: {following.title}")
    review = frame.page_file("One review")
    if st.button("Try your own review", icon=":material/edit_note:", type="tertiary") and review:
        _leave()
        st.switch_page(review)


def _lead(
    stand: Stand, number: int, label: str, icon: str = ":material/arrow_forward:", guess: str | None = None
) -> None:
    """Lead to a step, in the state that it shows; to a page that is not there, from the page where this is."""
    step = stand.tour.steps[number - 1]
    where: Address = {_TOUR: (stand.tour.slug,), _STEP: (str(number),)}
    if guess is not None:
        where[_GUESS] = (guess,)
    if st.session_state.get(_PRESENT):
        where[_PRESENT] = ("1",)
    place = step.shown(revealed=guess is not None)
    if frame.page_file(place.page) is None:  # the bar says so, on a page that is there
        frame.lead_by("Tours", frame.escape_markdown(label), where, icon)
        return
    view: Address = {"view": (place.view,)} if place.view else {}
    frame.lead_by(place.page, frame.escape_markdown(label), view | place.address | where, icon)
