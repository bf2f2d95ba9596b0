"""The quality and the speed of a trained translator."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple, cast

from nlpviz.language.decoding.bleu import LengthBleu, bleu_by_length, corpus_bleu, sentence_statistics
from nlpviz.language.decoding.search import SearchSettings
from nlpviz.language.decoding.texts import translate_texts
from nlpviz.networks.architectures import Translator
from nlpviz.results.bleu import BleuStatistics
from nlpviz.runs.translators import TrainedTranslator
from nlpviz.text.parallel import source_tokens


class MeasuredBleu(NamedTuple):
    """BLEU of some sentences.

    Attributes:
        facts: BLEU without and with case, how many sentences, how many of them a second; and the BLEU of the sources
            themselves, left untranslated.
        groups: BLEU of all of them, then by the length of their sources.
        sentences: what BLEU adds up over them.
    """

    facts: dict[str, float]
    groups: tuple[LengthBleu, ...]
    sentences: BleuStatistics


def measure(
    trained: TrainedTranslator, sources: Sequence[str], references: Sequence[str], *, width: int | None = None
) -> MeasuredBleu:
    """Return the BLEU of a translator's translations of ``sources``, one reference each.

    Args:
        trained: the translator.
        sources: sentences as they were typed.
        references: as many.
        width: of the beam; None takes the run's own.
    """
    run, languages = trained.run, trained.languages
    settings = SearchSettings(languages.eos, width or run.recipe["width"], run.recipe["penalty"])
    started = perf_counter()
    translations = translate_texts(cast("Translator", trained.module), languages, sources, settings, run.max_length)
    seconds = perf_counter() - started
    result = corpus_bleu(translations, references)
    lengths = [len(source_tokens(text, languages.source_language)) for text in sources]
    facts = {
        "bleu": result.score,
        "bleu_with_case": result.with_case,
        "bleu_untranslated": corpus_bleu(sources, references).score,
        "sentences": len(sources),
        "sentences_per_second": round(len(sources) / seconds, 1),
    }
    everything = LengthBleu(min(lengths), max(lengths), len(sources), result.score)
    groups = (everything, *bleu_by_length(translations, references, lengths))
    return MeasuredBleu(facts, groups, sentence_statistics(translations, references))
