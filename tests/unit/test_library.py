"""The library reference: every listed function exists and has an example, and all examples run as printed."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")
FUNCTIONS = re.findall(r"^\.\. autofunction:: (\S+)$", PAGE, re.MULTILINE)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.fixture(autouse=True)
def only_committed_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples read the committed runs and no corpus; they write into a folder of their own."""
    for variable in ("NLPVIZ_DATA", "NLPVIZ_TRAINED"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_page_lists_each_function_once() -> None:
    assert 45 <= len(FUNCTIONS) == len(set(FUNCTIONS)) <= 60


def test_every_group_begins_with_a_sentence() -> None:
    groups = re.split(r"^## (?=.)", PAGE, flags=re.MULTILINE)[1:]
    assert groups
    for group in groups:
        _, introduction, *_ = group.split("\n\n")
        assert introduction.endswith("."), group[:80]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_example(name: str) -> None:
    module, function = name.rsplit(".", 1)
    text = inspect.getdoc(getattr(importlib.import_module(module), function))
    assert text
    assert text.startswith(("Return ", "Write ")), text.splitlines()[0]
    assert text.splitlines()[0].endswith(".")
    assert "\nExample:\n" in text
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert any(example.want for example in test.examples)
    assert not any(doctest.SKIP in example.options for example in test.examples)
    report = io.StringIO()
    result = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=report.write)
    assert not result.failed, report.getvalue()


def test_code_at_the_top() -> None:
    code = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    printed = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(code) == len(printed) == 1
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code[0], "library.md", "exec"), {})
    assert output.getvalue() == printed[0]
