"""The scene that a visitor builds: begun from a test scene, changed by clicks and buttons, and kept in the address."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from nlpviz.data import DataError
from nlpviz.data.scene_objects import COLORS, MOST, SHAPES, SIDE, SIZES, Scene, Shape, allowed, at, parsed, written
from nlpviz.data.scene_pictures import render
from nlpviz.data.scenes import CORPUS, SCENES
from nlpviz.figures.captions.scene import scene_figure
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.captions import cache
from nlpviz.ui.frame import explain_error

_KEY, _TRAIL, _BEGUN, _REFUSED = "scene", "scene history", "initial scene", "placement error"
_SPLITS = {"test": "seen pairs", "unseen": "unseen pairs"}
_LONGEST = 240
"""Characters of a scene in an address: four objects have 140."""
_UNDO = 20
_NEW: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Size", "new_size", tuple(SIZES)),
    ("Colour", "new_color", tuple(COLORS)),
    ("Shape", "new_shape", SHAPES),
)
_EMPTY = "nothing"


def pick() -> Scene:
    """Return the scene that the visitor looks at, with the controls it begins from; it may be empty."""
    split = widgets.pick("scenes", "Test scenes", _SPLITS)
    number = widgets.number("scene_number", "Scene", 1, (1, SCENES), 1, "A test scene that was not used in training.")
    begun = written(cache.told(CORPUS.name, split).scenes[number - 1])
    if st.session_state.get(_BEGUN, begun) != begun:  # another test scene: what was built of the last one is left
        st.session_state[_KEY] = begun
        st.session_state.pop(_TRAIL, None)
    st.session_state[_BEGUN] = begun
    address.read_text(_KEY, _KEY, begun, _LONGEST)
    text = str(st.session_state[_KEY])
    address.write_text(_KEY, _KEY, text, begun, _LONGEST)
    if text == _EMPTY:
        return ()
    try:
        return parsed(text)
    except DataError as error:
        explain_error(f"The scene in the link cannot be drawn. {error}")
        return parsed(begun)


def build(scene: Scene) -> None:
    """Show the scene, and let the visitor place and erase objects."""
    objects = [f"{one.words} at {one.x}, {one.y}" for one in scene]
    plotly_view.show(
        scene_figure(render(scene), objects, f"{len(scene)} object{'s' * (len(scene) != 1)}"),
        key="scene_figure", on_click=_clicked(scene),
    )  # fmt: skip
    if refused := st.session_state.pop(_REFUSED, ""):
        explain_error(refused)
    said = st.empty()
    for column, (label, key, options) in zip(st.columns(3), _NEW, strict=True):
        with column:
            st.selectbox(label, options, key=key, persist_state="session")
    said.markdown(
        f"A scene has at most {MOST} objects: erase an object to place another."
        if len(scene) >= MOST
        else f"Click an empty spot to add a **{' '.join(str(st.session_state[key]) for _, key, _ in _NEW)}**; "
        f"click an object to erase it."
    )
    with st.container(horizontal=True):
        st.button("Add to the scene", icon=":material/add:", on_click=_place_somewhere, args=(scene,),
                  disabled=len(scene) >= MOST)  # fmt: skip
        st.button("Undo", icon=":material/undo:", on_click=_undo, disabled=not st.session_state.get(_TRAIL))
    with st.container(horizontal=True, gap="xsmall"):
        for number in range(len(scene)):
            name = f"Erase {_called(scene, number)}"
            st.button(name, key=f"erase_{number}", icon=":material/close:", on_click=_erase,
                      args=(scene, number))  # fmt: skip


def _clicked(scene: Scene) -> Callable[[str], None]:
    def clicked(identifier: str) -> None:
        y, x = divmod(int(float(identifier)), 1000)
        under = at(scene, x, y)
        if under is None:
            _place(scene, x, y)
        else:
            _erase(scene, under)

    return clicked


def _place(scene: Scene, x: int, y: int) -> None:
    """Put the chosen object there, moved in from the edge as far as it must."""
    color, shape, size = (str(st.session_state[f"new_{name}"]) for name in ("color", "shape", "size"))
    reach = SIZES[size]
    x, y = (min(max(place, reach), SIDE - 1 - reach) for place in (x, y))
    try:
        _go_on(scene, allowed((*scene, Shape(color, shape, size, x, y))))
    except DataError as error:
        st.session_state[_REFUSED] = str(error)


def _place_somewhere(scene: Scene) -> None:
    """Put the chosen object where it is farthest from all others."""
    places = [(x, y) for y in range(12, SIDE - 11, 4) for x in range(12, SIDE - 11, 4)]
    x, y = max(places, key=lambda place: min((_far(one, *place) for one in scene), default=0))
    _place(scene, x, y)


def _far(one: Shape, x: int, y: int) -> int:
    return max(abs(one.x - x), abs(one.y - y)) - one.radius


def _erase(scene: Scene, number: int) -> None:
    _go_on(scene, scene[:number] + scene[number + 1 :])


def _go_on(before: Scene, scene: Scene) -> None:
    """Show ``scene``; undo leads back to the one before."""
    trail = st.session_state.setdefault(_TRAIL, [])
    trail.append(written(before) or _EMPTY)
    del trail[:-_UNDO]
    st.session_state[_KEY] = written(scene) or _EMPTY


def _called(scene: Scene, number: int) -> str:
    """Return what an object is called, with its place where another one is called the same."""
    one = scene[number]
    if sum(other.words == one.words for other in scene) == 1:
        return one.words
    return f"{one.words} at {one.x}, {one.y}"


def _undo() -> None:
    st.session_state[_KEY] = st.session_state[_TRAIL].pop()
