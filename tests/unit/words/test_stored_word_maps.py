"""Maps of words that a run keeps: written by a command, read back, found for the words and settings they are of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.projections.stored_words import COUNTS, keeps_maps, maps_are_kept, project_words, stored_maps
from nlpviz.analysis.projections.words import WordMapSettings, common_words, word_maps
from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run, RunError, list_runs
from nlpviz.runs.budget import MIB
from nlpviz.runs.documents import MAPS
from nlpviz.runs.vectors import KIND, read_vectors
from nlpviz.runs.word_maps import word_maps_of, write_word_maps
from tests.unit.conftest import Printed
from tests.words import write_toy_run

TSNE = WordMapSettings("tsne", 2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a toy run of 36 words, of which 33 are mapped."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    return write_toy_run(tmp_path).folder


def test_the_command_writes_what_is_read_back(folder: Path, printed: Printed) -> None:
    before = Run.open(folder)
    assert not word_maps_of(before)
    facts = printed.json("project", before.name, "--seed", "3")
    run = Run.open(folder)
    expected = project_words(run, 3)
    assert [(fact["dimensions"], fact["epoch"], fact["words"]) for fact in facts["maps"]] == [
        (size, epoch, 33) for size in (2, 3) for epoch in run.epochs
    ]
    for one, kept in zip(expected, word_maps_of(run), strict=True):
        np.testing.assert_allclose(kept.coordinates, one.coordinates, rtol=1e-3)
        assert replace(kept, coordinates=one.coordinates) == replace(one, coordinates=one.coordinates)
        assert kept.seed == 3
    assert run.files[MAPS]


def test_maps_are_those_that_would_be_computed(folder: Path) -> None:
    run = Run.open(folder)
    run = write_word_maps(run, project_words(run))
    spaces = [read_vectors(run, epoch) for epoch in run.epochs]
    words = common_words(spaces, 2000)
    for size in (2, 3):
        settings = WordMapSettings("tsne", size, reference=2)
        stored = stored_maps(run, words, settings)
        assert stored is not None
        for kept, one in zip(stored, word_maps(spaces, run.epochs, words, settings), strict=True):
            np.testing.assert_allclose(kept.coordinates, one.coordinates, rtol=1e-3)
            assert (kept.words, kept.epoch, kept.source) == (one.words, one.epoch, one.source)
            assert kept.trustworthiness == one.trustworthiness


def test_other_maps_are_not_taken_for_them(folder: Path) -> None:
    run = Run.open(folder)
    words = common_words([read_vectors(run)], 2000)
    assert stored_maps(run, words, TSNE) is None
    assert not keeps_maps(run, "tsne")
    run = write_word_maps(run, project_words(run))
    assert stored_maps(run, words, TSNE) is not None
    assert stored_maps(run, words, replace(TSNE, perplexity=30.0)) is not None
    assert stored_maps(run, words[:-1], TSNE) is None
    assert stored_maps(run, words[::-1], TSNE) is None
    for other in (replace(TSNE, seed=1), replace(TSNE, perplexity=5.0), WordMapSettings("pca", 2)):
        assert stored_maps(run, words, other) is None
    assert keeps_maps(run, "tsne")
    assert not keeps_maps(run, "pca")


def test_shorter_lists_are_the_first_words_of_the_longest(folder: Path) -> None:
    run = Run.open(folder)
    spaces = [read_vectors(run, epoch) for epoch in run.epochs]
    longest, shorter = (word_maps(spaces, run.epochs, common_words(spaces, count), TSNE) for count in (30, 20))
    kept = word_maps_of(write_word_maps(run, [*shorter, *longest]))
    assert [len(one.words) for one in kept] == [20] * 3 + [30] * 3
    assert all(np.isfinite(one.coordinates).all() for one in kept)


def test_a_damaged_file_is_said(folder: Path) -> None:
    run = Run.open(folder)
    run = write_word_maps(run, project_words(run))
    with (folder / MAPS).open("ab") as stream:
        stream.write(b"more")
    with pytest.raises(RunError, match="is damaged"):
        word_maps_of(Run.open(folder))


def test_of_a_handful_of_words_no_map_is_kept() -> None:
    assert not maps_are_kept(12)
    assert maps_are_kept(36)
    assert maps_are_kept(30_000)


@pytest.mark.usefixtures("folder")
def test_settings_of_maps_of_documents_are_refused(printed: Printed) -> None:
    assert "`project toy-words` accepts only --seed" in printed.refused("project", "toy-words", "--method", "pca")


@pytest.mark.parametrize("run", [run for run in list_runs()[0].values() if run.kind == KIND], ids=lambda run: run.name)
def test_committed_runs_open_with_a_map_of_two_thousand_words(run: Run) -> None:
    spaces = [read_vectors(run, epoch) for epoch in run.epochs]
    for count in COUNTS:
        words = common_words(spaces, count)
        assert len(words) == count
        for size in (2, 3):
            stored = stored_maps(run, words, WordMapSettings("tsne", size))
            assert stored is not None
            assert [one.epoch for one in stored] == list(run.epochs)
            assert all(one.perplexity == 30 and one.seed == 0 for one in stored)
    assert COUNTS[0] >= 2000
    assert (run.folder / MAPS).stat().st_size < MIB
    assert MAPS in kind_of(run).files(run)
