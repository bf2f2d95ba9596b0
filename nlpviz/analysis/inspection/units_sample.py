"""The value of every unit of a network after each word of some test documents, one row per word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.features import Feature
from nlpviz.results.states import HIDDEN_STATE, TextStates
from nlpviz.results.unit_course import UnitCourse
from nlpviz.results.units import CELL_STATE, Unit
from nlpviz.runs import RunError, TrainedModel
from nlpviz.text.vocabulary import EncodedText

if TYPE_CHECKING:
    from torch import Tensor

_AT_ONCE = 50  # documents

Report = Callable[[float], object]


@dataclass(frozen=True)
class Sample:
    """Test documents as a network reads them: N of them, W words in all.

    Attributes:
        ids: how the corpus calls them.
        encoded: their texts, each with a word at least.
        starts: int64 (N + 1,), the row of each document's first word, and W.
        of_characters: whether a word is a character.
    """

    ids: tuple[str, ...]
    encoded: tuple[EncodedText, ...]
    starts: NDArray[np.int64]
    of_characters: bool = False

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Words of each document, (N,)."""
        return np.diff(self.starts)

    def courses(self, feature: Feature, weights: Mapping[str, float]) -> NDArray[np.float32]:
        """Return a feature at every word, (W,)."""
        return np.concatenate([feature.course(one, weights) for one in self.encoded], dtype=np.float32)


def encode_sample(trained: TrainedModel, documents: Sequence[tuple[str, str]]) -> Sample:
    """Return documents, ids and texts, as a network reads them; those without a word are left out.

    Raises:
        RunError: if none has a word.
    """
    read = [(name, trained.encode(text)) for name, text in documents]
    read = [(name, encoded) for name, encoded in read if len(encoded.ids)]
    if not read:
        raise RunError(f"No test document contains a word in the vocabulary of the run {trained.run.name!r}.")
    starts = np.cumsum([0, *(len(encoded.ids) for _, encoded in read)])
    names, texts = zip(*read, strict=True)
    return Sample(names, texts, starts, trained.run.tokenizer.of_characters)


def units_of(trained: TrainedModel) -> tuple[Unit, ...]:
    """Return a network's units: hidden states of all layers, then cell states where it has these.

    Raises:
        RunError: if it does not read word by word.
    """
    import torch

    from nlpviz.networks.architectures import WordByWord

    module = trained.module
    if not isinstance(module, WordByWord):
        run = trained.run.name
        raise RunError(
            f"The run {run!r} does not have a state for each word, because its network does not read word by word."
        )
    word = torch.ones(1, 1, dtype=torch.int64)
    with torch.inference_mode():
        unrolled = module.unroll(module.embed(word), module.mask(word))
    _, _, layers, size = unrolled.states.shape
    parts = [HIDDEN_STATE, *([CELL_STATE] if CELL_STATE in unrolled.parts else [])]
    return tuple(
        Unit(part, layer, number, layers) for part in parts for layer in range(layers) for number in range(size)
    )


def read_units(trained: TrainedModel, sample: Sample, report: Report = lambda _: None) -> NDArray[np.float32]:
    """Return every unit after every word, (W, U), in the order of :func:`units_of`.

    Args:
        trained: a run's model, which reads word by word.
        sample: what it reads.
        report: progress callback, called with the completed fraction.
    """
    import torch

    from nlpviz.networks.architectures import padded

    units = units_of(trained)
    result = np.empty((int(sample.starts[-1]), len(units)), dtype=np.float32)
    order = np.argsort(sample.lengths, kind="stable")
    for first in range(0, len(order), _AT_ONCE):
        some = order[first : first + _AT_ONCE]
        ids = padded([sample.encoded[position].row for position in some])
        with torch.inference_mode():
            columns = columns_of(trained, ids)
        for position, values in zip(some, columns, strict=True):
            start, stop = sample.starts[position], sample.starts[position + 1]
            result[start:stop] = values[: stop - start]
        report(min(1.0, (first + _AT_ONCE) / len(order)))
    return result


def columns_of(trained: TrainedModel, ids: Tensor) -> NDArray[np.float32]:
    """Return every unit after each word of ``ids`` (B, T), (B, T, U)."""
    import torch

    from nlpviz.networks.architectures import WordByWord

    module = trained.module
    assert isinstance(module, WordByWord)
    unrolled = module.unroll(module.embed(ids), module.mask(ids))
    both = [unrolled.states, *([unrolled.parts[CELL_STATE]] if CELL_STATE in unrolled.parts else [])]
    return np.asarray(torch.cat([one.flatten(2) for one in both], dim=2).float().numpy())


def unit_course(states: TextStates, unit: Unit, feature: Feature, weights: Mapping[str, float]) -> UnitCourse:
    """Return one unit after each word of a text, with a feature there; ``weights`` are of words, for the feature."""
    course = feature.course(states.text, weights)
    return UnitCourse(states.run, states.epoch, unit, states.text, course_of(states, unit), course)


def course_of(states: TextStates, unit: Unit) -> NDArray[np.float32]:
    """Return one unit after each word of a text, (T,).

    Raises:
        RunError: if the network has no such unit.
    """
    try:
        return states.values(unit.part)[:, unit.layer, unit.number]
    except (KeyError, IndexError):
        raise RunError(f"The run {states.run!r} has no unit {unit.id}.") from None
