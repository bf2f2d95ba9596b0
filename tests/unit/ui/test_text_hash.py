"""Keys and stamps that are made of texts are the same in every process."""

from __future__ import annotations

import ast
from pathlib import Path

from nlpviz.ui.text_hash import text_hash

ROOT = Path(__file__).parents[3]


def test_texts_have_the_same_hash_in_every_process() -> None:
    assert text_hash("a film", "a good film") == "143611aea9e596ac"
    different = [("a", "b"), ("ab",), ("b", "a"), ("a",), ("",), ("\ud800",)]
    assert len({text_hash(*texts) for texts in different}) == len(different)


def test_nothing_that_replicas_share_is_made_of_pythons_own_hash() -> None:
    files = [ROOT / "app.py", *ROOT.glob("pages/**/*.py"), *ROOT.glob("nlpviz/**/*.py")]
    calls = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in files
        if "hash(" in (source := file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hash"
    ]
    assert calls == []
