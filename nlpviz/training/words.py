"""How a run of word vectors is made: a corpus as numbers, epochs, analogies answered after each, a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from torch import Tensor

from nlpviz.data import Corpus, corpus_named
from nlpviz.data.analogies import find_questions
from nlpviz.data.plain_words import SPLIT, WordStream
from nlpviz.relations import AnalogyScores
from nlpviz.runs import Run, open_run
from nlpviz.runs.analogies import WordEpoch, write_scores, write_word_history
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.vectors import INPUT, KIND, OUTPUT, read_vectors, tables, write_vectors
from nlpviz.runs.weights import weights_file
from nlpviz.training import Options, Recipe, TrainingError, accelerator_for
from nlpviz.training.provenance import BY_ALL_QUESTIONS, describe, today, versions, write_word_card
from nlpviz.training.texts import labelled_texts
from nlpviz.vectors import WordVectors
from nlpviz.vocabulary import SPECIALS, Vocabulary, tokenize
from nlpviz.word_models import Fit, FittedEpoch, word_models
from nlpviz.word_models.text import BOUNDARY, EncodedText
from nlpviz.word_vectors.analogies import METHODS
from nlpviz.word_vectors.questions import Question, Questions, read_questions, score

_IDS = ".ids"  # in the folder of an unfinished run: goes when the run is put in place


@dataclass(frozen=True)
class WordSettings:
    """Everything that makes one run of word vectors what it is.

    Attributes:
        corpus: its name.
        model: a name in ``nlpviz.word_models``.
        settings: of the model.
        splits: of the corpus, one after the other.
        vocabulary_size: words that get a vector, the commonest ones.
        kept_epochs: epochs whose vectors the run keeps besides the last one.
        seed: of all that is drawn.
        chosen: how the settings were chosen, for the run's card: accuracies on questions that chose them are no test.
    """

    corpus: str
    model: str
    settings: Any
    splits: tuple[str, ...] = (SPLIT,)
    vocabulary_size: int = 30_000
    kept_epochs: tuple[int, ...] = (0, 1)
    seed: int = 0
    chosen: str = BY_ALL_QUESTIONS


def word_recipe(name: str, title: str, settings: WordSettings) -> Recipe:
    """Return the recipe that makes the run ``name`` as ``settings`` say."""
    make = partial(_make, title=title, settings=settings)
    return Recipe(name=name, title=title, corpus=settings.corpus, make=make, evaluate=evaluate)


def evaluate(run_name: str, _: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the accuracy of an epoch, by default the last one, on Google's analogy questions, as it is stored."""
    total = score(read_vectors(open_run(run_name), epoch), read_questions(find_questions())).total
    return {"accuracy": total.accuracy, "questions": total.known}


# --------------------------------------------------------------------------------------------------------- the text


def encode(corpus: Corpus, splits: Iterable[str], vocabulary_size: int, path: Path) -> tuple[Vocabulary, EncodedText]:
    """Return a corpus's commonest words and the corpus as their numbers, which are written to ``path``.

    It is read twice as a stream; what is in memory at a time does not depend on its size.
    """
    splits = tuple(splits)
    vocabulary = Vocabulary.count((words for words, _ in _pieces(corpus, splits)), vocabulary_size + len(SPECIALS))
    words = 0
    with path.open("wb") as stream:
        for piece, ends in _pieces(corpus, splits):
            words += len(piece)
            ids = vocabulary.ids(piece) - len(SPECIALS)
            row = ids[ids >= 0].astype(np.int32)
            stream.write((np.append(row, np.int32(BOUNDARY)) if ends else row).tobytes())
    ids = np.memmap(path, dtype=np.int32, mode="r")
    return vocabulary, EncodedText(ids, vocabulary.counts[len(SPECIALS) :], words)


def _pieces(corpus: Corpus, splits: Iterable[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield the words of a corpus piece by piece, and whether a document ends with the piece."""
    for split in splits:
        records = corpus.read(split)
        if isinstance(records, WordStream):
            for piece in records.pieces():
                yield piece, False
        else:
            for text in labelled_texts(corpus.name, split).texts:
                yield [token.word for token in tokenize(text)], True


# ---------------------------------------------------------------------------------------------------------- the run


def _make(folder: Path, options: Options, *, title: str, settings: WordSettings) -> None:
    """Train, answer the analogy questions after every epoch, and write the run into ``folder``."""
    accelerator = accelerator_for(options.device)
    if not accelerator.is_main_process:
        return
    if options.epochs is not None and hasattr(settings.settings, "epochs"):
        settings = replace(settings, settings=replace(settings.settings, epochs=options.epochs))
    if options.vectors:
        raise TrainingError(f"{folder.name} trains word vectors itself: --vectors is for classifiers.")
    corpus = corpus_named(settings.corpus)
    options.say(f"Reading {corpus.title}")
    vocabulary, text = encode(corpus, settings.splits, settings.vocabulary_size, folder / _IDS)
    questions = read_questions(find_questions())
    options.say(f"Training on {text.words:,} words, {len(text.counts):,} of them with a vector")
    vocabulary.save(folder / VOCABULARY)
    fitted = Fit(text, accelerator.device, settings.seed, options.say)
    records: list[WordEpoch] = []
    for epoch in word_models()[settings.model].fit(fitted, settings.settings):
        records.append(_record(epoch, vocabulary, questions))
        options.say(_line(records[-1], text))
        if epoch.number in settings.kept_epochs or epoch.number == _last(settings):
            write_vectors(folder / weights_file(epoch.number), _stored(epoch, last=epoch.number == _last(settings)))
    write_word_history(folder, records)
    run = _manifest(folder, title, settings, text, records)
    run = replace(run, device=describe(accelerator.device)).save()
    _finish(run, corpus, questions)


def _last(settings: WordSettings) -> int:
    return int(getattr(settings.settings, "epochs", 1))


def _record(epoch: FittedEpoch, vocabulary: Vocabulary, questions: Questions) -> WordEpoch:
    """Return what an epoch cost and reached."""
    vectors = np.array(epoch.tables.input.cpu().numpy(), dtype=np.float32)
    total = score(WordVectors.of("", vocabulary.words[len(SPECIALS) :], vectors), questions).total
    return WordEpoch(epoch.number, epoch.loss, total.accuracy, epoch.seconds)


def _stored(epoch: FittedEpoch, *, last: bool) -> dict[str, Tensor]:
    """Return the tables that are kept of an epoch: the output vectors of the last one alone."""
    kept = {INPUT: epoch.tables.input}
    if last and epoch.tables.output is not None:
        kept[OUTPUT] = epoch.tables.output
    return kept


def _manifest(folder: Path, title: str, settings: WordSettings, text: EncodedText, records: list[WordEpoch]) -> Run:
    """Return the run as far as it is known before its stored vectors are read back."""
    trained = [record.epoch for record in records]
    size, dimensions = len(text.counts), settings.settings.dimensions
    return Run(
        name=folder.name,
        title=title,
        kind=KIND,
        architecture=settings.model,
        config={"vocabulary_size": size, "dimensions": dimensions},
        class_names=(),
        max_length=0,
        epochs=tuple(epoch for epoch in trained if epoch in settings.kept_epochs or epoch == trained[-1]),
        best_epoch=trained[-1],
        parameters=(),
        metrics={},
        corpus={"name": settings.corpus, "sha256": corpus_named(settings.corpus).sha256[0], "words": text.words},
        recipe={key: value for key, value in asdict(settings).items() if key not in ("corpus", "model")},
        device="",
        seconds=round(sum(record.seconds for record in records), 1),
        seconds_per_epoch=round(median([record.seconds for record in records if record.epoch] or [0.0]), 1),
        seed=settings.seed,
        created=today(),
        versions=versions(),
        files={},
        folder=folder,
    )


def _finish(run: Run, corpus: Corpus, questions: Questions) -> None:
    """Answer the questions with the vectors as they are stored, and write scores, card and manifest."""
    scores: dict[int, tuple[AnalogyScores, ...]] = {}
    for epoch in run.epochs:
        vectors = read_vectors(run, epoch)
        scores[epoch] = tuple(score(vectors, questions, method=method) for method in METHODS)
    write_scores(run.folder, scores)
    chosen = {found.method: found.total for found in scores[run.best_epoch]}
    first = chosen[next(iter(METHODS))]
    by_half = [score(read_vectors(run), half).total for half in halves(questions)]
    measured: Mapping[str, Mapping[str, float]] = {
        "analogies": {"accuracy": first.accuracy, "questions": first.known, "asked": first.asked},
        "analogies, every second": {"accuracy": by_half[0].accuracy, "questions": by_half[0].known},
        "analogies, the others": {"accuracy": by_half[1].accuracy, "questions": by_half[1].known},
    }
    size, dimensions = run.config["vocabulary_size"], run.config["dimensions"]
    terms = (
        (f"{table} vectors", f"{size:,} × {dimensions}", size * dimensions) for table in tables(run, run.best_epoch)
    )
    metrics = {name: values for name, values in measured.items() if values["questions"]}  # a share of none is no number
    run = replace(run, metrics=metrics, parameters=tuple(terms))
    write_word_card(run, corpus, word_models()[run.architecture].source)
    run.save()


def halves(questions: Questions) -> tuple[Questions, Questions]:
    """Return every second question of each section, by which settings are chosen, and the others."""

    def half(first: int) -> Questions:
        taken: dict[str, tuple[Question, ...]] = {name: asked[first::2] for name, asked in questions.sections.items()}
        return Questions(questions.name, taken)

    return half(0), half(1)


def _line(record: WordEpoch, text: EncodedText) -> str:
    """Return what a person wants to read after an epoch."""
    pace = f"; {record.seconds:.1f} s, {text.words / record.seconds:,.0f} words a second" if record.seconds else ""
    return f"epoch {record.epoch}: loss {record.loss:.4f}, analogies {record.accuracy:.2%}{pace}"
