"""Pairs of a person's own, of the toy language in ``tests/translators.py``, and translators trained on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.commands.cli import main
from tests import translators

KEPT, PLAIN = "kept-pairs", "plain-pairs"
"""A run from Dutch to French (so the files are called) that keeps its pairs, and one of unnamed languages."""
PAIRS = 240


def pairs(count: int = PAIRS) -> list[tuple[str, str]]:
    """Return the first training pairs of the toy language, each once."""
    texts = translators.read("train").texts
    return list(dict.fromkeys(zip(texts["en"], texts["fr"], strict=True)))[:count]


def write_files(folder: Path, some: list[tuple[str, str]] | None = None, stem: str = "toys") -> tuple[Path, Path]:
    """Write pairs into two files, a line each."""
    files = folder / f"{stem}.nl", folder / f"{stem}.fr"
    for at, path in enumerate(files):
        path.write_text("".join(f"{pair[at]}\n" for pair in some or pairs()), encoding="utf-8")
    return files


def write_table(folder: Path, columns: tuple[str, str] = ("left", "right")) -> Path:
    """Write pairs into a table with a column of numbers before them."""
    path = folder / "toys.tsv"
    lines = ["\t".join(("number", *columns)), *(f"{number}\t{one}\t{two}" for number, (one, two) in enumerate(pairs()))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def train(name: str, texts: Path, *more: str) -> int:
    """Train by the command for two epochs, else as it is asked."""
    return main(["train", name, "--texts", str(texts), "--epochs", "2", "--device", "cpu", *more])


def make_runs(folder: Path) -> None:
    """Train both runs in ``folder/runs``; their files stand beside it."""
    source, target = write_files(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder / "runs"))
        assert train(KEPT, source, "--translations", str(target), "--keep-texts") == 0
        table = write_table(folder)
        assert train(PLAIN, table, "--text", "left", "--translations", "right", "--model", "none") == 0
