"""A toy language pair with planted rules, and runs that learn it in seconds, in the real format.

English: ``the red dog sees a small cat .`` French: ``Le chien rouge voit un petit chat.``: colours stand after their
noun, so that a good alignment crosses there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from nlpviz.data import Corpus
from nlpviz.data.parallel import ParallelTexts
from nlpviz.discovery import discover
from nlpviz.training import Options, Recipe
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from nlpviz.training.translator import TranslatorSettings, translator_recipe
from nlpviz.training.translator_fit import TranslatorFit
from tests.toy import add_modules

NOUNS = {"dog": "chien", "cat": "chat", "horse": "cheval", "man": "homme", "boy": "garçon", "bird": "oiseau"}
COLOURS = {"red": "rouge", "black": "noir", "green": "vert"}
SIZES = {"small": "petit", "big": "grand"}
VERBS = {"sees": "voit", "follows": "suit", "washes": "lave"}
ARTICLES = {"the": "le", "a": "un"}
SPLITS = {"train": 900, "val": 40, "test_2016_flickr": 60}
SEEDS = {split: number for number, split in enumerate(SPLITS)}
KINDS: dict[str, dict[str, object]] = {
    "general": {"attention": "global", "score": "general"},
    "local-p": {"attention": "local-p", "score": "general", "window": 2},
    "none": {"attention": "none"},
}
TRANSFORMER = "transformer"
"""Another kind, which tests ask for by name: of one epoch, for its weights are as good as random ones here."""
PIECES = "pieces"
"""A Transformer that learns the language by pieces of words, with the same vectors on both sides."""
SENTENCE = "The red dog sees a small cat."


@cache
def phrases() -> list[tuple[str, str]]:
    """Return every noun phrase in English and in French."""
    plain = [(f"{a} {n}", f"{b} {m}") for (a, b), (n, m) in product(ARTICLES.items(), NOUNS.items())]
    coloured = [
        (f"{a} {c} {n}", f"{b} {m} {d}")
        for (a, b), (c, d), (n, m) in product(ARTICLES.items(), COLOURS.items(), NOUNS.items())
    ]
    sized = [
        (f"{a} {s} {n}", f"{b} {t} {m}")
        for (a, b), (s, t), (n, m) in product(ARTICLES.items(), SIZES.items(), NOUNS.items())
    ]
    return [*plain, *coloured, *sized]


@cache
def read(split: str) -> ParallelTexts:
    """Return the sentences of a split."""
    rng = np.random.default_rng(SEEDS[split])
    pairs = []
    for _ in range(SPLITS[split]):
        (one, un), (other, autre) = (phrases()[position] for position in rng.integers(len(phrases()), size=2))
        verb = list(VERBS)[rng.integers(len(VERBS))]
        pairs.append((f"{one} {verb} {other}.".capitalize(), f"{un} {VERBS[verb]} {autre}.".capitalize()))
    return ParallelTexts(split, {"en": tuple(en for en, _ in pairs), "fr": tuple(fr for _, fr in pairs)})


CORPUS = Corpus(
    name="toy-pairs",
    title="Toy pairs",
    file="toy-pairs.txt",
    url="https://example.org/toy-pairs.txt",
    size=0,
    sha256=("0" * 64,),
    licence="Made up.",
    citation="Nobody",
    read=read,
    find=lambda sentence: sentence,
    held_out=("val", "test_2016_flickr"),
)


def recipe(kind: str, epochs: int = 3) -> Recipe:
    """Return the recipe of ``toy-en-fr-<kind>``."""
    if kind == TRANSFORMER:
        architecture, epochs = "transformer-translator", 1
        config: dict[str, object] = {"dimensions": 32, "layers": 3, "heads": 4, "feed_forward": 32, "dropout": 0.1}
    else:
        architecture, config = "seq2seq", {"dimensions": 32, "units": 48, "dropout": 0.1, **KINDS[kind]}
    fit = TranslatorFit(epochs=epochs, batch_size=16, learning_rate=1e-2, warmup=20, averaging=0.9, sampled=0)
    settings = TranslatorSettings(
        "en", "fr", architecture, config, corpus="toy-pairs", max_length=30, kept_epochs=(0, 1), width=3, fit=fit
    )
    return translator_recipe(f"toy-en-fr-{kind}", f"Toy, {kind} attention", settings)


def recipe_of_pieces() -> Recipe:
    """Return the recipe of ``toy-en-fr-pieces``: 40 merges, so that about half of the words are whole."""
    config = {"dimensions": 48, "layers": 2, "heads": 4, "feed_forward": 64, "dropout": 0.0, "shared": True}
    fit = TranslatorFit(epochs=6, batch_size=16, learning_rate=1e-2, warmup=40, averaging=0.95, sampled=0)
    settings = TranslatorSettings(
        "en",
        "fr",
        "transformer-translator",
        config,
        corpus="toy-pairs",
        subwords=40,
        kept_epochs=(0,),
        width=3,
        fit=fit,
    )
    return translator_recipe(f"toy-en-fr-{PIECES}", "Toy, pieces of words", settings)


@contextmanager
def discovered(folder: Path) -> Iterator[None]:
    """Let the package find the toy pairs and their recipes, as it finds its own."""
    source = "from tests import translators; RECIPE = translators.recipe({!r})"
    made = {f"toy_en_fr_{kind.replace('-', '_')}": source.format(kind) for kind in (*KINDS, TRANSFORMER)}
    made[f"toy_en_fr_{PIECES}"] = "from tests import translators; RECIPE = translators.recipe_of_pieces()"
    with pytest.MonkeyPatch.context() as patch:
        add_modules(patch, "nlpviz.data", folder / "data", {"toy_pairs": "from tests.translators import CORPUS"})
        add_modules(patch, "nlpviz.training.recipes", folder / "recipes", made)
        try:
            yield
        finally:
            discover.cache_clear()


def make_runs(folder: Path, kinds: Sequence[str] = tuple(KINDS)) -> None:
    """Train the toy translators in ``folder``, a few seconds each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder))
        for kind in kinds:
            produce(recipes()[f"toy-en-fr-{kind}"], Options(device="cpu"))
