"""Controls that read and write the address themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

import streamlit as st

from nlpviz.ui import address

Number = TypeVar("Number", int, float)


class Titled(Protocol):
    """What people call by its title."""

    @property
    def title(self) -> str:
        """The title."""


Options: TypeAlias = Sequence[str] | Mapping[str, str] | Mapping[str, Titled]
"""What may stand in the address; as a mapping, with what people read, or what has it as its title."""

_PILLS = partial(st.pills, selection_mode="multi")


def pick(
    key: str,
    label: str,
    options: Options,
    name: Callable[[str], str] = str,
    *,
    default: Sequence[str] | None = None,
    parameter: str = "",
    draw: Callable[..., object] = st.selectbox,
    of_text: bool = False,
    memory: str = "",
    **drawn: object,
) -> str:
    """Return one of ``options``; empty where none is chosen.

    Args:
        key: of the control, and its parameter in the address.
        label: what people read over the control.
        options: what may be chosen.
        name: what people read for an option of a sequence.
        default: the option at first, by default the first one; none where this is empty.
        parameter: in the address, if not the key.
        draw: the function of Streamlit that draws it.
        of_text: whether an option is named by its position in the text, so that another text forgets it.
        memory: the name under which the choice is remembered; by default the key.
        drawn: further arguments of ``draw``.
    """
    if of_text:
        address.forget_with_text(key)
    listed, name = _listed(options, name)
    first = listed[:1] if default is None else default
    address.read(key, parameter or key, listed, first, memory=memory)
    value = st.session_state[key]
    label_key, named = f"label of {key}", "" if value is None else name(value)
    if st.session_state.get(label_key, named) != named:  # the browser keeps what an option was called until it is set
        st.session_state[key] = value
    st.session_state[label_key] = named
    chosen = draw(label, listed, format_func=name, key=key, persist_state="session", **drawn)
    address.write(key, parameter or key, [] if chosen is None else [str(chosen)], first)
    return "" if chosen is None else str(chosen)


def pick_some(
    key: str,
    label: str,
    options: Options,
    default: Sequence[str],
    *,
    parameter: str,
    shown: Callable[[list[str]], Sequence[str]] = list,
    draw: Callable[..., list[str]] = _PILLS,
    memory: str = "",
    **drawn: object,
) -> list[str]:
    """Return any number of ``options``.

    The arguments are those of :func:`pick`; ``shown`` makes of the chosen options those that stand in the address.
    """
    listed, name = _listed(options, str)
    address.read(key, parameter, listed, default, many=True, memory=memory)
    chosen = list(shown(draw(label, listed, format_func=name, key=key, persist_state="session", **drawn)))
    address.write(key, parameter, chosen, default)
    return chosen


def _listed(options: Options, name: Callable[[str], str]) -> tuple[list[str], Callable[[str], str]]:
    """Return the options, and what gives what people read for each."""
    if not isinstance(options, Mapping):
        return list(options), name
    titles = {key: one if isinstance(one, str) else one.title for key, one in options.items()}
    return list(titles), titles.__getitem__


def text(
    key: str,
    label: str,
    default: str,
    most: int,
    *,
    parameter: str = "",
    draw: Callable[..., str | None] = st.text_input,
    **drawn: object,
) -> str:
    """Return the few words that the visitor typed.

    Args:
        key: of the field, and its parameter in the address.
        label: what people read over it.
        default: the text at first.
        most: characters that the address may hold, and that may be typed if ``drawn`` has no ``max_chars``.
        parameter: in the address, if not the key.
        draw: the function of Streamlit that draws it.
        drawn: further arguments of ``draw``.
    """
    address.read_text(key, parameter or key, default, most)
    typed = draw(label, key=key, persist_state="session", **{"max_chars": most} | drawn) or ""
    address.write_text(key, parameter or key, typed, default, most)
    return typed


def number(
    key: str, label: str, default: Number, limits: tuple[Number, Number], step: Number, explained: str
) -> Number:
    """Return the number that the visitor chose.

    Args:
        key: of the field, and its parameter in the address.
        label: what people read over it.
        default: the number at first.
        limits: the least and the largest number.
        step: of the buttons beside it.
        explained: what the number does.
    """
    low, high = limits
    address.read_number(key, key, default, low, high)
    chosen = st.number_input(label, low, high, step=step, key=key, persist_state="session", help=explained)
    address.write_number(key, key, chosen, default)
    return chosen
