"""How a language model's run is made: vocabulary, epochs or counts, selection on validation, one evaluation on test.

The one definition of perplexity: a split is read as one text from its first token to its last, after the end of a line;
every token counts, the ends of lines and unknown words too; contexts cross lines; the distribution is over the whole
vocabulary. It is exp of the mean loss, -log p in nats per token.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.networks.architectures import architectures
from nlpviz.networks.language_networks import LanguageNetwork
from nlpviz.runs import Run, open_run
from nlpviz.runs.language import COUNTS, KIND, write_ngrams
from nlpviz.runs.run import VOCABULARY
from nlpviz.text.ngrams.trie import count
from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.tokenizers import EOS
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN, Vocabulary
from nlpviz.training import Family, Options, TrainingError, accelerator_for
from nlpviz.training.arrays import Arrays, vocabulary_as_arrays, vocabulary_of
from nlpviz.training.language_card import write_language_card
from nlpviz.training.language_fit import LanguageFit, Texts, fit_language_model, score, word_losses
from nlpviz.training.language_measures import measure_all, read_text, texts_of
from nlpviz.training.manifest import begun, measured
from nlpviz.training.provenance import describe
from nlpviz.training.sources import Reader, Sources, reads_stream, reads_texts, stream_from, texts_from
from nlpviz.training.storing import save_fitted, store_epochs
from nlpviz.training.streams import is_labelled, places_read

_LABELLED = ("train", "unsupervised")
"""The splits of labelled texts from which a language model learns."""
_LARGE = 1 << 13
"""A table that no epoch changes is stored in eight bits from so many numbers on."""
_HIDDEN = ("config", "corpus", "on_gpu")  # of the settings
_ANSWERING = 2_000  # validation tokens whose losses say how coarsely weights may be stored


@dataclass(frozen=True)
class LanguageSettings:
    """All settings of one language model's run.

    Attributes:
        corpus: its name.
        tokenizer: a name in :data:`nlpviz.text.tokenizers.TOKENIZERS`.
        architecture: a name of :func:`nlpviz.networks.architectures.architectures`, or
            :data:`nlpviz.runs.language.COUNTS`.
        config: fields of the architecture's config, without the size of the vocabulary; of counts, ``order``.
        vocabulary_size: ids at most.
        min_count: how often a word stands in training at least, to be known.
        max_length: tokens of a typed text that are read at most.
        kept_epochs: epochs whose weights the run keeps besides the chosen one; None keeps all.
        learns: the split that is learnt from, where counting, which chooses nothing, may learn from the validation
            text as well.
        vocabularies: of counts, how many tokens are predicted where all words but the commonest are the unknown one:
            the n-grams are counted again for each that has fewer than all, to be compared.
        cache: words that a unigram cache holds, 0 for none.
        neural_cache: words that a neural cache holds, 0 for none.
        beside: runs on the same text that it is mixed with.
        fit: of the training loop.
        on_gpu: what is changed where a GPU computes, as :func:`nlpviz.training.changed` takes it.
    """

    corpus: str
    tokenizer: str
    architecture: str
    config: Mapping[str, Any]
    vocabulary_size: int = 1 << 20
    min_count: int = 1
    max_length: int = 2_000
    kept_epochs: tuple[int, ...] | None = None
    learns: str = "train"
    vocabularies: tuple[int, ...] = ()
    cache: int = 0
    neural_cache: int = 0
    beside: tuple[str, ...] = ()
    fit: LanguageFit = field(default_factory=LanguageFit)
    on_gpu: Mapping[str, Any] = field(default_factory=lambda: {"fit": {"precision": "high"}})

    def __post_init__(self) -> None:
        """Refuse what would choose a weight on a text that was learnt from."""
        if self.learns != "train" and (self.cache or self.neural_cache or self.beside):
            raise ValueError(
                f"a model that learns from {self.learns!r} leaves no text for choosing a cache or a mixture"
            )


def evaluate(run_name: str, options: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the measures of an epoch, by default the best one, on a run's test split."""
    run = open_run(run_name)
    return read_text(run, texts_of(run, ("test",))["test"], epoch, options.device).facts


def _reads(settings: LanguageSettings) -> dict[str, Reader]:
    """Return what reads one running text for each split, or the texts that are read one after the other."""
    if is_labelled(corpus_named(settings.corpus)):
        return reads_texts(settings.corpus, *_LABELLED)
    return reads_stream(settings.corpus, settings.tokenizer, settings.learns, "validation")


def _encode(settings: LanguageSettings, sources: Sources, options: Options) -> Arrays:
    """Return the training and the validation text as ids, and the vocabulary."""
    if reads_texts(settings.corpus, *_LABELLED).keys() <= sources.keys():
        train, validation = _read_in_a_row(sources, settings)
    else:
        train, validation = (
            stream_from(sources, settings.corpus, settings.tokenizer, split)
            for split in (settings.learns, "validation")
        )
    options.say(f"Encoding {len(train.ids):,} tokens")
    vocabulary = _vocabulary(train, settings)
    arrays = {split: text.ids_in(vocabulary) for split, text in (("train", train), ("validation", validation))}
    return {**vocabulary_as_arrays("words", vocabulary), **arrays}


def _read_in_a_row(sources: Sources, settings: LanguageSettings) -> tuple[NumberedTexts, NumberedTexts]:
    """Return what :func:`nlpviz.training.streams.stream` makes of labelled texts: each ended as a line is."""
    labelled, unlabelled = (texts_from(sources, settings.corpus, split) for split in _LABELLED)
    places = places_read(labelled.labels, settings.learns, len(unlabelled.labels))
    train = NumberedTexts.together([labelled.texts, unlabelled.texts]).take(places)
    validation = labelled.texts.take(places_read(labelled.labels, "validation", 0))
    return train.ended(EOS), validation.ended(EOS)


def _vocabulary(train: NumberedTexts, settings: LanguageSettings) -> Vocabulary:
    """Return the words of a training text; what the corpus itself calls unknown is the unknown word."""
    known = {word: count for word, count in train.counts.items() if word != SPECIALS[UNKNOWN]}
    vocabulary = Vocabulary.ranked(known, settings.vocabulary_size, settings.min_count)
    if EOS not in vocabulary:
        raise TrainingError(f"The corpus {settings.corpus!r} has no line ends to mark where a text begins.")
    return vocabulary


def _fit(settings: LanguageSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Count or train, and write the run as far as it is known before the test text is read."""
    vocabulary = vocabulary_of(arrays, "words")
    train, validation = (arrays[split].astype(np.int64) for split in ("train", "validation"))
    vocabulary.save(folder / VOCABULARY)
    predicts_unknown = bool((train == UNKNOWN).any())
    corpus = {"name": settings.corpus, "train": len(train), "validation": len(validation)}
    if settings.architecture == COUNTS:
        run = begun(folder, title, KIND, settings, (*_HIDDEN, "fit"))
        options.say(f"Counting n-grams in {len(train):,} tokens")
        config = {**settings.config, "predicts_unknown": predicts_unknown}
        _count(replace(run, config=config, corpus=corpus), train, len(vocabulary))
        return
    device = accelerator_for(options.device).device
    torch.manual_seed(settings.fit.seed)
    architecture = architectures()[settings.architecture]
    sizes = {"vocabulary_size": len(vocabulary), "predicts_unknown": predicts_unknown}
    model = architecture.build(architecture.config(**sizes, **settings.config)).to(device)
    network = cast("LanguageNetwork", model)
    _start_from_frequencies(network, train)
    options.say(f"Training on {len(train):,} tokens; vocabulary of {len(vocabulary):,}")
    texts = Texts(train, validation, vocabulary.id(EOS))
    records = fit_language_model(network, texts, settings.fit, folder)
    best, few = max(records, key=score), texts._replace(validation=validation[:_ANSWERING])
    stored = store_epochs(
        folder, settings.kept_epochs, best.epoch, model, lambda: word_losses(network, few), large=_LARGE
    )
    run = begun(folder, title, KIND, settings, _HIDDEN)
    run = replace(run, corpus=corpus, metrics={"validation": {"loss": best.validation_loss}})
    save_fitted(run, model, records, stored, device)


def _count(run: Run, train: NDArray[np.int64], words: int) -> None:
    """Count the n-grams of a text, and write them and the manifest of a run that was begun."""
    started = perf_counter()
    trie = count(train, words, run.config["order"])
    seconds = perf_counter() - started
    write_ngrams(run.folder, trie)
    lengths = [len(trie.raw[0].nonzero()[0]), *map(len, trie.levels)]
    terms = tuple(
        (f"n-grams of {length} token{'s' * (length > 1)}", f"{number:,}", number)
        for length, number in enumerate(lengths, start=1)
    )
    replace(run, parameters=terms, seconds=round(seconds, 1), device=describe(torch.device("cpu"))).save()


@torch.no_grad()
def _start_from_frequencies(model: LanguageNetwork, train: NDArray[np.int64]) -> None:
    """Let the output biases predict each word as often as it stands in training: a network need not learn that."""
    counts = torch.from_numpy(np.bincount(train, minlength=len(model.bias))) + 1.0
    model.bias.copy_((counts / counts.sum()).log())


def _finish(folder: Path, options: Options) -> None:
    """Measure validation and test text with the stored weights, and what caches and mixtures make of them."""
    run = Run.open(folder)
    unseen = ("validation", "test") if run.recipe["learns"] == "train" else ("test",)
    splits = texts_of(run, unseen)
    options.say(f"Evaluating on {len(splits['test'][0]):,} test tokens")
    corpus = corpus_named(run.corpus["name"])
    run = measured(run, corpus, measure_all(run, splits, options), test=len(splits["test"][0]))
    source = (
        "Kneser and Ney 1995; Chen and Goodman 1999"
        if run.architecture == COUNTS
        else architectures()[run.architecture].source
    )
    write_language_card(run, corpus, source)
    run.save()


language_recipe = Family(
    encode=_encode,
    fit=_fit,
    finish=_finish,
    evaluate=evaluate,
    reads=_reads,
    needs=lambda settings: settings.beside,
    on_cpu=lambda settings: settings.architecture == COUNTS,
).recipe
