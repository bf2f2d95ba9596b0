"""Language models: networks that predict the next word or character of a text, with n-grams as a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpviz.data.own_texts import OwnTextsError, open_running
from nlpviz.data.own_texts.preview import bad_lines
from nlpviz.data.own_texts.profile import WITHOUT_BLANKS, script_of
from nlpviz.data.own_texts.readers.language import READER, SPLITS, split, whole_text
from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe
from nlpviz.data.streams import TextStream
from nlpviz.networks.architectures import Architecture, architectures, untrained_instance
from nlpviz.networks.cells import cells
from nlpviz.networks.language_networks import LanguageNetwork
from nlpviz.results.own_texts import Expected, RunningReport, StreamCount
from nlpviz.runs.language import COUNTS
from nlpviz.text.tokenizers import CHARACTERS, TOKENIZERS, WIKITEXT
from nlpviz.training import TrainingError
from nlpviz.training.language import LanguageSettings
from nlpviz.training.language_fit import LanguageFit
from nlpviz.training.own_tasks import TOKENS, OwnRequest, OwnTask, Plan, said, share, texts_recipe

_TOKENS = dict(zip(TOKENS, (WIKITEXT, CHARACTERS), strict=True))
_ORDERS = {"words": 5, "characters": 7}
_HELD_OUT, _VALIDATION = 0.1, 0.05
_FEWEST = 2_000
"""Tokens to train on, without which nothing can be learnt."""
_WORDS_FROM = 3_000_000
"""Characters of a text from which on its words are predicted: of fewer, most words stand there once or twice."""
_LONG_LINE = 30  # characters
_SEEN = {"words": 6_000_000, "characters": 10_000_000}
"""Tokens that a training reads, all its epochs together, where the text has fewer; so many epochs at least and most:"""
_EPOCHS = (2, 30)
_SECONDS_A_PRODUCT = 85e-12
"""Forward and back: what the LSTMs on tinyshakespeare and WikiText-2 took for a weight and a token, with one thread."""
_COUNTING, _MEASURING = 4e-6, 6e-5
"""Seconds a token: of counting n-grams, and of measuring, mixing and surveying a network on a test token."""
_FIRST, COUNTED = "lstm-lm", "kneser-ney"


@dataclass(frozen=True)
class _Extent:
    """What settings depend on: the unit, tokens of training and test text, and how many a vocabulary has."""

    unit: str
    train: int
    test: int
    known: int


def _networks() -> Mapping[str, tuple[Architecture, Mapping[str, Any]]]:
    """Return every network that a person may ask for by name, with what is particular to its configuration."""
    found: dict[str, tuple[Architecture, Mapping[str, Any]]] = {}
    for name, one in architectures().items():
        if not isinstance(untrained_instance(name, {}), LanguageNetwork):
            continue
        if "cell" in one.config.__dataclass_fields__:
            found |= {f"{cell}-lm": (one, {"cell": cell}) for cell in ("lstm", *cells())}
        else:
            found[name] = (one, {})
    return found


def _models() -> Mapping[str, str]:
    names = dict.fromkeys((_FIRST, *_networks()))
    return {**{name: _title(name) for name in names}, COUNTED: "Kneser-Ney n-grams"}


def _title(name: str) -> str:
    one, config = _networks()[name]
    return f"{cells()[config['cell']].title} language model" if "cell" in config else one.title


def _plan(request: OwnRequest) -> Plan:
    """Return what is to be made of a text of which the next token is to be predicted."""
    opened = open_running(request.source)
    held_out = 0.0 if request.test else share(request, _HELD_OUT)
    texts = texts_recipe(request, opened.source, "language", held_out=held_out, validation=_VALIDATION)
    text = whole_text(opened)
    splits = split(text, whole_text(open_running(texts.test_source)) if request.test else "", texts)
    unit, guess = _unit(request, text)
    tokens = {name: one.tokens(TOKENIZERS[_TOKENS[unit]]) for name, one in splits.items()}
    for name, found in tokens.items():
        if len(found) < (_FEWEST if name == "train" else 1):
            raise OwnTextsError(f"The text is too short: only {len(found):,} {unit} remain for {name}.")
    counts = Counter(tokens["train"])
    known = {token for token, count in counts.items() if count >= 2}
    extent = _Extent(unit, len(tokens["train"]), len(tokens["test"]), len(known))
    runs = tuple(_runs(request, extent))
    report = RunningReport(
        files=tuple(Path(path).name for path in (request.source.path, request.test) if path),
        format=opened.format,
        guesses=(*opened.guesses, *guess),
        rows=text.count("\n"),
        split=READER.said(texts),
        scripts=tuple(Counter(script_of(line) for line in splits["test"].lines if line.strip()).most_common()),
        notes=() if request.keep_texts else (_telling(extent.unit),),
        bad=bad_lines(opened),
        bad_count=opened.bad_count,
        expected=tuple(_expected(run, extent) for run in runs),
        unit=unit.removesuffix("s"),
        counts=tuple(
            StreamCount(name, len(splits[name].lines), len(tokens[name]), len(splits[name])) for name in SPLITS
        ),
        distinct=len(counts),
        known=len(known),
        unknown=sum(token not in known for token in tokens["test"]) / len(tokens["test"]),
        in_both=_in_both(splits["train"], splits["test"]),
    )
    return Plan(OwnRecipe(request.name, texts, runs), report)


def _unit(request: OwnRequest, text: str) -> tuple[str, tuple[str, ...]]:
    """Return what is predicted, and a sentence that says why where nobody said so."""
    if request.tokens:
        if request.tokens not in _TOKENS:
            raise TrainingError(f"Unknown token type {request.tokens!r}; choose {' or '.join(_TOKENS)}.")
        return request.tokens, ()
    if script_of(text) in WITHOUT_BLANKS:
        return "characters", ("The model predicts characters, because this script has no spaces between words.",)
    if len(text) < _WORDS_FROM:
        return "characters", (
            f"The model predicts characters, because words are too rare in a text under {_WORDS_FROM:,} characters.",
        )
    return "words", (f"The model predicts words, because the text has at least {_WORDS_FROM:,} characters.",)


def _telling(unit: str) -> str:
    """Return what the n-grams of a text give away, in a sentence."""
    return (
        f"The n-grams contain every sequence of up to {_ORDERS[unit]} {unit} of the training text, so parts of it can "
        "be reconstructed. Treat them as confidentially as the text."
    )


def _in_both(train: TextStream, test: TextStream) -> float:
    """Return the share of the longer test lines that stand in the training text as well; NaN where none is longer."""
    known = {line.strip() for line in train.lines}
    longer = [line.strip() for line in test.lines if len(line.strip()) >= _LONG_LINE]
    return sum(line in known for line in longer) / len(longer) if longer else float("nan")


# --------------------------------------------------------------------------------------------------------- settings


def _runs(request: OwnRequest, extent: _Extent) -> Iterator[RunRecipe]:
    """Yield the runs in their order: the n-grams, then the networks, each measured mixed with them."""
    counted = request.name if request.models == (COUNTED,) else f"{request.name}-ngrams"
    words = extent.unit == "words"
    ngrams = LanguageSettings(
        request.name,
        _TOKENS[extent.unit],
        COUNTS,
        {"order": _ORDERS[extent.unit]},
        min_count=2,
        cache=500 if words else 0,
        fit=LanguageFit(seed=request.seed),
    )
    title = f"Kneser-Ney {'' if words else 'character '}{_ORDERS[extent.unit]}-grams on {request.name}"
    yield RunRecipe(counted, title, "language-model", said(ngrams))
    for model in request.models:
        if model == COUNTED:
            continue
        architecture, config = _networks()[model]
        settings = LanguageSettings(
            request.name,
            _TOKENS[extent.unit],
            architecture.name,
            {**_sizes(architecture, extent), **config},
            min_count=2,
            beside=(counted,),
            fit=_fit(request, extent),
        )
        yield RunRecipe(request.run_name(model), f"{_title(model)} on {request.name}", "language-model", said(settings))


def _sizes(architecture: Architecture, extent: _Extent) -> dict[str, Any]:
    """Return the sizes of a network: small ones learn on little text what larger ones learn by heart."""
    little, words = extent.train < 200_000, extent.unit == "words"
    dimensions = 128 if words else 64
    sizes: dict[str, Any] = {"dimensions": dimensions, "input_dropout": 0.2 if words else 0.1, "output_dropout": 0.3}
    if "units" in architecture.config.__dataclass_fields__:
        sizes["units"] = 128 if little else 256
    if "order" in architecture.config.__dataclass_fields__:
        sizes["order"] = 5 if words else 9
    if cutoffs := tuple(place for place in (4_000, 12_000) if place < extent.known):
        sizes["cutoffs"] = cutoffs
    return sizes


def _fit(request: OwnRequest, extent: _Extent) -> LanguageFit:
    """Return how long and in which steps to train."""
    fewest, most = _EPOCHS
    epochs = min(max(_SEEN[extent.unit] // extent.train, fewest), most)
    little = extent.train < 200_000
    return LanguageFit(
        epochs=request.epochs or epochs,
        rows=16 if little else 32,
        steps=35 if extent.unit == "words" else 80,
        averaging=0.99 if little else 0.998,
        sampled=1_000 if extent.known > 4_000 else 0,
        seed=request.seed,
    )


def _expected(run: RunRecipe, extent: _Extent) -> Expected:
    """Return about how long a run takes on two cores, its survey with it, and what it takes on the disk."""
    settings = run.settings
    if settings["architecture"] == COUNTS:
        return Expected(run.name, 5 + _COUNTING * extent.train, 50_000 + 5 * extent.train)
    config, fit = settings["config"], settings["fit"]
    units, dimensions = config.get("units", 4 * config["dimensions"]), config["dimensions"]
    predicted = min(extent.known, fit["common"] + fit["sampled"] if fit["sampled"] else extent.known)
    products = 4 * units * (units + dimensions) + predicted * dimensions
    seconds = _SECONDS_A_PRODUCT * products * extent.train * fit["epochs"] + _MEASURING * 4 * extent.test + 20
    weights = 4 * units * (units + dimensions) + extent.known * dimensions
    return Expected(run.name, seconds, (fit["epochs"] + 1) * weights + 300_000)


TASK = OwnTask(
    name="language",
    title="Language models",
    order=2,
    models=_models,
    plan=_plan,
    options=frozenset({"tokens"}),
    held_out=_HELD_OUT,
)
