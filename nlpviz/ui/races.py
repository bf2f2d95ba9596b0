"""The visitor's race of networks: kept in the session, trained in the server's one thread, played and paused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from nlpviz.ui import limits
from nlpviz.ui.frame import explain_error
from nlpviz.ui.race_worker import RaceWorker, Racing, TooManyRacesError

WAIT_S = 0.06
"""How long a run of the page waits for what may be done at once: a step, networks that are built."""
_REFUSED = "race refused"  # in the session
R = TypeVar("R", bound=Racing)


@st.cache_resource(show_spinner=False)
def worker() -> RaceWorker:
    """Return the server's one worker for races."""
    return RaceWorker(limits.most_races(), minutes=limits.race_minutes())


def own(key: str, choice: object, make: Callable[[], R]) -> R:
    """Return this visitor's race for what was chosen; another one of this visitor is given up.

    Args:
        key: of the race in the session.
        choice: what was chosen.
        make: makes a race of it.
    """
    held = st.session_state.get(key)
    if not isinstance(held, tuple) or held[0] != choice:
        return fresh(key, choice, make)
    race: R = held[1]
    if not race.ready and not race.over and not worker().is_going(race):
        go(race, 0)  # it was left, or refused, before its networks were built
    return race


def fresh(key: str, choice: object, make: Callable[[], R]) -> R:
    """Return a new race for what was chosen, whose networks are being built."""
    held = st.session_state.get(key)
    if isinstance(held, tuple):
        worker().stop(held[1])
    race = make()
    st.session_state[key] = (choice, race)
    go(race, 0)
    worker().wait(race, WAIT_S)
    return race


def go(race: Racing, upto: int) -> None:
    """Let a race go on to a step; where too many others do, remember to say so."""
    try:
        worker().go(race, upto)
    except TooManyRacesError:
        st.session_state[_REFUSED] = True


def step(race: Racing) -> None:
    """Let every network take one step."""
    go(race, race.steps + 1)
    worker().wait(race, WAIT_S)


def play(race: Racing) -> None:
    """Let a race go on to its end."""
    go(race, race.total)


def pause(race: Racing) -> None:
    """Leave a race where it is."""
    worker().stop(race)


def buttons(race: Racing, going: bool, start_again: Callable[[], None], explained: str) -> None:
    """Draw what moves a race on: a step, play or pause, and a new beginning.

    Args:
        race: the visitor's.
        going: whether it goes on.
        start_again: puts a new race in its place.
        explained: what a step is.
    """
    playing = going and race.ready
    st.button("Step", icon=":material/skip_next:", on_click=step, args=(race,), disabled=playing or race.over,
              help=explained)  # fmt: skip
    if playing:
        st.button("Pause", icon=":material/pause:", on_click=pause, args=(race,))
    else:
        st.button("Play", icon=":material/play_arrow:", on_click=play, args=(race,), disabled=race.over)
    st.button("Reset", icon=":material/replay:", on_click=start_again)
    st.caption(f"{race.steps:,} of {race.total:,} training steps")


def tell_refusal(instead: str) -> None:
    """Say, once, that the server was too busy, or what there is ``instead`` where it trains nothing for visitors."""
    if not st.session_state.pop(_REFUSED, False):
        return
    if not limits.most_races():
        explain_error(f"Visitors cannot train networks on this server. {instead}")
    else:
        explain_error(f"{worker().others} other races are running on this server. Try again when one has ended.")
