"""Captions: a network that describes an image, with soft or hard attention, trained on images with captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts.captions import FORMAT, CaptionedFiles, all_words, gather_captions, repeated
from nlpviz.data.own_texts.hashes import hash_of
from nlpviz.data.own_texts.readers.captions import NOT_KEPT, READER, SPLITS, TEST, TRAIN, VALIDATION, split
from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe, TextsRecipe
from nlpviz.networks.architectures.captioner import ATTENTIONS
from nlpviz.results.own_texts import Expected, ImageCount, ImagesReport
from nlpviz.text.vocabulary import EOS
from nlpviz.training import TrainingError
from nlpviz.training.captioner import VALIDATED, CaptionerSettings
from nlpviz.training.captioner_fit import CaptionerFit
from nlpviz.training.own_tasks import OwnRequest, OwnTask, Plan, said, share, texts_recipe

_SIDE = 64
"""Pixels of an image, as of the scenes: so many that a network reads it on a CPU."""
_HELD_OUT = _VALIDATION = 0.1
_MOST_TESTED = 2_000
"""Images: more of them are not held out unasked."""
_FEWEST = 20
"""Images to train on, without which nothing can be learnt."""
_SEEN = 500_000
"""Captions that a training reads, all its epochs together, where there are fewer; so many epochs at least and most:"""
_EPOCHS = (4, 60)
_FEW_WORDS = 5_000
"""Words of all training captions up to which a word is known that stands there once."""
_SECONDS_A_CAPTION = 2e-3
"""Forward and back, for ten words on one thread, in steps of 48; and of an image that is read:"""
_SECONDS_AN_IMAGE = 5e-3


def _models() -> Mapping[str, str]:
    return {name: f"{name.capitalize()} attention" for name in ATTENTIONS}


def _plan(request: OwnRequest) -> Plan:
    """Return what is to be made of images with captions.

    Raises:
        TrainingError: if no folder of images is named, or what is asked for does not go with them.
        OwnTextsError: if they cannot be used, or are too few.
    """
    if not request.images:
        raise TrainingError("A captioner needs images; pass their folder with --images.")
    if request.test:
        raise TrainingError("Captioners are tested on a held-out share of the images; omit --test.")
    if request.keep_texts:
        raise OwnTextsError(NOT_KEPT)
    path, images = (str(Path(one).expanduser().resolve()) for one in (request.source.path, request.images))
    found = gather_captions(path, images, _SIDE)
    held_out = share(request, min(_HELD_OUT, _MOST_TESTED / len(found)))
    texts = texts_recipe(
        request,
        Source(path, text="caption"),
        "captions",
        held_out=held_out,
        validation=min(_VALIDATION, VALIDATED / len(found)),
        images=images,
        images_sha256=hash_of(images),
        side=_SIDE,
    )
    places = split(texts, found)
    if len(places[TRAIN]) < _FEWEST or not (len(places[VALIDATION]) and len(places[TEST])):
        raise OwnTextsError(
            f"Only {len(places[TRAIN]):,} images can be used for training; a captioner needs at least {_FEWEST}, and "
            "more for testing."
        )
    counts = tuple(_count(name, found, places[name]) for name in SPLITS)
    min_count = 1 if counts[0].words < _FEW_WORDS else 2
    runs = tuple(_run(request, model, counts[0], min_count) for model in request.models)
    return Plan(OwnRecipe(request.name, texts, runs), _report(texts, found, places, counts, runs))


def _count(name: str, found: CaptionedFiles, places: NDArray[np.int64]) -> ImageCount:
    some = _captions(found, places)
    return ImageCount(name, len(some), sum(map(len, some)), sum(1 for _ in all_words(some)))


def _captions(found: CaptionedFiles, places: NDArray[np.int64]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    return tuple(found.captions[place] for place in places.tolist())


def _run(request: OwnRequest, model: str, train: ImageCount, min_count: int) -> RunRecipe:
    """Return the run with one kind of attention: as many steps an epoch as see each caption about once."""
    epochs = request.epochs or min(max(round(_SEEN / train.captions), _EPOCHS[0]), _EPOCHS[1])
    batch = 16 if train.captions < 2_000 else 48
    steps = -(-train.captions // batch)
    fit = CaptionerFit(
        epochs=epochs,
        steps=steps,
        batch_size=batch,
        averaging=0.999 if epochs * steps > 4_000 else 0.99,
        seed=request.seed,
    )
    kept = tuple(sorted({0, 1, epochs // 2}))
    settings = CaptionerSettings({"attention": model, "dropout": 0.3}, kept, fit, min_count=min_count)
    return RunRecipe(request.run_name(model), f"{_models()[model]} on {request.name}", "captioner", said(settings))


def _report(
    texts: TextsRecipe,
    found: CaptionedFiles,
    places: Mapping[str, NDArray[np.int64]],
    counts: tuple[ImageCount, ...],
    runs: Sequence[RunRecipe],
) -> ImagesReport:
    """Return what there is to know of images with captions before training."""
    settings = runs[0].settings
    seen = Counter(all_words(_captions(found, places[TRAIN])))
    known = {word for word, count in seen.items() if count >= settings["min_count"]} | {EOS}
    tested = list(all_words(_captions(found, places[TEST])))
    return ImagesReport(
        files=(Path(texts.path).name, Path(texts.images).name),
        format=FORMAT,
        guesses=(),
        rows=found.rows,
        split=READER.said(texts),
        scripts=(),
        notes=(),
        bad=tuple(found.bad),
        bad_count=found.bad_count,
        expected=tuple(_expected(run, counts, len(known)) for run in runs),
        side=texts.side,
        counts=counts,
        known=len(known),
        unknown=sum(word not in known for word in tested) / len(tested),
        repeated=repeated(found),
    )


def _expected(run: RunRecipe, counts: tuple[ImageCount, ...], known: int) -> Expected:
    """Return about how long a run takes, and what it takes on the disk."""
    fit = run.settings["fit"]
    seen = fit["epochs"] * (fit["steps"] * fit["batch_size"] + counts[1].captions)
    longer = counts[0].words / counts[0].captions / 10
    seconds = 5 + _SECONDS_A_CAPTION * max(longer, 0.5) * seen + _SECONDS_AN_IMAGE * sum(one.images for one in counts)
    weights = 250_000 + known * 100
    return Expected(run.name, seconds, (fit["epochs"] + 1) * weights)


TASK = OwnTask(
    name="captions",
    title="Captions of images",
    order=4,
    models=_models,
    plan=_plan,
    options=frozenset({"images"}),
    held_out=_HELD_OUT,
    of_one_file=False,
)
