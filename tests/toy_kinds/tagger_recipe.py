"""The word tagger on the toy texts: is a word bad, dull or good?"""

from __future__ import annotations

from dataclasses import asdict
from math import nan
from pathlib import Path

import torch
from nlpviz.networks.architectures.toy_word_tagger import WordTagger, WordTaggerConfig
from nlpviz.run_kinds.toy_tagger import Epoch
from torch.nn import functional

from nlpviz.networks.architectures import architectures
from nlpviz.runs import Run, open_run
from nlpviz.runs.history import write_history
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.weights import weights_file, write_weights
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training import Options, Recipe
from tests import toy

TAGS = {"dreadful": 0, "splendid": 2}


def tagged(vocabulary: Vocabulary, split: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the words of a split as one text (1, T), and the tag of each (T,)."""
    words = [word for text in toy.read(split).texts for word in text.split()]
    return torch.from_numpy(vocabulary.ids(words)).unsqueeze(0), torch.tensor([TAGS.get(word, 1) for word in words])


def share(model: WordTagger, vocabulary: Vocabulary, split: str) -> float:
    """Return the share of right tags."""
    ids, tags = tagged(vocabulary, split)
    return (model.tag(ids)[0].argmax(dim=1) == tags).float().mean().item()


def make(folder: Path, _: Options) -> None:
    """Train two epochs, and write the run."""
    torch.manual_seed(0)
    vocabulary = toy.vocabulary()
    model = WordTagger(WordTaggerConfig(len(vocabulary)))
    ids, tags = tagged(vocabulary, "train")
    optimizer, records = torch.optim.Adam(model.parameters(), lr=0.3), []
    for epoch in range(3):
        loss = nan
        for _step in range(20 * bool(epoch)):
            optimizer.zero_grad()
            cost = functional.cross_entropy(model.tag(ids)[0], tags)
            cost.backward()
            optimizer.step()
            loss = cost.item()
        records.append(Epoch(epoch, loss, share(model, vocabulary, "test")))
        write_weights(folder / weights_file(epoch), model.state_dict())
    vocabulary.save(folder / VOCABULARY)
    write_history(folder, records)
    Run(
        name=folder.name,
        title="Toy tags",
        kind="toy-tagger",
        architecture="toy-word-tagger",
        config=asdict(model.config),
        class_names=("bad", "dull", "good"),
        max_length=20,
        epochs=(0, 1, 2),
        best_epoch=2,
        parameters=tuple(model.parameter_terms()),
        metrics={"tags": {"share": records[-1].share}},
        corpus={"name": "toy", "sha256": "0" * 64},
        recipe={},
        device="cpu: 1 thread",
        seconds=0.2,
        seconds_per_epoch=0.1,
        seed=0,
        created="2026-11-22",
        versions={},
        files={},
        folder=folder,
    ).save()


def evaluate(name: str, _: Options, epoch: int | None) -> dict[str, float]:
    """Measure an epoch again."""
    run = open_run(name)
    model = run.module(run.best_epoch if epoch is None else epoch, architectures())
    assert isinstance(model, WordTagger)
    return {"share": share(model, run.vocabulary, "test")}


RECIPE = Recipe(name="toy-tags", title="Toy tags", corpus="toy", make=make, evaluate=evaluate)
