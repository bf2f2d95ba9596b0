"""Values in the session that figures or several controls set, and that are in the address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from nlpviz.ui import address, report


def follow(key: str, options: Sequence[str], default: str, *, parameter: str, memory: str = "") -> str:
    """Return which of ``options`` stands under ``key`` in the session, where figures set it: there is no control.

    Args:
        key: in the session.
        options: what may stand in the address.
        default: the option at first.
        parameter: in the address.
        memory: the name under which the choice is remembered; by default the key.
    """
    address.read(key, parameter, options, [default], memory=memory)
    chosen = str(st.session_state[key])
    address.write(key, parameter, [chosen], [default])
    return chosen


def select(
    key: str, label: str, options: Sequence[str], name: Callable[[str], str], on_change: Callable[[], None]
) -> None:
    """Draw a select box for what stands in the session under ``key``, which other controls set as well.

    A box in a closed popover is not told of a new value, and goes on sending its old one. So it has a key of its own,
    another one whenever something else has set the value: what is sent for the old one is heard no more.

    Args:
        key: in the session, and set.
        label: what people read over the control.
        options: what may be chosen.
        name: what people read for an option.
        on_change: is called when the visitor chose another one, which then stands under ``key``.
    """
    count = f"external updates of {key}"
    own = f"{key} {st.session_state.setdefault(count, 0)}"
    if st.session_state.get(own, st.session_state[key]) != st.session_state[key]:
        st.session_state[count] += 1
        own = f"{key} {st.session_state[count]}"
    st.session_state[own] = st.session_state[key]

    def chosen() -> None:
        st.session_state[key] = st.session_state[own]
        on_change()

    st.selectbox(label, options, format_func=name, key=own, on_change=chosen)


@contextmanager
def folded(name: str, label: str) -> Iterator[bool]:
    """Hold a part of a view that is computed only while it is open, and yield whether it is.

    Args:
        name: in the address: ``?trust=open`` opens the part called ``"trust"``.
        label: what people read; they click on it.
    """
    closed, opened = "closed", "open"
    chosen, key = f"{name} folded", f"{name} is open"  # a figure within may have the part's own name
    shown = follow(chosen, [closed, opened], closed, parameter=name)
    report.leave_out(name)
    st.session_state[key] = shown == opened

    def turn() -> None:
        st.session_state[chosen] = opened if st.session_state[key] else closed

    with st.expander(label, key=key, on_change=turn):
        yield shown == opened


def set_to(key: str) -> Callable[[object], None]:
    """Return what gives the control called ``key`` a value: for a click on a figure or a button."""

    def choose(value: object) -> None:
        st.session_state[key] = value

    return choose
