"""``cartography`` tells how documents were learnt, and whose label was believed least."""

from __future__ import annotations

import pytest

from nlpviz.results.cartography import Cartography
from nlpviz.results.training_log import Role
from nlpviz.runs import open_run
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")


@pytest.mark.parametrize(("of", "role"), [("trained", Role.TRAINED), ("held-out", Role.HELD_OUT), ("test", Role.TEST)])
def test_suspects_are_those_of_the_log(printed: Printed, of: str, role: Role) -> None:
    facts = printed.json("cartography", "toy-cnn", "--of", of, "--suspects", "3")
    found = Cartography.of(training_log(open_run("toy-cnn")).of(role))
    assert facts["documents"] == len(found.confidence)
    assert facts["forgotten"] == (found.forgotten > 0).sum()
    assert [one["id"] for one in facts["suspects"]] == [found.log.ids[position] for position in found.suspects[:3]]
    said = printed("cartography", "toy-cnn", "--of", of)
    assert f"{len(found.confidence):,} documents ({of}), 12 evaluations during training" in said
    assert facts["suspects"][0]["id"] in said.splitlines()[2]


def test_what_has_no_log_is_refused_in_a_sentence(printed: Printed) -> None:
    assert "`cartography` does not apply to it" in printed.refused("cartography", "toy-ngrams")
    run = open_run("toy-cnn")
    (run.folder / TRAINING_LOG).unlink()
    run.save()
    assert "has no training log: `python -m nlpviz survey toy-cnn`" in printed.refused("cartography", "toy-cnn")
