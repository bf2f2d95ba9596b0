"""What stands in a snippet is a literal that Python reads back as it was; nothing else can stand there."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from nlpviz.figures.snippets import Literal, written


@pytest.mark.parametrize(
    "value",
    ["", 'it\'s "so"', "a\nb\\", "$other {x} '''", "\u2028\ud800", 7, -0.5, None, True, [("run", 1)], ("a",), [], ()],
    ids=repr,
)
def test_a_value_is_read_back_as_it_was(value: Literal) -> None:
    code = written("x = $value\ny = $other", value=value, other="$value")
    first, second = ast.parse(code).body
    assert isinstance(first, ast.Assign)
    assert isinstance(second, ast.Assign)
    assert ast.literal_eval(first.value) == value
    assert ast.literal_eval(second.value) == "$value"


@pytest.mark.parametrize(
    "value", [np.float32(1), np.str_("a"), object(), {"a": 1}, [np.int64(1)], type("T", (str,), {})("a")]
)
def test_what_has_no_literal_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="has no literal in a snippet"):
        written("x = $value", value=value)  # type: ignore[arg-type]
