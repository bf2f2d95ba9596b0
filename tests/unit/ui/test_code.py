"""The code under a figure: what is written is what was called."""

from __future__ import annotations

import os
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.typing import NDArray

from nlpviz.figures.view import FigureView
from nlpviz.figures.words.neighbours import Scale, neighbour_bars
from nlpviz.language.logit_difference import ask
from nlpviz.language.sampling import Sampling
from nlpviz.results.confusion import Confusion
from nlpviz.runs import Run, open_run
from nlpviz.runs.vectors import read_vectors
from nlpviz.ui.calls import Call
from nlpviz.ui.code import python
from nlpviz.word_vectors.neighbours import neighbours


class Shade(Enum):
    LIGHT = "light"


def drawn(values: Any, **more: Any) -> FigureView:
    """Return a figure whose table holds what it was given."""
    table = {"value": list(np.ravel(values)), **{name: [value] * np.size(values) for name, value in more.items()}}
    return FigureView(figure=go.Figure(), alt="values", table=table, caption="test", name="values")


def doubled(values: list[float]) -> NDArray[np.float64]:
    """Return twice the values."""
    return 2 * np.asarray(values)


def total(values: NDArray[np.float64], *, start: float = 0) -> float:
    """Return the sum."""
    return float(values.sum()) + start


def ran(call: Call[FigureView]) -> FigureView:
    """Return the figure that the written program draws."""
    left: dict[str, Any] = {"print": lambda *_: None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nlpviz.figures.page.save_figure", lambda _: None)
        exec(compile(python(call).code, "code", "exec"), left)
    view = left["view"]
    assert isinstance(view, FigureView)
    return view


@pytest.mark.parametrize(
    "value",
    [
        "it's \"quoted\"\n\\", 3, -0.1, True, None, (1,), [1, (2.5, "x")], np.float32(0.5), np.array([1.0, 2.0]),
        float("inf"), {"a": 1}, range(2, 5),
        slice, Shade.LIGHT, Sampling(temperature=0.5, top_k=0, top_p=1.0, seed=3), doubled,
    ],
    ids=lambda value: getattr(value, "__name__", repr(value)),
)  # fmt: skip
def test_what_is_written_is_what_was_passed(value: object) -> None:
    call = Call(drawn, [0.0], given=value)
    assert str(ran(call).table["given"][0]) == str(call().table["given"][0])


def test_calls_in_calls_are_computed_and_written_once() -> None:
    twice = Call(doubled, [1.0, 2.0])
    call = Call(drawn, [Call(doubled, [1.0, 2.0]), twice], sum=Call(total, twice, start=1))
    assert python(call).code.count("doubled(") == 1
    assert call().table == ran(call).table == {"value": [2.0, 4.0, 2.0, 4.0], "sum": [7.0] * 4}


def test_parts_of_results_are_written() -> None:
    twice = Call(doubled, [1.0, 2.0, 3.0])
    call = Call(drawn, [twice.at(slice(-1, None)).at(0), twice.get("size")])
    assert "[result[-1:][0], result.size]" in python(call).code
    assert call().table == ran(call).table == {"value": [6.0, 3]}


def test_methods_and_class_methods_are_written() -> None:
    labels = np.array([0, 1])
    confusion = Call(Confusion.of, ["a", "b"], labels, labels)
    assert (
        "result = Confusion.of(['a', 'b'], np.array([0, 1]), np.array([0, 1]))"
        in python(Call(drawn, confusion.get("counts"))).code
    )
    assert np.array_equal(ran(Call(drawn, confusion.get("counts"))).table["value"], [1, 0, 0, 1])


def test_a_known_result_is_not_computed_again() -> None:
    def never(values: list[float]) -> NDArray[np.float64]:
        raise AssertionError(values)

    inner = Call(doubled, [1.0])
    known = Call(total, inner, start=2).giving(5.0)
    inner.function = never
    assert known() == 5.0
    assert "result_2 = total(result, start=2)" in python(Call(drawn, [known])).code
    assert known.arguments[0] is not inner, "a cache that holds the result holds no other one"


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}, np.zeros(1000), lambda: 0, Call(lambda: 0)],
    ids=["object", "set", "long", "lambda", "call"],
)
def test_what_python_cannot_read_back_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        python(Call(drawn, [value]))


def test_a_run_is_opened_once_by_its_name() -> None:
    run = open_run("imdb-cnn")
    written = python(Call(drawn, [Call(Run.load, run, 3).get("epoch"), run.name, Call(len, [run])]))
    assert written.code.count("run = open_run('imdb-cnn')") == 1
    assert "model = run.load(3)" in written.code
    assert {each.name for each in written.runs} == {"imdb-cnn"}


def test_a_language_model_is_asked_for_its_two_words() -> None:
    run = ask(open_run("wikitext2-lstm"), ("she", "he"))
    written = python(Call(drawn, [Call(type(run).load, run, 3).get("epoch")]))
    assert "run_2 = ask(run, ('she', 'he'))\nmodel = run_2.load(3)" in written.code
    assert written.runs == (run,)


def test_a_long_text_stands_there_once() -> None:
    text = "it's a long text that is read twice, and\nwritten once"
    call = Call(drawn, [Call(len, text)], text=text)
    assert python(call).code.count("it's") == 1
    assert ran(call).table == call().table


def test_it_runs_from_a_file_that_begins_by_saying_how(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    near = Call(neighbours, Call(read_vectors, open_run("imdb-skipgram"), 5), "film", 5)
    code = python(Call(neighbour_bars, near, Scale(longest=1.0, room=0.5))).code
    assert code.startswith("# Save this as a file in any folder")
    (tmp_path / "code.py").write_text(code, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(pytestconfig.rootpath)}  # in .venv a path file says the same
    done = subprocess.run(
        [sys.executable, "code.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.glob("neighbours-film-*.html")
    assert str(file) in done.stdout
    assert "<figure " in file.read_text(encoding="utf-8")
