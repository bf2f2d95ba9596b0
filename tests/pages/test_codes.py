"""The page of codes on the committed runs: every view says its numbers, and any text is answered in a sentence."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from nlpviz.runs import open_run
from tests.pages.conftest import Page

ANY = ("", "zzz qqq", "<b>goal</b> [x](y) $a$", "目標", "goal " * 20_000)


def said(app: AppTest) -> str:
    """Return all that a page says."""
    assert not app.exception
    return " ".join([*(one.value for one in app.markdown), *(one.value for one in app.info)])


def test_every_view_says_what_the_run_reaches(page: Page) -> None:
    test = open_run("newsgroups-vae-32").metrics["test"]
    other = open_run("newsgroups-lda").metrics["test"]
    for view in ("map", "walk", "code", "topics"):
        words = said(page("Codes", view=view, run="newsgroups-vae-32"))
        assert f"**{test['perplexity']:.0f}**" in words
        assert f"a bound of {other['perplexity']:.0f}" in words
        assert f"{test['active']:.0f} of 32 units active" in words


def test_an_autoencoder_without_a_distribution_has_no_bound(page: Page) -> None:
    words = said(page("Codes", view="code", run="newsgroups-autoencoder"))
    assert "no KL divergence and no perplexity bound" in words
    assert "does not say how sure it is" in words


def test_codes_are_compared_with_bags(page: Page) -> None:
    assert "By their bags" in said(page("Codes", view="map", run="newsgroups-vae-2", epoch=["0", "25"]))


def test_any_text_has_a_code(page: Page) -> None:
    app = page("Codes", view="code", run="newsgroups-vae-2")
    for text in ANY:
        app.text_area(key="text").set_value(text).run()
        words = said(app)
        known = "goal" in text
        assert ("No word of this text is in the vocabulary" in words) != known, text[:40]
        assert ("19,600 more are cut off" in words) is (len(text) > 1_000), text[:40]


def test_a_walk_to_the_same_text_stays_where_it_is(page: Page) -> None:
    app = page("Codes", view="walk", run="newsgroups-vae-2", to="own")
    assert "The second text is empty" in said(app)
    same = app.text_area(key="text").value
    app.text_area(key="second_text").set_value(same).run()
    assert "Both texts have the same code" in said(app)
    app.text_area(key="second_text").set_value("zzz").run()
    assert "No word of your second text is in the vocabulary" in said(app)
    assert "zzz" not in str(app.query_params)


def test_a_document_without_its_corpus_costs_a_sentence(page: Page) -> None:
    app = page(
        "Codes",
        view="walk",
        run="newsgroups-vae-2",
        to=open_run("newsgroups-vae-2").table("documents.parquet", ["id"])["id"][0].as_py(),
    )
    assert "not part of nlpviz" in said(app)


def test_collapse_says_how_many_units_each_remedy_keeps(page: Page) -> None:
    words = said(page("Codes", view="collapse"))
    lost = 32 - open_run("newsgroups-vae-collapsed").metrics["test"]["active"]
    assert f"**{lost:.0f} of 32 units**" in words
    for name in ("annealed", "free-bits", "batch-norm"):
        run = open_run(f"newsgroups-vae-{name}")
        assert f"{run.metrics['test']['active']:.0f} of 32 units are active" in words


def test_a_collapsed_unit_is_called_so(page: Page) -> None:
    words = said(page("Codes", view="topics", run="newsgroups-vae-collapsed", unit="0"))
    assert "Unit 0 is not active" in words
