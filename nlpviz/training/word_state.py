"""What a training of word vectors resumes from: tables, sums of squares, generators, its epochs' records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor

from nlpviz.results.history import WordEpoch
from nlpviz.runs.files import write_whole
from nlpviz.runs.own_corpora import STATE
from nlpviz.training.bounds import another_epoch
from nlpviz.training.state import stored_state

_DRAWN = "generator"


class WordState:
    """The file in a run's folder from which the training of its vectors goes on, and the records of its epochs."""

    def __init__(self, folder: Path, fingerprint: str, last: int) -> None:
        """Use ``folder``; ``fingerprint`` says which training it is, ``last`` which epoch is the last one."""
        self.path, self.fingerprint, self.last = folder / STATE, fingerprint, last
        self.records: list[WordEpoch] = []
        self._began, self._lasted = perf_counter(), 0.0  # since then; of the last epoch, with what is measured of it

    def resume(self, tensors: Mapping[str, Tensor], rng: np.random.Generator) -> int:
        """Put everything back as it was kept and return how many epochs were done; 0 where nothing was kept.

        Raises:
            TrainingError: if the file is of another training, or damaged.
        """
        if not self.path.exists():
            return 0
        with stored_state(self.path, self.fingerprint) as (metadata, stored):
            for name, tensor in tensors.items():
                tensor.copy_(stored[name])
            _restore_generators(stored)
            rng.bit_generator.state = json.loads(metadata["rng"])
            self.records = [WordEpoch(**record) for record in json.loads(metadata["records"])]
            return int(metadata["epoch"])

    def keep(self, epoch: int, tensors: Mapping[str, Tensor], rng: np.random.Generator) -> None:
        """Write what is needed to go on after ``epoch``."""
        stored = {name: tensor.detach().contiguous().cpu() for name, tensor in tensors.items()} | _generators()
        said = {
            "fingerprint": self.fingerprint,
            "epoch": str(epoch),
            "rng": json.dumps(rng.bit_generator.state),
            "records": json.dumps([record._asdict() for record in self.records]),
        }
        write_whole(self.path, lambda partial: save_file(stored, partial, said))
        self._lasted = perf_counter() - self._began

    def another(self, epoch: int) -> bool:
        """Return whether ``epoch`` is made: not where the time is over and the training concludes.

        Raises:
            OutOfTimeError: if it would pass the time, and the training does not conclude.
        """
        self._began = perf_counter()
        return another_epoch(epoch, self.last, self._lasted or (self.records[-1].seconds if self.records else 0.0))


def _generators() -> dict[str, Tensor]:
    """Return the states of torch's generators, a device each."""
    cuda = {f"{_DRAWN}.cuda": torch.cuda.get_rng_state()} if torch.cuda.is_available() else {}
    return {f"{_DRAWN}.cpu": torch.get_rng_state(), **cuda}


def _restore_generators(stored: Mapping[str, Tensor]) -> None:
    torch.set_rng_state(stored[f"{_DRAWN}.cpu"])
    if f"{_DRAWN}.cuda" in stored and torch.cuda.is_available():
        torch.cuda.set_rng_state(stored[f"{_DRAWN}.cuda"])
