"""Controls and the page's address: a link reproduces what is on screen, and says it by name, ``?run=imdb-cnn&epoch=3``.

Streamlit's own binding writes what people read of an option into the address, drops a wrong value in silence, and
forgets it on the next page. Here the address holds the option itself and a wrong one is named in a sentence. What a
visitor chose goes along to the next page; a default does not. All that a run of a page writes is one entry of the
browser's history, so that Back undoes one choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException

from nlpviz.ui.frame import escape_markdown, messages

_SHOWN = 20
_OF_TEXT = "controls that name a position in the text"  # in the session
_STATE = "the address"  # in the session


@dataclass
class _Address:
    """What a session knows of its controls and its address.

    Attributes:
        page: that was drawn last.
        chosen: what the visitor chose, by control, here or on another page.
        drawn: what each control was last drawn with; another value is a choice.
        written: what the address said of each control when this page was last drawn.
        heard: what the address said of each control when this page last began to be drawn.
        asked: the controls of which this run has heard that.
        touched: whether the visitor has changed a control since then, or a fragment has asked for this run: it is not
            Back or Forward that runs the page.
        again: whether a fragment asks for the next run.
        now: what this run wants the address to say, by parameter.
        keys: of the controls that this run asked for.
        before: what was ``written`` when this run began.
        begun: the state that :func:`begin` last began.
        sent: what the browser was last told to say, or said by itself; None on a new page. Of a choice that was made
            before it arrived, the browser says what stood there earlier.
    """

    page: str = ""
    chosen: dict[str, object] = field(default_factory=dict)
    drawn: dict[str, object] = field(default_factory=dict)
    written: dict[str, list[str]] = field(default_factory=dict)
    heard: dict[str, list[str]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    touched: bool = False
    again: bool = False
    now: dict[str, list[str]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    before: dict[str, list[str]] = field(default_factory=dict)
    begun: str = ""
    sent: dict[str, list[str]] | None = None


@contextmanager
def kept(page: str) -> Iterator[None]:
    """Hold the controls of one run of a page; the address then says all that they show, in one step.

    Args:
        page: its name. On another page than before, what the address leaves open is what the visitor chose; on the
            same page it is the default, for then it is Back or Forward that left it open.
    """
    state = _state()
    if state.page != page:
        state.page, state.written, state.heard, state.sent = page, {}, {}, None
    state.now, state.keys, state.asked = {}, set(), set()
    state.before = dict(state.written)
    changed = any(key in st.session_state and st.session_state[key] != it for key, it in state.drawn.items())
    state.touched, state.again = changed or state.again, False
    try:
        yield
    except RerunException:  # the visitor chose on before all was drawn: the next run will say what was chosen
        state.written = state.before | {key: state.heard[key] for key in state.asked}
        raise
    except BaseException:  # the page ends early, which to Streamlit is no error
        _say(state, whole=False)
        raise
    else:
        _say(state, whole=True)


def begin(name: str) -> None:
    """Let this run of a page show what its address says, and defaults else: what was chosen before is forgotten.

    Call it before any control is read but those that say what ``name`` is, which keep what was chosen.

    Args:
        name: of the state that begins, such as a step of a tour; nothing is forgotten while it stays the same, nor
            where it is empty.
    """
    state = _state()
    if name and name != state.begun:
        state.chosen = {key: value for key, value in state.chosen.items() if key in state.asked}
        state.written, state.before, state.touched = {}, {}, False
    state.begun = name


def rerun() -> NoReturn:
    """Run the whole page again, from within a fragment.

    The browser may have asked for the fragment before it heard what the page's last run wrote into the address.
    """
    _state().again = True
    st.rerun()


def read(key: str, parameter: str, options: Sequence[str], default: Sequence[str], *, many: bool = False) -> None:
    """Give the control ``key`` its value before it is drawn: from the address, from what was chosen, or the default.

    Args:
        key: of the control, which must have ``persist_state="session"``.
        parameter: its name in the address.
        options: what may stand there.
        default: the value where nobody said anything; empty for none.
        many: whether the control holds a list.
    """
    state = _noticed(key)
    requested = _asked(state, key, parameter)
    if requested is not None:
        known = [value for value in dict.fromkeys(requested) if value in options]  # each once: a link may repeat one
        if unknown := [value for value in requested if value not in options]:
            _refuse(parameter, unknown, options)
        _choose(state, key, (known if many else known[0]) if known else None)
    if many:
        chosen = state.chosen.get(key)
        held = [value for value in chosen if value in options] if isinstance(chosen, list) else []
        value: object = held if held or chosen == [] else list(default)
    else:
        value = state.chosen.get(key)
        if value not in options and not (key in state.chosen and value is None and not default):
            value = next(iter(default), None)
    _draw(state, key, value)


def leave_out(key: str, parameter: str, options: Sequence[str]) -> None:
    """Take a parameter out of the address where there is nothing to choose, and name what it asks for in vain.

    What the visitor chose of the control ``key`` stays for when it is there again.

    Args:
        key: of the control that is not drawn.
        parameter: its name in the address.
        options: the only value, which a link may name; none where nothing of the kind is there.
    """
    requested = st.query_params.get_all(parameter)
    unknown = [value for value in requested if value not in options]
    if unknown and requested != _state().written.get(key):
        _refuse(parameter, unknown, options)
    write(key, parameter, [], [])


def read_text(key: str, parameter: str, default: str, most: int) -> None:
    """Give the text field ``key`` its value before it is drawn; for a few words, never for a review.

    Args:
        key: of the field, which must have ``persist_state="session"``.
        parameter: its name in the address.
        default: the text where nobody said anything.
        most: characters that an address may hand over.
    """
    state = _noticed(key)
    requested = _asked(state, key, parameter)
    if requested is not None:
        _choose(state, key, requested[0][:most] if requested else None)
    value = state.chosen.get(key)
    _draw(state, key, value if isinstance(value, str) else default)


def read_number(key: str, parameter: str, default: float, low: float, high: float) -> None:
    """Give the number field ``key`` its value before it is drawn.

    Args:
        key: of the field, which must have ``persist_state="session"``.
        parameter: its name in the address.
        default: the number where nobody said anything; only whole ones may be asked for where it is an ``int``.
        low: the least that may be asked for.
        high: the most.
    """
    state = _noticed(key)
    requested = _asked(state, key, parameter)
    if requested is not None:
        number = _number(requested[0], type(default)) if requested else None
        if requested and (number is None or not low <= number <= high):
            number = None
            messages().warning(
                f"The address asks for the {parameter} {escape_markdown(requested[0][:80])}, which is no "
                f"{'whole ' * isinstance(default, int)}number from {low:g} to {written_number(high)}."
            )
        _choose(state, key, number)
    value = state.chosen.get(key)
    _draw(state, key, value if isinstance(value, type(default)) and low <= value <= high else default)


def write_number(key: str, parameter: str, value: float, default: float) -> None:
    """Let the address say what stands in the number field ``key``, unless that is the default."""
    write(key, parameter, [written_number(value)], [written_number(default)])


def written_number(value: float) -> str:
    """Return a number as an address says it: ``"0.9"``, ``"1000000"``."""
    return str(value) if isinstance(value, int) else f"{value:.10g}"


def _number(text: str, kind: type[float]) -> float | None:
    """Return the number that ``text`` is, of this type; None where it is none."""
    try:
        return kind(text)
    except ValueError:
        return None


def write_text(key: str, parameter: str, text: str, default: str, most: int) -> None:
    """Let the address say what stands in the text field ``key``, unless that is the default or too long."""
    write(key, parameter, [text] if len(text) <= most else [], [default])


def write(key: str, parameter: str, values: Sequence[str], default: Sequence[str]) -> None:
    """Let the address say what the control ``key`` shows, and nothing where that is the default."""
    state = _state()
    wanted = list(values)
    # a link may spell out a default: to shorten it would be a step that Back has to undo
    if wanted == list(default) and st.query_params.get_all(parameter) != wanted:
        wanted = []
    state.now[parameter] = state.written[key] = wanted
    state.keys.add(key)


def choice_of(key: str) -> object:
    """Return what the visitor chose of the control ``key``, here, on another page or by a link; None for nothing."""
    return _state().chosen.get(key)


def renamed(key: str, before: str, now: str) -> None:
    """Let ``now`` stand wherever the visitor chose ``before`` in a control that holds a list.

    For what is called otherwise of another model, such as its best epoch.
    """
    state = _noticed(key)
    for held in (state.chosen, state.drawn, st.session_state):
        values = held.get(key)
        if isinstance(values, list):
            held[key] = list(dict.fromkeys(now if value == before else value for value in values))


def withdrawn(key: str, parameter: str) -> bool:
    """Return whether the address has ceased to speak of the control ``key``, as Back makes it."""
    return bool(_state().written.get(key)) and not st.query_params.get_all(parameter)


def carry() -> None:
    """Let what the address leaves open be what the visitor chose: another view is shown."""
    _state().written = {}


def forget_with_text(key: str) -> None:
    """Let the control ``key`` be forgotten when another text is shown: it names a position in the text."""
    st.session_state.setdefault(_OF_TEXT, set()).add(key)


def text_changed() -> None:
    """Forget what was named by its position in a text: it means nothing in another one."""
    state = _state()
    for key in st.session_state.get(_OF_TEXT, ()):
        st.session_state.pop(key, None)
        state.chosen.pop(key, None)
        state.drawn.pop(key, None)


def _state() -> _Address:
    state: _Address = st.session_state.setdefault(_STATE, _Address())
    return state


def _noticed(key: str) -> _Address:
    """Return the session's state, which now knows what the visitor has just made of the control ``key``."""
    state = _state()
    if key in st.session_state and (key not in state.drawn or st.session_state[key] != state.drawn[key]):
        state.chosen[key] = st.session_state[key]
    return state


def _asked(state: _Address, key: str, parameter: str) -> list[str] | None:
    """Return what the address asks of a control anew; None where it says what it said.

    It also says that where a choice, or a fragment, was faster than what the run before wrote into it.
    """
    requested = st.query_params.get_all(parameter)
    behind = state.touched and requested == state.heard.get(key)
    state.heard[key] = requested
    state.asked.add(key)
    return None if behind or requested == state.written.get(key, []) else requested


def _choose(state: _Address, key: str, value: object) -> None:
    if value is None:
        state.chosen.pop(key, None)
    else:
        state.chosen[key] = value


def _draw(state: _Address, key: str, value: object) -> None:
    state.drawn[key] = list(value) if isinstance(value, list) else value
    # on another page or view it is another widget, which would begin with its own default
    if key not in state.written or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _say(state: _Address, *, whole: bool) -> None:
    """Make the address say what this run wrote; after a whole run nothing else."""
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    wanted = ({} if whole else said) | state.now
    wanted = {name: values for name, values in wanted.items() if values}
    if whole:
        state.written = {key: values for key, values in state.written.items() if key in state.keys}
    if wanted != said or (state.touched and state.sent not in (None, wanted)):
        st.query_params.from_dict(wanted)
        state.sent = wanted
    elif not state.touched:
        state.sent = said


def _refuse(parameter: str, unknown: Sequence[str], options: Sequence[str]) -> None:
    """Say what the address asks for in vain, and what there is."""
    requested = escape_markdown(", ".join(unknown)[:80])
    there = (escape_markdown(", ".join(options[:_SHOWN])) or "none") + (", …" if len(options) > _SHOWN else "")
    messages().warning(f"The address asks for the {parameter} {requested}, which is not there. There is: {there}.")
