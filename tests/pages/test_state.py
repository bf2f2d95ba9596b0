"""What goes from view to view: choices and the text do, defaults do not, and Back takes a choice back."""

from __future__ import annotations

import gc
import weakref

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.data.examples import examples
from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of
from nlpviz.ui import palette
from nlpviz.ui.frame import page_file, page_files, page_name
from tests.pages.conftest import Page, opened, shown

MAIN, ATTENTIVE, OTHER = "imdb-cnn", "imdb-han", "imdb-bigru-attention"
BEST = str(open_run(MAIN).best_epoch)
TYPED = "a dreadful and boring film"


@pytest.fixture
def visit(page: Page) -> AppTest:
    """A visit that begins on the Overview and can go to every page."""
    return page("Overview")


def gone(app: AppTest, page: str, **address: str | list[str]) -> AppTest:
    """Return the visit after the menu, or a link with such an address, led to a page."""
    file = page_file(page)
    assert file is not None
    app.switch_page("app.py" if file.name == "app.py" else f"pages/{file.name}")
    app.query_params.clear()
    for parameter, value in address.items():
        app.query_params[parameter] = value
    app.run()
    assert not app.exception
    return app


def viewed(app: AppTest, view: str) -> AppTest:
    """Return the visit after another view of the page was chosen."""
    app.segmented_control[0].set_value(view).run()
    assert not app.exception
    return app


# ------------------------------------------------------------------------------------------------ defaults and choices


def test_a_default_is_not_carried_to_another_view(visit: AppTest) -> None:
    app = gone(visit, "One review")
    assert app.selectbox(key="run").value == MAIN
    viewed(app, "attention")
    assert app.selectbox(key="run").value == ATTENTIVE
    viewed(app, "saliency")
    assert app.selectbox(key="run").value == MAIN
    assert not app.query_params


def test_a_default_is_not_carried_to_another_page(visit: AppTest) -> None:
    gone(visit, "One review", view="attention")
    app = gone(visit, "Explore")
    assert app.selectbox(key="run").value == MAIN
    assert app.pills(key="epochs").value == [BEST]
    assert not app.query_params


def test_a_choice_is_carried(visit: AppTest) -> None:
    app = gone(visit, "One review")
    app.selectbox(key="run").set_value(OTHER).run()
    app.pills(key="epochs").set_value(["0"]).run()
    for page, view in (("One review", "attention"), ("Explore", ""), ("One review", "")):
        app = gone(app, page, **({"view": view} if view else {}))
        assert app.selectbox(key="run").value == OTHER, page
        assert app.pills(key="epochs").value == ["0"], page
        assert OTHER in app.query_params["run"], page
    assert not app.warning


def test_what_a_link_names_is_a_choice(visit: AppTest) -> None:
    app = gone(visit, "One review", run=OTHER)
    assert gone(app, "Explore").selectbox(key="run").value == OTHER


def test_a_choice_that_a_view_cannot_show_waits_for_one_that_can(visit: AppTest) -> None:
    app = gone(visit, "Explore", run=OTHER)
    gone(app, "Inside the model")
    assert app.selectbox(key="run").value == MAIN, "the other has no regions"
    assert not app.warning
    assert gone(app, "Explore").selectbox(key="run").value == OTHER


def test_epochs_of_one_model_are_not_those_of_another(visit: AppTest) -> None:
    app = gone(visit, "One review", run=ATTENTIVE)
    best = str(open_run(ATTENTIVE).best_epoch)
    app.pills(key="epochs").set_value(["1", best]).run()
    viewed(app, "n-grams")
    assert app.selectbox(key="run").value == MAIN
    assert app.pills(key="epochs").value == [BEST]
    assert "no convolution filters" in shown(app), "it says why another model is shown"
    viewed(app, "time-machine")
    assert app.selectbox(key="run").value == ATTENTIVE
    assert not app.warning, "nobody asked for an epoch that is not there"
    assert app.session_state["moment"] == best
    viewed(app, "saliency")
    assert app.pills(key="epochs").value == ["1", best]


def test_the_epoch_that_was_chosen_last_is_that_of_all_views(visit: AppTest) -> None:
    app = gone(visit, "One review")
    app.pills(key="epochs").set_value(["1", "2"]).run()
    assert viewed(app, "edit").pills(key="one_epoch").value == "2"
    viewed(app, "time-machine")
    app.session_state["moment"] = "5"  # the slider, and the next view before the page has answered
    assert viewed(app, "edit").pills(key="one_epoch").value == "5"
    assert viewed(app, "saliency").pills(key="epochs").value == ["5"]
    assert gone(app, "Trees").pills(key="epochs").value == [str(open_run(app.selectbox(key="run").value).best_epoch)]


def test_a_model_of_another_family_is_not_carried(visit: AppTest) -> None:
    app = gone(visit, "One review", run=ATTENTIVE)
    app = gone(app, "Language models", view="perplexity", run="wikitext2-kn")
    assert gone(app, "Trees").selectbox(key="run").value.startswith("sst-")
    assert gone(app, "One review", view="saliency").selectbox(key="run").value == ATTENTIVE


def test_another_model_is_compared_at_its_own_epochs(visit: AppTest) -> None:
    app = gone(visit, "One review", beside="imdb-lstm")
    best = str(open_run("imdb-lstm").best_epoch)
    assert app.pills(key="beside_epoch").value == [best], "as the other run: its best"
    app.pills(key="beside_epoch").set_value(["0", best]).run()
    assert app.query_params["beside_epoch"] == ["0", best]
    assert app.pills(key="epochs").value == [BEST]
    assert gone(app, "Explore", beside="imdb-lstm").pills(key="beside_epoch").value == ["0", best]


# -------------------------------------------------------------------------------------------- what a model cannot do


def test_a_model_that_cannot_be_shown_is_listed_with_the_reason(visit: AppTest) -> None:
    app = gone(visit, "One review", view="influence", run=ATTENTIVE)
    box = app.selectbox(key="run")
    assert box.value == ATTENTIVE
    assert "HAN on IMDB (no influence, because its word vectors were not trained)" in box.options
    assert "cannot be shown here (no influence, because its word vectors were not trained)" in shown(app)
    assert app.text_area(key="text").value, "the text can still be chosen"
    assert "influence" in app.query_params["view"]
    assert ATTENTIVE in app.query_params["run"]


def test_a_model_chosen_elsewhere_that_cannot_be_shown_is_no_dead_end(visit: AppTest) -> None:
    app = gone(visit, "One review", run=ATTENTIVE)
    app.segmented_control[0].set_value("attention").run()
    app.segmented_control[0].set_value("n-grams").run()
    assert app.selectbox(key="run").value == MAIN
    app.selectbox(key="run").set_value(ATTENTIVE).run()
    assert "cannot be shown here (no convolution filters)" in shown(app)
    assert viewed(app, "saliency").selectbox(key="run").value == ATTENTIVE


def test_each_page_keeps_the_view_that_was_chosen(visit: AppTest) -> None:
    app = viewed(gone(visit, "One review"), "n-grams")
    gone(app, "Words")
    assert app.segmented_control[0].value == "neighbours"
    assert gone(app, "One review").segmented_control[0].value == "n-grams"


# ------------------------------------------------------------------------------------------------- Back, links, address


def test_an_address_without_a_parameter_is_its_default(visit: AppTest) -> None:
    """Back takes a parameter out of the address of the same page."""
    app = gone(visit, "One review")
    app.selectbox(key="run").set_value(OTHER).run()
    app.selectbox(key="show").set_value("matrix").run()
    assert app.query_params["show"] == "matrix"
    del app.query_params["show"]
    assert app.run().selectbox(key="show").value == "bars"
    assert app.selectbox(key="run").value == OTHER, "that is still in the address"
    del app.query_params["run"]
    assert app.run().selectbox(key="run").value == MAIN
    assert gone(app, "Explore").selectbox(key="run").value == MAIN, "it was taken back everywhere"


def test_back_to_the_default_view(visit: AppTest) -> None:
    app = viewed(gone(visit, "One review"), "attention")
    del app.query_params["view"]
    assert app.run().segmented_control[0].value == "saliency"


def test_forward_shows_the_choice_again(visit: AppTest) -> None:
    app = gone(visit, "One review")
    app.selectbox(key="show").set_value("matrix").run()
    del app.query_params["show"]
    assert app.run().selectbox(key="show").value == "bars"
    app.query_params["show"] = "matrix"
    assert app.run().selectbox(key="show").value == "matrix"


def test_the_address_reproduces_what_is_shown(visit: AppTest) -> None:
    app = gone(visit, "One review")
    app.pills(key="epochs").set_value(["0", "2"]).run()
    app.selectbox(key="text_source 0").set_value(examples()[2].id).run()
    app.selectbox(key="show").set_value("matrix").run()
    said = {name: app.query_params[name] for name in app.query_params}
    assert said == {"epoch": ["0", "2"], "text": said["text"], "show": said["show"]}
    again = opened("One review", **said).run()
    assert not again.warning
    assert [one.value for one in again.main.markdown] == [one.value for one in app.main.markdown]


def test_what_is_not_a_parameter_of_the_page_leaves_its_address(visit: AppTest) -> None:
    app = gone(visit, "One review", show="matrix", nonsense="1")
    assert "nonsense" not in app.query_params
    assert "show" not in gone(app, "Explore").query_params


def test_an_unknown_view_is_named_and_the_first_is_shown(page: Page) -> None:
    app = page("One review", view="<b>x</b>")
    assert not app.exception
    assert "The link sets view" in shown(app)
    assert app.segmented_control[0].value == "saliency"
    assert "view" not in app.query_params


# -------------------------------------------------------------------------------------------------------- the text


def test_a_typed_text_is_there_on_all_views_that_read_it(visit: AppTest) -> None:
    app = gone(visit, "One review")
    app.text_area(key="text").set_value(TYPED).run()
    read = (("One review", "n-grams"), ("One review", "attention"), ("Explore", "map"), ("Explore", "table"))
    views = [(*view, TYPED) for view in read]
    for page, view, value in (*views, ("Words", "map", ""), ("One review", "saliency", TYPED)):
        app = gone(app, page, view=view)
        assert app.text_area(key="text").value == value, view
        assert "dreadful" not in str(dict(app.query_params)), view
        assert not [one for one in app.info if "This link does not include" in one.value], view


def test_a_text_is_that_of_its_purpose(visit: AppTest) -> None:
    app = gone(visit, "One review")
    app.text_area(key="text").set_value(TYPED).run()
    app = gone(app, "Language models", view="perplexity")
    app = gone(app, "Language models", view="surprisal", run="wikitext2-kn", beside=[])
    assert "dreadful" not in app.text_area(key="text").value
    app.text_area(key="text").set_value("The president of the").run()
    assert gone(app, "One review").text_area(key="text").value == TYPED
    assert "The president" not in str([box.options for box in app.selectbox])


def test_texts_that_were_typed_before_come_back(visit: AppTest) -> None:
    app = gone(visit, "One review")
    for text in ("the first one", "the second one", "the third one"):
        app.text_area(key="text").set_value(text).run()
    box = next(one for one in app.selectbox if one.key and one.key.startswith("text_source "))
    assert box.options[:3] == ["Your own text", "“the second one”", "“the first one”"]
    box.set_value("own 2").run()
    assert app.text_area(key="text").value == "the first one"
    assert "own" in app.query_params["text"]


def test_a_text_that_was_typed_on_the_map_is_that_of_the_views(visit: AppTest) -> None:
    app = gone(visit, "Explore")
    assert app.selectbox(key="text_source 0").value == "none"
    app.text_area(key="text").set_value(TYPED).run()
    assert gone(app, "One review").text_area(key="text").value == TYPED


def test_no_text_on_the_map_leaves_the_others_their_example(visit: AppTest) -> None:
    app = gone(visit, "Explore")
    app.selectbox(key="text_source 0").set_value(examples()[1].id).run()
    app.selectbox(key="text_source 0").set_value("none").run()
    assert gone(app, "One review").text_area(key="text").value == examples()[0].text
    assert not app.warning


def test_own_words_that_nobody_typed_are_asked_for(page: Page) -> None:
    app = page("One review", text="own")
    assert not app.exception
    assert "This link does not include the typed text" in shown(app)
    assert app.text_area(key="text").value == examples()[0].text, "shown meanwhile"


@pytest.mark.parametrize("text", ["?", "test/pos/", "<script>", "../../etc/passwd", "x" * 5_000])
def test_a_text_that_is_not_there_is_refused_in_a_sentence(page: Page, text: str) -> None:
    app = page("One review", text=text)
    assert not app.exception
    (said,) = [one.value.replace("\\", "") for one in app.warning]
    assert said.startswith(f"The link sets text to {text[:80]}, which does not exist. Available: ")
    assert "text" not in app.query_params


def test_a_document_without_its_corpus_is_no_mark_of_another_text(page: Page) -> None:
    """The map rings the review; the example that stands in for its words elsewhere is not placed there."""
    app = page("Explore", text=documents_of(open_run(MAIN)).ids[3])
    assert not app.exception
    assert len([one for one in app.button if "Download" in one.label]) == 1
    assert "the example" not in shown(app)


# ----------------------------------------------------------------------------------------------------- the palette


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, str]]]:
    """What the palette led to, by the name of the page and its parameters."""
    result: list[tuple[str, dict[str, str]]] = []

    def switch(file: object, query_params: dict[str, str]) -> None:
        result.append((page_name(file), query_params))  # type: ignore[arg-type]

    monkeypatch.setattr(palette.st, "switch_page", switch)
    return result


@pytest.mark.parametrize(
    "chosen",
    [
        None,
        "Explore",
        [],
        {"page": None},
        {"page": 7, "query": {}},
        {"page": "Nowhere"},
        {"page": "../app"},
        {"page": "x" * 100_000, "query": {"view": "map"}},
        {"page": {"page": "Explore"}},
        {"query": {"view": "map"}},
    ],
)
def test_a_place_that_is_none_leads_nowhere(chosen: object, led: list[tuple[str, dict[str, str]]]) -> None:
    palette._go(chosen)
    assert not led


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ({"view": "table", "run": MAIN}, {"view": "table", "run": MAIN}),
        ({"text": "my secret", "embed": "true", "__proto__": "x"}, {}),
        (["view", "table"], {}),
        ("view=table", {}),
        (None, {}),
        ({"view": "y" * 100_000}, {"view": "y" * 200}),
        ({"term": {"nested": [1]}}, {"term": "{'nested': [1]}"}),
    ],
)
def test_an_odd_query_leads_to_the_page_with_what_it_may_hold(
    query: object, kept: dict[str, str], led: list[tuple[str, dict[str, str]]]
) -> None:
    palette._go({"page": "Explore", "query": query})
    assert led == [("Explore", kept)]


def test_every_page_can_be_led_to(led: list[tuple[str, dict[str, str]]]) -> None:
    names = [page_name(file) for file in page_files()]
    for name in names:
        palette._go({"page": name, "query": {}})
    assert led == [(name, {}) for name in names]
    assert len(set(names)) == len(names) >= 10


@pytest.mark.parametrize(
    ("name", "view", "key"),
    [
        ("One review", "saliency", "text"),
        ("Explore", "map", ""),
        ("Toy tasks", "live", ""),
        ("Your texts", "word-vectors", ""),
    ],
)
def test_nothing_holds_the_session_of_a_visitor_who_is_gone(page: Page, name: str, view: str, key: str) -> None:
    """Caches and threads are the server's: what they hold of a session would stay as long as it runs."""
    app = page(name, view=view)
    if key:
        app.text_area(key=key).set_value("an awful waste of time").run()
    assert not app.exception
    session = weakref.ref(app.session_state._state)
    del app
    gc.collect()
    assert session() is None
