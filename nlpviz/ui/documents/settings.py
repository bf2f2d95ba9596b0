"""How the maps of Explore are fitted: comparable or alone, and the rare settings in one popover.

The rare settings are typed: a wrong one, there or in the address, is said in a sentence and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import streamlit as st

from nlpviz.analysis.projections import MapSettings, check, projectors
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import documents_of
from nlpviz.ui import address, widgets
from nlpviz.ui.frame import explain_error

_FITS = {"comparable": "comparable across epochs", "alone": "each epoch separately"}
_SHOWN = 40

T = TypeVar("T")


@dataclass(frozen=True)
class MapQuery:
    """What the visitor asked for, and whether the button that computes it was pressed in this very run."""

    settings: MapSettings
    now: bool

    @property
    def stored(self) -> bool:
        """Whether these are the settings of the maps that a run keeps."""
        return (self.settings.perplexity, self.settings.seed, self.settings.sample) == (None, 0, None)


def pick_settings(run: Run, projector: str, dimensions: int, epochs: Sequence[int]) -> MapQuery:
    """Return the settings of the maps, as they stand in the controls and in the address."""
    fit = widgets.pick("fit", "Fit", _FITS)
    plain = MapSettings(projector, dimensions, tuple(epochs), fit == "alone")
    defaults = _defaults(run, projector)
    with st.popover("More", width="stretch"):
        typed, now = _form(defaults)
    try:
        settings = _parsed(plain, typed, defaults)
        check(run, settings)
    except RunError as error:
        explain_error(str(error))
        return MapQuery(plain, now=False)
    return MapQuery(settings, now)


def _defaults(run: Run, projector: str) -> dict[str, str]:
    """Return what the boxes hold of the stored maps, by their names in the address."""
    perplexity = projectors()[projector].perplexity
    own = {} if perplexity is None else {"perplexity": f"{perplexity:g}"}
    return own | {"seed": "0", "sample": str(len(documents_of(run).ids))}


def _form(defaults: dict[str, str]) -> tuple[dict[str, str], bool]:
    """Draw the boxes; return what they hold, and whether the button was pressed."""
    labels = {
        "perplexity": "Perplexity: roughly the number of neighbours that each point stays close to",
        "seed": "Random seed",
        "sample": f"Sample size (out of {int(defaults['sample']):,} documents)",
    }
    for name, default in defaults.items():
        there = (default, st.query_params.get(name), st.session_state.get(name))
        address.read(name, name, [value for value in there if value is not None], [default])
    with st.form("map_settings", border=False):
        typed = {name: st.text_input(labels[name], key=name, persist_state="session").strip() for name in defaults}
        now = st.form_submit_button("Compute this map")
    st.button("Back to the stored map", on_click=st.session_state.update, args=(defaults,), type="tertiary")
    for name, default in defaults.items():
        address.write(name, name, [typed[name] or default], [default])
    return typed, now


def _parsed(plain: MapSettings, typed: dict[str, str], defaults: dict[str, str]) -> MapSettings:
    """Return the settings with the numbers that were typed; None where perplexity and sample are the stored map's.

    Raises:
        RunError: if one is no number.
    """
    kinds: dict[str, Callable[[str], float]] = {"perplexity": float, "seed": int, "sample": int}
    numbers = {name: _number(name, text, kinds[name]) for name, text in typed.items() if text}
    # "30.0" is the stored map's perplexity as well as "30"
    other = {name: number for name, number in numbers.items() if number != float(defaults[name])}
    sample = other.get("sample")
    return replace(
        plain,
        perplexity=other.get("perplexity"),
        seed=int(other.get("seed", 0)),
        sample=None if sample is None else int(sample),
    )


def _number(name: str, text: str, kind: Callable[[str], T]) -> T:
    try:
        return kind(text)
    except ValueError:
        called = "number" if name == "perplexity" else "whole number"
        raise RunError(f"The {name} {text[:_SHOWN]!r} is not a {called}.") from None
