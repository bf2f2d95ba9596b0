"""Translators: any encoder-decoder, with any attention, trained on sentences and their translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from nlpviz.data.own_texts import OwnTextsError
from nlpviz.data.own_texts.hashes import hash_of
from nlpviz.data.own_texts.pairs import FoundPairs, GatheredPairs, find_pairs, gather_pairs
from nlpviz.data.own_texts.profile import WITHOUT_BLANKS, script_of
from nlpviz.data.own_texts.readers.translation import READER, SPLITS, TEST, TRAIN, VALIDATION, sources_of, split
from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe, TextsRecipe
from nlpviz.data.own_texts.splitting import linked_pairs, normalised
from nlpviz.data.parallel import ParallelTexts
from nlpviz.language.decoding.bleu import corpus_bleu
from nlpviz.networks.architectures import translators
from nlpviz.results.own_texts import Expected, PairCount, PairsReport
from nlpviz.runs.epochs import SPARSE, kept_of
from nlpviz.text.languages import title
from nlpviz.text.parallel import LanguagePair
from nlpviz.text.vocabulary import UNKNOWN
from nlpviz.training import TrainingError
from nlpviz.training.multi30k import SETTINGS, SIZES
from nlpviz.training.own_tasks import OwnRequest, OwnTask, Plan, said, share, texts_recipe
from nlpviz.training.translator import TranslatorSettings, numbered, pairs_of
from nlpviz.training.translator_fit import SentencePairs, TranslatorFit

_TRANSFORMER: Mapping[str, Any] = {"dimensions": 128, "layers": 3, "heads": 4, "feed_forward": 256, "dropout": 0.3}
_ALSO = {"transformer-translator": "transformer"}
_FIRST = "general"
_MOST_TESTED, _MOST_VALIDATING = 2_000, 1_000
"""Pairs: more of them are not held out unasked; a share, of fewer pairs:"""
_HELD_OUT = _VALIDATION = 0.1
_FEWEST = 100
"""Pairs to train on, without which nothing can be learnt."""
_SEEN = 520_000
"""Pairs that a training reads, all its epochs together, where there are fewer; so many epochs at least and most:"""
_EPOCHS = (3, 40)
_UNEQUAL, _SHORT = 3.0, 20
"""Sides are unequal where their ratio is so many times the usual one, and one of them has more than so many signs."""
_LINKED = 0.05
"""Share of the pairs that share sentences with others, from which on that is said."""
_NAMED = 5
_SECONDS_A_WORD = {"seq2seq": 1.0e-4, "transformer-translator": 0.8e-4}
"""Of an epoch, both sides counted, in steps of 64 pairs on one thread: as the runs on Multi30k took it."""
_SECONDS_A_SENTENCE = 0.01
"""Of a translation, greedy or by a beam of five, as there."""


@dataclass(frozen=True)
class _Read:
    """What was read of a person's pairs, and how it is split."""

    found: FoundPairs
    texts: TextsRecipe
    gathered: tuple[GatheredPairs, ...]
    splits: Mapping[str, ParallelTexts]

    def side(self, name: str, which: int) -> tuple[str, ...]:
        """Return the sentences of a split in one of the languages."""
        return self.splits[name].texts[self.texts.languages[which]]


@dataclass(frozen=True)
class _Extent:
    """What settings and costs depend on: pairs of each split, words to train on, those that are known, the longest."""

    train: int
    validation: int
    test: int
    words: int
    known: int
    longest: int


def _networks() -> dict[str, tuple[str, str, Mapping[str, Any]]]:
    """Return every translator that a person may ask for: name -> title, architecture, what is set of its config."""
    found: dict[str, tuple[str, str, Mapping[str, Any]]] = {}
    for name, one in translators().items():
        if "attention" in one.config.__dataclass_fields__:
            found |= {
                setting: (title[0].upper() + title[1:], name, {**SIZES, **config})
                for setting, (title, config) in SETTINGS.items()
            }
        else:
            short = _ALSO.get(name, name)
            found[short] = (one.title, name, _TRANSFORMER if short == "transformer" else {})
    return found


def _models() -> Mapping[str, str]:
    known = _networks()
    return {name: known[name][0] for name in dict.fromkeys((_FIRST, *known))}


def _plan(request: OwnRequest) -> Plan:
    """Return what is to be made of sentences with their translations."""
    read = _read(request)
    source, target = read.texts.languages
    base = TranslatorSettings(source, target, "", {}, request.name, vocabulary_size=_most_words(read.splits))
    languages, train = numbered(read.splits[TRAIN], base)
    numbers = {TRAIN: train, **{name: pairs_of(languages, read.splits[name]) for name in (VALIDATION, TEST)}}
    extent = _Extent(
        train=len(read.splits[TRAIN]),
        validation=len(read.splits[VALIDATION]),
        test=len(read.splits[TEST]),
        words=sum(sum(map(len, side)) for side in train),
        known=len(languages.source) + len(languages.target),
        longest=max(map(len, train.sources)),
    )
    runs = tuple(_run(request, base, model, extent) for model in request.models)
    return Plan(OwnRecipe(request.name, read.texts, runs), _report(read, languages, numbers, runs, extent))


def _read(request: OwnRequest) -> _Read:
    """Return the pairs, found, gathered and split.

    Raises:
        OwnTextsError: if they cannot be used, or are too few.
        TrainingError: if a test file lacks its translations.
    """
    found = find_pairs(request.source, request.translations, request.languages)
    _check_test(request, two_files=found.source.two_files)
    train = gather_pairs(found.source)
    held_out = 0.0 if request.test else share(request, min(_HELD_OUT, _MOST_TESTED / len(train)))
    two_files, test = found.source.two_files, _full(request.test_translations)
    translations = _full(found.source.translations) if two_files else found.source.translations
    texts = texts_recipe(
        request,
        found.source.texts,
        "translation",
        held_out=held_out,
        validation=min(_VALIDATION, _MOST_VALIDATING / len(train)),
        translations=translations,
        translations_sha256=hash_of(translations) if two_files else "",
        test_translations=test,
        test_translations_sha256=hash_of(test) if test else "",
        languages=found.source.languages,
    )
    _, tested = sources_of(texts)
    gathered = (train, *((gather_pairs(tested),) if tested else ()))
    if len(train) < _FEWEST:
        raise OwnTextsError(f"Only {len(train):,} pairs can be used; a translator needs at least {_FEWEST:,}.")
    return _Read(found, texts, gathered, split(texts, train, gathered[1] if tested else None))


def _full(path: str) -> str:
    return str(Path(path).expanduser().resolve()) if path else ""


def _check_test(request: OwnRequest, *, two_files: bool) -> None:
    """Refuse a test file that has no translations, and translations that have no test file."""
    if request.test_translations and not (request.test and two_files):
        raise TrainingError(
            "--test-translations requires --test and separate files for sentences and translations. If the training "
            "file has columns, use a test file with the same columns."
        )
    if request.test and two_files and not request.test_translations:
        raise TrainingError(
            "The test file needs translations, one per line. Name the file that contains them with --test-translations."
        )


# ------------------------------------------------------------------------------------------------------------- report


def _report(
    read: _Read,
    languages: LanguagePair,
    numbers: Mapping[str, SentencePairs],
    runs: Sequence[RunRecipe],
    extent: _Extent,
) -> PairsReport:
    """Return what there is to know of pairs before training."""
    test_files = [path for path in (read.texts.test, read.texts.test_translations) if path]
    seen = [{normalised(text) for name in (TRAIN, VALIDATION) for text in read.side(name, at)} for at in (0, 1)]
    known = [
        (normalised(one), normalised(other)) for one, other in zip(*(_all(read, at) for at in (0, 1)), strict=True)
    ]
    scripts = Counter(script_of(text) for at in (0, 1) for text in _all(read, at))
    return PairsReport(
        files=(*read.found.source.files, *(Path(path).name for path in test_files)),
        format=read.found.format,
        guesses=read.found.guesses,
        rows=sum(one.rows for one in read.gathered),
        split=READER.said(read.texts),
        scripts=tuple(scripts.most_common()),
        notes=tuple(_notes(read, scripts)),
        bad=tuple(bad for one in read.gathered for bad in one.bad),
        bad_count=sum(one.bad_count for one in read.gathered),
        expected=tuple(_expected(run, extent) for run in runs),
        languages=(title(read.texts.languages[0]), title(read.texts.languages[1])),
        counts=tuple(
            PairCount(name, len(read.splits[name]), *(sum(map(len, side)) for side in numbers[name])) for name in SPLITS
        ),
        known=(len(languages.source), len(languages.target)),
        unknown=(_unknown(numbers[TEST].sources), _unknown(numbers[TEST].targets)),
        empty=sum(one.empty for one in read.gathered),
        repeated=len(known) - len(set(known)),
        in_both=sum(
            normalised(one) in seen[0] or normalised(other) in seen[1]
            for one, other in zip(read.side(TEST, 0), read.side(TEST, 1), strict=True)
        ),
        untranslated=corpus_bleu(read.side(TEST, 0), read.side(TEST, 1)).score,
    )


def _all(read: _Read, which: int) -> list[str]:
    """Return the sentences of all splits in one of the languages."""
    return [text for name in SPLITS for text in read.side(name, which)]


def _unknown(sentences: Sequence[np.ndarray]) -> float:
    ids = np.concatenate(sentences)
    return float((ids == UNKNOWN).mean())


def _notes(read: _Read, scripts: Counter[str]) -> Iterator[str]:
    """Yield what is odd about the pairs."""
    train = read.gathered[0]
    same = [
        number
        for number, one, other in zip(train.numbers, train.sources, train.targets, strict=True)
        if normalised(one) == normalised(other)
    ]
    if same:
        yield f"{_rows(same)} the same text on both sides, which teaches the model to copy."
    ratios = np.array([log(len(other) / len(one)) for one, other in zip(train.sources, train.targets, strict=True)])
    usual = median(ratios.tolist())
    long = np.array(
        [max(len(one), len(other)) > _SHORT for one, other in zip(train.sources, train.targets, strict=True)]
    )
    unequal = [train.numbers[at] for at in np.flatnonzero((abs(ratios - usual) > log(_UNEQUAL)) & long)]
    if unequal:
        yield (
            f"{_rows(unequal)} very unequal lengths and are probably not translations. The median ratio of "
            f"translation length to sentence length is {exp(usual):.1f}."
        )
    linked = int(np.bincount(linked_pairs(list(zip(train.sources, train.targets, strict=True)))).max())
    if linked > _LINKED * len(train) and linked > 1:
        yield (
            f"{linked:,} pairs are linked by shared sentences or translations. They stay in one split, so the test "
            "sentences are less varied than those of the entire file."
        )
    if without := sorted(WITHOUT_BLANKS & set(scripts)):
        named = " and ".join(without)
        yield (
            f"{named} script has no spaces between words: each sequence of characters between punctuation marks counts "
            "as one word."
        )


def _rows(numbers: Sequence[int]) -> str:
    """Return how many pairs there are, in brackets where the first of them stand, and the verb."""
    listed = ", ".join(f"{number:,}" for number in numbers[:_NAMED])
    if len(numbers) == 1:
        return f"1 pair (row {listed}) has"
    return f"{len(numbers):,} pairs (rows {listed}{', …' * (len(numbers) > _NAMED)}) have"


# ----------------------------------------------------------------------------------------------------------- settings


def _most_words(splits: Mapping[str, ParallelTexts]) -> int:
    """Return how many words of each side are known at most."""
    return 10_000 if len(splits[TRAIN]) < 100_000 else 20_000


def _run(request: OwnRequest, base: TranslatorSettings, model: str, extent: _Extent) -> RunRecipe:
    """Return the run of a model."""
    name, architecture, config = _networks()[model]
    settings = replace(
        base,
        architecture=architecture,
        config=dict(config),
        max_length=max(100, extent.longest),
        fit=_fit(request, model, extent.train),
    )
    called = f"{name} on {request.name}, {title(base.source)} to {title(base.target)}"
    return RunRecipe(request.run_name(model), called, "translator", said(settings))


def _fit(request: OwnRequest, model: str, pairs: int) -> TranslatorFit:
    """Return how long and in which steps to train: small ones on few pairs, so that there are some thousand."""
    fewest, most = _EPOCHS
    epochs = request.epochs or min(max(round(_SEEN / pairs), fewest), most)
    batch = 16 if pairs < 3_000 else 32 if pairs < 15_000 else 64
    steps = epochs * pairs // batch
    transformer = model == "transformer"
    return TranslatorFit(
        epochs=epochs,
        batch_size=batch,
        learning_rate=1.5e-3 if transformer else 2e-3,
        warmup=max(min(800 if transformer else 200, steps // 10), 1),
        averaging=0.999 if steps > 4_000 else 0.99,
        seed=request.seed,
    )


def _expected(run: RunRecipe, extent: _Extent) -> Expected:
    """Return about how long a run takes, its test with it, and what it takes on the disk."""
    fit, config = run.settings["fit"], run.settings["config"]
    slower = {16: 1.7, 32: 1.3}.get(fit["batch_size"], 1.0)
    epoch = slower * _SECONDS_A_WORD.get(run.settings["architecture"], 1.5e-4) * extent.words
    epoch += _SECONDS_A_SENTENCE * extent.validation
    kept = len(kept_of(SPARSE, range(fit["epochs"] + 1), fit["epochs"]))
    seconds = 10 + fit["epochs"] * epoch + (kept + 1) * _SECONDS_A_SENTENCE * extent.test
    return Expected(run.name, seconds, kept * (extent.known * config.get("dimensions", 256) + 800_000) + 100_000)


TASK = OwnTask(
    name="translation",
    title="Translators",
    order=3,
    models=_models,
    plan=_plan,
    options=frozenset({"translations", "test_translations", "languages"}),
    held_out=_HELD_OUT,
)
