"""Texts that models write: prompts and forced tokens, what a token was drawn from, and draws held against that."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy import stats

from nlpviz.language import generation
from nlpviz.language.generation import _quantile, choices, drawn_against, write
from nlpviz.language.sampling import Sampling, draws, filtered, sample
from nlpviz.language.surprisal import Asked, next_word, opened
from nlpviz.results.generated_text import WrittenText
from nlpviz.results.next_word import Filtered
from nlpviz.runs import open_run
from nlpviz.text.vocabulary import UNKNOWN

WORDS, NETWORK, CHARACTERS = "wikitext2-kn", "wikitext2-lstm", "shakespeare-kn"
PROMPTS = {WORDS: "The city of", NETWORK: "The city of", CHARACTERS: "ROMEO:"}
HOW = Sampling(top_p=0.9, seed=3)
ODD = {
    "empty": "",
    "one character": "a",
    "only unknown words": "zzqx qqzw",
    "another script": "犬が好き",
    "long": "the king of the hill\n" * 5_000,
    "control": "\x00\x1b[31m",
}


@cache
def asked(run: str) -> Asked:
    return opened(open_run(run))


def prompted(run: str, **more: object) -> WrittenText:
    return write(asked(run), PROMPTS[run], HOW, 30, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("run", PROMPTS)
def test_a_text_is_what_is_sampled_and_says_how_likely_it_was(run: str) -> None:
    text, model = prompted(run), asked(run)
    ids = model.ids(PROMPTS[run])
    drawn = list(sample(model.model, model.after(ids), HOW, 30))
    assert text.ids.tolist() == [one.word for one in drawn]
    assert text.words == tuple(model.vocabulary.words[one.word] for one in drawn)
    np.testing.assert_array_equal(text.probabilities, [one.probability for one in drawn])
    np.testing.assert_array_equal(text.filtered, [one.filtered for one in drawn])
    np.testing.assert_allclose(np.exp(-text.nats), text.probabilities)
    assert (text.filtered >= text.probabilities - 1e-12).all(), "filters cut others, and never what was drawn"
    write_all = model.run.tokenizer.write
    assert PROMPTS[run] + text.text() == write_all([model.vocabulary.words[one] for one in (*ids, *text.ids)])
    assert text.text(0, 10) + text.text(10) == text.text()
    assert not text.given


@pytest.mark.parametrize("run", PROMPTS)
def test_a_seed_repeats_and_another_one_does_not(run: str) -> None:
    assert prompted(run).ids.tolist() == prompted(run).ids.tolist()
    other = write(asked(run), PROMPTS[run], Sampling(top_p=0.9, seed=4), 30)
    assert prompted(run).ids.tolist() != other.ids.tolist()


@pytest.mark.parametrize("place", [0, 7, 29])
@pytest.mark.parametrize("run", PROMPTS)
def test_a_branch_is_the_text_up_to_the_forced_token(run: str, place: int) -> None:
    trunk = prompted(run)
    forced = next(one for one in range(2, 50) if one != trunk.ids[place])
    branch = prompted(run, given=(*trunk.ids[:place].tolist(), forced))
    assert branch.given == place + 1
    assert branch.ids[:place].tolist() == trunk.ids[:place].tolist()
    assert branch.ids[place] == forced
    assert len(branch.ids) == 30
    np.testing.assert_array_equal(branch.probabilities[:place], trunk.probabilities[:place])


@pytest.mark.parametrize("run", PROMPTS)
def test_a_token_that_is_forced_where_it_stands_changes_nothing(run: str) -> None:
    """Every token uses up one random number, a forced one too."""
    trunk = prompted(run)
    assert prompted(run, given=tuple(trunk.ids[:12].tolist())).ids.tolist() == trunk.ids.tolist()


def test_a_forced_token_may_have_no_probability() -> None:
    text = prompted(CHARACTERS, given=(UNKNOWN,))
    assert not text.probabilities[0]
    assert not text.filtered[0]
    assert np.isnan(text.nats[0])
    assert np.isfinite(text.nats[1:]).all()


@pytest.mark.parametrize("prompt", ODD.values(), ids=ODD)
@pytest.mark.parametrize("run", [WORDS, CHARACTERS])
def test_any_prompt_is_continued(run: str, prompt: str) -> None:
    text = write(asked(run), prompt, HOW, 5)
    assert len(text.ids) == len(text.pieces) == 5
    assert choices(asked(run), prompt, HOW, text.ids.tolist()).came == text.ids[-1]


def test_an_empty_prompt_is_the_beginning_of_a_line() -> None:
    model = asked(CHARACTERS)
    text = write(model, "", Sampling(temperature=0), 1)
    assert text.ids[0] == next_word(model, "").ids[0]


@pytest.mark.parametrize(
    "how",
    [
        Sampling(temperature=0), Sampling(temperature=100), Sampling(top_k=1), Sampling(top_k=10**6),
        Sampling(top_p=0), Sampling(top_p=1), Sampling(temperature=0.7, top_k=40, top_p=0.5),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("run", PROMPTS)
def test_what_a_token_was_drawn_from(run: str, how: Sampling) -> None:
    model, text = asked(run), write(asked(run), PROMPTS[run], how, 8)
    found = choices(model, PROMPTS[run], how, text.ids[:6].tolist())
    state = model.model.read(model.after(model.ids(PROMPTS[run])), text.ids[:5]).state
    whole = filtered(model.model.distributions(state, text.ids[:0])[-1], how)
    np.testing.assert_allclose(found.before, whole.before[found.ids])
    np.testing.assert_allclose(found.after, whole.after[found.ids])
    assert (np.diff(found.before) <= 0).all()
    assert found.ids.tolist().count(found.came) == 1
    assert found.came == text.ids[5]
    assert found.place == 5
    assert (found.kept, found.cut) == (whole.kept, whole.cut)
    assert found.kept == text.kept[5]
    assert bool((found.after == 0).any()) == (found.cut > 0), "some of what was cut is shown, wherever the tail begins"
    assert found.draws.drawn[found.after == 0].sum() == 0
    # the text is computed step by step and this at once: rounding of 32 bits
    assert text.probabilities[5] == pytest.approx(found.before[found.ids.tolist().index(found.came)], rel=1e-4)


def toy() -> Filtered:
    probabilities = np.random.default_rng(5).dirichlet(np.full(40, 0.5))
    return Filtered(probabilities, probabilities)


def test_no_token_without_probability_is_shown_as_cut() -> None:
    found = choices(asked(CHARACTERS), "ROMEO:", Sampling(top_k=64), [5])
    assert (found.before[found.after == 0] > 0).all()


def test_draws_keep_to_their_band_and_to_their_distribution() -> None:
    ids, found = np.arange(40), [drawn_against(toy(), np.arange(40), 1_000, seed) for seed in range(200)]
    within = np.mean([one.within for one in found])
    assert 0.95 <= within < 0.99, "the band holds 95% at least: numbers of draws are whole"
    assert 0.02 < np.mean([one.p < 0.05 for one in found]) < 0.08
    assert all(one.drawn.sum() == one.count == 1_000 for one in found)
    again = drawn_against(toy(), ids, 1_000, 7)
    assert again.drawn.tolist() == found[7].drawn.tolist()


def test_draws_from_another_distribution_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = toy()
    hotter = filtered(np.log(honest.before), Sampling(temperature=1.3))
    monkeypatch.setattr(generation, "draws", lambda _, rng, count: draws(hotter, rng, count))
    found = drawn_against(honest, np.arange(40), 1_000, 0)
    assert found.p < 1e-6
    assert not found.within.all()


@pytest.mark.parametrize(
    ("probabilities", "freedom"),
    [([1.0], 0), ([0.999, 0.001], 0), ([0.5, 0.5], 1), ([0.5, 0.496, 0.004], 1), ([0.5, 0.49, 0.01], 2),
     ([0.001] * 1_000, 0)],
)  # fmt: skip
def test_tokens_that_are_expected_too_rarely_are_one_group(probabilities: list[float], freedom: int) -> None:
    shares = np.array(probabilities)
    found = drawn_against(Filtered(shares, shares), np.arange(len(shares)), 1_000, 0)
    assert found.freedom == freedom
    assert np.isnan(found.p) == (freedom == 0)
    assert found.chi_square >= 0


def test_quantiles_of_draws_are_those_of_scipy() -> None:
    probabilities = np.concatenate([[0.0, 1.0, 1e-30, 0.5], np.random.default_rng(0).random(500) ** 8])
    for count in (1, 7, 1_000):
        low, high = stats.binom.interval(0.95, count, probabilities)
        assert _quantile(0.025, count, probabilities).tolist() == low.tolist()
        assert _quantile(0.975, count, probabilities).tolist() == high.tolist()
