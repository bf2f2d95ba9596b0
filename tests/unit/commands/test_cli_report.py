"""The command ``report``."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.commands.cli import main
from nlpviz.runs import open_run
from tests.unit.conftest import Printed


@pytest.mark.usefixtures("trained")
def test_report_draws_what_a_run_keeps(tmp_path: Path, printed: Printed) -> None:
    run = open_run("toy-cnn")
    assert "opens in any browser without an internet connection" in printed(
        "report", "toy-cnn", "--html", str(tmp_path / "a.html")
    )
    html = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert f"<h1>{run.title}</h1>" in html
    for heading in ("Training setup", "Learning curves", "Test documents before and after training"):
        assert f"<h2>{heading}</h2>" in html
    assert "Accuracy on the same test documents" not in html, "one run is compared with none"
    assert html.count("<figure ") >= 2
    assert run.fingerprint in html
    assert f"{run.parameter_count:,}" in html


@pytest.mark.usefixtures("trained")
def test_two_runs_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed) -> None:
    monkeypatch.chdir(tmp_path)
    printed("report", "toy-cnn", "--beside", "toy-ngrams")
    html = (tmp_path / "toy-cnn-toy-ngrams.html").read_text(encoding="utf-8")
    assert all(open_run(name).title in html for name in ("toy-cnn", "toy-ngrams"))
    assert html.count('<th scope="row">fingerprint</th>') == 2


@pytest.mark.usefixtures("trained")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("no-run",), "There is no run 'no-run'; available"),
        (("toy-cnn", "--beside", "no-run"), "There is no run 'no-run'; available"),
        (("toy-cnn", "--html", "there.html"), "already exists, or its folder does not"),
        (("toy-cnn", "--html", "nowhere/a.html"), "already exists, or its folder does not"),
    ],
)
def test_what_cannot_be_written_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.html").write_text("kept", encoding="utf-8")
    assert main(["report", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert (tmp_path / "there.html").read_text(encoding="utf-8") == "kept"
