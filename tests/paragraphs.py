"""Recipes of paragraph vectors on the toy corpus, whose planted words a text's vector must hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nlpviz.discovery import discover
from nlpviz.run_kinds import kind_of
from nlpviz.training import Options, Recipe
from nlpviz.training.paragraph_fit import ParagraphFit
from nlpviz.training.paragraphs import ParagraphSettings, paragraph_recipe
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from tests import toy

RUNS = ("toy-pv-dbow", "toy-pv-dm")
FIT = ParagraphFit(epochs=3, rate=0.2, subsample=0.0, group=4, groups=2, shared=16, damping=1.0)


def recipe(architecture: str) -> Recipe:
    """Return the recipe of ``toy-<architecture>``; the second one is judged beside the first."""
    settings = ParagraphSettings(
        corpus="toy",
        class_names=toy.CLASSES,
        architecture=architecture,
        config={"dimensions": 16, "drawn": 16},
        vocabulary_size=100,
        kept_vocabulary=40,
        max_length=20,
        validation=60,
        kept_documents=60,
        kept_epochs=(0, 1),
        strengths=(0.1, 1.0),
        beside=RUNS[0] if architecture == "pv-dm" else "",
        fit=FIT,
    )
    return paragraph_recipe(f"toy-{architecture}", f"Toy {architecture}", settings)


@contextmanager
def discovered(folder: Path) -> Iterator[None]:
    """Let the package find the toy corpus and recipes, each a file in ``folder``, as it finds its own."""
    files = {
        "nlpviz.data": {"toy_texts": "from tests.toy import CORPUS"},
        "nlpviz.training.recipes": {
            name.replace("-", "_"): f"from tests import paragraphs; RECIPE = paragraphs.recipe({name[4:]!r})"
            for name in RUNS
        },
    }
    with pytest.MonkeyPatch.context() as patch:
        for package, modules in files.items():
            toy.add_modules(patch, package, folder / package, modules)
        try:
            yield
        finally:
            discover.cache_clear()


def make(folder: Path) -> None:
    """Make both runs in ``folder``, with maps and predictions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder))
        for name in RUNS:
            produce(recipes()[name], Options(device="cpu"), lambda run: kind_of(run).finish(run, lambda _: None))
