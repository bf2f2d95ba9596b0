"""Word orders, layers and entropies, against the models' own distributions."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from nlpviz.language.orders import MOST_WORDS, SHUFFLES, sentence, word_orders
from nlpviz.language.surprisal import Asked, by_layer, entropies, next_word, opened
from nlpviz.runs import open_run

NETWORK, COUNTS, CHARACTERS = "wikitext2-lstm", "wikitext2-kn", "shakespeare-kn"


@pytest.fixture(params=[NETWORK, COUNTS])
def asked(request: pytest.FixtureRequest) -> Asked:
    """Return a model of words."""
    return opened(open_run(request.param))


def total(asked: Asked, text: str) -> float:
    ids = asked.ids(text)
    return float(asked.model.read(asked.model.begin(), ids).log_probabilities.sum())


def test_orders_are_as_probable_as_texts_read_one_by_one(asked: Asked) -> None:
    result = word_orders(asked, "the cat is small .")
    assert result.all_orders
    assert result.words == ("the", "cat", "is", "small")
    assert result.typed == pytest.approx(total(asked, "the cat is small ."), abs=1e-3)
    texts = [" ".join(result.words[place] for place in order) for order in result.orders.tolist()]
    assert sorted([*texts, "the cat is small"]) == sorted(map(" ".join, permutations(result.words)))
    for row in (0, 11, 22):
        assert result.shuffled[row] == pytest.approx(total(asked, f"{texts[row]} ."), abs=1e-3)
    assert result.rank == 1 + sum(result.shuffled > result.typed)
    best = result.best(3)
    assert [value for _, value in best] == sorted((value for _, value in best), reverse=True)


def test_a_sentence_is_more_probable_than_most_of_its_shuffles(asked: Asked) -> None:
    result = word_orders(asked, "The game was released in Japan and received positive reviews from critics .")
    assert not result.all_orders
    assert len(result.shuffled) == SHUFFLES
    assert (result.shuffled < result.typed).mean() > 0.99


def test_words_that_are_the_same_make_no_other_order() -> None:
    result = word_orders(opened(open_run(COUNTS)), "the cat the cat")
    assert len(result.orders) == 5, "4! / (2! 2!) less the order itself"


def test_a_sentence_ends_at_its_sign_or_where_it_is_too_long() -> None:
    words, characters = opened(open_run(COUNTS)), opened(open_run(CHARACTERS))
    assert sentence(words, "It rains . He reads .") == (("It", "rains"), ".")
    assert sentence(words, "\n\n") == ((), "")
    assert sentence(words, "a " * 40) == (("a",) * MOST_WORDS, "")
    assert sentence(characters, "\nto be, or not\nto be") == (("to", "be,", "or", "not"), "")


def test_a_sentence_ends_with_its_line_and_begins_with_a_word() -> None:
    asked = opened(open_run("wikitext2-kn"))
    assert sentence(asked, "The cat sat\nthe dog ran") == (("The", "cat", "sat"), "")
    assert sentence(asked, "... ! a > b.") == (("a", ">", "b"), ".")
    assert sentence(asked, "...") == (("...",), "")


def test_characters_are_shuffled_word_by_word() -> None:
    asked = opened(open_run(CHARACTERS))
    result = word_orders(asked, "my good lord")
    assert result.typed == pytest.approx(total(asked, "my good lord"))
    assert len(result.shuffled) == 5
    assert result.shuffled[0] == pytest.approx(total(asked, "my lord good"))


def test_the_last_layer_says_what_the_network_says() -> None:
    asked = opened(open_run(NETWORK))
    layers = by_layer(asked, "the keys to the cabinet were", 5)
    whole = next_word(asked, "the keys to the cabinet were", 5, top=5)
    assert len(layers) == asked.run.config["layers"] == 2
    np.testing.assert_allclose(layers[-1].probabilities, whole.probabilities, rtol=1e-4)
    assert layers[-1].rank == whole.rank
    assert layers[0].words != whole.words
    assert by_layer(opened(open_run(COUNTS)), "the") == ()


def test_entropies_are_those_of_the_distributions(asked: Asked) -> None:
    text = "the king of the hill . " * 14  # longer than what is read at once
    found = entropies(asked, text, most=80)
    assert len(found) == 80
    for place in (0, 63, 64, 79):
        assert found[place] == pytest.approx(next_word(asked, text, place).entropy, rel=1e-3)
    assert len(entropies(asked, "")) == 0
