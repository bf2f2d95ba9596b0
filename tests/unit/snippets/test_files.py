"""A snippet runs from a file in any folder, and writes the figure that its page draws."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nlpviz.figures.snippets import words
from nlpviz.run_kinds.drawn.curves import learning_curves
from nlpviz.runs import open_run
from nlpviz.ui.calls import Call
from nlpviz.ui.code import python


@pytest.mark.parametrize(
    ("code", "figure"),
    [
        (words.neighbours(("imdb-skipgram", 5), "input", "film", 5, None), "neighbours-film-*.html"),
        (words.similarities([("imdb-skipgram", 5)], ["film", "movie", "plot"]), "*.html"),
        (python(Call(learning_curves, open_run("imdb-cnn"), None)).code, "*.html"),
    ],
    ids=["neighbours", "similarity", "curves"],
)
def test_a_snippet_runs_from_a_file(code: str, figure: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    (tmp_path / "code.py").write_text(code, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(pytestconfig.rootpath)}  # in .venv a path file says the same
    done = subprocess.run(
        [sys.executable, "code.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.glob(figure)
    assert str(file) in done.stdout
    assert "<figure " in file.read_text(encoding="utf-8")


def test_a_snippet_begins_by_saying_how_it_is_run() -> None:
    assert words.accuracy_by_section("run", "3CosAdd").startswith("# Save this as a file in any folder")
