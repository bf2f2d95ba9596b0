"""What each kind of run says of itself, and of the committed runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nlpviz.commands import commands
from nlpviz.run_kinds import Kind, history, kind_of, kinds
from nlpviz.run_kinds.accuracy import MASKED
from nlpviz.runs import Run, list_runs
from nlpviz.runs.history import columns as columns_of_history
from nlpviz.ui.frame import page_name

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
def test_a_kind_says_what_there_is(kind: Kind) -> None:
    assert kind.name == kind.name.lower().strip()
    assert re.match(r"is ", kind.says)
    assert kind.columns[0].title == kind.headline.name
    assert len({one.title for one in kind.columns}) == len(kind.columns)
    assert kind.headline.drawn in {"", *(measure.name for measure in kind.measures)} or kind.record is None
    known = columns_of_history(kind.record) if kind.record else ()
    assert all(curve.column in known for measure in kind.measures for curve in measure.curves)
    assert not kind.record or known[0] == "epoch"
    assert all(option.flag.startswith("--") for option in kind.options)


@pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
def test_commands_and_pages_that_a_kind_names_are_there(kind: Kind) -> None:
    assert set(kind.commands) <= set(commands())
    assert set(kind.refusals) <= set(commands()) - set(kind.commands)
    assert set(kind.pages) <= {page_name(file) for file in (ROOT / "pages").glob("*.py")}


def test_kinds_have_an_order() -> None:
    orders = [kind.order for kind in kinds().values()]
    assert orders == sorted(orders)
    assert next(iter(kinds())) == "classifier"


@pytest.mark.parametrize("run", list_runs()[0].values(), ids=lambda run: run.name)
def test_a_committed_run_is_read_by_its_kind(run: Run) -> None:
    kind = kind_of(run)
    assert kind.headline.value(run) is not None
    assert kind.headline.written(run) in kind.headline.said(run)
    dashes = [column.title for column in kind.columns if column.text(run) == "–"]
    assert dashes == [MASKED.title] * (run.corpus["name"] == "newsgroups" and MASKED in kind.columns)
    records = history(run)
    assert [record.epoch for record in records] == sorted(record.epoch for record in records)
    assert set(run.epochs) <= {record.epoch for record in records} or kind.record is None
    assert kind.files(run) <= set(run.files)
