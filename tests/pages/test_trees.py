"""The page of trees on a committed run: edits compose anew, typed sentences are bracketed or not, bad input is told."""

from __future__ import annotations

import pytest

from nlpviz.data.bracketed import SENTENCES
from nlpviz.figures.numbers import number
from nlpviz.results.tree_cases import NEGATION, change
from nlpviz.runs import open_run
from nlpviz.runs.tree_cases import cases_of
from nlpviz.runs.trees import load_trees
from nlpviz.text.tree_edits import negate
from nlpviz.text.trees import parse
from tests.pages import conftest as pages
from tests.pages.conftest import Page, figure, shown

RUN = "sst-rntn"


def plain(app: pages.AppTest) -> str:
    return shown(app).replace("\\", "")


def test_an_edit_composes_the_sentence_anew_and_can_be_taken_back(page: Page) -> None:
    app = page("Trees", run=RUN)
    tree, trained = parse(SENTENCES[0].text), load_trees(open_run(RUN))
    before = trained.answer(tree)
    assert f"expected class {number(float(before.sentiment[-1]))}" in plain(app)
    assert "The tree of" in figure(app)["alt"]
    app.selectbox(key="phrase").set_value(str(tree.root - 1)).run()
    app.button(key="tree_negate").click().run()
    after = trained.answer(negate(tree, tree.root - 1))
    moved = number(float(after.sentiment[-1] - before.sentiment[-1]))
    assert f"expected class {number(float(after.sentiment[-1]))} ({moved} by your edit)" in plain(app)
    assert app.query_params["edits"] == f"negate-{tree.root - 1}"
    assert "negated" in plain(app)
    app.button[[one.label for one in app.button].index("Undo")].click().run()
    assert "edits" not in app.query_params
    assert f"expected class {number(float(before.sentiment[-1]))}" in plain(app)


def test_a_link_holds_the_edits_and_names_those_that_cannot_be(page: Page) -> None:
    app = page("Trees", run=RUN, sentence="scope", edits="swap-12.join-next-99.negate-1")
    assert "“not boring and predictable , just slow” swapped" in plain(app)
    assert any("join" in one.value and "does not allow" in one.value for one in app.warning)
    assert app.query_params["edits"] == "swap-12"


def test_several_epochs_stand_side_by_side(page: Page) -> None:
    epochs = open_run(RUN).epochs
    app = page("Trees", run=RUN, epoch=[str(epoch) for epoch in epochs])
    assert len(epochs) >= 3
    for place, epoch in enumerate(epochs):
        assert f"epoch {epoch}:" in figure(app, place)["alt"]
        assert str(epoch) in app.dataframe[0].value["Epoch"].tolist()
    assert f"epoch {epochs[-1]}: **" in plain(app)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("((not bad)", "Unclosed brackets"),
        ("", "no word"),
        ("x" * 10_000, "out of vocabulary"),
        ("good", "expected class"),
        ("word " * 2_000, "A tree can have at most"),
        ("<b>not</b> [bad](x) $1$", "right-branching tree"),
    ],
)
def test_whatever_is_typed_is_answered(page: Page, typed: str, said: str) -> None:
    app = page("Trees", run=RUN)
    app.text_area[0].set_value(typed).run()
    told = plain(app) + " ".join(one.value for one in (*app.error, *app.info, *app.warning)).replace("\\", "")
    assert said in told
    assert not app.exception
    assert "sentence" not in app.query_params or app.query_params["sentence"] == "own"


def test_brackets_that_are_typed_are_kept(page: Page) -> None:
    app = page("Trees", run=RUN)
    app.text_area[0].set_value("((not very) good)").run()
    assert not any("parser" in one.value for one in app.info)
    app.text_area[0].set_value("not very good").run()
    assert any("nlpviz has no parser" in one.value for one in app.info)


def test_negation_is_told_with_its_numbers(page: Page) -> None:
    app = page("Trees", view="negation-and-contrast")
    best = max(
        (open_run(name) for name in ("sst-rntn", "sst-tree-lstm")), key=lambda run: run.metrics["test"]["roots_fine"]
    )
    praise = change(cases_of(best, NEGATION), positive=True)
    assert f"Negating praise shifts {best.title} by {number(praise.by_network)} classes" in plain(app)
    assert "under negation" in figure(app)["alt"]
    assert "X, Y and the whole" in figure(app, 1)["alt"]
    assert f"lowers the expected class for {praise.turned.right} of {praise.phrases} positive phrases" in plain(app)
    assert len(app.dataframe[2].value) > 50


def test_accuracy_is_never_of_all_nodes(page: Page) -> None:
    app = page("Trees", view="accuracy")
    assert set(app.dataframe[0].value["Nodes"]) == {"roots", "inner nodes", "non-neutral nodes"}
    assert "by length" in figure(app)["alt"]
    app.selectbox(key="classes").set_value("binary").run()
    assert app.query_params["classes"] == "binary"
    assert not app.exception
