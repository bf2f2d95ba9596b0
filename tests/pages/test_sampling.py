"""What language models write, on committed models: settings, forced words, branches, and what means nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.language.generation import write
from nlpviz.language.sampling import Sampling
from nlpviz.language.surprisal import opened
from nlpviz.runs import open_run
from nlpviz.ui.language import branches
from tests.pages import conftest as pages
from tests.pages.conftest import Page, faults, figure, shown

WORDS, CHARACTERS, NETWORK = "wikitext2-kn", "shakespeare-kn", "wikitext2-lstm"
ODD = {
    "empty": "",
    "one character": "a",
    "only unknown words": "zzqx qqzw",
    "another script": "犬が好き שלום",
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)> **stars** $x$ {brace}",
    "long": "the king of the hill . " * 4_400,
}
Open = Callable[..., AppTest]


@pytest.fixture
def sampling(page: Page) -> Open:
    """Return what opens the view, of short texts by one model."""
    del page  # it sets the machine

    def run(typed: str | None = None, **address: str | list[str]) -> AppTest:
        app = pages.opened("Language models", view="sampling", **{"run": WORDS, "length": "12", **address})
        app.session_state["read_beside"] = []
        if typed is not None:
            app.query_params["text"] = "own"
            app.session_state["typed texts"] = {"beginning": [typed]}
        return app.run()

    return run


def at(app: AppTest, **address: str) -> AppTest:
    """Return the view at another address, of short texts too."""
    app.query_params = {"view": "sampling", "length": "12", **address}
    return app.run()


def texts(app: AppTest) -> list[str]:
    """Return what stands in each text after its prompt."""
    found = [one.proto.body for one in app.get("html") if 'class="nlpviz-prompt"' in one.proto.body]
    return [
        unescape(re.sub("<[^>]*>", "", one.partition("</span>")[2].partition('<p class="nlpviz-legend')[0]))
        for one in found
    ]


def force(app: AppTest, word: str) -> AppTest:
    return app.text_input(key="forced_word").set_value(word).run()


def again(app: AppTest) -> AppTest:
    (button,) = [one for one in app.button if one.label == "Resample from here"]
    return button.click().run()


def plain(app: AppTest) -> str:
    return shown(app).replace("\\", "")


def test_the_text_is_what_the_backend_writes(sampling: Open) -> None:
    app = sampling("The city of", draw="5", top_p="0.8", top_k="50", temperature="0.9")
    assert not app.exception
    found = write(opened(open_run(WORDS)), "The city of", Sampling(0.9, 50, 0.8, 5), 12)
    assert texts(app) == [found.text().replace("\n", "↵\n")]
    assert "Temperature 0.9, top-k 50, top-p 0.8: " in plain(app)
    assert app.query_params["draw"] == "5"
    assert "The city of" not in str(app.query_params)


def test_readers_side_by_side_write_with_the_same_settings(sampling: Open) -> None:
    app = sampling(run=NETWORK, epoch=["0", "11"], beside=WORDS)
    assert not app.exception
    assert len(texts(app)) == len(set(texts(app))) == 3
    for title in ("LSTM on WikiText-2, epoch 0", "LSTM on WikiText-2, epoch 11", open_run(WORDS).title):
        assert f"**{title}**" in plain(app)
    assert f"{open_run(WORDS).title} generated its most probable word at" not in plain(app)
    assert not [one for one in app.button if one.label == "Compare epochs"], "they are all there"
    app = app.selectbox(key="of").set_value("3").run()
    assert open_run(WORDS).title in figure(app, 0)["caption"]
    assert f"{open_run(WORDS).title} generated its most probable word at" in plain(app)


def test_the_text_by_each_epoch_is_one_click_away(sampling: Open) -> None:
    app = sampling(run=NETWORK)
    (button,) = [one for one in app.button if one.label == "Compare epochs"]
    app = button.click().run()
    assert app.query_params["epoch"] == ["0", "11"]
    assert len(texts(app)) == 2


@pytest.mark.ci
@pytest.mark.parametrize("run", [WORDS, CHARACTERS])
def test_any_prompt_is_continued(sampling: Open, run: str) -> None:
    app = sampling(run=run)
    for name, text in ODD.items():
        app.text_area(key="text").set_value(text).run()
        assert not faults(app), name
        assert len(texts(app)) == 1, name


@pytest.mark.ci
@pytest.mark.parametrize("run", [WORDS, CHARACTERS])
def test_settings_at_their_ends(sampling: Open, run: str) -> None:
    app = sampling(run=run)
    for setting, ends in {
        "temperature": ("0", "100"), "top_k": ("0", "1000000", "1"), "top_p": ("0", "1"), "draw": ("1000000",),
        "length": ("1",),
    }.items():  # fmt: skip
        for value in ends:
            at(app, run=run, **{setting: value})
            assert not [*app.exception, *app.warning], (setting, value)
            assert len(texts(app)) == 1, (setting, value)


def test_what_no_setting_can_be_is_named(sampling: Open) -> None:
    app = sampling()
    for parameter, value, sentence in (
        ("temperature", "101", "not a number from 0 to 100"),
        ("temperature", "nan", "not a number from 0 to 100"),
        ("temperature", "<b>", "not a number from 0 to 100"),
        ("top_p", "-0.1", "not a number from 0 to 1"),
        ("top_k", "2.5", "not a whole number from 0 to 1000000"),
        ("draw", "9" * 400, "not a whole number from 0 to 1000000"),
        ("length", "0", "not a whole number from 1 to 500"),
    ):
        at(app, run=WORDS, **{parameter: value})
        assert not app.exception
        assert sentence in plain(app)
        assert value[:20] in plain(app)
        assert parameter not in app.query_params or app.query_params[parameter] == "12"


def test_a_forced_word_begins_a_branch(sampling: Open) -> None:
    app = sampling("The city of", token="4")
    (before,) = texts(app)
    assert "Branches" in [one.value for one in app.header]
    app = force(app, "river")
    (after,) = texts(app)
    assert after != before
    assert re.split(r"(?=\briver\b)", after)[0].strip() == before[: after.index("river")].strip()
    assert "nlpviz-forced" in "".join(one.proto.body for one in app.get("html"))
    assert app.session_state["forced_word"] == ""
    assert "after filtering" in figure(app, 0)["alt"]
    assert figure(app, 2)["alt"].startswith(f"2 texts by {open_run(WORDS).title}")
    (box,) = [one for one in app.selectbox if one.label == "Text shown"]
    app = box.set_value("0").run()
    assert texts(app) == [before]
    (forget,) = [one for one in app.button if one.label == "Discard all branches"]
    assert "Text shown" not in [one.label for one in forget.click().run().selectbox]


def test_a_text_drawn_again_is_the_same_up_to_there_and_belongs_to_its_settings(sampling: Open) -> None:
    app = sampling(run=CHARACTERS, token="6")
    (first,) = texts(app)
    app = again(app)
    (second,) = texts(app)
    assert second[:5] == first[:5]
    assert second != first
    app = again(app)
    assert "3 texts by" in figure(app, 2)["alt"]
    third = texts(app)
    app = app.number_input(key="draw").set_value(9).run()
    assert "Text shown" not in [one.label for one in app.selectbox]
    app = app.number_input(key="draw").set_value(0).run()
    assert texts(app) == third, "the branches are kept for as long as the tab is open"


def test_what_cannot_be_forced_is_said(sampling: Open) -> None:
    app = force(sampling(token="3"), "zzqxq")
    assert "Out-of-vocabulary words were replaced by <unk>" in plain(app)
    assert "Out-of-vocabulary words were replaced" not in plain(app.run())
    assert "The text already has this word at this position" in plain(force(app, "zzqxq"))
    assert "Type at least one word." in plain(force(app, "   "))
    app = sampling(run=CHARACTERS, token="3")
    assert not force(app, "é").exception
    assert not again(app).exception


def test_branches_are_as_many_as_a_tree_holds(sampling: Open) -> None:
    app = sampling(run=CHARACTERS, token="3", length="4")
    for _ in range(branches.MOST - 1):
        app = again(app)
        assert "texts are stored. Discard" not in plain(app)
    app = again(app)
    assert f"At most {branches.MOST} texts are stored." in plain(app)
    assert f"{branches.MOST} texts by" in figure(app, 2)["alt"]


def test_two_tabs_have_branches_of_their_own(sampling: Open) -> None:
    one, other = again(sampling()), sampling()
    assert "Text shown" in [box.label for box in one.selectbox]
    assert "Text shown" not in [box.label for box in other.run().selectbox]


def test_another_model_or_text_forgets_no_branch_and_breaks_nothing(sampling: Open) -> None:
    app = again(sampling(run=NETWORK, epoch="11", token="12"))
    for run in (CHARACTERS, WORDS, NETWORK):
        app = app.selectbox(key="run").set_value(run).run()
        assert not app.exception
    assert "Text shown" in [one.label for one in app.selectbox]
    app = app.text_area(key="text").set_value("犬 <b>").run()
    assert not app.exception
    assert "Text shown" not in [one.label for one in app.selectbox]
