"""A sitting, with a thousandth of every corpus: packed, fitted by four processes, bundled, finished, listed, opened.

One recipe of each corpus and architecture, and what it needs: that the others' settings work, their runs show. The time
of every second one is over after the first of its two epochs, and the process of one is killed as often as it is begun.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nlpviz.commands import unpack as command
from nlpviz.commands.all_runs import committed
from nlpviz.commands.cli import main
from nlpviz.commands.unpack import finish
from nlpviz.data import CorpusMissing, corpora
from nlpviz.run_kinds import history, kind_of
from nlpviz.runs import Run
from nlpviz.runs.language import NGRAMS
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.training.bundling import BUNDLE_PART
from nlpviz.training.packing import PACK_PART
from tests.pages.conftest import faults, opened

ROOT = Path(__file__).resolve().parents[2]
KILLED = "imdb-lm"
"""Another run begins with it."""
OPENED = (("Models", "training"), ("One review", "saliency"), ("Language models", "surprisal"), ("Words", "neighbours"))


def rehearsed() -> list[str]:
    """Return the recipes that are tried, of those whose corpora are on this machine."""
    there: dict[tuple[str, ...], str] = {}
    labelled = dict.fromkeys(("imdb", "newsgroups"), "train")
    running = dict.fromkeys(("wikitext2", "tinyshakespeare"), "test")
    of_corpus = {"multi30k": "val", "sst": "dev"} | labelled | running
    for recipe in committed():
        split = of_corpus.get(recipe.corpus, "all")
        try:
            if not corpora()[recipe.corpus].drawn:
                corpora()[recipe.corpus].read(split)
            corpora()["analogies"].read("all")
        except CorpusMissing:
            continue
        named = (getattr(recipe.settings, field, "") for field in ("architecture", "model"))
        there.setdefault((recipe.corpus, *named), recipe.name)
    return list(there.values())


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_recipes_on_a_small_part_of_their_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = rehearsed()
    if not names:
        pytest.skip("no corpus of a committed run is on this machine")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "trained"))
    here, there = tmp_path / "here", tmp_path / "there"
    assert main(["pack", str(there), *names, "--share", "0.001"]) == 0
    assert all(part.stat().st_size <= PACK_PART for part in there.glob("pack-*.zip"))
    packed = [recipe for recipe in committed() if recipe.name in names and recipe.stages is not None]
    ended, killed = {recipe.name: 1 for recipe in packed[::2] if recipe.name != KILLED}, KILLED in names
    train = [sys.executable, "-m", "tests.bare_machine", "train", "--all", "--packed", str(there), "--epochs", "2"]
    nowhere = dict.fromkeys(("NLPVIZ_DATA", "NLPVIZ_CACHE", "NLPVIZ_TRAINED"), "nowhere")
    fitted = subprocess.run(
        [*train, "--device", "cpu", "--processes", "4"],
        cwd=ROOT,
        env=os.environ | nowhere | {"ENDS": json.dumps(ended), "KILLED": KILLED},
        capture_output=True,
        text=True,
        timeout=3_000,
        check=False,
    )
    assert fitted.returncode == 0, fitted.stdout + fitted.stderr
    assert not killed or f"{KILLED} resumed on" in fitted.stderr
    bundles = list(there.glob("bundle-*.zip"))
    assert all(part.stat().st_size <= BUNDLE_PART for part in bundles)
    here.mkdir()
    for part in bundles:
        part.rename(here / part.name)
    # Maps and surveys take minutes, and are what they are after any training: those of one run are enough.
    monkeypatch.setattr(command, "finish", lambda run: finish(run) if run.name == "imdb-cnn" else None)
    capsys.readouterr()
    assert main(["unpack", str(here), "--device", "cpu"]) == 0
    said = capsys.readouterr().out
    seconds, stopped = 0.0, 0
    for recipe in packed:
        run = Run.open(here / "rehearsed" / recipe.name)
        assert run.title == recipe.title
        assert run.corpus["sha256"] == corpora()[recipe.corpus].sha256[0]
        assert run.device.startswith("cpu")
        assert {"README.md", HISTORY if run.epochs else NGRAMS} <= run.files.keys()
        assert (VOCABULARY in run.files) == (VOCABULARY in kind_of(run).files(run))
        assert run.metrics.keys() & {"test", "translation"} or run.kind == "word-vectors"
        assert all(run.file(name).exists() for name in run.files)
        assert f"{recipe.name} " in said
        seconds += run.seconds
        cut = recipe.name in {*ended, KILLED} and [record.epoch for record in history(run)] == [0, 1]
        assert run.recipe.get("stopped") == ({"after": 1, "of": 2} if cut else None)
        stopped += cut
    assert seconds > 0, "a small part of some corpora is read in less than a tenth of a second, but not of all"
    assert stopped >= len(ended) // 2
    assert not (tmp_path / "trained").exists(), "a rehearsal replaces no run"
    monkeypatch.setenv("NLPVIZ_TRAINED", str(here / "rehearsed"))
    assert main(["runs"]) == 0
    listed = capsys.readouterr().out
    assert all(recipe.name in listed for recipe in packed)
    for page, view in OPENED:
        assert not faults(opened(page, view=view)), page
