"""A language model that is asked which of two words comes next answers as it does when it is asked for all words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.analysis.inspection.cell_steps import read_step
from nlpviz.analysis.inspection.states import read_states
from nlpviz.language.logit_difference import READ, NextOfTwo, ask, first_words
from nlpviz.language.surprisal import opened
from nlpviz.networks.architectures import Recurrent
from nlpviz.runs import Run, RunError, TrainedModel, open_run
from nlpviz.text.tokenizers import CHARACTERS, EOS, REVIEWS, WIKITEXT
from tests.language import write_language_run

TEXTS = {
    "a few words": "The film was not good.\nshe was in town",
    "one token": "a",
    "empty": "",
    "white space": "  \n",
    "unknown alone": "犬猫 犬",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """A toy run for each tokenizer."""
    folder = tmp_path_factory.mktemp("language")
    return {name: write_language_run(folder, name) for name in (CHARACTERS, WIKITEXT, REVIEWS)}


def two(trained: TrainedModel) -> NextOfTwo:
    assert isinstance(trained.module, NextOfTwo)
    assert isinstance(trained.module, Recurrent)
    return trained.module


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("tokenizer", [CHARACTERS, WIKITEXT, REVIEWS])
def test_log_odds_are_those_of_the_whole_distribution(runs: dict[str, Run], tokenizer: str, text: str) -> None:
    run = runs[tokenizer]
    asked = ask(run)
    states = read_states(asked.load(), text)
    model = opened(run)
    read = model.model.distributions(model.model.begin(), model.encode(text).ids)
    first, second = (run.vocabulary.id(word) for word in asked.words)
    expected = 1 / (1 + np.exp(read[:, second] - read[:, first]))
    np.testing.assert_allclose(states.after[:, 1], expected[1:], atol=1e-5)
    np.testing.assert_allclose(states.probabilities[1], expected[-1], atol=1e-5)


def test_the_order_of_the_two_words_is_the_sign(runs: dict[str, Run]) -> None:
    run = runs[WIKITEXT]
    one, other = (two(ask(run, pair).load()) for pair in (("he", "she"), ("she", "he")))
    torch.testing.assert_close(one.output.weight, -other.output.weight)
    torch.testing.assert_close(one.output.bias, -other.output.bias)
    assert ask(run, ("he", "she")).class_names == ("she rather than he", "he rather than she")
    assert ask(run, ("he", "she")).fingerprint != ask(run, ("she", "he")).fingerprint


def test_step_by_step_it_reads_what_it_reads_at_once(runs: dict[str, Run]) -> None:
    trained = ask(runs[CHARACTERS]).load()
    module, encoded = two(trained), trained.encode("not good")
    embedded = module.embed(torch.from_numpy(encoded.ids)[None])
    unrolled = module.unroll(embedded, module.mask(torch.from_numpy(encoded.ids)[None]))
    state = module.begin()
    for position, word in enumerate(embedded[0]):
        state, shown = module.advance(word, state)
        torch.testing.assert_close(shown, unrolled.states[0, position, -1])
    assert state.shape == (module.state_size,)


@pytest.mark.parametrize("position", [0, 5])
@pytest.mark.parametrize("layer", [0, 1])
def test_equations_hold_from_the_first_word_on(runs: dict[str, Run], position: int, layer: int) -> None:
    trained = ask(runs[CHARACTERS]).load()
    states = read_states(trained, "not bad")
    numbers = read_step(trained, states, position, layer, 3).numbers
    assert numbers["h_t"][0] == pytest.approx(float(states.states[position, layer, 3]), abs=1e-5)
    assert numbers["h_{t-1}"][0] != 0, "a text begins after the end of a line"


def test_padding_changes_nothing(runs: dict[str, Run]) -> None:
    module = two(ask(runs[WIKITEXT]).load())
    ids = torch.tensor([[3, 4, 5, 0, 0], [6, 7, 8, 9, 10], [0, 0, 0, 0, 0]])
    found = module.classify(module.embed(ids), module.mask(ids))
    alone = [module.classify(module.embed(row[None, row > 0]), row[None, row > 0] > 0)[0] for row in ids]
    torch.testing.assert_close(found, torch.stack(alone))


def test_what_cannot_be_asked_is_refused(runs: dict[str, Run]) -> None:
    for words in (("she", "she"), ("she", "qqx"), ("she",), ("<unk>", "he")):
        with pytest.raises(ValueError, match="two different words"):
            ask(runs[WIKITEXT], words)
    for name in ("wikitext2-kn", "imdb-lstm"):
        with pytest.raises(RunError, match="not a recurrent language model"):
            ask(open_run(name))


def test_the_first_words_suit_the_corpus(runs: dict[str, Run], tmp_path: Path) -> None:
    assert first_words(runs[CHARACTERS]) == (EOS, " ")
    assert first_words(runs[WIKITEXT]) == ("she", "he")
    assert first_words(runs[REVIEWS]) == ("good", "bad")
    odd = write_language_run(tmp_path, WIKITEXT)
    odd.vocabulary._ids.pop("she")
    assert first_words(odd) == odd.vocabulary.words[2:4], "its commonest ones"


def test_a_long_text_is_cut(runs: dict[str, Run]) -> None:
    assert len(ask(runs[CHARACTERS]).load().encode("ab" * 50_000).ids) == READ
