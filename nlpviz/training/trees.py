"""How a run of a tree network is made: vocabulary, word vectors, epochs, one evaluation on the test trees, a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from nlpviz.data import corpus_named
from nlpviz.data.sst import CLASSES, Treebank
from nlpviz.networks.architectures import architectures
from nlpviz.networks.tree_networks import TreeNetwork
from nlpviz.results.trees import BINARY, FINE, GROUPS, NEUTRAL, LabelledNodes, LengthAccuracy, accuracies, right
from nlpviz.runs import Run, open_run
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.tree_cases import write_cases
from nlpviz.runs.trees import (
    KIND,
    LENGTHS,
    TrainedTrees,
    load_trees,
    node_probabilities,
    plant,
    write_accuracies,
)
from nlpviz.text.tokenizers import TREEBANK
from nlpviz.text.treebank import spelt
from nlpviz.text.trees import MOST_WORDS, Tree
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training import Family, Options, TrainingError, accelerator_for
from nlpviz.training.arrays import Arrays, rows_as_arrays, rows_of, sentences_as_arrays, sentences_of
from nlpviz.training.bounds import portion
from nlpviz.training.manifest import begun, measured
from nlpviz.training.sources import Reader, Sources
from nlpviz.training.storing import save_fitted, store_epochs
from nlpviz.training.tree_card import write_tree_card
from nlpviz.training.tree_fit import TreeFit, Trees, fit_trees, mean_loss, node_losses, score
from nlpviz.training.tree_words import starting_vectors, with_words_of

VECTORS = "imdb-skipgram"
"""The run whose word vectors the committed runs begin with."""
_LARGE = 1 << 12
"""A table that no epoch changes is stored in eight bits from so many numbers on."""
_ANSWERING = 200  # validation trees whose nodes' losses say how coarsely weights may be stored


@dataclass(frozen=True)
class TreeSettings:
    """Everything that makes one tree network's run what it is.

    Attributes:
        architecture: a name in ``nlpviz.networks.architectures``.
        config: fields of the architecture's config, without ``vocabulary_size``.
        corpus: its name; it has trees in a split train, and those that it holds out.
        kept_epochs: epochs whose weights the run keeps besides the chosen one; None keeps all.
        fit: of the training loop.
    """

    architecture: str
    config: Mapping[str, Any] = field(default_factory=dict)
    corpus: str = "sst"
    kept_epochs: tuple[int, ...] | None = None
    fit: TreeFit = field(default_factory=lambda: TreeFit(starts_from=VECTORS))


def evaluate(run_name: str, options: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the loss (nats a node) and the accuracies of an epoch, by default the best one, on a run's test trees."""
    run = open_run(run_name)
    trees = test_trees(run)
    return _facts(_composed(run, run.best_epoch if epoch is None else epoch, trees, options), nodes_of(trees))


def trees_of(corpus: str, split: str) -> tuple[Tree, ...]:
    """Return the trees of a split, or some of them in a rehearsal.

    Raises:
        TrainingError: if the corpus has no trees.
    """
    records = corpus_named(corpus).read(split)
    if not isinstance(records, Treebank):
        raise TrainingError(f"The corpus {corpus!r} has no trees for training a tree network.")
    return records.trees[: portion(len(records))]


def test_trees(run: Run) -> tuple[Tree, ...]:
    """Return the trees that a run is measured on."""
    corpus = run.corpus["name"]
    return trees_of(corpus, corpus_named(corpus).held_out[1])


def _name(settings: TreeSettings) -> str:
    return f"{settings.corpus}-trees"


def _reads(settings: TreeSettings) -> dict[str, Reader]:
    return {_name(settings): partial(_read, settings=settings)}


def _encode(settings: TreeSettings, sources: Sources, _: Options) -> Arrays:
    return sources[_name(settings)]()


def _read(_: Path, options: Options, *, settings: TreeSettings) -> Arrays:
    """Return the training and the validation trees: words, children and labels."""
    arrays: dict[str, Any] = {}
    for name, split in (("train", "train"), ("validation", corpus_named(settings.corpus).held_out[0])):
        trees = trees_of(settings.corpus, split)
        options.say(f"Reading {len(trees):,} trees of the {split} split")
        arrays |= sentences_as_arrays(name, [" ".join(map(spelt, tree.words)) for tree in trees])
        arrays |= rows_as_arrays(
            f"{name}.children", [np.array(tree.children, dtype=np.int64).ravel() for tree in trees]
        )
        arrays |= rows_as_arrays(f"{name}.labels", [np.array(tree.labels, dtype=np.int64) for tree in trees])
    return arrays


def _planted(arrays: Arrays, name: str, vocabulary: Vocabulary) -> Trees:
    words = (tuple(sentence.split(" ")) for sentence in sentences_of(arrays, name))
    pairs = (
        tuple((left, right) for left, right in row.reshape(-1, 2).tolist())
        for row in rows_of(arrays, f"{name}.children")
    )
    trees = [plant(Tree(*parts), vocabulary) for parts in zip(words, pairs, strict=True)]
    return Trees(trees, rows_of(arrays, f"{name}.labels"))


def _fit(settings: TreeSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Train on encoded trees, and write the run as far as it is known before the test trees are read."""
    device, loop = accelerator_for(options.device).device, settings.fit
    words = (sentence.split(" ") for sentence in sentences_of(arrays, "train"))
    vocabulary = Vocabulary.count(words, 1 << 20, min_count=1)
    if loop.starts_from:
        vocabulary = with_words_of(vocabulary, loop.starts_from)
    train, validation = (_planted(arrays, name, vocabulary) for name in ("train", "validation"))
    model = _model(vocabulary, settings).to(device)
    options.say(f"Training on {len(train.labels):,} trees, {len(validation.labels):,} held out for validation")
    records = fit_trees(model, (train, validation), loop, folder)
    vocabulary.save(folder / VOCABULARY)
    best, few = max(records, key=score), validation.first(_ANSWERING)
    stored = store_epochs(
        folder, settings.kept_epochs, best.epoch, model, lambda: node_losses(model, few), large=_LARGE
    )
    run = begun(folder, title, KIND, settings, ("config", "corpus"))
    run = replace(
        run,
        recipe={**run.recipe, "tokenizer": TREEBANK},
        class_names=CLASSES,
        max_length=MOST_WORDS,
        metrics={
            "validation": {
                "roots": score(best),
                "roots_fine": best.validation_fine,
                "roots_binary": best.validation_binary,
                "loss": best.validation_loss,
            }
        },
        corpus={"name": settings.corpus, "train": len(train.labels), "validation": len(validation.labels)},
    )
    save_fitted(run, model, records, stored, device)


def _model(vocabulary: Vocabulary, settings: TreeSettings) -> TreeNetwork:
    """Return the network before training, with its initial word vectors."""
    torch.manual_seed(settings.fit.seed)
    architecture = architectures()[settings.architecture]
    model = cast(
        "TreeNetwork", architecture.build(architecture.config(vocabulary_size=len(vocabulary), **settings.config))
    )
    if run := settings.fit.starts_from:
        with torch.no_grad():
            model.embedding.weight.copy_(starting_vectors(run, vocabulary, model.config.dimensions))
    return model


def _finish(folder: Path, options: Options) -> None:
    """Measure the test trees with the weights of each kept epoch as they are stored; write card and manifest."""
    run = Run.open(folder)
    trees = test_trees(run)
    run, facts = _survey(run, trees, options)
    corpus = corpus_named(run.corpus["name"])
    run = measured(run, corpus, {"test": facts}, test=len(trees))
    write_tree_card(run, corpus, architectures()[run.architecture].source)
    run.save()


def survey(run: Run, say: Callable[[str], None] = lambda _: None) -> Run:
    """Compose the test trees again with every kept epoch, and write what is stored of them into the run's folder."""
    return _survey(run, test_trees(run), Options(device="cpu", say=say))[0].save()


def _survey(run: Run, trees: Sequence[Tree], options: Options) -> tuple[Run, dict[str, float]]:
    """Return a run with what is stored of ``trees`` in its folder, and what its best epoch reaches on them."""
    nodes, by_epoch = nodes_of(trees), {}
    for epoch in run.epochs:
        options.say(f"Evaluating on {len(trees):,} test trees with epoch {epoch}")
        by_epoch[epoch] = _composed(run, epoch, trees, options)
    write_accuracies(run.folder, [row for epoch, found in by_epoch.items() for row in _by_length(epoch, found, nodes)])
    write_cases(run.folder, trees, by_epoch)
    return run, _facts(by_epoch[run.best_epoch], nodes)


def _composed(run: Run, epoch: int, trees: Sequence[Tree], options: Options) -> NDArray[np.float32]:
    """Return the probabilities (N, K) of all nodes of ``trees``."""
    trained = loaded(run, epoch, options)
    return node_probabilities(trained.module, [plant(tree, trained.vocabulary) for tree in trees])


def _facts(probabilities: NDArray[np.float32], nodes: LabelledNodes) -> dict[str, float]:
    """Return the loss, the accuracies, and of how many nodes each is."""
    found = accuracies(probabilities, nodes)
    shares = {f"{group}_{measure}": one.share for (group, measure), one in found.items()}
    counts = {f"{group}_{measure}_nodes": one.nodes for (group, measure), one in found.items()}
    return {**shares, "loss": mean_loss(probabilities, nodes.labels), **counts}


def nodes_of(trees: Sequence[Tree]) -> LabelledNodes:
    """Return the labelled nodes of trees, one tree after the other."""
    lengths = np.concatenate([np.diff(np.array(tree.spans), axis=1)[:, 0] for tree in trees])
    roots = np.concatenate([np.arange(len(tree)) == tree.root for tree in trees])
    return LabelledNodes(np.concatenate([np.array(tree.labels) for tree in trees]), lengths, roots)


def _by_length(epoch: int, probabilities: NDArray[np.float32], nodes: LabelledNodes) -> list[LengthAccuracy]:
    rows = []
    for measure in (FINE, BINARY):
        hits = right(probabilities, nodes.labels, measure)
        counted = nodes.labels != NEUTRAL if measure == BINARY else np.ones(len(hits), dtype=bool)
        for group in GROUPS:
            chosen = nodes.group(group) & counted
            for shortest, longest in LENGTHS:
                among = chosen & (nodes.lengths >= shortest) & (nodes.lengths <= longest)
                if among.any():
                    counts = int(hits[among].sum()), int(among.sum())
                    rows.append(LengthAccuracy(epoch, group, measure, shortest, longest, *counts))
    return rows


def loaded(run: Run, epoch: int, options: Options) -> TrainedTrees:
    """Return the network of ``epoch`` on the device that was asked for."""
    trained = load_trees(run, epoch)
    cast("nn.Module", trained.module).to(accelerator_for(options.device).device)
    return trained


tree_recipe = Family(
    encode=_encode,
    fit=_fit,
    finish=_finish,
    evaluate=evaluate,
    reads=_reads,
    begins=lambda settings: settings.fit.starts_from,
    on_cpu=lambda _: True,
    own_vectors=False,
).recipe
