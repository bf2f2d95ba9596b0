"""One sequence as networks answer it: what is read of them, drawn, and said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection.tape import read_sequence
from nlpviz.commands.cli import main
from nlpviz.data import DataError
from nlpviz.figures.tape.lengths import RunLengths, length_figure
from nlpviz.figures.tape.sequence import sequence_figure, used_cells
from nlpviz.figures.tape.step import STAGES, step_figure, told
from nlpviz.language.decoding.bits import bits_wrong, length_error
from nlpviz.results.tape import READ, WRITE, LengthError, TapeReading
from nlpviz.run_kinds import Request, history, kind_of
from nlpviz.runs import Run
from nlpviz.runs.transducers import load_transducer, read_lengths, task_of
from nlpviz.training import Options, transducer
from nlpviz.training.recipes import recipes
from nlpviz.training.transducer import TransducerSettings, transducer_recipe

NAMES = ("copying-ntm", "copying-lstm")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with both networks, small and hardly trained."""
    root = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transducer, "TRIED", 3)
        train(root)
        patch.setenv("NLPVIZ_TRAINED", str(root))
        yield root


def train(root: Path) -> None:
    for name in NAMES:
        settings: TransducerSettings = recipes()[name].settings
        config = {"units": 8} | ({"cells": 24, "width": 6} if name == "copying-ntm" else {})
        fit = replace(settings.fit, steps=2, epochs=2, batch_size=4)
        small = replace(settings, config=config, fit=fit, kept_epochs=(0,))
        folder = root / name
        folder.mkdir()
        transducer_recipe(name, recipes()[name].title, small).make(folder, Options(device="cpu"))
        (folder / ".state.safetensors").unlink()


@pytest.fixture
def run(trained: Path) -> Run:
    return Run.open(trained / "copying-ntm")


@pytest.fixture
def read(run: Run) -> TapeReading:
    found = read_sequence(run, run.best_epoch, load_transducer(run), 4, 2)
    assert isinstance(found, TapeReading)
    return found


def test_a_run_holds_what_its_kind_says(run: Run) -> None:
    kind = kind_of(run)
    assert set(run.files) - {"frozen.safetensors"} == {"README.md", *kind.files(run)}
    records = history(run)
    best = min(records, key=lambda record: record.validation_loss)
    assert (best.epoch, len(records)) == (run.best_epoch, 3)
    assert run.metrics["test"]["documents"] == run.corpus["test"] == 1_000
    card = run.file("README.md").read_text(encoding="utf-8")
    assert f"| {run.metrics['test']['error']:.2%} |" in card
    (said,) = kind.learnt(run, records)
    assert said.pieces["test"] == run.metrics["test"]["error"]
    assert "ln 2" in kind.reading(run)


def test_what_is_measured_again_is_what_was_measured(run: Run) -> None:
    facts = kind_of(run).evaluate(run, Request({"epoch": None}, "cpu", lambda _: None)).facts
    assert facts["error"] == pytest.approx(run.metrics["test"]["error"])
    stored = {row.length: row for row in read_lengths(run) if row.epoch == run.best_epoch}
    assert facts["lengths"]["20"]["error"] == pytest.approx(stored[20].error, abs=1e-6)


def test_the_epoch_that_is_asked_for_is_measured(trained: Path) -> None:
    other = Run.open(trained / "copying-lstm")
    found = kind_of(other).evaluate(other, Request({"epoch": 0}, "cpu", lambda _: None))
    assert (found.facts["epoch"], other.best_epoch != 0) == (0, True)
    stored = {row.length: row for row in read_lengths(other) if row.epoch == 0}
    assert found.facts["lengths"]["20"]["error"] == pytest.approx(stored[20].error, abs=1e-6)
    assert found.lines[0].startswith(
        f"copying-lstm, epoch 0: {found.facts['error']:.2%} of the bits wrong on 1,000 test"
    )


def test_errors_are_counted_bit_by_bit(run: Run) -> None:
    task, module = task_of(run), load_transducer(run)
    found = length_error(module, task, 1, 3, 7, "validation")
    wrong = bits_wrong(module, task.held_out("validation", 3, 7))
    assert wrong.shape == (7, 3, 8)
    assert found == LengthError(1, 3, 7, pytest.approx(wrong.mean()), pytest.approx((~wrong.any(axis=(1, 2))).mean()))


def test_a_sequence_is_read_step_by_step_as_it_is_answered_at_once(run: Run, read: TapeReading) -> None:
    batch = task_of(run).held_out("test", 4, 3)
    np.testing.assert_array_equal(read.inputs, batch.inputs[-1])
    np.testing.assert_array_equal(read.wrong, bits_wrong(load_transducer(run), batch)[-1])
    np.testing.assert_allclose(read.weights.sum(axis=2), 1, atol=1e-5)
    assert (read.steps, read.asked, read.cells) == (9, 5, 24)
    assert read.tape.shape == (9, 24, 6)
    with pytest.raises(DataError, match="1 to 100 vectors, not 0"):
        read_sequence(run, run.best_epoch, load_transducer(run), 0)


def test_the_sequence_has_all_networks_and_marks_what_is_wrong(trained: Path, read: TapeReading) -> None:
    other = Run.open(trained / "copying-lstm")
    beside = read_sequence(other, other.best_epoch, load_transducer(other), 4, 2)
    titles = {"copying-ntm": "With <tape>", "copying-lstm": "LSTM"}
    view = sequence_figure([read, beside], titles, ("now answer",), 6)
    heats = [trace for trace in view.figure.data if trace.type == "heatmap"]
    assert len(heats) == 5
    np.testing.assert_array_equal(heats[0].z, read.inputs.T)
    np.testing.assert_allclose(heats[1].z[:, 5:], read.answers[5:].T)
    assert np.isnan(heats[1].z[:, :5]).all()
    cells = used_cells(read)
    np.testing.assert_allclose(heats[3].z, read.weights[:, WRITE, cells.start : cells.stop].T)
    np.testing.assert_allclose(heats[4].z, read.weights[:, READ, cells.start : cells.stop].T)
    crosses = [trace for trace in view.figure.data if trace.type == "scatter"]
    assert [len(trace.x) for trace in crosses] == [read.wrong.sum(), beside.wrong.sum()]
    assert heats[0].customdata[0].tolist() == list(range(1, 10))
    assert not any("<tape>" in note.text for note in view.figure.layout.annotations)
    assert len(view.table["step"]) == 9


def test_every_step_can_be_played(read: TapeReading) -> None:
    view = step_figure(read, 3)
    assert view.playback is not None
    assert [frame.value for frame in view.playback.frames] == [str(step) for step in range(1, 10)]
    lines = view.figure.data[:-1]
    cells = used_cells(read)
    for place, (name, _) in enumerate(STAGES):
        for column, head in enumerate((WRITE, READ)):
            shown = getattr(read, name)[2, head, cells.start : cells.stop]
            np.testing.assert_allclose(lines[len(STAGES) * column + place].y, shown)
    np.testing.assert_allclose(view.figure.data[-1].z, read.tape[2, cells.start : cells.stop].T, atol=1e-3)
    packed = view.frames
    assert packed is not None
    assert (packed["verb"], packed["noun"]) == ("Play the steps", "Step")
    assert len(packed["frames"][4]["data"]) == len(view.figure.data)
    assert packed["frames"][4]["data"][-1]["z"]["shape"] == f"6, {len(cells)}"
    assert f"{float(read.gate[2, WRITE]):.0%} content addressing" in told(read, 3, WRITE)


def test_lengths_are_drawn_beside_chance() -> None:
    rows = [LengthError(2, 10, 100, 0.0, 1.0), LengthError(2, 40, 100, 0.25, 0.1)]
    view = length_figure([RunLengths("a", "<b>A", 2, rows)], "vectors", 20, "copying")
    (line,) = view.figure.data
    assert list(line.y) == [0.0, 0.25]
    assert line.name == "&lt;b&gt;A"
    assert "25.0% at 40" in view.alt
    assert "0.0% at 10" not in view.alt, "trained lengths are not what the figure is about"


@pytest.mark.usefixtures("trained")
def test_the_command_shows_a_sequence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tape", "copying-ntm", "--length", "3", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert np.shape(facts["weights"]) == (7, 2, 24)
    assert facts["bits"] == 24
    assert main(["tape", "copying-lstm", "--length", "2", "--epoch", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 5
    assert main(["tape", "copying-lstm", "--length", "2", "--epoch", "0", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert lines[0] == f"copying-lstm, epoch 0: {facts['bits_wrong']} of 16 bits wrong"
    assert [line[:6] for line in lines[1:]] == ["  step", *(f"  {step:>4}" for step in range(1, 6))]
    for arguments, said in (
        (["--length", "0"], "The length of Copying must be 1 to 100 vectors, not 0."),
        (["--epoch", "7"], "has no stored epoch 7"),
    ):
        assert main(["tape", "copying-ntm", *arguments]) != 0
        assert said in capsys.readouterr().err
