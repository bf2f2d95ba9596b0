"""What every process of a launched training runs: `python -m torch.distributed.run … -m tests.two_processes FOLDER …`.

Texts are left over in both splits, so that a process goes without one in the last batch.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import torch
from torch import nn

from nlpviz.networks.architectures.cnn import CNN, CNNConfig
from nlpviz.results.history import EpochRecord
from nlpviz.training import Options, accelerator_for
from nlpviz.training.batches import Labelled
from nlpviz.training.fit import fit
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from tests import toy, translators

FIT = toy.with_fit(batch_size=15, epochs=2, averaging=0.9)


def model() -> nn.Module:
    """Return a network without dropout: what is dropped is each process's own business."""
    torch.manual_seed(0)
    return CNN(CNNConfig(vocabulary_size=len(toy.vocabulary()), dimensions=8, filters=6, dropout=0.0))


def texts() -> tuple[Labelled, Labelled]:
    """Return 181 texts to train on, 12 batches and one text, and 257 to validate on, one batch and one text."""
    train = toy.labelled("train")
    return train.take(torch.arange(181).numpy()), train.take(torch.arange(257).numpy() % len(train))


def train(folder: Path) -> list[EpochRecord]:
    """Train in as many processes as there are."""
    folder.mkdir(exist_ok=True)
    return fit(model(), *texts(), FIT, folder, accelerator_for("cpu"))


if __name__ == "__main__":
    here, modules = Path(sys.argv[1]), Path(sys.argv[1]) / f"modules-{os.environ['RANK']}"
    if sys.argv[2] == "classifier":
        train(here / "fitted")
        with toy.discovered(modules):
            produce(recipes()["toy-cnn"], Options(device="cpu"))
    else:
        with translators.discovered(modules):
            produce(recipes()["toy-en-fr-none"], Options(device="cpu", epochs=1))
    names = [task.read_text().strip() for task in Path("/proc/self/task").glob("*/comm")]
    assert not [name for name in names if "gloo" in name], f"left to the end of Python: {names}"
