"""Toy language models that read word by word, with weights at random, as runs in the real format."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch

from nlpviz.networks.architectures.recurrent_language_model import RecurrentLanguageConfig, RecurrentLanguageModel
from nlpviz.results.history import LanguageEpoch
from nlpviz.runs import Run
from nlpviz.runs.history import write_history
from nlpviz.runs.language import KIND
from nlpviz.runs.weights import weights_file, write_weights
from nlpviz.text.tokenizers import CHARACTERS, EOS, REVIEWS, WIKITEXT
from nlpviz.text.vocabulary import Vocabulary

NAMES = {CHARACTERS: "toy-characters", WIKITEXT: "toy-wikitext", REVIEWS: "toy-reviews"}
_WORDS = ("the", "film", "was", "not", "good", "bad", "she", "he", "in", "a", "of", "town", '"', ".", ",")
_WEIGHTS = 1.5
"""How much larger than at first weights are: then what was read matters."""


def vocabulary(tokenizer: str) -> Vocabulary:
    """Return a toy vocabulary of characters or words, the end of a line the commonest of them."""
    signs = "".join(map(chr, range(ord(" "), ord("~") + 1)))
    words = (EOS, *(signs if tokenizer == CHARACTERS else _WORDS))
    return Vocabulary(words, list(range(len(words), 0, -1)))


def write_language_run(folder: Path, tokenizer: str, name: str = "", layers: int = 2, corpus: str = "toy") -> Run:
    """Write a language model's run with the epochs 0 and 1 into ``folder``, called ``name`` or as its tokenizer is."""
    target = folder / (name or NAMES[tokenizer])
    target.mkdir(parents=True)
    words = vocabulary(tokenizer)
    words.save(target / "vocabulary.txt")
    config = RecurrentLanguageConfig(len(words), dimensions=10, units=12, layers=layers)
    for epoch in (0, 1):
        torch.manual_seed(epoch)
        module = RecurrentLanguageModel(config)
        write_weights(
            target / weights_file(epoch), {key: _WEIGHTS * value for key, value in module.state_dict().items()}
        )
    write_history(target, [LanguageEpoch(epoch, 4.0 - epoch, 4.0 - epoch, 0.5, 1.0) for epoch in (0, 1)])
    run = Run(
        name=target.name,
        title=target.name.replace("-", " ").capitalize(),
        kind=KIND,
        architecture="recurrent-language-model",
        config=asdict(config),
        class_names=(),
        max_length=2000,
        epochs=(0, 1),
        best_epoch=1,
        parameters=(),
        metrics={
            "test": {
                "loss": 3.0,
                "perplexity": 20.1,
                "nats_per_character": 1.4,
                "bits_per_character": 2.0,
                "tokens": 100,
            }
        },
        corpus={"name": corpus, "sha256": "", "train": 100, "validation": 100, "test": 100},
        recipe={"tokenizer": tokenizer, "beside": []},
        device="cpu",
        seconds=2.0,
        seconds_per_epoch=1.0,
        seed=0,
        created="2026-11-24",
        versions={},
        files={},
        folder=target,
    )
    return run.save()
