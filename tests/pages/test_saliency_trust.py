"""What the saliency page says of how far to trust a picture: a verdict that is the number, and the randomisation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.attribution import explain, methods, methods_for
from nlpviz.analysis.attribution.baselines import baselines, like
from nlpviz.analysis.attribution.deletion import deletion_curve
from nlpviz.analysis.attribution.randomisation import randomisation, randomised, scores_at
from nlpviz.data.examples import examples
from nlpviz.figures.numbers import number
from nlpviz.results.agreement import agreement
from nlpviz.results.position_bins import fifths
from nlpviz.runs import Run, open_run
from nlpviz.runs.deletions import DELETION, deletion_survey
from nlpviz.runs.sharing import copied
from nlpviz.ui.attribution import methods as chosen
from nlpviz.ui.attribution import verdict
from nlpviz.ui.attribution.randomisation import said
from tests.pages.conftest import Page, figure, numbers, shown

RUN = "imdb-cnn"
UNSIGNED = [name for name, method in methods().items() if not method.signed]


@pytest.mark.parametrize("method", sorted(methods_for(open_run(RUN))))
@pytest.mark.parametrize("example", [pytest.param(0, marks=pytest.mark.ci), 3])
def test_a_verdict_stands_beside_the_curve(page: Page, method: str, example: int) -> None:
    words = shown(page("One review", method=method, text=examples()[example].id, trust="open"))
    trained = open_run(RUN).load()
    curve = deletion_curve(trained, explain(trained, examples()[example].text, method, target=1))
    assert verdict.here(curve) in words
    survey = deletion_survey(open_run(RUN))
    assert survey is not None
    if methods()[method].surveyed:
        assert verdict.in_general(survey, method, "review") in words
    else:
        assert f"is not among the {len(survey.methods)} methods measured on test reviews" in words
    assert (verdict.HANDICAP in words) == (method in UNSIGNED)


def test_each_checkpoint_has_its_own_verdict(page: Page) -> None:
    epochs = [str(epoch) for epoch in open_run(RUN).epochs[:2]]
    app = page("One review", epoch=epochs, method="gradient-input", trust="open")
    rows = app.table[0].value
    for epoch, row in zip(epochs, rows["Verdict"], strict=True):
        trained = open_run(RUN).load(int(epoch))
        curve = deletion_curve(trained, explain(trained, examples()[0].text, "gradient-input", 1))
        assert row == verdict.judgement(curve)


def test_a_run_that_was_not_measured_has_a_verdict_of_this_text_alone(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(open_run(RUN), tmp_path / "runs" / RUN)
    (tmp_path / "runs" / RUN / DELETION).unlink()
    run = Run.open(tmp_path / "runs" / RUN).save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    words = shown(page("One review", trust="open"))
    assert "random orders here" in words
    assert "**Test reviews.**" not in words
    assert chosen.ordered(run)[0] == "gradient-input"
    assert set(chosen.ordered(run)) == set(methods_for(run))
    assert "ranks first" not in words


@pytest.mark.parametrize("name", ["imdb-cnn", "imdb-han", "imdb-transformer"])
def test_the_method_to_begin_with_ranks_first_with_its_number(name: str) -> None:
    run = open_run(name)
    survey = deletion_survey(run)
    assert survey is not None
    first, *others = chosen.ordered(run)
    assert set(chosen.ordered(run)) == set(methods_for(run))
    assert all(survey.of(first).mean >= survey.of(other).mean for other in others if other in survey.methods)
    assert chosen.default(run) == first
    sentence = verdict.in_general(survey, first, "review")
    assert f"Mean AOPC over 300 test reviews at epoch {run.best_epoch}: **{survey.of(first).mean:.3f}**" in sentence
    assert f"random orders {survey.at_random.mean:.3f} " in sentence
    assert f"ranks first of {len(survey.methods)} methods" in sentence


@pytest.mark.parametrize("method", ["saliency", "integrated-gradients"])
def test_layers_are_drawn_anew_when_asked(page: Page, method: str) -> None:
    app = page("One review", method=method, text=examples()[3].id, trust="open")
    assert "Parameter randomisation" not in shown(app)
    app.toggle(key="randomise").set_value(True).run()
    assert not app.exception
    trained = open_run(RUN).load()
    explained, stages = explain(trained, examples()[3].text, method, 1), randomised(trained)
    result = randomisation(explained, [one.layer for one in stages], [scores_at(one, explained) for one in stages])
    drawn = figure(app, 2)
    np.testing.assert_allclose(numbers(drawn["figure"]["data"][0]["x"]), [1, *result.scores], atol=1e-6)
    assert len(drawn["figure"]["data"]) == 1 + methods()[method].signed
    assert said(result) in shown(app)
    assert "seed 0" in drawn["caption"]


@pytest.mark.parametrize("text", ["", "?", "qqzzx"], ids=ascii)
def test_a_text_without_an_order_is_not_judged(page: Page, text: str) -> None:
    app = page("One review", trust="open")
    app.text_area[0].set_value(text).run()
    if text:
        app.toggle(key="randomise").set_value(True).run()
        assert "There are too few distinct scores" in shown(app)
        assert "Better than" not in shown(app)
    assert not app.exception


def test_a_word_list_and_position_stand_beside_an_explanation(page: Page) -> None:
    text = examples()[3]
    app = page("One review", method="gradient-input", text=text.id, run=RUN, trust="open")
    trained = open_run(RUN).load()
    explained = explain(trained, text.text, "gradient-input", target=1)
    ratios, later, _ = (like(explained, baseline) for baseline in baselines("imdb"))
    words = shown(app).replace("\\", "")
    for title, other in (("Log-count ratio", ratios), ("Last words first", later)):
        assert f"{title} **{number(agreement([explained, other]).correlation[0, 1])}**" in words
    curve = deletion_curve(trained, ratios)
    assert f"AOPC: Log-count ratio {number(curve.aopc, '.3f', signed=False)}" in words
    parted = fifths(explained, ratios)
    assert f"the mean correlation is **{number(parted.within)}**" in words
    np.testing.assert_allclose(numbers(figure(app, 2)["figure"]["data"][0]["y"]), parted.share, atol=1e-6)
