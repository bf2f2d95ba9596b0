"""``deletion`` on a toy run: what is kept, measured again, and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.analysis.attribution import methods_for
from nlpviz.runs import open_run
from nlpviz.runs.deletions import DELETION, deletion_survey
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")
RUN = "toy-cnn"


def test_what_is_kept_is_printed_best_first(printed: Printed) -> None:
    survey = deletion_survey(open_run(RUN))
    assert survey is not None
    facts = printed.json("deletion", RUN)
    assert [one["method"] for one in facts["methods"]] == list(survey.best_first)
    assert (facts["documents"], facts["epoch"], facts["random_orders"]) == (60, open_run(RUN).best_epoch, 10)
    for one in facts["methods"]:
        assert one["aopc"] == pytest.approx(survey.of(one["method"])._asdict())
        assert one["beats_all_random"] == survey.beats_all(one["method"])
    lines = printed("deletion", RUN).splitlines()
    assert [line.split()[0] for line in lines[2:-1]] == list(survey.best_first)
    best = survey.of(survey.best_first[0])
    assert f"{best.mean:+.3f} ({best.low:+.3f} to {best.high:+.3f})" in lines[2]
    assert lines[-1].split()[:3] == ["random", "orders", f"{survey.at_random.mean:+.3f}"]
    assert max(map(len, lines)) <= 100


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules")
def test_it_is_measured_again_with_the_same_result(printed: Printed, trained: Path) -> None:
    before = (trained / RUN / DELETION).read_bytes()
    (trained / RUN / DELETION).unlink()
    open_run(RUN).save()
    refused = printed.refused("deletion", RUN)
    assert refused.endswith(f"`python -m nlpviz deletion {RUN} --again`.")
    facts = printed.json("deletion", RUN, "--again")
    assert {one["method"] for one in facts["methods"]} == {
        name for name, method in methods_for(open_run(RUN)).items() if method.surveyed
    }
    assert (trained / RUN / DELETION).read_bytes() == before


def test_what_has_no_methods_is_refused(printed: Printed) -> None:
    assert "`deletion` does not apply to it" in printed.refused("deletion", "toy-ngrams")
