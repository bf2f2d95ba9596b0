"""What a kind of run is made of: the number that it is judged by, columns of tables, options and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from nlpviz.runs import Run
from nlpviz.stats.significance import Interval, wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Say = Callable[[str], None]
Answers = Callable[[Sequence[str]], "NDArray[np.floating]"]
"""What gives the probabilities of a run's K classes for each of N texts, (N, K)."""


class Survey(NamedTuple):
    """A part of what is read off a run when there is time for it: it takes minutes, and no other part needs it.

    Attributes:
        title: what is read.
        lacks: whether a run could have it, and has not.
        make: writes it into the run's folder; returns the run as it is now.
    """

    title: str
    lacks: Callable[[Run], bool]
    make: Callable[[Run, Say], Run]


class UsageError(Exception):
    """What was asked for does not exist; the message lists what does."""


class Headline(NamedTuple):
    """The number that a run is judged by.

    Attributes:
        name: over a column of a table, for example ``"Test accuracy"``.
        split: of the manifest's metrics in which it stands.
        measure: its name there.
        form: how it is written, for example ``".2%"``.
        on: what it was measured on, in a sentence.
        unit: what stands before the number in a sentence, with a blank; empty where it speaks for itself.
        more_is_better: False where less is better.
        drawn: the measure of the curves that it lies across as a line; empty for none.
        counted: for a share, the measure that says of how many things; it has a 95% interval then.
    """

    name: str
    split: str
    measure: str
    form: str
    on: str = "test"
    unit: str = ""
    more_is_better: bool = True
    drawn: str = ""
    counted: str = ""

    def value(self, run: Run) -> float | None:
        """Return the number; None where the run was not measured."""
        number = run.metrics.get(self.split, {}).get(self.measure)
        return None if number is None else float(number)

    def rank(self, run: Run) -> float:
        """Return what sorts runs, the best last."""
        number = self.value(run)
        return float("-inf") if number is None else number if self.more_is_better else -number

    def written(self, run: Run) -> str:
        """Return the number as a table holds it."""
        number = self.value(run)
        return "–" if number is None else format(number, self.form)

    def interval(self, run: Run) -> Interval | None:
        """Return Wilson's 95% interval of a share; None where it is none, or the run was not measured."""
        number, count = self.value(run), run.metrics.get(self.split, {}).get(self.counted)
        return None if number is None or count is None else wilson(number, count)

    def between(self, run: Run) -> str:
        """Return the 95% interval as a table holds it: ``"90.31% to 91.03%"``; a dash where there is none."""
        ends = self.interval(run)
        return "–" if ends is None else " to ".join(format(end, self.form) for end in ends)

    def said(self, run: Run) -> str:
        """Return the number as a sentence holds it: ``"91.23% on test (90.87% to 91.57%)"``; empty if not measured."""
        if self.value(run) is None:
            return ""
        interval = "" if self.interval(run) is None else f" ({self.between(run)})"
        return f"{self.unit}{self.written(run)} on {self.on}{interval}"


class Criterion(NamedTuple):
    """What decides between a run and the one that it is to replace: never the test split, where anything else is there.

    Attributes:
        split: of the manifest's metrics in which the number stands.
        measure: its name there.
        noise: by how much two trainings of one recipe that differ in their seed alone may differ.
        more_is_better: False where less is better.
    """

    split: str
    measure: str
    noise: float
    more_is_better: bool = True

    def value(self, run: Run) -> float | None:
        """Return the number; None where the run was not measured."""
        number = run.metrics.get(self.split, {}).get(self.measure)
        return None if number is None else float(number)

    def is_worse(self, new: Run, old: Run) -> bool:
        """Return whether ``new`` is worse than ``old`` by more than chance; what was not measured is not."""
        after, before = self.value(new), self.value(old)
        if after is None or before is None:
            return False
        return (before - after if self.more_is_better else after - before) > self.noise


class Column(NamedTuple):
    """A column of a table of runs: its title and what is in it."""

    title: str
    text: Callable[[Run], str]


class Answer(NamedTuple):
    """What a page says of a run: Markdown with places for pieces, as :func:`nlpviz.ui.frame.answer` takes it."""

    sentence: str
    pieces: Mapping[str, object]


class Option(NamedTuple):
    """An option of ``evaluate``: its flag, what it reads, its help, the values that it may have.

    ``read`` is None for a switch.
    """

    flag: str
    read: Callable[[str], object] | None
    help: str
    choices: tuple[str, ...] | None = None

    @property
    def key(self) -> str:
        """The name of its value."""
        return self.flag.removeprefix("--").replace("-", "_")


class Request(NamedTuple):
    """A request to ``evaluate``: the values of the kind's options, the device, and the callback for each step."""

    options: Mapping[str, Any]
    device: str
    say: Say

    def epoch_of(self, run: Run) -> int:
        """Return the epoch that was asked for, by default the best one; refuse one that the run does not keep."""
        epoch = self.options.get("epoch")
        return run.check_epoch(run.best_epoch if epoch is None else epoch)


class Evaluation(NamedTuple):
    """What ``evaluate`` found: as JSON holds it, and in lines for a person."""

    facts: Mapping[str, Any]
    lines: Sequence[str]
