"""How a run of word vectors is made: a corpus as numbers, epochs, analogies answered after each, a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from nlpviz.data import Corpus, CorpusMissing, corpus_named
from nlpviz.data.analogies import find_questions
from nlpviz.data.plain_words import SPLIT, WordStream
from nlpviz.data.streams import Pieces
from nlpviz.results.history import WordEpoch
from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import AnalogyScores
from nlpviz.runs import Run, open_run
from nlpviz.runs.analogies import write_scores
from nlpviz.runs.epochs import SPARSE
from nlpviz.runs.history import write_history
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.vectors import INPUT, KIND, OUTPUT, read_vectors, tables, write_vectors
from nlpviz.runs.weights import weights_file
from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.vocabulary import SPECIALS, Vocabulary, tokenize
from nlpviz.training import Family, Options, TrainingError, accelerator_for
from nlpviz.training.arrays import Arrays, text_as_array, text_of, vocabulary_as_arrays, vocabulary_of
from nlpviz.training.bounds import portion
from nlpviz.training.manifest import begun, measured, paced
from nlpviz.training.provenance import BY_ALL_QUESTIONS, describe, write_word_card
from nlpviz.training.sources import Reader, Sources, reads_texts, texts_from
from nlpviz.training.streams import is_labelled
from nlpviz.training.word_state import WordState
from nlpviz.word_vectors.analogies import METHODS
from nlpviz.word_vectors.learning import Fit, FittedEpoch, word_models
from nlpviz.word_vectors.learning.text import SEPARATOR, EncodedCorpus
from nlpviz.word_vectors.questions import Question, Questions, read_questions, score

_ANALOGIES = "analogies"
_IDS, _QUESTIONS = ".ids", ".questions"  # in the folder of an unfinished run: go when the run is put in place


@dataclass(frozen=True)
class WordSettings:
    """Everything that makes one run of word vectors what it is.

    Attributes:
        corpus: its name.
        model: a name in ``nlpviz.word_vectors.learning``.
        settings: of the model.
        splits: of the corpus, one after the other.
        vocabulary_size: words that get a vector, the commonest ones.
        kept_epochs: epochs whose vectors the run keeps besides the last one.
        output_vectors: whether the run keeps those of the last epoch, which is half of what it takes on the disk.
        seed: of all that is drawn.
        on_gpu: what is changed where a GPU computes, as :func:`nlpviz.training.changed` takes it: larger steps among
            it, for small ones leave it idle. Skip-gram's loss after three passes over 1.4 million words was 2.430
            with 1,024 words a step and 2.418 with 256.
        chosen: how the settings were chosen, for the run's card: accuracies on questions that chose them are no test.
        peer: what a peer reaches with the same words after as many epochs, for the card; or nothing.
    """

    corpus: str
    model: str
    settings: Any
    splits: tuple[str, ...] = (SPLIT,)
    vocabulary_size: int = 30_000
    kept_epochs: tuple[int, ...] = SPARSE
    output_vectors: bool = True
    seed: int = 0
    on_gpu: Mapping[str, Any] = field(default_factory=dict)
    chosen: str = BY_ALL_QUESTIONS
    peer: str = ""


def evaluate(run_name: str, _: Options, epoch: int | None = None) -> dict[str, float]:
    """Return the accuracy of an epoch, by default the last one, on Google's analogy questions, as it is stored."""
    total = score(read_vectors(open_run(run_name), epoch), read_questions(find_questions())).total
    return {"accuracy": total.accuracy, "questions": total.known}


# --------------------------------------------------------------------------------------------------------- the text


def encode(corpus: Corpus, splits: Sequence[str], vocabulary_size: int, path: Path) -> tuple[Vocabulary, EncodedCorpus]:
    """Return a stream's commonest words and the stream as their numbers, which are written to ``path``.

    It is read twice, piece by piece; what is in memory at a time does not depend on its size.
    """
    vocabulary = Vocabulary.count((words for words, _ in _pieces(corpus, splits)), vocabulary_size + len(SPECIALS))
    words = 0
    with path.open("wb") as stream:
        for piece, ends in _pieces(corpus, splits):
            words += len(piece)
            ids = vocabulary.ids(piece) - len(SPECIALS)
            row = ids[ids >= 0].astype(np.int32)
            stream.write((np.append(row, np.int32(SEPARATOR)) if ends else row).tobytes())
    ids = np.memmap(path, dtype=np.int32, mode="r")
    return vocabulary, EncodedCorpus(ids, vocabulary.counts[len(SPECIALS) :], words)


def _pieces(corpus: Corpus, splits: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield the words of a corpus piece by piece, and whether a document ends with the piece."""
    for split in splits:
        records = corpus.read(split)
        if isinstance(records, WordStream):
            for piece in records.pieces():
                yield piece[: portion(len(piece))], False
        elif isinstance(records, Pieces):
            for text, ends in records.read():
                yield [token.word for token in tokenize(text)], ends
        else:
            raise TrainingError(f"The corpus {corpus.name!r} has no text for training word vectors.")


# ---------------------------------------------------------------------------------------------------------- the run


def _reads(settings: WordSettings) -> dict[str, Reader]:
    """Return what reads labelled texts, or one stream, and the questions."""
    questions: dict[str, Reader] = {_ANALOGIES: partial(_read_questions_file, settings=settings)}
    if is_labelled(corpus_named(settings.corpus), settings.splits[0]):
        return reads_texts(settings.corpus, *settings.splits) | questions
    return {_row(settings): partial(_read_row, settings=settings)} | questions


def _row(settings: WordSettings) -> str:
    """Return what a stream is called: its rare words have no number, so that their number is part of the name."""
    return "-".join((settings.corpus, *settings.splits, "row", str(settings.vocabulary_size)))


def _read_row(folder: Path, options: Options, *, settings: WordSettings) -> Arrays:
    """Return a stream as one row of numbers, which lies in ``folder``, and its words."""
    corpus = corpus_named(settings.corpus)
    options.say(f"Reading {corpus.title}")
    vocabulary, text = encode(corpus, settings.splits, settings.vocabulary_size, folder / _IDS)
    return {**vocabulary_as_arrays("vocabulary", vocabulary), "ids": text.ids, "words": np.array([text.words])}


def _read_questions_file(_: Path, __: Options, *, settings: WordSettings) -> Arrays:
    return {"questions": text_as_array(_questions_for(corpus_named(settings.corpus)))}


def _encode(settings: WordSettings, sources: Sources, _: Options) -> Arrays:
    """Return the corpus as one row of numbers, its words, and the questions' file."""
    questions = sources[_ANALOGIES]()
    if (row := _row(settings)) in sources:
        return {**sources[row](), **questions}
    texts = NumberedTexts.together([texts_from(sources, settings.corpus, split).texts for split in settings.splits])
    vocabulary = texts.vocabulary(settings.vocabulary_size + len(SPECIALS))
    ids = texts.ids_in(vocabulary)
    known = ids >= len(SPECIALS)
    ends = np.append(0, np.cumsum(known))[texts.ends]
    return {
        **vocabulary_as_arrays("vocabulary", vocabulary),
        "ids": np.insert(ids[known] - len(SPECIALS), ends, SEPARATOR).astype(np.int32),
        "words": np.array([len(ids)]),
        **questions,
    }


def _questions_for(corpus: Corpus) -> str:
    """Return the file of analogy questions; for user data ``""`` where it is not on this machine."""
    try:
        return find_questions().read_text(encoding="utf-8")
    except CorpusMissing:
        if corpus.url:
            raise
        return ""


def _read_questions(text: str, path: Path) -> Questions:
    """Return the questions of a file's text, which is written to ``path``; none of an empty one."""
    path.write_text(text, encoding="utf-8")
    return read_questions(path) if text else Questions(path.name, {})


def _fit(settings: WordSettings, title: str, arrays: Arrays, folder: Path, options: Options) -> None:
    """Train on an encoded corpus, and write the run as far as it is known before its stored vectors are read back."""
    accelerator = accelerator_for(options.device)
    if options.epochs is not None and hasattr(settings.settings, "epochs"):
        settings = replace(settings, settings=replace(settings.settings, epochs=options.epochs))
    vocabulary = vocabulary_of(arrays, "vocabulary")
    ids, counts = arrays["ids"].astype(np.int32, copy=False), vocabulary.counts[len(SPECIALS) :]
    text = EncodedCorpus(ids, counts, int(arrays["words"][0]))
    questions = _read_questions(text_of(arrays["questions"]), folder / _QUESTIONS)
    options.say(f"Training on {text.words:,} words; vocabulary of {len(text.counts):,}")
    vocabulary.save(folder / VOCABULARY)
    state = WordState(folder, _fingerprint(settings, text), _last(settings))
    fitted = Fit(text, accelerator.device, settings.seed, options.say, state)
    for epoch in word_models()[settings.model].fit(fitted, settings.settings):
        last = epoch
        if state.records and epoch.number == state.records[-1].epoch:  # as a stopped training left it
            continue
        state.records.append(_record(epoch, vocabulary, questions))
        options.say(_line(state.records[-1], text))
        if epoch.number in settings.kept_epochs:
            drawn = settings.seed if epoch.number == 0 else None
            write_vectors(folder / weights_file(epoch.number), _stored(epoch, both=False), drawn)
    write_vectors(folder / weights_file(last.number), _stored(last, both=settings.output_vectors))
    write_history(folder, state.records)
    trained = [record.epoch for record in state.records]
    run = replace(
        begun(folder, title, KIND, settings, ("corpus", "model", "on_gpu")),
        architecture=settings.model,
        config={"vocabulary_size": len(text.counts), "dimensions": settings.settings.dimensions},
        epochs=tuple(epoch for epoch in trained if epoch in settings.kept_epochs or epoch == trained[-1]),
        best_epoch=trained[-1],
        corpus={"name": settings.corpus, "words": text.words},
        device=describe(accelerator.device),
    )
    paced(run, state.records).save()


def _fingerprint(settings: WordSettings, text: EncodedCorpus) -> str:
    """Return what tells one training from another."""
    return json.dumps([asdict(settings), text.words, len(text.ids), len(text.counts)])


def _last(settings: WordSettings) -> int:
    return int(getattr(settings.settings, "epochs", 1))


def _record(epoch: FittedEpoch, vocabulary: Vocabulary, questions: Questions) -> WordEpoch:
    """Return what an epoch cost and reached."""
    vectors = np.array(epoch.tables.input.cpu().numpy(), dtype=np.float32)
    total = score(WordVectors.of("", vocabulary.words[len(SPECIALS) :], vectors), questions).total
    return WordEpoch(epoch.number, epoch.loss, total.accuracy, epoch.seconds)


def _stored(epoch: FittedEpoch, *, both: bool) -> dict[str, Tensor]:
    """Return the tables that are kept of an epoch: the input vectors, and the output vectors where ``both`` are."""
    kept = {INPUT: epoch.tables.input}
    if both and epoch.tables.output is not None:
        kept[OUTPUT] = epoch.tables.output
    return kept


def _finish(folder: Path, _: Options) -> None:
    """Answer the questions with the vectors as they are stored, and write scores, card and manifest."""
    run = Run.open(folder)
    corpus = corpus_named(run.corpus["name"])
    questions = _read_questions(_questions_for(corpus), folder / _QUESTIONS)
    scores: dict[int, tuple[AnalogyScores, ...]] = {}
    for epoch in run.epochs:
        vectors = read_vectors(run, epoch)
        scores[epoch] = tuple(score(vectors, questions, method=method) for method in METHODS)
    write_scores(run.folder, scores)
    chosen = {result.method: result.total for result in scores[run.best_epoch]}
    first = chosen[next(iter(METHODS))]
    by_half = [score(read_vectors(run), half).total for half in halves(questions)]
    found: Mapping[str, Mapping[str, float]] = {
        "analogies": {"accuracy": first.accuracy, "questions": first.known, "asked": first.asked},
        "analogies, every second": {"accuracy": by_half[0].accuracy, "questions": by_half[0].known},
        "analogies, the others": {"accuracy": by_half[1].accuracy, "questions": by_half[1].known},
    }
    size, dimensions = run.config["vocabulary_size"], run.config["dimensions"]
    terms = (
        (f"{table} vectors", f"{size:,} × {dimensions}", size * dimensions) for table in tables(run, run.best_epoch)
    )
    metrics = {name: values for name, values in found.items() if values["questions"]}  # a share of none is no number
    run = replace(measured(run, corpus, metrics), parameters=tuple(terms))
    write_word_card(run, corpus, word_models()[run.architecture].source)
    run.save()


def halves(questions: Questions) -> tuple[Questions, Questions]:
    """Return every second question of each section, by which settings are chosen, and the others."""

    def half(first: int) -> Questions:
        taken: dict[str, tuple[Question, ...]] = {name: asked[first::2] for name, asked in questions.sections.items()}
        return Questions(questions.name, taken)

    return half(0), half(1)


def _line(record: WordEpoch, text: EncodedCorpus) -> str:
    """Return the progress line after an epoch."""
    pace = f"; {record.seconds:.1f} s, {text.words / record.seconds:,.0f} words per second" if record.seconds else ""
    loss = "" if isnan(record.loss) else f" loss {record.loss:.4f},"  # a factorization has none
    answered = "none known" if isnan(record.accuracy) else f"{record.accuracy:.2%}"
    return f"epoch {record.epoch}:{loss} analogies {answered}{pace}"


word_recipe = Family(
    encode=_encode,
    fit=_fit,
    finish=_finish,
    evaluate=evaluate,
    reads=_reads,
    on_cpu=lambda settings: settings.model in ("glove", "ppmi-svd"),
).recipe
