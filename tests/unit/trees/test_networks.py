"""Networks over trees against a loop over nodes that is written from the papers' equations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from nlpviz.networks.architectures import Architecture, architectures
from nlpviz.networks.tree_networks import forest, right_branching_forest
from nlpviz.text.trees import Tree, parse, right_branching
from tests.trees import WORDS, composer, planted, several

State = tuple[Tensor, ...]


def by_hand(module: Any, tree: Tree, leaf: Callable[[Tensor], State], join: Callable[[State, State], State]) -> Tensor:
    """Return the logits of all nodes of a tree, node by node."""
    states = [leaf(word) for word in module.read(torch.tensor([WORDS.index(word) for word in tree.words]))]
    for left, right in tree.children:
        states.append(join(states[left], states[right]))
    return torch.stack([module.output(state[0]) for state in states])


def leaf_of_lstm(module: Any, word: Tensor) -> State:
    i, o, u = (word @ module.word.weight.T + module.word.bias).split(module.config.units)
    c = torch.sigmoid(i) * torch.tanh(u)
    return torch.sigmoid(o) * torch.tanh(c), c


def binary(module: Any, left: State, right: State) -> State:
    """Tai et al. 2015, equations 9 to 14."""
    pre = module.pair.weight @ torch.cat([left[0], right[0]]) + module.pair.bias
    i, o, u, f_left, f_right = pre.split(module.config.units)
    c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f_left) * left[1] + torch.sigmoid(f_right) * right[1]
    return torch.sigmoid(o) * torch.tanh(c), c


def child_sum(module: Any, left: State, right: State) -> State:
    """Tai et al. 2015, equations 2 to 8."""
    i, o, u = (module.sum.weight @ (left[0] + right[0]) + module.sum.bias).split(module.config.units)
    f_left, f_right = (torch.sigmoid(module.forget.weight @ h + module.forget.bias) for h in (left[0], right[0]))
    c = torch.sigmoid(i) * torch.tanh(u) + f_left * left[1] + f_right * right[1]
    return torch.sigmoid(o) * torch.tanh(c), c


def tensor(module: Any, left: State, right: State) -> State:
    """Socher et al. 2013, section 4.3, one slice of V after the other."""
    x, d = torch.cat([left[0], right[0]]), module.config.units
    slices = module.tensor.view(2 * d, d, 2 * d) / (2 * d)
    multiplied = torch.stack([x @ slices[:, k] @ x for k in range(d)])
    return (torch.tanh(multiplied + module.pair.weight @ x + module.pair.bias),)


def plain(module: Any, left: State, right: State) -> State:
    return (torch.tanh(module.pair.weight @ torch.cat([left[0], right[0]]) + module.pair.bias),)


def of_length_one(state: State) -> State:
    return (state[0] / state[0].norm(),)


def leaf_of_layer(module: Any, word: Tensor) -> State:
    return (torch.tanh(module.word.weight @ word + module.word.bias),)


LEAVES: dict[str, Callable[..., State]] = {
    "binary-tree-lstm": leaf_of_lstm,
    "child-sum-tree-lstm": leaf_of_lstm,
    "rntn": leaf_of_layer,
    "recursive-network": leaf_of_layer,
    "recursive-autoencoder": lambda module, word: of_length_one(leaf_of_layer(module, word)),
}
JOINS: dict[str, Callable[..., State]] = {
    "binary-tree-lstm": binary,
    "child-sum-tree-lstm": child_sum,
    "rntn": tensor,
    "recursive-network": plain,
    "recursive-autoencoder": lambda module, left, right: of_length_one(plain(module, left, right)),
}


@pytest.mark.parametrize("name", JOINS)
def test_a_forest_composes_what_the_equations_say(name: str) -> None:
    module: Any = composer(architectures()[name])
    trees = several(10)
    grown = forest([planted(tree) for tree in trees])
    expected = [
        by_hand(module, tree, lambda word: LEAVES[name](module, word), lambda a, b: JOINS[name](module, a, b))
        for tree in trees
    ]
    torch.testing.assert_close(module(grown)[grown.places], torch.cat(expected), rtol=1e-5, atol=1e-6)


def test_an_lstm_over_phrases_reads_each_phrase_by_itself() -> None:
    module: Any = composer(architectures()["phrase-lstm"])
    trees = several(10)
    grown = forest([planted(tree) for tree in trees])
    expected = []
    for tree in trees:
        words = module.read(torch.tensor([WORDS.index(word) for word in tree.words]))
        expected += [module.output(module.lstm(words[None, first:end])[0][0, -1]) for first, end in tree.spans]
    torch.testing.assert_close(module(grown)[grown.places], torch.stack(expected), rtol=1e-5, atol=1e-6)


def test_reconstruction_weighs_each_child_by_its_words() -> None:
    """Socher et al. 2011, equation 9, for the root of three words: two of them on the left."""
    module: Any = composer(architectures()["recursive-autoencoder"])
    grown = forest([planted(parse("((not fine) film)"))])
    states = module.states(grown)
    left, right, root = states[3], states[2], states[4]
    again_left, again_right = module.back(root).chunk(2)
    expected = 2 / 3 * (left - again_left).square().sum() + 1 / 3 * (right - again_right).square().sum()
    torch.testing.assert_close(module.reconstruction(grown, states)[1], expected)
    torch.testing.assert_close(module.penalty(grown, states)[1], expected / 4)  # α = 0.2
    single = forest([planted(parse("(film)"))])
    assert module.reconstruction(single, module.states(single)).shape == (0,)


def test_a_forest_numbers_nodes_by_height() -> None:
    trees = [parse("((the film) fine)"), parse("(poor)"), parse("(not (the film))")]
    grown = forest([planted(tree) for tree in trees])
    assert grown.ids.tolist() == [WORDS.index(word) for tree in trees for word in tree.words]
    assert [level.left.tolist() for level in grown.levels] == [[0, 5], [7, 4]]
    assert [level.right.tolist() for level in grown.levels] == [[1, 6], [2, 8]]
    assert grown.places.tolist() == [0, 1, 2, 7, 9, 3, 4, 5, 6, 8, 10]
    assert grown.roots.tolist() == [9, 3, 10]
    assert grown.spans[7:].tolist() == [[0, 2], [5, 7], [0, 3], [4, 7]]
    assert grown.lengths.tolist() == [1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3]


def test_rows_become_right_branching_trees() -> None:
    grown = right_branching_forest(torch.tensor([[2, 5, 3, 0], [4, 0, 0, 0], [0, 0, 0, 0]]))
    expected = forest([planted(right_branching(["fine", "film", "poor"])), planted(right_branching(["not"]))])
    assert grown.ids.tolist() == [*expected.ids.tolist(), 0]
    assert grown.roots.tolist() == [6, 3, 4]
    np.testing.assert_array_equal(grown.lengths[grown.roots], [3, 1, 1])


@pytest.mark.parametrize("tuned", [0, 3])
def test_rare_words_share_what_is_trained_of_the_unknown_word(tuned: int) -> None:
    architecture: Architecture = architectures()["recursive-network"]
    module: Any = composer(architecture, tuned=tuned, tuned_words=4)
    ids = torch.arange(len(WORDS))
    read = module.read(ids)
    assert read.shape == (len(WORDS), 8 + tuned)
    assert torch.equal(read[4:, 8:], read[1:2, 8:].expand(4, -1))
    assert torch.equal(read[:, :8], module.embedding.weight)
    assert not module.embedding.weight[0].any()
