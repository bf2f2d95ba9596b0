"""The state from which a stopped training resumes: written atomically after every epoch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from nlpviz.runs.files import write_whole
from nlpviz.runs.own_corpora import STATE
from nlpviz.runs.weights import write_weights
from nlpviz.training import TrainingError
from nlpviz.training.averaging import WeightAverage

T = TypeVar("T")


class TrainingState:
    """The file in a run's folder from which its training goes on."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        """Use ``folder``; ``fingerprint`` says which training it is, so that no other one goes on from it."""
        self.path = folder / STATE
        self.fingerprint = fingerprint

    def keep(self, model: nn.Module, path: Path) -> None:
        """Write a model's weights in half precision."""
        write_weights(path, model.state_dict())

    def save(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        average: WeightAverage,
        records: Sequence[Any],
    ) -> None:
        """Write model, optimizer, average and records, a dataclass each, in one step: they belong together."""
        tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
        if average.module is not model:
            tensors |= {f"average.{name}": tensor for name, tensor in average.module.state_dict().items()}
        for position, values in optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{position}.{name}": value for name, value in values.items()}
        contiguous = {name: tensor.detach().contiguous().cpu() for name, tensor in tensors.items()}
        metadata = {
            "fingerprint": self.fingerprint,
            "steps": str(average.steps),
            "records": json.dumps([asdict(record) for record in records]),
        }
        write_whole(self.path, lambda partial: save_file(contiguous, partial, metadata))

    def restore(
        self, record: Callable[..., T], model: nn.Module, optimizer: torch.optim.Optimizer, average: WeightAverage
    ) -> list[T]:
        """Put back what :meth:`save` wrote and return its records as ``record`` makes them; none where nothing was.

        Raises:
            TrainingError: if the file is of another training, or damaged.
        """
        if not self.path.exists():
            return []
        with stored_state(self.path, self.fingerprint) as (metadata, tensors):
            model.load_state_dict(_under("model.", tensors))
            if average.module is not model:
                average.module.load_state_dict(_under("average.", tensors))
            average.steps = int(metadata["steps"])
            _put_back(optimizer, _under("optimizer.", tensors))
            return [record(**values) for values in json.loads(metadata["records"])]


@contextmanager
def stored_state(path: Path, fingerprint: str) -> Iterator[tuple[dict[str, str], dict[str, Tensor]]]:
    """Yield what was said of a stopped training, and its tensors.

    Raises:
        TrainingError: if the file is of another training, or damaged.
    """
    try:
        with safe_open(path, "pt") as stored:
            metadata = stored.metadata()
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 - no mapping
        if metadata["fingerprint"] != fingerprint:
            raise TrainingError(f"{path} was saved with other settings; delete its folder to start over.")
        yield metadata, tensors
    except (SafetensorError, OSError, KeyError, RuntimeError, TypeError, ValueError):
        raise TrainingError(f"{path} is damaged; delete its folder to start over.") from None


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _put_back(optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """Give an optimizer the state whose tensors are named ``place.name``."""
    state: dict[int, dict[str, Any]] = {}
    for name, tensor in tensors.items():
        position, key = name.split(".", 1)
        state.setdefault(int(position), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
