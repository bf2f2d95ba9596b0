"""``faithfulness`` on a toy run: the numbers of the backend, in a table and as JSON."""

from __future__ import annotations

import pytest

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.faithfulness import ORDERS, measure, search
from nlpviz.analysis.attribution.stability import stability
from nlpviz.results.agreement import agreement
from nlpviz.runs import open_run
from tests import toy
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")
RUN = "toy-cnn"
TEXT = next(text for text in toy.read("test").texts if len(text.split()) >= 8)


def test_it_says_what_was_measured(printed: Printed) -> None:
    trained = open_run(RUN).load()
    explained = [explain(trained, TEXT, method) for method in methods_for(trained.run)]
    found, agreed = measure(trained, explained, search(trained, explained[0])), agreement(explained)
    facts = printed.json("faithfulness", RUN, "--text", TEXT)
    assert (facts["target"], facts["tokens"], facts["groups"]) == (found.target, len(TEXT.split()), found.bounds.groups)
    assert [one["method"] for one in facts["methods"]] == list(methods_for(trained.run))
    normalised = found.normalised(found.sufficiency, 1)
    for position, one in enumerate(facts["methods"]):
        assert one["comprehensiveness"]["value"] == pytest.approx(found.comprehensiveness[position])
        assert one["sufficiency"]["normalised"] == pytest.approx(normalised[position])
        assert (one["deletion"], one["insertion"]) == pytest.approx(
            (found.deletion[position], found.insertion[position])
        )
        assert list(one["overlap"].values()) == pytest.approx(agreed.overlap[position].tolist())
        assert one["correlation"][one["method"]] == pytest.approx(1)
    assert (facts["best"]["comprehensiveness"], facts["worst"]["sufficiency"]) == pytest.approx(
        (found.best[0], found.worst[1])
    )
    assert len(facts["random_orders"]["sufficiency"]) == facts["random_orders"]["count"] == ORDERS
    words = printed("faithfulness", RUN, "--text", TEXT)
    assert f"best order             {found.best[0]:+13.3f}" in words
    for position, name in enumerate(found.methods):
        assert f"  {name:22} {found.comprehensiveness[position]:+13.3f}" in words
    assert max(map(len, words.splitlines())) < 100


def test_where_nothing_was_read(printed: Printed) -> None:
    assert printed("faithfulness", RUN, "--text", "").splitlines()[-1].endswith("no words were read")
    (only,) = {
        one["comprehensiveness"]["normalised"] for one in printed.json("faithfulness", RUN, "--text", "")["methods"]
    }
    assert only is None
    assert "`faithfulness` does not apply to it" in printed.refused("faithfulness", "toy-ngrams", "--text", "a")


@pytest.mark.ci
def test_stability_is_told_when_asked(printed: Printed) -> None:
    trained = open_run(RUN).load()
    explained = [explain(trained, TEXT, method) for method in methods_for(trained.run)]
    result = stability(trained, explained, open_run(RUN).load(0))
    facts = printed.json("faithfulness", RUN, "--text", TEXT, "--stability")["stability"]
    assert list(facts["methods"]) == list(result.methods)
    for row, one in enumerate(facts["methods"].values()):
        assert one["sensitivity"] == pytest.approx(result.sensitivity[row])
        assert list(one["correlation"].values()) == pytest.approx(result.correlation[row].tolist())
    words = printed("faithfulness", RUN, "--text", TEXT, "--stability")
    assert f"rank correlation with: before training, {result.networks[1]}" in words
    assert f"{result.sensitivity[0]:.1%}" in words
    assert "\n  sensitivity" not in printed("faithfulness", RUN, "--text", TEXT)
