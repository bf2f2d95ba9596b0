"""The parts of a job answered by the workers of a Ray cluster (Moritz et al. 2018), each with a network of its own.

Ray reads parts as Parquet, hands each as it is to a worker, and starts workers and parts again where a machine is lost.
The rows of the parts that are missing lie beside the finished file while Ray works: a cluster of several machines needs
that folder, this package and the runs under the same paths on all of them. Ray unpickles what its own processes send
each other: whoever can reach its ports can run code, so that they belong on a network of one's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

import nlpviz
from nlpviz.bulk import BulkError
from nlpviz.bulk.answers import answer_rows
from nlpviz.bulk.parts import Parts
from nlpviz.bulk.questions import Asked, Question

LOCAL = "local"
_PART = "part"
_READERS = 1
"""Cores that Ray lists the parts with; without one left, workers that have all cores would wait for ever."""
_ENVIRONMENT = ("NLPVIZ_TRAINED", "PYTHONPATH")


class Worker:
    """What each worker holds: the network, loaded once."""

    def __init__(self, question: Question) -> None:
        """Load the network."""
        self._asked = Asked.load(question)

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Return the answers to the rows of a part, with its number."""
        return answer_rows(self._asked, rows).append_column(_PART, rows[_PART])


@dataclass(frozen=True)
class Cluster:
    """Where the workers are.

    Attributes:
        address: of a cluster that runs, ``"auto"`` for one on this machine, or :data:`LOCAL` to start one here.
        workers: how many, of one core each; None for as many as there are cores but one, which lists the parts.
    """

    address: str = LOCAL
    workers: int | None = None

    def __call__(self, question: Question, there: Parts, parts: Iterator[tuple[int, pa.Table]]) -> Iterator[int]:
        """Answer the parts, and yield how many rows as each of them comes back, in any order.

        Raises:
            BulkError: if Ray is not installed or cannot be reached.
        """
        staged: dict[int, int] = {}
        try:
            for number, part in parts:
                numbered = part.append_column(_PART, pa.array([number] * len(part), pa.int64()))
                there.write(there.staged(number), numbered)
                staged[number] = len(part)
            if staged:
                yield from self._answered(question, there, staged)
        finally:
            for number in staged:
                there.staged(number).unlink(missing_ok=True)

    def _answered(self, question: Question, there: Parts, staged: dict[int, int]) -> Iterator[int]:
        ray = self._joined()
        try:
            paths = [str(there.staged(number).resolve()) for number in staged]
            rows = ray.data.read_parquet(paths, override_num_blocks=len(paths))
            cores = int(ray.cluster_resources().get("CPU", 0)) - _READERS
            if cores < 1:
                raise BulkError("The cluster has too few cores: a worker needs one, and so does the list of parts.")
            answered = rows.map_batches(
                Worker,
                fn_constructor_args=(question,),
                batch_size=None,  # a part, as it was cut
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(size=min(self.workers or cores, cores, len(paths))),
                num_cpus=1,
            )
            for answers in answered.iter_batches(batch_size=None, batch_format="pyarrow"):
                (number,) = set(answers[_PART].to_pylist())
                if len(answers) != staged[number]:
                    raise RuntimeError(f"Ray cut part {number} into pieces")
                there.write(there.path(number), answers.drop_columns([_PART]))
                yield len(answers)
        finally:
            ray.shutdown()

    def _joined(self) -> Any:  # noqa: ANN401 - Ray has no types
        """Return Ray, connected; it sends no statistics to its makers."""
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        try:
            import ray
            import ray.data
        except ImportError:
            raise BulkError("Ray is not installed: `pip install -r requirements-ray.txt`.") from None
        here = self.address == LOCAL
        try:
            ray.init(
                address=LOCAL if here else self.address,
                num_cpus=(self.workers or os.cpu_count() or 1) + _READERS if here else None,
                include_dashboard=False if here else None,
                log_to_driver=False,
                runtime_env={"env_vars": _environment()},
            )
        except (ConnectionError, OSError, ValueError) as error:
            raise BulkError(f"Ray cannot be reached at {self.address!r}: {error}") from None
        context = ray.data.DataContext.get_current()
        context.target_max_block_size = None  # parts stay whole
        context.enable_progress_bars = False
        return ray


def _environment() -> dict[str, str]:
    """Return what workers need of this process's environment, folders named from the root."""
    folders = {name: [part for part in os.environ.get(name, "").split(os.pathsep) if part] for name in _ENVIRONMENT}
    folders["PYTHONPATH"].insert(0, str(Path(nlpviz.__file__).parents[1]))
    named = {name: os.pathsep.join(str(Path(part).resolve()) for part in parts) for name, parts in folders.items()}
    return {name: value for name, value in named.items() if value}
