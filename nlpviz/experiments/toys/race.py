"""Networks that learn one task side by side, one step after the other; one thread trains, others look."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from nlpviz.experiments.toys import ToyTask
from nlpviz.experiments.toys.reading import read_example
from nlpviz.experiments.toys.training import ToySettings, ToyTraining
from nlpviz.results.toys import ToyCurve, ToyReading

_FINE, _COARSE = 20, 50  # steps between two points of a curve: at first, and later
_LATER = 500


def is_noted(step: int) -> bool:
    """Return whether curves have a point at this step."""
    return step <= 2 or step % (_COARSE if step > _LATER else _FINE if step > _FINE else 5) == 0


class Race:
    """Networks that learn one task with the same sequences; each takes a step before one takes the next.

    Nothing is computed before the first :meth:`advance`, which builds them.

    Attributes:
        task: what they learn.
        names: of the networks.
        settings: of all of them.
        error: what went wrong; None as long as nothing did.
    """

    def __init__(self, task: ToyTask, names: Sequence[str], settings: ToySettings) -> None:
        """Remember what is to be done.

        Raises:
            ToyError: if the task cannot be set at this length.
        """
        task.allowed(settings.length)
        self.task, self.names, self.settings = task, tuple(names), settings
        self.error: Exception | None = None
        self._trainings: list[ToyTraining] = []
        self._lock = Lock()

    @property
    def ready(self) -> bool:
        """Whether all networks are built and measured, before any step."""
        return len(self._trainings) == len(self.names)

    @property
    def steps(self) -> int:
        """Steps that every network has taken."""
        return min((one.steps for one in self._trainings), default=0) if self.ready else 0

    @property
    def total(self) -> int:
        """Steps of the whole training."""
        return self.settings.steps

    @property
    def over(self) -> bool:
        """Whether the training is at its end."""
        return self.error is not None or (self.ready and self.steps >= self.settings.steps)

    def advance(self, upto: int) -> bool:
        """Take one step of the network that has taken the fewest; return whether anything was left to do.

        One thread calls it.

        Args:
            upto: the step at which all networks stop, and are measured.
        """
        # Outside the lock, for pages ask meanwhile: the first network of a server takes a second, in which torch's
        # optimisers load its compiler.
        if not self.ready:
            built = ToyTraining(self.task, self.names[len(self._trainings)], self.settings)
            with self._lock:
                self._trainings.append(built)
            return True
        with self._lock:
            training = min(self._trainings, key=lambda one: one.steps, default=None)
            if training is None or training.steps >= min(upto, self.settings.steps):
                return False
            training.step()
            if is_noted(training.steps) or training.steps in (upto, self.settings.steps):
                training.note()
            return True

    def curves(self) -> tuple[ToyCurve, ...]:
        """Return how each network has learnt so far; none before they are built."""
        with self._lock:
            return tuple(training.curve() for training in self._trainings)

    def read(self, name: str, number: int) -> ToyReading | None:
        """Return how the network called ``name`` reads the example with this number; None before it is built."""
        with self._lock:
            training = next((one for one in self._trainings if one.name == name), None)
            return None if training is None else read_example(training, number)
