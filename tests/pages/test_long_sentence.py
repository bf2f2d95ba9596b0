"""A sentence far longer than what translators learn from: what takes long is asked for, and axes stay legible."""

from __future__ import annotations

import pytest

from tests.pages.conftest import Page, figure, shown

RUN = "multi30k-en-fr-general"
LONG = ", " * 500  # of which 100 words are read


@pytest.mark.ci
def test_others_are_drawn_of_a_long_sentence_when_asked(page: Page) -> None:
    app = page("Translate", run=RUN)
    drawn = len(app.get("bidi_component"))
    app.text_area(key="source_sentence").set_value(LONG).run()
    assert not app.exception
    assert "100 words" in shown(app)
    asked = len(app.get("bidi_component"))
    assert asked < drawn
    app.button(key="compare_long").click().run()
    assert not app.exception
    assert len(app.get("bidi_component")) > asked
    app.text_area(key="source_sentence").set_value("a dog").run()
    assert "compare_long" not in [button.key for button in app.button]


def test_words_of_a_long_sentence_are_a_list_and_axes_name_some(page: Page) -> None:
    app = page("Translate", run=RUN)
    assert app.button_group(key="aligned_target").options
    app.text_area(key="source_sentence").set_value(LONG).run()
    assert len(app.selectbox(key="aligned_target").options) > 40
    layout = figure(app)["figure"]["layout"]
    assert 1 < len(layout["xaxis"]["ticktext"]) <= 48
    assert layout["xaxis"]["range"] == [-0.5, 99.5]
