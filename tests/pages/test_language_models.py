"""Surprisal, next word, word order, perplexity and the test text, on committed models; whatever is typed."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.figures.numbers import percent
from nlpviz.language.orders import word_orders
from nlpviz.language.surprisal import next_word, opened, surprisal
from nlpviz.networks.architectures import equations
from nlpviz.run_kinds import kind_of
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.gains import GAINS, read_gains
from nlpviz.runs.language import SMALLER, measured_models, smaller_vocabularies
from nlpviz.text.ngrams.kneser_ney import KneserNey
from tests.pages import conftest as pages
from tests.pages.conftest import Page, faults, figure, numbers, said

COUNTS, NETWORK, CHARACTERS = "wikitext2-kn", "wikitext2-lstm", "shakespeare-kn"
TEXT = "the cat sat on the mat"
ODD = {
    "nothing": "",
    "letter": "a",
    "unknown": "zzqx qqzw",
    "script": "犬が好き שלום",
    "markup": "<b>bold</b> {brace} $x$ **y**",
    "long": "the king . " * 9_000,
    "dots": "...",
    "lines": "one\ntwo\n\nthree",
}
Open = Callable[..., AppTest]


@pytest.fixture
def asked(page: Page) -> Open:
    """Return what opens a view on a typed text, by counts alone unless others are named."""
    del page  # it sets the machine

    def run(view: str, typed: str = TEXT, beside: tuple[str, ...] = (), **address: str | list[str]) -> AppTest:
        app = pages.opened("Language models", view=view, **{"run": COUNTS, "text": "own", **address})
        app.session_state["typed texts"] = {"beginning": [typed]}
        app.session_state["read_beside"] = list(beside)
        return app.run()

    return run


def test_surprisal_is_that_of_the_backend_on_one_scale(asked: Open) -> None:
    app = asked("surprisal", beside=(NETWORK,))
    assert not app.exception
    for name in (COUNTS, NETWORK):
        result = surprisal(opened(open_run(name)), TEXT)
        assert f"**{result.title}**: perplexity **{result.perplexity:,.1f}**" in said(app)
    first = surprisal(opened(open_run(COUNTS)), TEXT)
    assert f"Most surprising to {first.title}: “" in said(app)
    assert f"”, {first.nats.max():.1f} nats." in said(app)
    texts = [one.proto.body for one in app.get("html") if one.proto.body.startswith('<div class="nlpviz-text"')]
    assert len(texts) == 3, "one for each model, and their difference"
    keys = [re.search(r"<span>([\d.]+) nats: p", text) for text in texts[:2]]
    assert keys[0] is not None
    assert keys[1] is not None
    assert keys[0][1] == keys[1][1]


def test_each_model_stands_there_with_its_equations(asked: Open) -> None:
    told = [one.value for one in asked("surprisal", beside=(NETWORK,)).latex]
    network = open_run(NETWORK)
    for line in (*KneserNey.formula, *equations(network.architecture, network.config)):
        assert any(line in one for one in told)


def test_a_difference_has_the_sign_of_the_first_less_the_second(asked: Open) -> None:
    first, second = (surprisal(opened(open_run(name)), TEXT) for name in (COUNTS, NETWORK))
    less = int((first.nats < second.nats).sum())
    assert f"{first.title} is less surprised by {less} of 6 words" in said(asked("surprisal", beside=(NETWORK,)))


def test_orders_of_counts_stand_side_by_side(asked: Open) -> None:
    app = asked("surprisal", order=["1", "5"])
    unigrams = surprisal(opened(open_run(COUNTS), order=1), TEXT)
    assert unigrams.title == "Kneser-Ney 5-grams on WikiText-2, order 1"
    assert f"**{unigrams.title}**: perplexity **{unigrams.perplexity:,.1f}**" in said(app)


def test_what_is_expected_at_a_place(asked: Open) -> None:
    app = asked("next-word", place="3")
    result = next_word(opened(open_run(COUNTS)), TEXT, 2)
    assert result.rank is not None
    assert f"; the actual word is “sat” ({percent(result.probability)})." in said(app)
    (row,) = app.table[0].value.to_dict("records")
    assert row["Rank of “sat”"] == f"{result.rank:,}"
    assert row["Entropy (nats)"] == f"{result.entropy:.2f}"
    assert result.rank > len(result.probabilities), "what came stands below those that are likelier"
    shown_there = numbers(figure(app)["figure"]["data"][0]["x"])
    np.testing.assert_allclose(shown_there, [*result.probabilities, result.probability], rtol=1e-6)


def test_each_layer_of_a_network_says_something_and_the_last_one_what_the_network_says(asked: Open) -> None:
    app = asked("next-word", run=NETWORK)
    layers = "Predictions by layer (logit lens)"
    assert layers in [header.value for header in app.header]
    assert "layer 2 (last: the network’s own prediction)" in said(app)
    assert layers not in [header.value for header in asked("next-word").header]


def test_a_swapped_word_changes_what_counts_expect_only_nearby(asked: Open) -> None:
    app = asked(
        "next-word", typed="the king of the old and very small town was a man of great power", place="15", swap="2"
    )
    app.text_input(key="swapped").set_value("queen").run()
    assert not app.exception
    assert f"Change in total surprisal after the swap, for {open_run(COUNTS).title}: " in said(app)
    before = surprisal(opened(open_run(COUNTS)), "the king of the old and very small town was").nats
    after = surprisal(opened(open_run(COUNTS)), "the queen of the old and very small town was").nats
    assert (before[2:6] != after[2:6]).any()
    np.testing.assert_array_equal(before[6:], after[6:])


def test_a_sentence_stands_among_its_shuffles(asked: Open) -> None:
    app = asked("word-order", typed="the cat is small .")
    result = word_orders(opened(open_run(COUNTS)), "the cat is small .")
    assert len(result.shuffled) == 23
    less = int((result.shuffled < result.typed).sum())
    assert result.rank > 1
    assert f"{result.title}: the sentence is more probable than {less} of 23 other orders." in said(app)
    assert app.table[0].value["Rank"][0] == f"{result.rank:,}"


def test_perplexities_are_those_of_the_manifests(asked: Open) -> None:
    app = asked("perplexity")
    run = open_run(COUNTS)
    assert [one.perplexity for one in measured_models(run)] == pytest.approx(
        [found["perplexity"] for name, found in run.metrics.items() if name != "validation" and SMALLER not in found]
    )
    assert f"best n-gram model: {run.metrics['test']['perplexity']:,.1f}." in said(app)
    assert "wikitext2-" not in said(app), "runs are called by their titles"
    bars = numbers(figure(app)["figure"]["data"][0]["x"])
    assert (np.diff(bars) >= 0).all(), "the best first"
    assert run.metrics["test"]["perplexity"] == pytest.approx(
        min(bars, key=lambda bar: abs(bar - run.metrics["test"]["perplexity"]))
    )


def _read(names: tuple[str, ...]) -> None:
    """A page with what models read of a text."""
    from nlpviz.language.surprisal import opened, surprisal
    from nlpviz.runs import open_run
    from nlpviz.ui.language import surprisals

    surprisals.tell_read([surprisal(opened(open_run(name)), "the cat") for name in names])


@pytest.mark.usefixtures("page")
def test_models_that_do_not_read_alike_are_named() -> None:
    for names in ((COUNTS,), (COUNTS, CHARACTERS)):
        app = AppTest.from_function(_read, default_timeout=60, kwargs={"names": names}).run()
        assert not app.exception
        assert len(app.expander) == len(names)
        for name, box in zip(names, app.expander, strict=True):
            assert (f"({open_run(name).title})" in box.label.replace("\\", "")) is (len(names) > 1)


def test_fewer_words_are_drawn_beside_the_whole_vocabulary(asked: Open) -> None:
    app = asked("perplexity", corpus="wikitext2")
    known = smaller_vocabularies(open_run(COUNTS))
    drawn = figure(app, 2)["figure"]["data"][0]
    np.testing.assert_allclose(numbers(drawn["x"]), [one.vocabulary for one in known])
    np.testing.assert_allclose(numbers(drawn["y"]), [one.perplexity for one in known])
    assert known[-1].vocabulary == 33_278
    assert f"With a vocabulary of {known[0].vocabulary:,} tokens instead of 33,278" in said(app)
    assert "By vocabulary size" in " ".join(one.value for one in app.header)
    characters = asked("perplexity", corpus="tinyshakespeare")
    assert "By vocabulary size" not in " ".join(one.value for one in characters.header)


@pytest.mark.parametrize("name", [name for name, run in list_runs()[0].items() if GAINS in run.files])
def test_gains_are_those_of_the_run(asked: Open, name: str) -> None:
    (over, groups), *_ = read_gains(open_run(name)).items()
    grouping = groups[0].grouping
    whole = [one for one in groups if one.grouping == grouping]
    tokens = sum(one.tokens for one in whole)
    assert tokens == open_run(name).corpus["test"]
    mean = sum(one.gain * one.tokens for one in whole) / tokens
    losses = [open_run(one).metrics["test"]["loss"] for one in (over, name)]
    assert mean == pytest.approx(losses[0] - losses[1], abs=1e-3)
    app = asked("network-vs-n-grams", run=name)
    assert f"{abs(mean):.2f} nats per token" in said(app)
    axes = {tuple(figure(app, nth)["figure"]["layout"]["xaxis"]["range"]) for nth in range(2)}
    ((low, high),) = axes
    assert low < 0 < high, "all on one axis, with zero on it"


@pytest.mark.ci
@pytest.mark.parametrize("view", ["surprisal", "next-word", "word-order"])
@pytest.mark.parametrize("run", [COUNTS, CHARACTERS])
def test_whatever_is_typed(asked: Open, run: str, view: str) -> None:
    app = asked(view, run=run)
    for name, text in ODD.items():
        app.text_area(key="text").set_value(text).run()
        assert not faults(app), name
        assert app.info or app.get("bidi_component"), f"{name}: a figure, or a sentence that says why there is none"


def test_every_language_model_is_offered(asked: Open) -> None:
    names = {name for name, run in list_runs()[0].items() if "Language models" in kind_of(run).pages}
    assert set(asked("surprisal").selectbox(key="run").options) == {open_run(name).title for name in names}
