"""A sentence translated: by greedy or beam search, from the beginning or after a forced prefix.

The search is :mod:`nlpviz.language.decoding.search`; unknown words are copied from the source through the alignment
(:mod:`nlpviz.language.decoding.texts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from nlpviz.results.alignment import Alternative, Hypothesis, Translation, TranslationError
from nlpviz.text.languages import title
from nlpviz.text.parallel import LanguagePair, without_joiners
from nlpviz.text.vocabulary import PAD, UNKNOWN, EncodedText, shortened

if TYPE_CHECKING:
    from nlpviz.language.decoding.search import ScoredTranslation, SearchSettings
    from nlpviz.networks.architectures import Translator
    from nlpviz.runs.translators import TrainedTranslator

WIDEST = 50
"""Hypotheses that a beam may keep: a wider one finds no better translations, but takes long."""
STEEPEST = 5.0
"""The largest length penalty."""
LONGEST_PREFIX = 100
"""Words."""
ALTERNATIVES = 10
"""Words that are named for each place."""


@dataclass(frozen=True)
class TranslationOptions:
    """How a sentence is to be translated.

    Attributes:
        width: of the beam; 1 is greedy; None takes the run's own.
        penalty: α of the length penalty; None takes the run's own.
        prefix: the words with which the translation begins: a text as it is typed, or ids as a
            :class:`nlpviz.results.alignment.Hypothesis` has them.
        tree: whether all that the search looked at is kept.
        whole: whether the prefix, of any length, is all of the translation, its end among the words where it has one:
            nothing is searched for.
        alternatives: whether the words that the network would have written instead are named, for each place.
    """

    width: int | None = None
    penalty: float | None = None
    prefix: str | tuple[int, ...] = ()
    tree: bool = False
    whole: bool = False
    alternatives: bool = True


def translate(trained: TrainedTranslator, text: str, query: TranslationOptions = TranslationOptions()) -> Translation:
    """Return the best translations of a sentence with their alignments.

    Args:
        trained: a translator from :func:`nlpviz.runs.translators.load_translator`.
        text: a sentence; if it contains no words, there are no translations.
        query: the beam width, the length penalty, a prefix, and which additional results to return.

    Returns:
        The hypotheses of the beam search, best first, each with the log-probability of its T words, shape (T,), and its
        attention weights over S source tokens, shape (T, S). With ``tree=True`` the search tree is included.

    Raises:
        TranslationError: if the beam width, the length penalty or the prefix is not valid.

    Example:
        >>> from nlpviz.analysis.inspection.translation import TranslationOptions, translate
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.translators import load_translator
        >>> translator = load_translator(open_run("multi30k-en-fr-general"))
        >>> translation = translate(translator, "A man rides a horse.", TranslationOptions(width=3, tree=True))
        >>> translation.text
        'Un homme monte un cheval.'
        >>> translation.hypotheses[0].alignment.shape, translation.tree.steps
        ((7, 6), 7)
    """
    import torch

    from nlpviz.analysis.inspection.beam import beam_tree
    from nlpviz.language.decoding.search import search

    run, languages = trained.run, trained.languages
    settings = _settings(trained, query)
    encoded = languages.read(text, run.max_length)
    hypotheses: tuple[Hypothesis, ...] = ()
    alternatives: tuple[tuple[Alternative, ...], ...] = ()
    tree = None
    if len(encoded.ids):
        model = cast("Translator", trained.module)
        with torch.inference_mode():
            (searched,) = search(model, [encoded.ids], settings, record=query.tree)
            hypotheses = tuple(
                _hypothesis(result, encoded, languages, len(settings.prefix)) for result in searched.translations
            )
            if query.alternatives:
                alternatives = _alternatives(trained, encoded, hypotheses[0])
            if query.tree:
                (greedy,) = search(model, [encoded.ids], replace(settings, width=1))
                tree = beam_tree(searched, greedy.translations[0], languages, settings)
    return Translation(
        run=run.name,
        epoch=trained.epoch,
        encoded=encoded,
        source_language=languages.source_language,
        target_language=languages.target_language,
        width=settings.width,
        penalty=settings.penalty,
        hypotheses=hypotheses,
        window=window(trained),
        alignment_of=alignment_of(trained),
        alternatives=alternatives,
        tree=tree,
    )


def translate_all(
    trained: TrainedTranslator, texts: Sequence[str], query: TranslationOptions = TranslationOptions()
) -> list[str]:
    """Return the best translation of each text, in batches.

    Args:
        trained: a translator from :func:`nlpviz.runs.translators.load_translator`.
        texts: sentences; a sentence without words has an empty translation.
        query: the beam width, the length penalty and a prefix.

    Raises:
        TranslationError: if the beam width, the length penalty or the prefix is not valid.

    Example:
        >>> from nlpviz.analysis.inspection.translation import translate_all
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.translators import load_translator
        >>> translator = load_translator(open_run("multi30k-en-fr-general"))
        >>> translate_all(translator, ["A man rides a horse.", "Two dogs are running."])
        ['Un homme monte un cheval.', 'Deux chiens courent.']
    """
    from nlpviz.language.decoding.texts import translate_texts

    model, settings = cast("Translator", trained.module), _settings(trained, query)
    return translate_texts(model, trained.languages, texts, settings, trained.run.max_length)


def _settings(trained: TrainedTranslator, query: TranslationOptions) -> SearchSettings:
    """Return how is searched, the run's own beam and penalty where none was asked for."""
    from nlpviz.language.decoding.search import SearchSettings

    recipe, languages = trained.run.recipe, trained.languages
    width = _width(recipe["width"] if query.width is None else query.width)
    penalty = _penalty(recipe["penalty"] if query.penalty is None else query.penalty)
    prefix = prefix_ids(languages, query.prefix, whole=query.whole)
    return SearchSettings(languages.eos, width, penalty, prefix, query.whole)


def window(trained: TrainedTranslator) -> int | None:
    """Return the half-width D of a translator's local attention; None for other attention."""
    config = trained.run.config
    return int(config["window"]) if str(config.get("attention", "")).startswith("local") else None


def alignment_of(trained: TrainedTranslator) -> str | None:
    """Return which of a translator's attentions its alignments are; None where it has one at most.

    Garg et al. (2019), section 4.1: the last decoder layer but one, the mean of its heads.
    """
    config = trained.run.config
    if "heads" not in config:
        return None
    return f"layer {max(config['layers'] - 1, 1)} of {config['layers']}, mean of {config['heads']} heads"


def prefix_ids(languages: LanguagePair, prefix: str | Sequence[int], *, whole: bool = False) -> tuple[int, ...]:
    """Return the ids of the words with which a translation is to begin, or of all of its words.

    Raises:
        TranslationError: if the translator cannot write one of them, they are too many, or they end the sentence; of a
            whole translation, if there are none, or one that is not the last ends it.
    """
    words = languages.prefix_words(prefix) if isinstance(prefix, str) else []
    ids = tuple(map(int, languages.target.ids(words) if isinstance(prefix, str) else prefix))
    language = title(languages.target_language)
    if whole and not ids:
        raise TranslationError("A complete translation needs at least one word.")
    if len(ids) > LONGEST_PREFIX and not whole:
        raise TranslationError(f"A translation prefix can have at most {LONGEST_PREFIX} words, not {len(ids):,}.")
    for word, token_id in zip(words, ids, strict=False):
        if token_id == UNKNOWN:
            unknown = shortened(without_joiners(word))
            raise TranslationError(f"“{unknown}” is not in the translator’s {language} vocabulary. Try another word.")
    if strangers := [token_id for token_id in ids if not PAD < token_id < len(languages.target)]:
        raise TranslationError(f"The translator’s {language} vocabulary has no word number {strangers[0]}.")
    if languages.eos in (ids[:-1] if whole else ids):
        raise TranslationError("The translation has already ended at this point. Choose an earlier word.")
    return ids


def _width(width: int) -> int:
    if not 1 <= width <= WIDEST:
        raise TranslationError(f"The beam width must be between 1 (greedy search) and {WIDEST}, not {width:,}.")
    return width


def _penalty(penalty: float) -> float:
    if not 0 <= penalty <= STEEPEST:
        raise TranslationError(f"The length penalty must be between 0 and {STEEPEST:g}, not {penalty:g}.")
    return penalty


def _hypothesis(result: ScoredTranslation, encoded: EncodedText, languages: LanguagePair, forced: int) -> Hypothesis:
    """Return what was found in words."""
    from nlpviz.language.decoding.texts import write

    written = write(result, encoded, languages)
    return Hypothesis(
        words=written.words,
        ids=result.words,
        text=written.text,
        log_probabilities=result.log_probabilities,
        alignment=result.alignment,
        centres=None if result.centres is None else result.centres - 1,
        score=result.score,
        copied=written.copied,
        forced=forced,
    )


def _alternatives(
    trained: TrainedTranslator, encoded: EncodedText, best: Hypothesis
) -> tuple[tuple[Alternative, ...], ...]:
    """Return the most probable words at each position of ``best``, which the decoder is taken through once more."""
    from nlpviz.networks.architectures import padded

    model, languages = cast("Translator", trained.module), trained.languages
    before = padded([np.array([languages.eos, *best.ids[:-1]])])
    decoded, _ = model.decode(before, model.start(padded([encoded.ids])))
    result = (
        model.predict(decoded.states[0]).log_softmax(dim=1).topk(min(ALTERNATIVES, len(languages.target) - 1), dim=1)
    )
    return tuple(
        tuple(Alternative(languages.target.words[word], value, word) for value, word in zip(*row, strict=True))
        for row in zip(result.values.tolist(), result.indices.tolist(), strict=True)
    )
