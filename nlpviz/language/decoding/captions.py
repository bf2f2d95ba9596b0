"""Captions written word by word, where the network looked for each word, and how much of them is true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.data.captioned import CaptionedImages
from nlpviz.data.scene_captions import claim_of, meant
from nlpviz.data.scene_objects import SIDE, Scene, Shape
from nlpviz.language.decoding.bleu import bleu_of_several
from nlpviz.results.captions import Caption, CaptionsCompared, CaptionsMeasured
from nlpviz.text.vocabulary import SPECIALS

if TYPE_CHECKING:
    from nlpviz.runs.captioners import TrainedCaptioner

LONGEST = 20
"""Words of a caption."""
_ROWS = 100
"""Images that are captioned in one batch."""


def describe(trained: TrainedCaptioner, images: NDArray[np.uint8]) -> list[Caption]:
    """Return the captions of ``images`` (N, 3, S, S): the likeliest word at each step."""
    found: list[Caption] = []
    for first in range(0, len(images), _ROWS):
        found += _describe(trained, torch.from_numpy(images[first : first + _ROWS]))
    return found


@torch.inference_mode()
def _describe(trained: TrainedCaptioner, images: torch.Tensor) -> list[Caption]:
    module, eos, grid = trained.module, trained.eos, trained.module.config.grid
    device = next(module.parameters()).device
    state = module.start(images.to(device))
    words = torch.full((len(images),), eos, device=device)
    ids, shares, weights, places = [], [], [], []
    ended = torch.zeros(len(images), dtype=torch.bool, device=device)
    for _ in range(LONGEST):
        done = module.step(words, state)
        state = done.state
        probabilities = done.logits.softmax(dim=1)
        words = probabilities[:, len(SPECIALS) :].argmax(dim=1) + len(SPECIALS)  # no padding is written
        ids.append(words)
        shares.append(probabilities.gather(1, words.unsqueeze(1)).squeeze(1))
        weights.append(done.weights)
        places.append(done.weights.argmax(dim=1) if done.place is None else done.place)
        ended |= words == eos
        if bool(ended.all()):
            break
    written = torch.stack(ids, dim=1).cpu().numpy()  # (B, T)
    hard = module.config.attention == "hard"
    columns = [torch.stack(values, dim=1).cpu().numpy() for values in (shares, weights, places)]
    return [
        _caption(trained, row, [column[place] for column in columns], grid if hard else -grid)
        for place, row in enumerate(written)
    ]


def _caption(
    trained: TrainedCaptioner, ids: NDArray[np.int64], columns: Sequence[NDArray[np.generic]], grid: int
) -> Caption:
    """Return one caption up to its end; a negative ``grid`` is that of soft attention."""
    stops = np.flatnonzero(ids == trained.eos)
    length = int(stops[0]) if len(stops) else len(ids)
    shares, weights, places = (column[:length] for column in columns)
    side = abs(grid)
    return Caption(
        trained.run,
        trained.epoch,
        tuple(trained.vocabulary.words[number] for number in ids[:length]),
        np.asarray(shares, dtype=np.float32).copy(),
        np.asarray(weights, dtype=np.float32).reshape(length, side, side).copy(),
        np.stack(np.divmod(np.asarray(places, dtype=np.int64), side), axis=1) if grid > 0 else None,
        bool(len(stops)),
    )


def judge(captions: Sequence[Caption], told: CaptionedImages) -> dict[str, float]:
    """Return what captions of images reach: how many are true where that is known, else what they share with others.

    The words of these are compared as the network reads them, without case.
    """
    if told.scenes:
        return measure_captions(captions, told.scenes)._asdict()
    references = [list(told.texts(place)) for place in range(len(told))]
    return CaptionsCompared(
        len(captions),
        sum(map(len, references)),
        bleu_of_several([caption.text for caption in captions], references),
        float(np.mean([len(caption.words) for caption in captions])),
    )._asdict()


def measure_captions(captions: Sequence[Caption], scenes: Sequence[Scene]) -> CaptionsMeasured:
    """Return how many captions are true of their scenes, and how often the network looked at what a word names."""
    true = grammatical = pairs = 0
    hits: list[bool] = []
    chances: list[float] = []
    masses: list[float] = []
    for caption, scene in zip(captions, scenes, strict=True):
        claim = claim_of(caption.words)
        grammatical += claim is not None
        objects = None if claim is None else meant(claim, scene)
        if claim is None or objects is None:
            continue
        true += 1
        pairs += len(objects) > 1
        for mention, one in zip(claim.mentions, objects, strict=True):
            touched = cells_of(one, caption.weights.shape[1])
            for word in range(mention.start + 1, mention.stop):  # without "a"
                row, column = caption.looked[word]
                hits.append(bool(touched[row, column]))
                chances.append(float(touched.mean()))
                masses.append(float(caption.weights[word][touched].sum()))
    count = len(captions)
    mean = [float(np.mean(values)) if values else 0.0 for values in (hits, chances, masses)]
    return CaptionsMeasured(
        count, true / max(count, 1), grammatical / max(count, 1), pairs / max(true, 1), len(hits), *mean
    )


def cells_of(one: Shape, grid: int) -> NDArray[np.bool_]:
    """Return which places (G, G) of the grid an object touches."""
    pixels = SIDE // grid
    left, top, right, bottom = one.box
    cells = np.zeros((grid, grid), dtype=np.bool_)
    cells[top // pixels : (bottom - 1) // pixels + 1, left // pixels : (right - 1) // pixels + 1] = True
    return cells
