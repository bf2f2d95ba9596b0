"""Word vectors: skip-gram, CBOW, GloVe or PPMI with SVD, of any file of text, whatever its length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nlpviz.data.own_texts import Opened, OwnTextsError, open_running
from nlpviz.data.own_texts.preview import bad_lines
from nlpviz.data.own_texts.profile import script_of
from nlpviz.data.own_texts.readers.words import READER, SPLIT, pieces
from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe
from nlpviz.results.own_texts import Expected, RunningReport, StreamCount
from nlpviz.runs.epochs import SPARSE, kept_of
from nlpviz.text.vocabulary import tokenize
from nlpviz.training import TrainingError
from nlpviz.training.own_tasks import OwnRequest, OwnTask, Plan, said, texts_recipe
from nlpviz.training.words import WordSettings
from nlpviz.word_vectors.learning import word_models

_MOST_WORDS = 30_000
_FEWEST = 1_000
"""Words of a text: neighbours in less are accidents."""
_SEEN = 20_000_000
"""Words that a training reads, all its epochs together, where the text has fewer; so many epochs at least and most:"""
_EPOCHS = (3, 20)
_SETTINGS: Mapping[str, Mapping[str, Any]] = {"cbow": {"input_rate": 0.4}, "ppmi-svd": {"dimensions": 150}}
_SECONDS = {"skip-gram": 8.0, "cbow": 3.5, "glove": 4.0, "ppmi-svd": 2.0}
"""Of an epoch over a million words, with one thread, as the project's runs took it."""


def _models() -> Mapping[str, str]:
    known = word_models()
    return {name: known[name].title for name in dict.fromkeys(("skip-gram", *known))}


def _plan(request: OwnRequest) -> Plan:
    """Return what is to be made of a text for word vectors: it is read once, and counted."""
    if request.test or request.held_out is not None:
        raise TrainingError("Word vectors are trained on the whole text; omit --test and --held-out.")
    if request.keep_texts:
        raise OwnTextsError("Runs of word vectors do not store texts; omit --keep-texts.")
    opened = open_running(request.source)
    texts = texts_recipe(request, opened.source, "words", held_out=0.0, validation=0.0)
    counts, seen, scripts = _counted(opened)
    if seen.tokens < _FEWEST:
        raise OwnTextsError(f"{request.source.path} has {seen.tokens:,} words; word vectors need at least {_FEWEST:,}.")
    fewest = 5 if seen.tokens >= 1_000_000 else 2
    known = min(sum(count >= fewest for count in counts.values()), _MOST_WORDS)
    runs = tuple(_run(request, model, known, seen.tokens) for model in request.models)
    report = RunningReport(
        files=(Path(request.source.path).name,),
        format=opened.format,
        guesses=opened.guesses,
        rows=seen.lines,
        split=READER.said(texts),
        scripts=tuple(scripts.most_common()),
        notes=(),
        bad=bad_lines(opened),
        bad_count=opened.bad_count,
        expected=tuple(_expected(run, known, seen.tokens) for run in runs),
        unit="word",
        counts=(seen,),
        distinct=len(counts),
        known=known,
    )
    return Plan(OwnRecipe(request.name, texts, runs), report)


def _counted(opened: Opened) -> tuple[Counter[str], StreamCount, Counter[str]]:
    """Return how often each word stands in a file, how long it is, and the scripts of its pieces."""
    counts: Counter[str] = Counter()
    scripts: Counter[str] = Counter()
    lines = characters = 0
    for piece, ends in pieces(opened):
        counts.update(token.word for token in tokenize(piece))
        lines, characters = lines + ends, characters + len(piece)
        scripts[script_of(piece)] += 1
    return counts, StreamCount(SPLIT, max(lines, 1), counts.total(), characters), scripts


def _run(request: OwnRequest, model: str, known: int, words: int) -> RunRecipe:
    """Return the run of a model, whose epochs follow from how long the text is."""
    kind = word_models()[model]
    settings = kind.settings(**{"dimensions": 100, **_SETTINGS.get(model, {})})
    if hasattr(settings, "epochs"):
        fewest, most = _EPOCHS
        settings = replace(settings, epochs=request.epochs or min(max(_SEEN // words, fewest), most))
    chosen = WordSettings(
        request.name,
        model,
        settings,
        splits=(SPLIT,),
        vocabulary_size=known,
        seed=request.seed,
        chosen="The settings are those of nlpviz’s own runs. The analogy questions were not used to choose them.",
    )
    return RunRecipe(request.run_name(model), f"{kind.title} on {request.name}", "word-vectors", said(chosen))


def _expected(run: RunRecipe, known: int, words: int) -> Expected:
    """Return about how long a run takes, its maps with it, and what it takes on the disk."""
    settings = run.settings["settings"]
    epochs = settings.get("epochs", 1)
    kept = len(kept_of(SPARSE, range(epochs + 1), epochs))
    seconds = _SECONDS[run.settings["model"]] * words / 1e6 * epochs
    return Expected(run.name, 20 + seconds, kept * known * settings["dimensions"])


TASK = OwnTask(name="words", title="Word vectors", order=1, models=_models, plan=_plan)
