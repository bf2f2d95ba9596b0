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


def table(app: AppTest, title: str) -> dict[str, str]:
    """Return the measures and values of the table whose first column begins with ``title``."""
    frames = [one.value for one in app.table if str(one.value.columns[0]).replace("\\", "").startswith(title)]
    return dict(zip(frames[0].iloc[:, 0], frames[0].iloc[:, 1], strict=True))


def test_every_view_says_what_the_run_reaches(page: Page) -> None:
    test = open_run("newsgroups-vae-32").metrics["test"]
    other = open_run("newsgroups-lda").metrics["test"]
    for view in ("map", "walk", "code", "topics"):
        reached = table(page("Autoencoders", view=view, run="newsgroups-vae-32"), "32-unit VAE on 20 Newsgroups")
        assert reached["Perplexity bound"] == f"{test['perplexity']:.0f}"
        assert f"{other['perplexity']:.0f}" in [bound for name, bound in reached.items() if "LDA" in name]
        assert reached["Active units"] == f"{test['active']:.0f} of 32"


def test_an_autoencoder_without_a_distribution_has_no_bound(page: Page) -> None:
    app = page("Autoencoders", view="code", run="newsgroups-autoencoder")
    reached = table(app, "32-unit autoencoder on 20 Newsgroups")
    assert reached["KL divergence and perplexity bound"] == "none, because the code is not a distribution"
    assert "does not estimate its uncertainty" in said(app)


def test_codes_are_compared_with_bags(page: Page) -> None:
    assert " by bag of words." in said(page("Autoencoders", view="map", run="newsgroups-vae-2", epoch=["0", "25"]))


def test_any_text_has_a_code(page: Page) -> None:
    app = page("Autoencoders", view="code", run="newsgroups-vae-2")
    for text in ANY:
        app.text_area(key="text").set_value(text).run()
        words = said(app)
        known = "goal" in text
        assert ("This text contains no vocabulary words" in words) != known, text[:40]
        cut = table(app, "Measure")["Truncated tokens"]
        assert cut == ("19,600" if len(text) > 1_000 else "0"), text[:40]


def test_a_walk_to_the_same_text_stays_where_it_is(page: Page) -> None:
    app = page("Autoencoders", view="walk", run="newsgroups-vae-2", to="own")
    assert "The second text is empty" in said(app)
    same = app.text_area(key="text").value
    app.text_area(key="second_text").set_value(same).run()
    assert "Both texts have the same code" in said(app)
    app.text_area(key="second_text").set_value("zzz").run()
    assert "For your second text, which contains no vocabulary words" in said(app)
    assert "zzz" not in str(app.query_params)


def test_a_document_without_its_corpus_costs_a_sentence(page: Page) -> None:
    app = page(
        "Autoencoders",
        view="walk",
        run="newsgroups-vae-2",
        to=open_run("newsgroups-vae-2").table("documents.parquet", ["id"])["id"][0].as_py(),
    )
    assert "nlpviz does not include" in said(app)


def test_collapse_says_how_many_units_each_remedy_keeps(page: Page) -> None:
    app = page("Autoencoders", view="collapse")
    words = said(app)
    lost = 32 - open_run("newsgroups-vae-collapsed").metrics["test"]["active"]
    assert f"Without a remedy, {lost:.0f} of 32 units collapse; with " in words
    active = app.table[0].value["Active units"].tolist()
    for name in ("annealed", "free-bits", "batch-norm"):
        assert f"{open_run(f'newsgroups-vae-{name}').metrics['test']['active']:.0f} of 32" in active


def test_a_collapsed_unit_is_called_so(page: Page) -> None:
    words = said(page("Autoencoders", view="topics", run="newsgroups-vae-collapsed", unit="0"))
    assert "Unit 0 is not active" in words
