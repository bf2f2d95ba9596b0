"""The pages' only way to translators: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.analysis.inspection.translation import TranslationOptions, translate
from nlpviz.figures.translation.bleu import RunBleu
from nlpviz.results.alignment import Translation
from nlpviz.results.bleu import BleuDifference, ChangedSetting, paired_bootstrap
from nlpviz.results.history import EpochBleu
from nlpviz.results.phrases import PhrasePlane
from nlpviz.run_kinds.drawn import translators
from nlpviz.runs import Run
from nlpviz.runs.translators import TrainedTranslator, languages_of, load_translator, read_bleu, read_sentences
from nlpviz.text.parallel import LanguagePair
from nlpviz.ui import limits
from nlpviz.ui.cache import shared
from nlpviz.ui.calls import Call


@shared(16)
def languages(run: Run) -> LanguagePair:
    """Return the languages of a run with the words that it knows; no network is loaded."""
    return languages_of(run)


@shared(96, "Translating…")
def translation(run: Run, epoch: int, text: str, query: TranslationOptions) -> Call[Translation]:
    """Return what the network of one epoch makes of ``text``.

    Raises:
        TranslationError: if it cannot be made as it was asked for.
    """
    return Call(translate, _translator(run, epoch), text, query)


@shared(64, "Encoding the phrases…")
def phrase_plane(run: Run, epoch: int, phrases: tuple[str, ...]) -> Call[PhrasePlane]:
    """Return the plane of what the encoder holds of each of ``phrases``, which have a word each."""
    from nlpviz.analysis.inspection.phrases import phrase_plane, phrase_states

    return Call(phrase_plane, Call(phrase_states, _translator(run, epoch), phrases))


@shared(32)
def bleu(run: Run) -> tuple[EpochBleu, ...]:
    """Return the BLEU of each kept epoch on the test sentences, by length."""
    return read_bleu(run)


@shared(64)
def bleu_difference(first: Run, second: Run) -> BleuDifference:
    """Return how two translators of the same test sentences differ, which takes a twentieth of a second."""
    return paired_bootstrap(read_sentences(first), read_sentences(second))


@shared(64)
def changed_setting(first: Run, second: Run) -> Call[ChangedSetting]:
    """Return what changes from one translator to another, on all test sentences and by their length."""
    return Call(translators.changed_setting, first, second)


@shared(32)
def run_bleu(run: Run) -> Call[RunBleu]:
    """Return the BLEU of a translator: after each epoch, and on the test sentences at the chosen one."""
    return Call(translators.run_bleu, run)


@shared(limits.entries(12), "Loading the network…")
def _translator(run: Run, epoch: int) -> Call[TrainedTranslator]:
    return Call(load_translator, run, epoch)
