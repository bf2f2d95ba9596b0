"""The map of documents shows the stored coordinates, and what is known of a chosen document."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.projections import projectors
from nlpviz.analysis.projections.texts import embed_text, neighbours_of
from nlpviz.data.examples import examples
from nlpviz.figures.documents.maps import COLORINGS
from nlpviz.results.projection import Projection, displacement
from nlpviz.results.trust import trust_of
from nlpviz.runs import Run, open_run
from nlpviz.runs.documents import documents_of, probabilities_of, projections_of
from nlpviz.runs.sharing import copied
from nlpviz.runs.without_ratings import without_ratings
from nlpviz.ui.documents.placing import disagreement
from tests.pages.conftest import Page, figure, numbers, shown

RUN = open_run("imdb-cnn")
FIRST, BEST = RUN.epochs[0], RUN.best_epoch
BOTH = [str(FIRST), str(BEST)]


def kept(projector: str, dimensions: int, epoch: int, *, alone: bool = False) -> Projection:
    """Return a stored map."""
    wanted = (projector, dimensions, epoch, alone)
    return next(one for one in projections_of(RUN) if (one.projector, one.dimensions, one.epoch, one.alone) == wanted)


def positions(app: AppTest, panel: int = 1) -> dict[str, tuple[float, float]]:
    """Return where a panel of the figure draws each document."""
    axis = "x" if panel == 1 else f"x{panel}"
    return {
        identifier: (x, y)
        for trace in figure(app)["figure"]["data"]
        if trace.get("customdata") and trace.get("xaxis", "x") in (axis, f"x{panel}")
        for identifier, x, y in zip(trace["customdata"], numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }


def marks(app: AppTest, name: str) -> list[dict[str, Any]]:
    """Return the traces of the figure that are called ``name``."""
    return [trace for trace in figure(app)["figure"]["data"] if trace["name"] == name]


def pressed(app: AppTest, label: str) -> AppTest:
    """Press the button of that label, and return the page as it is then."""
    return next(button for button in app.button if button.label == label).click().run()


@pytest.mark.parametrize("dimensions", ["2", "3"])
@pytest.mark.parametrize("projector", sorted(projectors()))
def test_points_are_the_stored_map(page: Page, projector: str, dimensions: str) -> None:
    epoch = RUN.epochs[1]
    app = page("Explore", map=projector, dimensions=dimensions, epoch=str(epoch))
    stored = kept(projector, int(dimensions), epoch)
    traces = [trace for trace in figure(app)["figure"]["data"] if trace.get("customdata")]
    positions = {
        identifier: position
        for trace in traces
        for identifier, *position in zip(trace["customdata"], numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }
    assert set(positions) == set(documents_of(RUN).ids)
    drawn = np.array([positions[identifier] for identifier in documents_of(RUN).ids])
    np.testing.assert_allclose(drawn, stored.coordinates[:, :2], rtol=1e-5)


def test_every_colour(page: Page) -> None:
    app = page("Explore")
    for color, name in COLORINGS.items():
        app.selectbox(key="color").set_value(color).run()
        assert not app.exception, name
        assert f"coloured by {name}" in figure(app)["alt"]


def test_reviews_whose_prediction_depends_on_a_rating_stand_out(page: Page) -> None:
    app = page("Explore", color="masked")
    found = without_ratings(RUN)
    drawn = {
        trace["name"]: list(trace["customdata"]) for trace in figure(app)["figure"]["data"] if trace.get("customdata")
    }
    turned = {identifier for identifier, turned in zip(found.ids, found.turned, strict=True) if turned}
    assert turned
    assert set(drawn["rating masked: different class predicted"]) == turned
    assert not turned & {one for name, ids in drawn.items() if "different class" not in name for one in ids}
    assert f"changes the predicted class of **{len(turned)}**" in shown(app)


def test_a_chosen_document_is_described_and_ringed(page: Page) -> None:
    document = documents_of(RUN).ids[7]
    app = page("Explore", text=document)
    assert f"{documents_of(RUN).ratings[7]} stars" in shown(app)
    assert f"{probabilities_of(RUN, RUN.best_epoch)[7, 1]:.0%} at epoch {RUN.best_epoch}" in shown(app)
    rings = [trace for trace in figure(app)["figure"]["data"] if trace["name"] == "selected"]
    assert all(len(numbers(ring["x"])) == 1 for ring in rings)
    assert [button for button in app.button if "Download" in button.label], "its text is offered, not committed"


def test_a_document_that_is_not_there(page: Page) -> None:
    app = page("Explore", text="test/pos/999999")
    assert not app.exception
    assert "The link sets text to test/pos/999999" in shown(app).replace("\\", "")


def test_the_link_says_what_is_shown(page: Page) -> None:
    app = page("Explore")
    app.selectbox(key="color").set_value("rating").run()
    app.text_input(key="found_document").set_value(documents_of(RUN).ids[0]).run()
    assert app.query_params["color"] == "rating"
    assert app.query_params["text"] == documents_of(RUN).ids[0]
    app.selectbox(key="color").set_value("label").run()
    assert "color" not in app.query_params


def test_a_run_of_an_unknown_corpus(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied(RUN, tmp_path / "runs" / RUN.name)
    replace(Run.open(tmp_path / "runs" / RUN.name), corpus={**RUN.corpus, "name": "nix"}).save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    app = page("Explore", text=documents_of(RUN).ids[0])
    assert not app.exception
    assert [error for error in app.error if "There is no corpus" in error.value]


# ----------------------------------------------------------------------------------------------------- how it is fitted


@pytest.mark.parametrize("projector", sorted(projectors()))
def test_each_epoch_fitted_alone(page: Page, projector: str) -> None:
    app = page("Explore", map=projector, fit="alone", epoch=BOTH)
    drawn = positions(app)
    stored = kept(projector, 2, FIRST, alone=True).coordinates
    np.testing.assert_allclose([drawn[identifier] for identifier in documents_of(RUN).ids], stored, rtol=1e-5)
    assert "Each epoch was fitted independently" in figure(app)["caption"]
    moved = displacement(kept(projector, 2, FIRST, alone=True), kept(projector, 2, BEST, alone=True))
    beside = displacement(kept(projector, 2, FIRST), kept(projector, 2, BEST))
    assert f"moves {moved:.2f} times the map’s spread (with comparable epochs: {beside:.2f})" in shown(app)


def test_comparable_maps_say_how_they_were_made_so(page: Page) -> None:
    caption = figure(page("Explore", map="tsne"))["caption"]
    assert "is initialised with the previous map and aligned to it (Procrustes)" in caption
    assert "perplexity 30, seed 0" in caption


def test_one_map_begins_and_plays_every_epoch(page: Page) -> None:
    app = page("Explore", run=RUN.name)
    assert app.table[0].value["Map"].tolist() == [f"Epoch {BEST} (best)"]
    drawn = figure(app)
    assert drawn["playback"]["frames"][0]["value"] == str(FIRST)
    said = [note["text"] for note in drawn["figure"]["layout"]["annotations"]]
    assert {"<b>negative reviews</b>", "<b>positive reviews</b>"} <= set(said), "they are named where they lie"
    assert drawn["figure"]["layout"]["showlegend"] is False
    assert "trust" in said[0]


def test_numbers_stand_beside_every_map(page: Page) -> None:
    app = page("Explore", epoch=["0", "2", str(BEST)])
    table = app.table[0].value
    assert table["Map"].tolist() == ["Epoch 0 (before training)", "Epoch 2", f"Epoch {BEST} (best)"]
    for row, epoch in enumerate((0, 2, BEST)):
        stored = kept("pca", 2, epoch)
        assert table["Label purity"][row] == f"{stored.purity:.0%}"
        assert table["Silhouette"][row] == f"{stored.silhouette:.2f}"
        trust = trust_of(stored)
        assert table["Trustworthiness"][row] == f"{stored.trustworthiness:.2f}, {trust.verdict}"
        assert table["Baselines: random layout / random vectors"][row] == f"{trust.layout:.2f} / {trust.vectors:.2f}"
    told = f"Trustworthiness of the map: **{trust.value:.2f}**, {trust.verdict} ({trust.compared})"
    assert told in shown(app).replace("\\", "")


def test_numbers_of_all_epochs_are_drawn(page: Page) -> None:
    lines = {trace["name"]: trace for trace in figure(page("Explore"), 1)["figure"]["data"]}
    stored = [kept("pca", 2, epoch) for epoch in RUN.epochs]
    assert numbers(lines["label purity"]["x"]).tolist() == list(RUN.epochs)
    np.testing.assert_allclose(numbers(lines["silhouette"]["y"]), [one.silhouette for one in stored])
    np.testing.assert_allclose(numbers(lines["trustworthiness"]["y"]), [one.trustworthiness for one in stored])


def test_four_panels_stand_in_two_rows(page: Page) -> None:
    layout = figure(page("Explore", epoch=["0", "1", "2", "3"]))["figure"]["layout"]
    domains = [[layout[f"{side}axis{panel}"]["domain"] for side in "xy"] for panel in ("", 2, 3, 4)]
    corners = [(x[0], y[1]) for x, y in domains]
    assert corners[0][0] == corners[2][0] < corners[1][0] == corners[3][0]
    assert corners[0][1] == corners[1][1] > corners[2][1] == corners[3][1]
    assert all(y[0] >= 0 for _, y in domains)


def test_settings_that_no_map_can_have(page: Page) -> None:
    app = page("Explore", map="tsne")
    for address, sentence in (
        ({"perplexity": "9999"}, "The perplexity 9,999 is too large for 2,000 documents: the maximum is 666."),
        ({"perplexity": "0"}, "The perplexity must be a finite number of at least 1, not 0."),
        ({"perplexity": "many"}, "The perplexity 'many' is not a number."),
        ({"perplexity": "100", "sample": "200"}, "too large for 200 documents: the maximum is 66."),
        ({"seed": "-1"}, "The seed must be between 0 and 4,294,967,295, not -1."),
        ({"seed": "9" * 400}, "The seed must be between 0 and 4,294,967,295"),
        ({"seed": "9" * 5000}, "is not a whole number."),
        ({"seed": "<b>"}, "The seed '<b>' is not a whole number."),
        ({"sample": "3"}, "A sample of 3 is too small for a map: the minimum is 40."),
        ({"sample": "2001"}, "A sample of 2,001 is too large for a map: the run stores only 2,000 documents."),
        ({"sample": "1.5"}, "The sample '1.5' is not a whole number."),
    ):
        app.query_params = {"map": "tsne", **address}
        app.run()
        assert not app.exception
        (error,) = [error.value.replace("\\", "") for error in app.error]
        assert sentence in error
        assert set(positions(app)) == set(documents_of(RUN).ids), "the stored map is drawn meanwhile"


# --------------------------------------------------------------------------------------------------- maps that are made


def until_drawn(app: AppTest, seconds: float = 120) -> AppTest:
    """Run the page again, as its fragment does, until the map that was asked for is there."""
    end = monotonic() + seconds
    while app.get("progress") or [info for info in app.info if "not computed yet" in info.value]:
        assert monotonic() < end, shown(app)
        sleep(0.2)
        app.run()
    return app


def test_a_link_to_a_map_that_is_not_computed_offers_to_compute_it(page: Page) -> None:
    link = {"map": "tsne", "perplexity": "12", "seed": "5", "sample": "120", "epoch": ["0", str(BEST)]}
    app = page("Explore", **link)
    assert "This map has not been computed yet" in shown(app)
    assert len(positions(app)) == len(documents_of(RUN).ids)
    app = until_drawn(pressed(app, "Compute this map"))
    assert len(positions(app)) == 120
    assert "perplexity 12, seed 5, a sample of 120" in figure(app)["caption"]
    for name in ("perplexity", "seed", "sample"):
        assert app.query_params[name] in (link[name], [link[name]])
    again = page("Explore", **link)  # another visitor, the same link: it is kept
    assert positions(again) == positions(app)


def test_settings_in_the_popover_are_computed_and_put_back(page: Page) -> None:
    app = page("Explore", sample="90")
    app = until_drawn(pressed(app, "Compute this map"))
    assert len(positions(app)) == 90
    app = pressed(app, "Back to the stored map")
    assert len(positions(app)) == len(documents_of(RUN).ids)
    assert "sample" not in app.query_params


@pytest.mark.usefixtures("busy")
def test_a_map_waits_its_turn_and_can_be_cancelled(page: Page) -> None:
    app = pressed(page("Explore", sample="77"), "Compute this map")
    (bar,) = app.get("progress")
    assert "nother map is being computed (40%); your map is next" in bar.proto.text.replace("\\", "")
    assert "another visitor" not in bar.proto.text, "whose map it is, is nobody's business"
    other = pressed(page("Explore", sample="78"), "Compute this map")
    assert "1 map ahead of yours in the queue" in other.get("progress")[0].proto.text
    for waiting in (other, app):
        after = pressed(waiting, "Cancel")
        assert not after.get("progress")
        assert "This map has not been computed yet" in shown(after)


def test_a_running_map_is_cancelled_and_the_next_is_made(page: Page) -> None:
    app = pressed(page("Explore", map="tsne", seed="7"), "Compute this map")
    job = app.session_state["map_job"]
    end = monotonic() + 60
    while job.share == 0:
        assert monotonic() < end
        sleep(0.02)
    pressed(app, "Cancel")
    while not job.over:
        assert monotonic() < end, "it goes on"
        sleep(0.01)
    assert job.state == "cancelled"
    assert len(positions(until_drawn(pressed(page("Explore", sample="60"), "Compute this map")))) == 60


# ------------------------------------------------------------------------------------------------------- a typed review


@pytest.mark.parametrize("dimensions", ["2", pytest.param("3", marks=pytest.mark.ci)])
@pytest.mark.parametrize("projector", sorted(projectors()))
def test_a_typed_review_is_placed_in_every_panel(page: Page, projector: str, dimensions: str) -> None:
    app = page("Explore", map=projector, dimensions=dimensions, epoch=BOTH)
    assert not marks(app, "your review")
    app.text_area(key="text").set_value("a dreadful, boring, stupid waste of time; avoid it").run()
    stars = marks(app, "your review")
    assert len(stars) == 2
    assert all(len(numbers(star["x"])) == 1 for star in stars)
    told = shown(app).replace("\\", "")
    assert "15 are negative and 0 positive" in told
    assert ("exact" if projectors()[projector].exact else "approximate, because t-SNE cannot place") in told
    assert "dreadful" not in str(dict(app.query_params))
    assert not marks(app.selectbox(key="text_source 1").set_value("none").run(), "your review")


def test_a_warning_where_prediction_and_neighbourhood_disagree_and_only_there(page: Page) -> None:
    trained, labels = RUN.load(), documents_of(RUN).labels
    doubts = {}
    for one in examples():
        point = embed_text(trained, one.text)
        near = labels[neighbours_of(RUN, BEST, point)]
        doubts[one.id] = disagreement(point.probabilities, near, RUN.class_names)
    for said in (True, False):
        example = next(name for name, doubt in doubts.items() if bool(doubt) == said)
        warnings = [warning.value.replace("\\", "") for warning in page("Explore", text=example).warning]
        assert len(warnings) == said
        assert all(warning.startswith(doubts[example]) for warning in warnings)


def test_a_review_without_words_is_no_mark(page: Page) -> None:
    app = page("Explore")
    app.text_area(key="text").set_value("  ").run()
    assert [error for error in app.error if "There are no words to place" in error.value]
    assert not marks(app, "your review")


# --------------------------------------------------------------------------------------------------------- two runs


@pytest.fixture
def sibling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A second run beside the committed one, of another seed, that keeps the first and the chosen epoch alone."""
    for name in (RUN.name, "sibling"):
        copied(RUN, tmp_path / "runs" / name)
    run = Run.open(tmp_path / "runs" / "sibling")
    recipe = {**run.recipe, "fit": {**run.recipe["fit"], "seed": 1}}
    replace(run, title="Sibling", seed=1, epochs=(FIRST, BEST), recipe=recipe).save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return "sibling"


@pytest.mark.parametrize("projector", sorted(projectors()))
def test_another_run_is_turned_onto_the_first(page: Page, sibling: str, projector: str) -> None:
    """The other run has the very same maps, so that turned onto them they lie upon them."""
    app = page("Explore", run=RUN.name, beside=sibling, map=projector, epoch=BOTH)
    assert not app.exception
    assert f"Sibling aligned to {RUN.title} (Procrustes)" in figure(app)["caption"]
    assert app.table[0].value["Map"].tolist() == [
        f"{name}, epoch {epoch}"
        for epoch in (f"{FIRST} (before training)", f"{BEST} (best)")
        for name in (RUN.title, "Sibling")
    ]
    first, beside = positions(app, 1), positions(app, 2)
    spread = kept(projector, 2, BEST).spread
    assert first.keys() == beside.keys()
    np.testing.assert_allclose(list(beside.values()), [first[one] for one in beside], atol=1e-3 * spread)
    said = shown(app).replace("\\", "")
    assert f"original space are the same at {RUN.title}, epoch {BEST} (best) and at Sibling, epoch {BEST}" in said
    assert "These runs differ only in their seed, so do not expect closer agreement between other runs." in said
    alone = shown(page("Explore", run=RUN.name, epoch=BOTH)).replace("\\", "")
    assert "Expect at most about 100%" in alone


def test_two_runs_that_share_more_than_two_seeds_do_not_stand_beside_a_ceiling(page: Page) -> None:
    """Before training the two have the same weights."""
    said = shown(page("Explore", run=RUN.name, beside="imdb-cnn-static", epoch="0")).replace("\\", "")
    assert re.search(r"100% of a review’s .* are the same at .*\(by chance: 0\.8%\)\. .* and share only", said)
    assert "Expect at most" not in said


def test_a_review_is_placed_on_the_maps_of_both_runs(page: Page, sibling: str) -> None:
    app = page("Explore", run=RUN.name, beside=sibling, text=examples()[1].id, epoch=BOTH)
    stars = marks(app, "your review")
    assert len(stars) == 4
    assert numbers(stars[0]["x"])[0] == pytest.approx(numbers(stars[1]["x"])[0], abs=1e-3)


def test_epochs_are_told_in_their_order_however_they_stand(page: Page, sibling: str) -> None:
    """The other run keeps no epoch 2: the first one's stands last and alone."""
    app = page("Explore", run=RUN.name, beside=sibling, epoch=["0", "2", str(BEST)])
    assert app.table[0].value["Map"].tolist()[-1] == f"{RUN.title}, epoch 2"
    said = shown(app).replace("\\", "")
    assert f"From epoch 2 to epoch {BEST}, the average review moves" in said
    assert f"{open_run(sibling).title}: **" in said
    assert f"{RUN.title} epoch 0, 2, {BEST} · Sibling epoch 0, {BEST}" in figure(app)["caption"]
