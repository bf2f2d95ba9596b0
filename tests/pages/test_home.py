"""The Overview: its map plays, its cards show what the runs hold, and what is missing leaves no gap."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.data.examples import examples
from nlpviz.runs import Run, list_runs, open_run
from nlpviz.runs.documents import projections_of
from nlpviz.runs.sharing import copied
from nlpviz.runs.surveys import top_ngrams
from nlpviz.runs.vectors import read_vectors
from nlpviz.ui.attribution import methods
from nlpviz.ui.documents.answers import formation_said
from nlpviz.word_vectors.analogies import solve
from nlpviz.word_vectors.expressions import parse
from tests import kinds as toy_kinds
from tests.pages.conftest import Page, figure, shown

RUN = open_run("imdb-cnn")


def test_the_main_run_plays_all_its_epochs(page: Page) -> None:
    """Other runs keep fewer epochs, even where they are more accurate."""
    app = page("Overview")
    playback = figure(app)["playback"]
    assert [frame["value"] for frame in playback["frames"]] == [str(epoch) for epoch in RUN.epochs]
    assert playback["shown"] == str(RUN.best_epoch)
    assert any(f"{RUN.metrics['test']['accuracy']:.2%}" in table.value.to_string() for table in app.table)


def test_the_axes_hold_every_epoch(page: Page) -> None:
    """What spreads on the map as it plays has spread, and nothing runs out of it."""
    layout = figure(page("Overview"))["figure"]["layout"]
    for one in projections_of(RUN):
        if (one.projector, one.dimensions, one.alone) == ("pca", 2, False):
            for axis, name in enumerate(("xaxis", "yaxis")):
                low, high = layout[name]["range"]
                assert low < one.coordinates[:, axis].min() <= one.coordinates[:, axis].max() < high


def test_how_far_the_classes_separate_is_said(page: Page) -> None:
    first, best = (
        next(
            one
            for one in projections_of(RUN)
            if (one.projector, one.dimensions, one.alone, one.epoch) == ("pca", 2, False, epoch)
        )
        for epoch in (RUN.epochs[0], RUN.best_epoch)
    )
    app = page("Overview")
    assert formation_said(RUN, first, best)[0] in [header.value for header in app.header]
    said = shown(app).replace("\\", "")
    assert f"**{first.purity:.0%}** of a review's {first.neighbours} nearest neighbours share its label" in said
    assert f"at epoch {RUN.best_epoch} **{best.purity:.0%}** do" in said


def test_its_method_and_review_are_those_that_its_link_opens(page: Page) -> None:
    assert methods.named(RUN) in shown(page("Overview"))
    app = page("One review", view="saliency")
    assert app.selectbox(key="run").value == RUN.name
    assert app.selectbox(key="method").value == methods.default(RUN)
    assert app.text_area[0].value == examples()[0].text


def test_the_strongest_ngrams_are_drawn(page: Page) -> None:
    assert "waste" in figure(page("Overview"), 1)["alt"]


def test_the_phrase_that_the_page_promises_is_one_that_the_network_found(page: Page) -> None:
    """It must not be longer than what the filters span."""
    before, found, _ = shown(page("Overview")).replace("\\", "").partition("epoch by epoch")
    assert found
    ngram = before.split('"')[-2]
    against = sorted(top_ngrams(RUN, RUN.best_epoch), key=lambda row: row.total)
    assert ngram in [row.ngram for row in against if row.size == len(ngram.split())][:20]


def test_an_analogy_is_drawn_and_every_run_of_words_is_listed(page: Page) -> None:
    app = page("Overview")
    runs = [run for run in list_runs()[0].values() if run.kind == "word-vectors"]
    best = max(runs, key=lambda run: run.metrics["analogies"]["accuracy"])
    vectors = read_vectors(best)
    one = solve(vectors, parse(vectors, "king - man + woman"), expected="queen")
    said = shown(app)
    assert f"→ nearest word: **{one.neighbours[0].word}**" in said
    assert ("the answer usually quoted" in said) == (one.rank != 1)
    assert one.rank == 1 or f"*queen*, the answer usually quoted, has rank {one.rank}." in said
    assert f"{best.title}, epoch {best.best_epoch}" in shown(app).replace("\\", "")
    (listed,) = [table.value for table in app.table if "Analogies" in table.value]
    assert listed["Model"].tolist()[0] == best.title
    assert len(listed) == len(runs)


def test_a_review_is_shown_by_its_attention_and_a_translation_by_its_alignment(page: Page) -> None:
    app = page("Overview")
    said = shown(app).replace("\\", "")
    assert f"{open_run('imdb-han').title}: **positive**" in said
    assert "*A small black cat sits on a big red car.* becomes *Un petit chat noir" in said
    lines = figure(app, 2)
    assert "multi30k-en-fr-general" in lines["caption"]
    assert "chat" in lines["alt"]


def test_every_sort_of_runs_is_listed(page: Page) -> None:
    app = page("Overview")
    listed = [title for table in app.table for title in table.value["Model"]]
    assert sorted(listed) == sorted(run.title for run in list_runs()[0].values())


# --------------------------------------------------------------------------------- where runs of some kinds are missing


def test_words_alone(toy_page: Page) -> None:
    app = toy_page("Overview")
    assert not app.exception
    assert [header.value for header in app.header] == [
        "Words become vectors that can be added and subtracted",
        "The word vectors, by the analogies that they solve",
    ]
    assert "→ nearest word: **queen**" in shown(app)
    (listed,) = app.table
    assert listed.value["Model"].tolist() == ["Toy skip-gram"] * 2
    assert not app.info
    assert not app.error


def test_a_translator_alone(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = open_run("multi30k-en-fr-general")
    copied(run, tmp_path / run.name)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    app = page("Overview")
    assert not app.exception
    assert [header.value for header in app.header] == [
        "Each translated word attends to the source",
        "The translators, by language",
    ]
    assert [table.value["Model"].tolist() for table in app.table] == [[run.title]]


def headings_of(run: Run, folder: Path, page: Page, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the headings of the Overview where ``run`` is the only one."""
    copied(run, folder / run.name)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    app = page("Overview")
    assert not app.exception
    return [header.value for header in app.header]


def test_a_translator_without_attention_attends_to_nothing(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headings = headings_of(open_run("multi30k-en-fr-none"), tmp_path, page, monkeypatch)
    assert headings == ["A network translates", "The translators, by language"]


def test_a_network_without_regions_looks_for_no_ngrams(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headings = headings_of(open_run("imdb-han"), tmp_path, page, monkeypatch)
    assert "Attention weighs words" in headings
    assert not [heading for heading in headings if "n-grams" in heading]


def test_an_added_kind_alone(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "trained"
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    with toy_kinds.discovered(tmp_path / "modules"):
        toy_kinds.make_runs(folder)
        app = page("Overview")
        assert not app.exception
        assert [header.value for header in app.header] == [
            "Words are predicted from those before them",
            "Every word gets a tag",
        ]
        assert [table.value["Model"].tolist() for table in app.table] == [["Toy bigrams"], ["Toy tags"]]
    app = page("Overview")
    assert not app.exception
    assert "which this version does not know" in shown(app), "their kinds are forgotten"
    assert "There is no trained run yet: `python -m nlpviz train imdb-cnn` makes one." in shown(app)
    assert not app.header


def test_the_network_of_the_subtitle_finds_what_it_says() -> None:
    """Before training the n-gram says nothing; at the best epoch it speaks against the review, in hundreds of them."""
    before, best = (
        next(one for one in top_ngrams(RUN, epoch) if one.ngram == "waste of time") for epoch in (0, RUN.best_epoch)
    )
    assert abs(before.contribution) < 0.01
    assert best.contribution < -0.2
    assert best.support > 300
    assert best.precision > 0.9
