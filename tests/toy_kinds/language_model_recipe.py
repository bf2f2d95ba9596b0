"""The bigram model on rows of words of which each is followed by the next: it learns that in a second."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch
from nlpviz.networks.architectures.toy_bigram import Bigram, BigramConfig
from nlpviz.run_kinds.toy_language_model import Epoch
from torch.nn import functional

from nlpviz.networks.architectures import architectures
from nlpviz.runs import Run, open_run
from nlpviz.runs.history import write_history
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.weights import weights_file, write_weights
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.training import Options, Recipe

WORDS = [chr(ord("a") + position) for position in range(12)]
TEXTS = [[WORDS[(start + position) % 12] for position in range(9)] for start in range(12)]


def perplexity(model: Bigram, ids: torch.Tensor) -> torch.Tensor:
    """Return the perplexity of a batch (B, T)."""
    logits = model.next_words(ids[:, :-1])
    return functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).exp()


def numbered(vocabulary: Vocabulary) -> torch.Tensor:
    """Return the texts as one batch."""
    return torch.stack([torch.from_numpy(vocabulary.ids(text)) for text in TEXTS])


def make(folder: Path, options: Options) -> None:
    """Train four epochs, and write the run."""
    torch.manual_seed(0)
    vocabulary = Vocabulary.count(TEXTS, 50)
    model, ids, records = Bigram(BigramConfig(len(vocabulary))), numbered(vocabulary), []
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for epoch in range(4):
        for _ in range(20 * bool(epoch)):
            optimizer.zero_grad()
            perplexity(model, ids[:9]).log().backward()
            optimizer.step()
        with torch.no_grad():
            records.append(Epoch(epoch, perplexity(model, ids[:9]).item(), perplexity(model, ids[9:]).item(), 0.1))
        options.say(f"epoch {epoch}: perplexity {records[-1].validation_perplexity:.2f}")
        write_weights(folder / weights_file(epoch), model.state_dict())
    vocabulary.save(folder / VOCABULARY)
    write_history(folder, records)
    Run(
        name=folder.name,
        title="Toy bigrams",
        kind="toy-language-model",
        architecture="toy-bigram",
        config=asdict(model.config),
        class_names=(),
        max_length=9,
        epochs=tuple(range(4)),
        best_epoch=3,
        parameters=tuple(model.parameter_terms()),
        metrics={"test": {"perplexity": records[-1].validation_perplexity}},
        corpus={"name": "toy", "sha256": "0" * 64},
        recipe={},
        device="cpu: 1 thread",
        seconds=0.4,
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
    assert isinstance(model, Bigram)
    return {"perplexity": perplexity(model, numbered(run.vocabulary)[9:]).item()}


RECIPE = Recipe(name="toy-letters", title="Toy bigrams", corpus="toy", make=make, evaluate=evaluate)
