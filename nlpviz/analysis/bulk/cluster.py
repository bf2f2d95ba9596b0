"""The parts of a job answered by the workers of a Ray cluster (Moritz et al. 2018), each with a network of its own.

The rows of the parts that are missing wait as Parquet beside the finished file. Ray Data hands each part to a worker,
which reads it, writes its answers beside it and tells how many there are; where a machine is lost, another takes its
part. So a cluster of several machines needs that folder, this package and the runs under the same paths on all of them.
(Ray's own reader puts small files together, and with them the batches in which numbers are rounded.)

Ray unpickles what its own processes send each other: whoever can reach its ports can run code there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import nlpviz
from nlpviz.analysis.bulk import BulkError
from nlpviz.analysis.bulk.answers import answer_rows
from nlpviz.analysis.bulk.parts import Parts
from nlpviz.analysis.bulk.questions import BulkQuestion, LoadedQuestion

LOCAL = "local"
_PART, _ROWS = "part", "rows"
_ENVIRONMENT = ("NLPVIZ_TRAINED", "PYTHONPATH")


class ClusterWorker:
    """What each worker holds: the network, loaded once."""

    def __init__(self, question: BulkQuestion, out: Path) -> None:
        """Load the network; ``out`` is the finished file, beside which the parts are."""
        self._asked, self._there = LoadedQuestion.load(question), Parts(out)

    def __call__(self, numbers: pa.Table) -> pa.Table:
        """Answer the parts of these numbers, and return of each how many rows it has."""
        counts = []
        for number in numbers[_PART].to_pylist():
            rows = pq.ParquetFile(self._there.staged(number)).read()
            self._there.write(self._there.path(number), answer_rows(self._asked, rows))
            counts.append(len(rows))
        return numbers.append_column(_ROWS, pa.array(counts, pa.int64()))


@dataclass(frozen=True)
class Cluster:
    """Where the workers are.

    Attributes:
        address: of a cluster that runs, ``"auto"`` for one on this machine, or :data:`LOCAL` to start one here.
        workers: how many, of one core each; None for as many as there are cores.
    """

    address: str = LOCAL
    workers: int | None = None

    def __call__(self, question: BulkQuestion, there: Parts, parts: Iterator[tuple[int, pa.Table]]) -> Iterator[int]:
        """Answer the parts, and yield how many rows as each of them comes back, in any order.

        Raises:
            BulkError: if Ray is not installed or cannot be reached.
        """
        staged: list[int] = []
        try:
            for number, part in parts:
                there.write(there.staged(number), part)
                staged.append(number)
            if staged:
                yield from self._answered(question, there, staged)
        finally:
            for number in staged:
                there.staged(number).unlink(missing_ok=True)

    def _answered(self, question: BulkQuestion, there: Parts, staged: list[int]) -> Iterator[int]:
        ray = self._joined()
        try:
            workers = self.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
            answered = ray.data.from_items([{_PART: number} for number in staged], override_num_blocks=len(staged))
            answered = answered.map_batches(
                ClusterWorker,
                fn_constructor_args=(question, there.out.resolve()),
                batch_size=1,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(size=min(workers, len(staged))),
                num_cpus=1,
            )
            for told in answered.iter_batches(batch_size=None, batch_format="pyarrow"):
                yield sum(told[_ROWS].to_pylist())
        except ray.exceptions.RayError as error:
            raise BulkError(f"A worker failed: {_cause(error)}. Run the same command again to resume.") from None
        finally:
            ray.shutdown()

    def _joined(self) -> Any:  # noqa: ANN401 - Ray has no types
        """Return Ray, connected; it sends no statistics to its makers."""
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        try:
            import ray
            import ray.data
        except ImportError:
            raise BulkError("Ray is not installed. Run `pip install -r requirements-ray.txt`.") from None
        here = self.address == LOCAL
        try:
            ray.init(
                address=LOCAL if here else self.address,
                num_cpus=self.workers if here else None,
                include_dashboard=False if here else None,
                log_to_driver=False,
                runtime_env={"env_vars": _environment()},
            )
        except (ConnectionError, OSError, ValueError) as error:
            raise BulkError(f"Ray cannot be reached at {self.address!r}: {error}") from None
        ray.data.DataContext.get_current().enable_progress_bars = False
        return ray


def _cause(error: BaseException) -> str:
    """Return the sentence of the error that a worker stopped with, out of Ray's report of it."""
    found = re.search(r"^[\w.]*Error: (.+?)\.?$", str(error), re.MULTILINE)
    return found[1] if found else type(error).__name__


def _environment() -> dict[str, str]:
    """Return what workers need of this process's environment, folders named from the root."""
    folders = {name: [part for part in os.environ.get(name, "").split(os.pathsep) if part] for name in _ENVIRONMENT}
    folders["PYTHONPATH"].insert(0, str(Path(nlpviz.__file__).parents[1]))
    named = {name: os.pathsep.join(str(Path(part).resolve()) for part in parts) for name, parts in folders.items()}
    return {name: value for name, value in named.items() if value}
