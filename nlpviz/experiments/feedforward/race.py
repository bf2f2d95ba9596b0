"""Networks that learn a small problem side by side, one step after the other; one thread trains, others look."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward.training import NetworkTraining, TrainingSettings, examples_of
from nlpviz.results.feedforward import NetworkPoint

_NOTED = 10  # steps between two points of a curve
_CELLS = 41


class NetworkRace:
    """Networks that learn one small problem, each with its own settings; it meets what the server's worker asks.

    Nothing is computed before the first :meth:`advance`, which builds them.

    Attributes:
        problem: by name.
        settings: of each network, by the name that it has on the page.
        error: what went wrong; None as long as nothing did.
    """

    def __init__(self, problem: str, settings: Mapping[str, TrainingSettings]) -> None:
        """Remember what is to be done."""
        self.problem, self.settings = problem, dict(settings)
        self.error: Exception | None = None
        self._trainings: dict[str, NetworkTraining] = {}
        self._lock = Lock()

    @property
    def ready(self) -> bool:
        """Whether all networks are built and measured, before any step."""
        return len(self._trainings) == len(self.settings)

    @property
    def total(self) -> int:
        """Steps of the whole training."""
        return max((one.total for one in self._trainings.values()), default=0)

    @property
    def steps(self) -> int:
        """Steps that every network has taken that still learns; of none that does, the most."""
        there = list(self._trainings.values())
        learning = [one.steps for one in there if one.diverged is None]
        return min(learning, default=max((one.steps for one in there), default=0)) if self.ready else 0

    @property
    def over(self) -> bool:
        """Whether the training is at its end."""
        return self.error is not None or (self.ready and all(one.over for one in self._trainings.values()))

    def advance(self, upto: int) -> bool:
        """Take one step of the network that has taken the fewest; return whether anything was left to do."""
        with self._lock:
            if not self.ready:
                name = list(self.settings)[len(self._trainings)]
                settings = self.settings[name]
                self._trainings[name] = NetworkTraining(examples_of(self.problem, settings.seed), settings)
                return True
            left = [one for one in self._trainings.values() if not one.over and one.steps < upto]
            if not left:
                return False
            training = min(left, key=lambda one: one.steps)
            training.step()
            if training.steps % _NOTED == 0 or training.steps <= 2 or training.steps in (upto, training.total):
                training.note()
            return True

    def curves(self) -> dict[str, tuple[NetworkPoint, ...]]:
        """Return how each network has learnt so far, by name; none before they are built."""
        with self._lock:
            return {name: tuple(one.points) for name, one in self._trainings.items()}

    def diverged(self) -> dict[str, int]:
        """Return the networks that learn no more, with the step at which their loss was no number or hopeless."""
        with self._lock:
            return {name: one.diverged for name, one in self._trainings.items() if one.diverged is not None}

    def regions(self, name: str) -> NDArray[np.float32] | None:
        """Return the outputs (Y, X, K) of a network over the square from −1 to 1; None before it is built."""
        with self._lock:
            training = self._trainings.get(name)
            if training is None:
                return None
            side = np.linspace(-1, 1, _CELLS, dtype=np.float32)
            places = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
            outputs = training.network.forward(training.weights, places).outputs
            return outputs.reshape(_CELLS, _CELLS, -1)
