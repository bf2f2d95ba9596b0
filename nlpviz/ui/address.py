"""Controls and the page's address: a link reproduces what is on screen, and says it by name, ``?run=imdb-cnn&epoch=3``.

Streamlit's own binding writes what people read of an option into the address, drops a wrong value in silence, and
forgets it on the next page. Here the address holds the option itself and a wrong one is named in a sentence. What a
visitor chose goes along to the next page; a default does not, and where a view cannot show a choice, it waits. All that
a run of a page writes is one entry of the browser's history, so that Back undoes one choice.
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
_EARLIER = 9
"""Choices, and writings into the address, that are remembered."""
_OF_TEXT = "position controls"  # in the session
_STATE = "the address"  # in the session


@dataclass
class _Address:
    """What a session knows of its controls and its address.

    Attributes:
        page: that was drawn last.
        view: of that page.
        chosen: what the visitor chose, here or on another page, by the name under which it is remembered.
        earlier: what was chosen before that, the latest last.
        place: the page and the view on which it was chosen.
        memory: the name under which what is chosen of a control is remembered.
        drawn: what each control was last drawn with; another value is a choice.
        written: what the address said of each control when this page was last drawn.
        heard: what the address said of each control when this page last began to be drawn.
        lately: what this page wrote into the address last, by control: the browser may still say any of it.
        asked: the controls of which this run has heard that.
        moved: the controls that the visitor has changed since then.
        touched: whether the visitor has changed a control since then, or a fragment has asked for this run: it is not
            Back or Forward that runs the page.
        again: whether a fragment asks for the next run.
        now: what this run wants the address to say, by parameter.
        keys: of the controls that this run asked for.
        before: what was ``written`` when this run began.
        begun: the state that :func:`begin` last began.
        sent: what the browser was last told to say, or said by itself; None on a new page. Of a choice that was made
            before it arrived, the browser says what stood there earlier.
        stale: what the address said of the view that a visitor left by its control, until another one is drawn.
    """

    page: str = ""
    view: str = ""
    chosen: dict[str, object] = field(default_factory=dict)
    earlier: dict[str, list[object]] = field(default_factory=dict)
    place: dict[str, tuple[str, str]] = field(default_factory=dict)
    memory: dict[str, str] = field(default_factory=dict)
    drawn: dict[str, object] = field(default_factory=dict)
    written: dict[str, list[str]] = field(default_factory=dict)
    heard: dict[str, list[str]] = field(default_factory=dict)
    lately: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    touched: bool = False
    again: bool = False
    now: dict[str, list[str]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    before: dict[str, list[str]] = field(default_factory=dict)
    begun: str = ""
    sent: dict[str, list[str]] | None = None
    stale: dict[str, list[str]] | None = None


@contextmanager
def kept(page: str) -> Iterator[None]:
    """Hold the controls of one run of a page; the address then says all that they show, in one step.

    Args:
        page: its name. On another page than before, what the address leaves open is what the visitor chose; on the
            same page it is the default, for then it is Back or Forward that left it open.
    """
    state = _state()
    changed = [key for key, it in state.drawn.items() if key in st.session_state and st.session_state[key] != it]
    for key in changed:  # the next view may not have the control
        _noticed(key, state.memory.get(key, key))
    state.moved = set(changed)
    if state.page != page:
        state.page, state.view, state.written, state.heard, state.lately = page, "", {}, {}, {}
        state.sent = state.stale = None
    state.now, state.keys, state.asked = {}, set(), set()
    state.before = dict(state.written)
    state.touched, state.again = bool(changed) or state.again, False
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
        kept_names = {state.memory.get(key, key) for key in state.asked}
        state.chosen = {name: value for name, value in state.chosen.items() if name in kept_names}
        state.earlier = {name: values for name, values in state.earlier.items() if name in kept_names}
        state.written, state.before, state.touched = {}, {}, False
    state.begun = name


def rerun() -> NoReturn:
    """Run the whole page again, from within a fragment.

    The browser may have asked for the fragment before it heard what the page's last run wrote into the address.
    """
    _state().again = True
    st.rerun()


def read(
    key: str,
    parameter: str,
    options: Sequence[str],
    default: Sequence[str],
    *,
    many: bool = False,
    memory: str = "",
    recall: bool = False,
    elsewhere: Sequence[str] | None = None,
) -> None:
    """Give the control ``key`` its value before it is drawn: from the address, from what was chosen, or the default.

    A choice that is not among the options is kept, and shown again where it is.

    Args:
        key: of the control, which must have ``persist_state="session"``.
        parameter: its name in the address.
        options: what may stand there.
        default: the value where nobody said anything; empty for none.
        many: whether the control holds a list.
        memory: the name under which choices are remembered, which several controls may share; by default the key. Of
            a list that another control remembers, a control of one value shows the last option.
        recall: whether an earlier choice is shown where the last one is not among the options.
        elsewhere: the options that may be shown if they were chosen in another view; by default all.
    """
    memory = memory or key
    state = _noticed(key, memory)
    requested = _asked(state, key, parameter)
    if requested is not None:
        known = [value for value in dict.fromkeys(requested) if value in options]  # each once: a link may repeat one
        if unknown := [value for value in requested if value not in options]:
            _refuse(parameter, unknown, options)
        _choose(state, memory, (known if many else known[0]) if known else None)
    here = state.place.get(memory) == (state.page, state.view)
    able = options if elsewhere is None or here else elsewhere
    held = state.chosen.get(memory)
    if many:
        values = held if isinstance(held, list) else [held]
        shown = [value for value in values if value in able]
        value: object = shown if shown or held == [] else list(default)
    else:
        value = held
        if isinstance(held, list):
            value = max((one for one in held if one in able), key=options.index, default=None)
        if value not in able and recall:
            value = next((one for one in reversed(state.earlier.get(memory, [])) if one in able), None)
        if value not in able and not (memory in state.chosen and value is None and not default):
            value = next(iter(default), None)
    _draw(state, key, value)


def read_view(key: str, parameter: str, options: Sequence[str]) -> str:
    """Return which view of a page is shown, and give its control this value; what is read next is of this view.

    Where the control has led there, the address still says what the view before has written: nobody asks for that. A
    link may ask for something else; what it leaves open is what was chosen.

    Args:
        key: of the control.
        parameter: its name in the address.
        options: the views, the default first.
    """
    state = _state()
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    read(key, parameter, options, options[:1])
    view = str(st.session_state[key])
    if state.view not in ("", view):
        state.written, state.before = {}, {}
        state.stale = said if key in state.moved else None
    state.view = view
    return view


def leave_out(*keys: str, parameter: str = "", options: Sequence[str] = ()) -> None:
    """Take parameters out of the address where there is nothing to choose, and name what they ask for in vain.

    What the visitor chose of the controls stays for when they are there again.

    Args:
        keys: of the controls that are not drawn.
        parameter: the name in the address, if it is not the key.
        options: the only value, which a link may name; none where nothing of the kind is there.
    """
    for key in keys:
        requested = _asked(_state(), key, parameter or key) or []
        if unknown := [value for value in requested if value not in options]:
            _refuse(parameter or key, unknown, options)
        write(key, parameter or key, [], [])


def read_text(key: str, parameter: str, default: str, most: int) -> None:
    """Give the text field ``key`` its value before it is drawn; for a few words, never for a review.

    Args:
        key: of the field, which must have ``persist_state="session"``.
        parameter: its name in the address.
        default: the text where nobody said anything.
        most: characters that an address may hand over.
    """
    state = _noticed(key, key)
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
    state = _noticed(key, key)
    requested = _asked(state, key, parameter)
    if requested is not None:
        number = _number(requested[0], type(default)) if requested else None
        if requested and (number is None or not low <= number <= high):
            number = None
            messages().warning(
                f"The link sets {parameter} to {escape_markdown(requested[0][:80])}, which is not a "
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
    lately = state.lately.setdefault(key, [])
    if wanted not in lately[-1:]:
        state.lately[key] = [*lately, wanted][-_EARLIER:]
    state.keys.add(key)


def choice_of(memory: str) -> object:
    """Return what the visitor chose last, here, on another page or by a link; None for nothing.

    Args:
        memory: the name under which it is remembered, by default the key of a control.
    """
    return _state().chosen.get(memory)


def withdrawn(key: str, parameter: str) -> bool:
    """Return whether the address has ceased to speak of the control ``key``, as Back makes it."""
    return bool(_state().written.get(key)) and not st.query_params.get_all(parameter)


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


def _noticed(key: str, memory: str) -> _Address:
    """Return the session's state, which now knows what the visitor has just made of the control ``key``.

    What was drawn for one model is chosen for it, although the next one is drawn for another.
    """
    state = _state()
    if key not in st.session_state:
        pass
    elif key not in state.drawn:
        _remember(state, memory, st.session_state[key])
    elif st.session_state[key] != state.drawn[key]:
        _remember(state, state.memory.get(key, memory), st.session_state[key])
        state.drawn[key] = st.session_state[key]
    state.memory[key] = memory
    return state


def _asked(state: _Address, key: str, parameter: str) -> list[str] | None:
    """Return what the address asks of a control anew; None where it says what it said.

    It also says that where a choice, or a fragment, was faster than what the runs before wrote into it, and on the view
    that a visitor has just come to.
    """
    requested = st.query_params.get_all(parameter)
    behind = state.touched and (requested == state.heard.get(key) or requested in state.lately.get(key, []))
    stale = state.stale is not None and requested == state.stale.get(parameter, [])
    state.heard[key] = requested
    state.asked.add(key)
    return None if behind or stale or requested == state.written.get(key, []) else requested


def _choose(state: _Address, memory: str, value: object) -> None:
    """Remember what the address asks for; with None it takes back what was chosen."""
    if value is None:
        state.chosen.pop(memory, None)
        state.earlier.pop(memory, None)
    else:
        _remember(state, memory, value)


def _remember(state: _Address, memory: str, value: object) -> None:
    before = state.chosen.get(memory)
    if before not in (None, value):
        state.earlier[memory] = [*state.earlier.get(memory, []), before][-_EARLIER:]
    state.chosen[memory], state.place[memory] = value, (state.page, state.view)


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
    state.stale = None
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
    messages().warning(f"The link sets {parameter} to {requested}, which does not exist. Available: {there}.")
