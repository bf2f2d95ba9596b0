"""The shared look: readable in both themes, the same in the app's configuration, whole on a dark page."""

from __future__ import annotations

import itertools
import re
import tomllib
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from nlpviz.figures import theme
from nlpviz.figures.tokens import STRONGEST
from nlpviz.figures.view import FigureView, provenance

LIGHT, DARK = "#FFFFFF", "#0E1117"  # the page
PANELS = {LIGHT: "#F4F5F7", DARK: "#1B2029"}  # the menu, the widgets
INK = {LIGHT: theme.INK, DARK: "#FAFAFA"}
DATA = (*theme.CATEGORIES, theme.MAGNITUDE, *(theme.epoch_color(epoch, 24) for epoch in range(25)))

LETTERS = {theme.lettering(mark): mark for mark in theme.CATEGORIES if theme.lettering(mark) != mark}


def on(page: str, colour: str) -> str:
    return colour if page == LIGHT else theme.ON_DARK[colour]


def channels(colour: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(colour[1:]), np.uint8) / 255


def luminance(rgb: np.ndarray) -> float:
    """WCAG 2.2, relative luminance."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(first: np.ndarray, second: np.ndarray) -> float:
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_text_stands_out(page: str) -> None:
    for fitted_map in (page, PANELS[page]):
        assert contrast(channels(INK[page]), channels(fitted_map)) >= 4.5
        assert contrast(channels(on(page, theme.MUTED)), channels(fitted_map)) >= 4.5


@pytest.mark.parametrize("page", [LIGHT, DARK])
@pytest.mark.parametrize("colour", DATA)
def test_marks_stand_out(page: str, colour: str) -> None:
    assert contrast(channels(on(page, colour)), channels(page)) >= 3


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_magnitudes_are_ordered_and_each_step_shows(page: str) -> None:
    steps = [contrast(channels(on(page, colour)), channels(page)) for _, colour in theme.MAGNITUDE_SCALE]
    assert steps == sorted(steps)
    assert min(after / before for before, after in itertools.pairwise(steps)) > 1.5
    assert steps[0] > 1.5
    assert steps[-1] > 12


@pytest.mark.parametrize("page", [LIGHT, DARK])
@pytest.mark.parametrize("colour", [theme.POSITIVE, theme.NEGATIVE, theme.MAGNITUDE])
def test_text_stands_out_on_the_strongest_token(page: str, colour: str) -> None:
    fitted_map = STRONGEST * channels(on(page, colour)) + (1 - STRONGEST) * channels(page)
    assert contrast(channels(INK[page]), fitted_map) >= 4.5


def test_blue_and_vermillion_differ_without_hue() -> None:
    assert theme.signed_bars([2.0, -1.0, 0.0])["pattern"]["shape"] == ["", "/", ""]


def test_blue_speaks_for_and_vermillion_against() -> None:
    for page in (LIGHT, DARK):
        blue, red = channels(on(page, theme.POSITIVE)), channels(on(page, theme.NEGATIVE))
        assert blue.argmax() == 2
        assert red.argmax() == 0
    assert theme.signed_bars([2.0, -1.0, 0.0])["color"] == [theme.POSITIVE, theme.NEGATIVE, theme.POSITIVE]
    assert theme.SIGNED_SCALE[0] == (0.0, theme.NEGATIVE)
    assert theme.SIGNED_SCALE[-1] == (1.0, theme.POSITIVE)
    assert theme.TEMPLATE.layout.colorscale.diverging == theme.SIGNED_SCALE


def test_categories_differ_from_each_other_in_both_themes() -> None:
    for page in (LIGHT, DARK):
        colours = [channels(on(page, colour)) for colour in theme.CATEGORIES]
        assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(colours, 2)) > 0.15


def test_configuration_of_the_app_has_the_same_colours(pytestconfig: pytest.Config) -> None:
    config = tomllib.loads((pytestconfig.rootpath / ".streamlit/config.toml").read_text())["theme"]
    for page, colours in ((LIGHT, config["light"]), (DARK, config["dark"])):
        assert colours["backgroundColor"] == page
        assert colours["secondaryBackgroundColor"] == PANELS[page]
        assert colours["textColor"] == INK[page]
        assert tuple(colours["chartCategoricalColors"]) == tuple(on(page, each) for each in theme.CATEGORIES)


def test_style_sheet_has_the_same_colours(pytestconfig: pytest.Config) -> None:
    style = "".join(
        (pytestconfig.rootpath / f"nlpviz/{name}.css").read_text() for name in ("ui/frame", "figures/tokens")
    )
    config = tomllib.loads((pytestconfig.rootpath / ".streamlit/config.toml").read_text())["theme"]
    pairs = set(re.findall(r"light-dark\((#\w+), (#\w+)\)", style))
    ours = (theme.MUTED, theme.POSITIVE, *theme.CATEGORIES[2:4])
    known = {(colour.lower(), theme.ON_DARK[colour].lower()) for colour in ours}
    known |= {(LIGHT.lower(), DARK.lower()), (INK[LIGHT].lower(), INK[DARK].lower())}
    known.add((config["light"]["borderColor"].lower(), config["dark"]["borderColor"].lower()))
    known.add((PANELS[LIGHT].lower(), PANELS[DARK].lower()))
    assert pairs == known


def colours_of(node: Any) -> set[str]:
    if isinstance(node, dict):
        return set().union(*map(colours_of, node.values()))
    if isinstance(node, list | tuple):
        return set().union(*map(colours_of, node))
    return set(re.findall(r"#[0-9A-Fa-f]{6}\b", node)) if isinstance(node, str) else set()


def test_every_colour_of_the_template_has_a_counterpart_on_a_dark_page() -> None:
    known = {*theme.ON_DARK, *theme.OF_THE_PAGE}
    own = {key: value for key, value in theme.TEMPLATE.layout.to_plotly_json().items() if key != "colorscale"}
    assert colours_of(own) <= known
    assert colours_of(theme.SIGNED_SCALE) <= known


def test_colours_on_a_dark_page_are_told_apart_like_those_on_a_light_one() -> None:
    marks = {colour: dark for colour, dark in theme.ON_DARK.items() if colour not in LETTERS}
    assert len(set(marks.values())) == len(marks)
    assert all(theme.ON_DARK[letters] == theme.ON_DARK[mark] for letters, mark in LETTERS.items())


@pytest.mark.parametrize("colour", DATA)
def test_words_in_the_colour_of_a_mark_stand_out(colour: str) -> None:
    for page in (LIGHT, DARK):
        assert contrast(channels(on(page, theme.lettering(colour))), channels(page)) >= 4.5


def test_epochs_run_from_grey_to_full_colour() -> None:
    ramp = [theme.epoch_color(epoch, 5) for epoch in range(6)]
    assert len(set(ramp)) == 6
    assert ramp[-1] == theme.POSITIVE == theme.epoch_color(0, 0)
    saturation = [np.ptp(channels(colour)) for colour in ramp]
    assert saturation == sorted(saturation)


def test_figure_has_the_template_and_room_for_a_title() -> None:
    plain = theme.figure([go.Scatter(x=[1], y=[2])], height=300, x="epoch", y="loss (nats)")
    assert plain.layout.template.layout.colorway == theme.CATEGORIES
    assert (plain.layout.height, plain.layout.xaxis.title.text, plain.layout.yaxis.title.text) == (
        300,
        "epoch",
        "loss (nats)",
    )
    titled = theme.figure(title_text="Epoch 3")
    assert titled.layout.margin.t > theme.TEMPLATE.layout.margin.t


def test_view_needs_words_a_caption_and_a_table() -> None:
    whole = {"figure": go.Figure(), "alt": "A map", "table": {"x": [1, 2]}, "caption": "run", "name": "map"}
    assert FigureView(**whole).name == "map"
    for broken in ({"alt": " "}, {"caption": ""}, {"name": ""}, {"table": {}}, {"table": {"x": [1], "y": []}}):
        with pytest.raises(ValueError, match="needs"):
            FigureView(**(whole | broken))


def test_provenance_names_the_versions() -> None:
    assert re.fullmatch(r"imdb-cnn · epoch 4 · nlpviz [\d.]+, torch [\d.]+", provenance("imdb-cnn", "epoch 4"))


def test_plain_text_has_no_entity_that_plotly_would_show() -> None:
    assert theme.plain('<b>"it\'s" & so</b>') == '&lt;b&gt;"it\'s" &amp; so&lt;/b&gt;'
