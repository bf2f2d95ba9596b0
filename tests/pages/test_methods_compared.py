"""The view that compares methods says what the backend measures, and draws the quick ones before the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.analysis.attribution import explain, methods, methods_for
from nlpviz.analysis.attribution.baselines import baselines, like
from nlpviz.analysis.attribution.faithfulness import measure, search
from nlpviz.analysis.attribution.stability import stability
from nlpviz.data.examples import examples
from nlpviz.results.agreement import agreement
from nlpviz.results.explanation import Explanation
from nlpviz.results.faithfulness import Faithfulness
from nlpviz.results.stability import Stability
from nlpviz.runs import open_run
from nlpviz.ui import progress
from nlpviz.ui.attribution import compared
from nlpviz.ui.attribution import stability as stabilities
from nlpviz.ui.attribution.methods import ordered
from tests.pages.conftest import Page, figure, numbers, shown

RUN, VIEW = "imdb-cnn", "methods-compared"
TEXT = examples()[3]


@pytest.fixture(scope="module")
def expected() -> tuple[list[Explanation], Faithfulness]:
    """What the backend says of the text, the methods in the page's order."""
    trained = open_run(RUN).load()
    explained = [explain(trained, TEXT.text, method) for method in ordered(open_run(RUN))]
    explained += [like(explained[0], baseline) for baseline in baselines("imdb")]
    return explained, measure(trained, explained, search(trained, explained[0]))


def test_it_shows_what_was_measured(page: Page, expected: tuple[list[Explanation], Faithfulness]) -> None:
    explained, found = expected
    app = page("One review", view=VIEW, text=TEXT.id)
    order = np.argsort(-found.comprehensiveness, kind="stable")
    drawn = figure(app)["figure"]
    for panel, values in enumerate((found.comprehensiveness, found.sufficiency)):
        np.testing.assert_allclose(
            numbers(drawn["data"][panel]["x"]), found.normalised(values, panel)[order], atol=1e-4
        )
    band = drawn["layout"]["shapes"][0]
    random = found.normalised(found.random_comprehensiveness, 0)
    assert (band["x0"], band["x1"]) == pytest.approx((random.min(), random.max()), abs=1e-4)
    agreed = agreement(explained[:-1])  # "earlier" is the mirror image of "later"
    for position, values in enumerate((agreed.correlation, agreed.overlap), start=1):
        cells = numbers(figure(app, position)["figure"]["data"][0]["z"]).reshape(values.shape)
        np.testing.assert_allclose(cells, values, atol=1e-6)
    words = shown(app).replace("\\", "")
    assert found.methods[order[0]] in methods()
    best = methods()[found.methods[order[0]]].title
    share = found.normalised(found.comprehensiveness, 0)[order[0]]
    assert f"Best here: {best}, {share:.0%} of the way from worst to best order." in words
    first = f"Predicted: {found.target}, {found.removed[0, 0]:.0%}. Orders were compared over "
    assert f"{first}{found.bounds.tokens} tokens in 10 groups of neighbouring words, exhaustive search" in words
    assert f"reach {random.min():.0%} to {random.max():.0%}" in words
    assert f"= **{share:.2f}**." in words
    (table,) = (element.value for element in app.table)
    assert len(table) == len(methods_for(open_run(RUN))) + 3 + 3
    assert "Last words first" in table["Order"].tolist()
    assert table["Insertion"].tolist()[0] == f"{found.insertion[order[0]]:.3f}"
    areas = found.random_deletion
    assert table["Deletion"].tolist()[-1] == f"{areas.min():.3f} to {areas.max():.3f}"


def test_quick_methods_are_drawn_before_the_rest_is_there(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is slow fails here: what was drawn before it stands."""

    def fail(*_: object) -> None:
        raise RuntimeError("too slow")

    monkeypatch.setattr(compared, "_compute", fail)
    app = page("One review", view=VIEW, text=examples()[1].id, run=RUN, epoch="1")
    quick = [method for method in methods_for(open_run(RUN)).values() if method.surveyed]
    assert len(numbers(figure(app)["figure"]["data"][0]["x"])) == len(quick) + 2
    assert not progress.known(("methods compared", RUN, open_run(RUN).fingerprint, 1, examples()[1].text))


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "The text has no words"), ("?", "All orders are equivalent"), ("splendid awful", "Best here: ")],
)
def test_texts_that_give_little(page: Page, text: str, says: str) -> None:
    app = page("One review", view=VIEW)
    app.text_area[0].set_value(text).run()
    assert not app.exception
    assert says in shown(app)
    assert "nan" not in shown(app)


def test_networks_that_have_attention_show_it_among_the_methods(page: Page) -> None:
    app = page("One review", view=VIEW, run="imdb-bigru-attention", text=TEXT.id)
    assert not app.exception
    assert methods()["attention"].title in app.table[0].value["Order"].tolist()


@pytest.mark.ci
def test_stability_is_shown_when_asked(page: Page) -> None:
    app = page("One review", view=VIEW, text=TEXT.id)
    assert "**Sensitivity**" not in shown(app)
    app = app.toggle[0].set_value(True).run()
    assert not app.exception
    trained = open_run(RUN).load()
    explained = [explain(trained, TEXT.text, method) for method in ordered(open_run(RUN))]
    result = stability(trained, explained, open_run(RUN).load(0))
    cells = numbers(figure(app, 3)["figure"]["data"][0]["z"]).reshape(result.correlation.shape)
    np.testing.assert_allclose(cells, result.correlation, atol=1e-6)
    assert stabilities.said(result) in shown(app)


def test_stability_is_told_by_the_methods_at_both_ends() -> None:
    result = Stability(
        RUN, 7, ("saliency", "lime", "shapley"), np.array([0.25, np.nan, 0.031]), 5, 0.0123, ("output layer",),
        np.zeros((3, 1)), 9, 0,
    )  # fmt: skip
    words = stabilities.said(result).replace("\\", "")
    assert "perturbed by up to 0.012, a hundredth" in words
    assert (
        f"least with {methods()['shapley'].title} (3.1%) and most with {methods()['saliency'].title} (25.0%)" in words
    )
    nothing = replace(result, sensitivity=np.full(3, np.nan))
    assert stabilities.said(nothing).startswith("The matrix shows")
