"""The maps of words that are stored with a run, to save time: of its commonest words, at every kept epoch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlpviz.analysis.projections.projector import projectors
from nlpviz.analysis.projections.words import FEWEST_TSNE, WordMapSettings, common_words, skipped_of, word_maps
from nlpviz.results.projection import WordMap
from nlpviz.runs import Run
from nlpviz.runs.vectors import read_vectors
from nlpviz.runs.word_maps import word_maps_of

COUNTS = (2000, 1000, 500, 200)
"""How many words: the page of word maps offers these, the first one to begin with."""


def maps_are_kept(vocabulary_size: int) -> bool:
    """Return whether a run with this number of words keeps maps: not if it has only a few words."""
    return vocabulary_size - skipped_of(vocabulary_size) >= FEWEST_TSNE


def project_words(run: Run, seed: int = 0, say: Callable[[str], None] = lambda _: None) -> tuple[WordMap, ...]:
    """Return the maps of a run's commonest words that take long: t-SNE, of each of :data:`COUNTS`, flat and in space.

    PCA takes a hundredth of a second and is not kept. The kept epochs of one map are made comparable.

    Args:
        run: of word vectors.
        seed: of what is drawn at random.
        say: called with a line of text about each step.

    Raises:
        RunError: if the run is of another kind, or its vectors are damaged.
    """
    spaces = [read_vectors(run, epoch) for epoch in run.epochs]
    result: list[WordMap] = []
    lists = {len(words): words for words in (common_words(spaces, count) for count in COUNTS)}
    for projector in (one for one in projectors().values() if one.perplexity is not None):
        for dimensions in (2, 3):
            for words in lists.values():
                say(f"{projector.title}, {dimensions}-D: {len(words):,} words, {len(run.epochs)} epochs")
                settings = WordMapSettings(projector.name, dimensions, run.epochs.index(run.best_epoch), seed)
                result += word_maps(spaces, run.epochs, words, settings)
    return tuple(result)


def keeps_maps(run: Run, projector: str) -> bool:
    """Return whether a run keeps maps by a projector.

    Raises:
        RunError: if the run's maps are damaged.
    """
    return any(one.projector == projector for one in word_maps_of(run))


def stored_maps(run: Run, words: Sequence[str], settings: WordMapSettings) -> tuple[WordMap, ...] | None:
    """Return the maps of ``words`` at all kept epochs of a run, where it keeps them as ``settings`` say; else None.

    Raises:
        RunError: if the run's maps are damaged.
    """
    usual = projectors()[settings.projector].perplexity if settings.projector in projectors() else None
    if settings.perplexity not in (None, usual):
        return None
    wanted = (settings.projector, settings.dimensions, settings.seed, tuple(words))
    found = [one for one in word_maps_of(run) if (one.projector, one.dimensions, one.seed, one.words) == wanted]
    by_epoch = {one.epoch: one for one in found}
    return tuple(by_epoch[epoch] for epoch in run.epochs) if set(run.epochs) == set(by_epoch) else None
