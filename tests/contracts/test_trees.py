"""What every network over trees promises, whichever it is."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.tree_networks import TreeNetwork, forest
from nlpviz.results.trees import FINE as FIVE
from nlpviz.results.trees import INNER, NON_NEUTRAL, accuracies
from nlpviz.runs.trees import node_probabilities
from nlpviz.runs.weights import read_weights, write_weights
from nlpviz.text.tree_edits import swap
from nlpviz.training.tree_fit import TreeFit, fit_trees
from tests.promises import Promises
from tests.trees import composer, composers, labelled, planted, several

promise = Promises()


every = pytest.mark.parametrize("composing", composers(), ids=lambda one: one.name)


@every
def test_a_network_over_trees_keeps_its_promises(
    composing: Architecture, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    promise.ask(subtests, composing=composing, tmp_path=tmp_path)


@promise
def a_forest_equals_its_trees(composing: Architecture) -> None:
    """Every node of every tree, among trees of all heights, has the answer that it has alone."""
    module = cast("TreeNetwork", composer(composing))
    trees = [planted(tree) for tree in several(30)]
    together = forest(trees)
    alone = [module(grown)[grown.places] for grown in (forest([tree]) for tree in trees)]
    torch.testing.assert_close(module(together)[together.places], torch.cat(alone), rtol=1e-5, atol=1e-6)


@promise
def order_of_the_trees_changes_nothing(composing: Architecture) -> None:
    module = composer(composing)
    trees = [planted(tree) for tree in several(12)]
    ahead, back = (node_probabilities(module, order) for order in (trees, trees[::-1]))  # type: ignore[arg-type]
    ends = np.cumsum([len(tree.heights) for tree in trees[::-1]])
    np.testing.assert_allclose(np.concatenate(np.split(back, ends[:-1])[::-1]), ahead, atol=1e-6)


@pytest.mark.ci
@every
def test_learns_a_planted_rule(composing: Architecture, tmp_path: Path) -> None:
    """The last word of praise or blame decides, and "not" turns it: on trees that it was not trained on."""
    train, held_out = labelled(several(400)), labelled(several(100, seed=1))
    module = cast("TreeNetwork", composer(composing, units=24, dropout=0.0, static=False))
    before = accuracies(node_probabilities(module, held_out.planted), held_out.nodes)
    settings = TreeFit(epochs=12, patience=12, optimizer="adam", learning_rate=0.02, decay=0.0, averaging=0.9)
    records = fit_trees(module, (train, held_out), settings, tmp_path)
    found = accuracies(node_probabilities(module.eval(), held_out.planted), held_out.nodes)
    assert found[NON_NEUTRAL, FIVE].share >= 0.9 > before[NON_NEUTRAL, FIVE].share + 0.2
    assert found[INNER, FIVE].share >= 0.85
    assert records[-1].validation_loss < records[0].validation_loss / 2


@promise
def weights_that_are_kept_compose_the_same_trees(composing: Architecture, tmp_path: Path) -> None:
    """Half precision on disk, large tables in eight bits."""
    module, trees = composer(composing), [planted(tree) for tree in several(8)]
    write_weights(tmp_path / "half", module.state_dict())
    write_weights(tmp_path / "eight", module.state_dict(), eight_bits=True, large=64)
    for name in ("half", "eight"):
        loaded = composer(composing, seed=1)
        loaded.load_state_dict(read_weights([tmp_path / name]))
        pair = (node_probabilities(one, trees) for one in (loaded, module))  # type: ignore[arg-type]
        np.testing.assert_allclose(*pair, atol=1e-2)


@promise
def only_a_child_sum_is_blind_to_the_order_of_children(composing: Architecture) -> None:
    module = composer(composing)
    tree = next(one for one in several(40) if len(one.words) > 2 and len(set(one.words)) == len(one.words))
    pair = [planted(tree), planted(swap(tree, tree.root))]
    first, other = (node_probabilities(module, [one])[-1] for one in pair)  # type: ignore[arg-type]
    assert np.allclose(first, other, atol=1e-6) == (composing.name == "child-sum-tree-lstm")
