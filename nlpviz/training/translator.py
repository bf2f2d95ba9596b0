"""How a translator's run is made: two vocabularies, epochs with their BLEU, one evaluation on the test sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import torch
from torch import nn

from nlpviz.data import corpus_named
from nlpviz.data.parallel import ParallelTexts
from nlpviz.language.decoding.bleu import corpus_bleu
from nlpviz.language.decoding.search import SearchSettings
from nlpviz.language.decoding.texts import translate_texts
from nlpviz.networks.architectures import Translator, translators
from nlpviz.results.history import EpochBleu
from nlpviz.runs import Run, open_run
from nlpviz.runs.epochs import SPARSE
from nlpviz.runs.files import write_text
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.translators import (
    KIND,
    MERGES,
    TARGET_VOCABULARY,
    TrainedTranslator,
    load_translator,
    write_bleu,
    write_sentences,
)
from nlpviz.text.parallel import EOS, LanguagePair, inner_counts, source_tokens, target_words, truecased
from nlpviz.text.subwords import Subwords, learn, piece_counts
from nlpviz.text.vocabulary import SPECIALS, Vocabulary
from nlpviz.training import Family, Options, TrainingError, accelerator_for
from nlpviz.training.arrays import (
    Arrays,
    rows_as_arrays,
    rows_of,
    sentences_as_arrays,
    sentences_of,
    text_as_array,
    text_of,
    vocabulary_as_arrays,
    vocabulary_of,
)
from nlpviz.training.bounds import some
from nlpviz.training.manifest import begun, measured
from nlpviz.training.provenance import versions
from nlpviz.training.sources import Reader, Sources
from nlpviz.training.storing import save_fitted, store_epochs
from nlpviz.training.translator_bleu import measure
from nlpviz.training.translator_card import write_translator_card
from nlpviz.training.translator_fit import SentencePairs, TranslatorFit, fit_translator, score, word_losses

_LARGE = 1 << 14
"""A table that no epoch changes is stored in eight bits from so many numbers on."""
_ANSWERING = 100  # validation pairs whose words' losses say how coarsely weights may be stored


@dataclass(frozen=True)
class TranslatorSettings:
    """All settings of one translator's run.

    Attributes:
        source: the language that is read, for example ``"en"``.
        target: the language that is written.
        architecture: a name of :func:`nlpviz.networks.architectures.translators`.
        config: fields of the architecture's config, without the sizes of the vocabularies.
        corpus: its name; it has a split train, and those that it holds out.
        vocabulary_size: ids of each side at most.
        min_count: how often a word stands in training at least, to be known.
        subwords: merges of byte pair encoding, learnt over both languages together (Sennrich, Haddow and Birch 2016):
            one vocabulary holds the characters and what the merges make, whatever its size; 0 is for whole words.
        max_length: tokens that are read of a source.
        kept_epochs: epochs whose weights the run keeps besides the chosen one; None keeps all.
        width: of the beam that the test sentences are translated with.
        penalty: α of the length penalty.
        fit: of the training loop.
        on_gpu: what is changed where a GPU computes, as :func:`nlpviz.training.changed` takes it.
    """

    source: str
    target: str
    architecture: str
    config: Mapping[str, Any]
    corpus: str = "multi30k"
    vocabulary_size: int = 10_000
    min_count: int = 2
    subwords: int = 0
    max_length: int = 100
    kept_epochs: tuple[int, ...] | None = SPARSE
    width: int = 5
    penalty: float = 1.0
    fit: TranslatorFit = field(default_factory=TranslatorFit)
    on_gpu: Mapping[str, Any] = field(default_factory=lambda: {"fit": {"precision": "high"}})


def evaluate(run_name: str, options: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the BLEU of an epoch, by default the best one, on a run's test split, with the run's own beam."""
    run = open_run(run_name)
    return measure(loaded(run, run.best_epoch if epoch is None else epoch, options), *_test(run)).facts


def _reads(settings: TranslatorSettings) -> dict[str, Reader]:
    """Return what reads the sentences of each language by itself: runs in several languages share one."""
    chosen_by = corpus_named(settings.corpus).held_out[0]
    return {
        _sentences(settings, name, language): partial(_read, corpus=settings.corpus, split=split, language=language)
        for name, split in (("train", "train"), ("validation", chosen_by))
        for language in (settings.source, settings.target)
    }


def _sentences(settings: TranslatorSettings, split: str, language: str) -> str:
    return f"{settings.corpus}-{split}-{language}"


def _read(_: Path, options: Options, *, corpus: str, split: str, language: str) -> Arrays:
    options.say(f"Reading {corpus} ({split} split, {language})")
    return sentences_as_arrays("sentences", _parallel(corpus, split).texts[language])


def _encode(settings: TranslatorSettings, sources: Sources, options: Options) -> Arrays:
    """Return training and validation sentences as ids, both vocabularies and, for BLEU, what validation says."""

    def sentences(split: str, language: str) -> tuple[str, ...]:
        return tuple(sentences_of(sources[_sentences(settings, split, language)](), "sentences"))

    train, validation = (
        ParallelTexts(split, {one: sentences(split, one) for one in (settings.source, settings.target)})
        for split in ("train", "validation")
    )
    options.say(f"Tokenizing {len(train):,} sentence pairs")
    languages, pairs = numbered(train, settings)
    held_out = pairs_of(languages, validation)
    return {
        **vocabulary_as_arrays("source", languages.source),
        **vocabulary_as_arrays("target", languages.target),
        **({"merges": text_as_array(languages.subwords.as_text())} if languages.subwords else {}),
        **rows_as_arrays("train.source", pairs.sources),
        **rows_as_arrays("train.target", pairs.targets),
        **rows_as_arrays("validation.source", held_out.sources),
        **rows_as_arrays("validation.target", held_out.targets),
        **sentences_as_arrays("sources", validation.texts[settings.source]),
        **sentences_as_arrays("references", validation.texts[settings.target]),
    }


def _fit(settings: TranslatorSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Train on encoded sentences, and write the run as far as it is known before the test sentences are read."""
    device = accelerator_for(options.device).device
    source, target = (vocabulary_of(arrays, side) for side in ("source", "target"))
    subwords = Subwords.of_text(text_of(arrays["merges"])) if settings.subwords else None
    languages = LanguagePair(settings.source, settings.target, source, target, subwords)
    pairs, held_out = (
        SentencePairs(rows_of(arrays, f"{split}.source"), rows_of(arrays, f"{split}.target"))
        for split in ("train", "validation")
    )
    torch.manual_seed(settings.fit.seed)
    architecture = translators()[settings.architecture]
    sizes = {"source_size": len(source), "target_size": len(target)}
    model = architecture.build(architecture.config(**sizes, **settings.config)).to(device)
    _start_from_frequencies(model, target)
    options.say(f"Training on {len(pairs.sources):,} pairs; vocabularies of {len(source):,} and {len(target):,} words")
    bleu = _validation_bleu(arrays, languages, settings.max_length)
    records = fit_translator(model, (pairs, held_out), languages.eos, settings.fit, folder, bleu)
    source.save(folder / VOCABULARY)
    target.save(folder / TARGET_VOCABULARY)
    if subwords:
        write_text(folder / MERGES, subwords.as_text())
    best, few = max(records, key=score), held_out.first(_ANSWERING)
    stored = store_epochs(
        folder, settings.kept_epochs, best.epoch, model, lambda: word_losses(model, few, languages.eos), large=_LARGE
    )
    run = replace(
        begun(folder, title, KIND, settings, ("config", "corpus", "on_gpu")),
        metrics={"validation": {"bleu": best.validation_bleu, "loss": best.validation_loss}},
        corpus={"name": settings.corpus, "train": len(pairs.sources), "validation": len(held_out.sources)},
        versions={**versions(), "sacrebleu": version("sacrebleu")},
    )
    save_fitted(run, model, records, stored, device)


def _validation_bleu(arrays: Arrays, languages: LanguagePair, max_length: int) -> Callable[[nn.Module], float]:
    """Return what measures the greedy translations of the validation sentences."""
    sources, references = (sentences_of(arrays, name) for name in ("sources", "references"))
    greedy = SearchSettings(languages.eos)

    def bleu(trained: nn.Module) -> float:
        translations = translate_texts(cast("Translator", trained), languages, sources, greedy, max_length)
        return corpus_bleu(translations, references).score

    return bleu


@torch.no_grad()
def _start_from_frequencies(model: nn.Module, target: Vocabulary) -> None:
    """Let the output biases predict each word as often as it stands in training.

    Left at zero they take half an epoch to get there: after 188 steps the loss was 4.2 nats, and 5.9 without this.
    """
    counts = torch.tensor(target.counts) + 1.0
    model.get_parameter("bias").copy_((counts / counts.sum()).log())


# ------------------------------------------------------------------------------------------------------- the sentences


def _parallel(corpus: str, split: str) -> ParallelTexts:
    """Return a split of a corpus of sentences in several languages, or some of it in a rehearsal."""
    records = corpus_named(corpus).read(split)
    if not isinstance(records, ParallelTexts):
        raise TrainingError(f"The corpus {corpus!r} has no sentence pairs for training a translator.")
    positions = some(len(records))
    if isinstance(positions, slice):
        return records
    return replace(
        records, texts={key: tuple(lines[position] for position in positions) for key, lines in records.texts.items()}
    )


def numbered(train: ParallelTexts, settings: TranslatorSettings) -> tuple[LanguagePair, SentencePairs]:
    """Return the words of both languages, or the pieces that they share, and the training sentences as numbers."""
    sources = [[token.word for token in source_tokens(text, settings.source)] for text in train.texts[settings.source]]
    targets = [target_words(text, settings.target) for text in train.texts[settings.target]]
    inner = inner_counts(targets)
    targets = [truecased(words, inner) for words in targets]
    ended = [[*words, EOS] for words in targets]
    if settings.subwords:
        words = Counter(word for some in (sources, targets) for sentence in some for word in sentence)
        subwords = learn(words, settings.subwords)
        counts = piece_counts(subwords, [*sources, *ended])
        both = Vocabulary.ranked(counts, len(SPECIALS) + len(counts), min_count=0)
        languages = LanguagePair(settings.source, settings.target, both, both, subwords)
    else:
        languages = LanguagePair(
            settings.source,
            settings.target,
            Vocabulary.count(sources, settings.vocabulary_size, settings.min_count),
            Vocabulary.count(ended, settings.vocabulary_size, settings.min_count),
        )
    return languages, SentencePairs(
        [languages.source.ids(languages.pieces(words)) for words in sources],
        [languages.target.ids(languages.pieces(words)) for words in targets],
    )


def pairs_of(languages: LanguagePair, texts: ParallelTexts) -> SentencePairs:
    """Return sentences that were not trained on as numbers."""
    sources, targets = texts.texts[languages.source_language], texts.texts[languages.target_language]
    return SentencePairs(
        [languages.source.ids(token.word for token in languages.source_tokens(text)) for text in sources],
        [languages.target_ids(text) for text in targets],
    )


# ------------------------------------------------------------------------------------------------------------- the run


def _finish(folder: Path, options: Options) -> None:
    """Translate the test sentences with the weights of each kept epoch as they are stored; write card and manifest."""
    run = Run.open(folder)
    sources, references = _test(run)
    rows: list[EpochBleu] = []
    facts: dict[str, float] = {}
    for epoch in run.epochs:
        options.say(f"Translating {len(sources):,} test sentences with epoch {epoch}")
        trained = loaded(run, epoch, options)
        result = measure(trained, sources, references)
        rows += [EpochBleu(epoch, *group) for group in result.groups]
        if epoch == run.best_epoch:
            facts = {**result.facts, "bleu_greedy": measure(trained, sources, references, width=1).facts["bleu"]}
            write_sentences(run.folder, result.sentences)
    write_bleu(run.folder, rows)
    corpus = corpus_named(run.corpus["name"])
    run = measured(run, corpus, {"translation": facts}, test=len(sources))
    write_translator_card(run, corpus, translators()[run.architecture].source)
    run.save()


def survey(run: Run, say: Callable[[str], None] = lambda _: None) -> Run:
    """Translate the test sentences again with the best epoch, and write their BLEU statistics into the run's folder."""
    sources, references = _test(run)
    say(f"Translating {len(sources):,} test sentences with epoch {run.best_epoch}")
    trained = loaded(run, run.best_epoch, Options(device="cpu"))
    write_sentences(run.folder, measure(trained, sources, references).sentences)
    return run.save()


def _test(run: Run) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sources and the references of a run's test split."""
    corpus = run.corpus["name"]
    texts = _parallel(corpus, corpus_named(corpus).held_out[1]).texts
    return texts[run.recipe["source"]], texts[run.recipe["target"]]


def loaded(run: Run, epoch: int, options: Options) -> TrainedTranslator:
    """Return the translator of ``epoch`` on the device that was asked for."""
    trained = load_translator(run, epoch)
    trained.module.to(accelerator_for(options.device).device)
    return trained


translator_recipe = Family(encode=_encode, fit=_fit, finish=_finish, evaluate=evaluate, reads=_reads).recipe
