"""The dynamics of a network's state, written and read: ``dynamics.parquet``, next to its weights.

A row for each array of each kept epoch: its name, its shape, its numbers as little-endian bytes in 16 or 32 bits, and
the words that its rows are about, of lists in ``nlpviz/results/modifiers.py``. No word of a corpus is in it. Scores,
and what is measured along them, are those of the last of two classes; of more than two, each class has arrays of its
own, whose names end in its index: ``space.scores.3``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.dynamics import Contexts, Dynamics, SlowPoints
from nlpviz.results.modifiers import ModifierEffects
from nlpviz.results.state_space import StateSpace
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

T = TypeVar("T")

DYNAMICS = "dynamics.parquet"
_COLUMNS = ["epoch", "name", "type", "shape", "values", "words"]
_TYPES: dict[str, np.dtype[Any]] = {"f2": np.dtype("<f2"), "f4": np.dtype("<f4"), "i1": np.dtype("i1")}
_INPUTS = ("mean", "zero")
_OF_A_CLASS = ("about", "scores", "plain", "modified", "null")
"""The last part of the names of arrays that are measured along the direction of a class."""


def write_dynamics(run: Run, found: Sequence[Sequence[Dynamics]]) -> Run:
    """Write the results into the run's folder and its manifest; return the updated run.

    Args:
        run: whose network it is.
        found: for each kept epoch what was found along the direction of each class, of two of the last one alone.
    """
    import pyarrow as pa

    rows = [(of_epoch[0].space.epoch, *row) for of_epoch in found for row in _rows_of_classes(of_epoch)]
    arrays = [np.ascontiguousarray(values, dtype=_TYPES[kind]) for _, _, kind, values, _ in rows]
    columns = {
        "epoch": pa.array([epoch for epoch, *_ in rows], pa.int32()),
        "name": pa.array([name for _, name, *_ in rows], pa.string()),
        "type": pa.array([kind for _, _, kind, _, _ in rows], pa.string()),
        "shape": pa.array([array.shape for array in arrays], pa.list_(pa.int32())),
        "values": pa.array([array.tobytes() for array in arrays], pa.binary()),
        "words": pa.array([words for *_, words in rows], pa.list_(pa.string())),
    }
    write_table(run.folder / DYNAMICS, columns)
    return run.save()


def keeps_dynamics(run: Run, target: int) -> bool:
    """Return whether the dynamics of a run's state along a class direction were measured."""
    if DYNAMICS not in run.files or len(run.class_names) == 2:
        return DYNAMICS in run.files
    return f"space.scores{_suffix(run, target)}" in run.table(DYNAMICS, ["name"])["name"].to_pylist()


def dynamics_of(run: Run, epoch: int, target: int | None = None) -> Dynamics:
    """Return the stored dynamics of the network's state at ``epoch``, with the scores of a class.

    Args:
        run: whose network it is.
        epoch: of its weights.
        target: the index of the class, None for the last one; of two classes that one alone is kept.

    Raises:
        RunError: if nobody measured it, the run keeps no such epoch, or is damaged.
    """
    followed = len(run.class_names) - 1 if target is None else target
    if not keeps_dynamics(run, followed):
        raise RunError(
            f"The run {run.name!r} has no stored state dynamics for its test documents. Run "
            f"`python -m nlpviz survey {run.name}`."
        )
    table = run.table(DYNAMICS, _COLUMNS)
    rows = table.filter(table["epoch"].to_numpy() == run.check_surveyed(epoch)).to_pylist()
    try:
        arrays = {row["name"]: _array(row) for row in rows}
        words = {row["name"]: tuple(row["words"]) for row in rows}
        suffix = _suffix(run, followed)
        return _read(run.name, epoch, _of_class(arrays, suffix), _of_class(words, suffix))
    except (KeyError, ValueError, TypeError):
        raise RunError(
            f"{DYNAMICS} of the run {run.name!r} cannot be read. Run `python -m nlpviz survey {run.name}` to "
            "write it again."
        ) from None


def _suffix(run: Run, target: int) -> str:
    """Return what the names of the arrays of a class end in."""
    return "" if len(run.class_names) == 2 else f".{target}"


def _of_class(kept: Mapping[str, T], suffix: str) -> dict[str, T]:
    """Return what is of no class, and what is of the one whose names end in ``suffix``, by name without it."""
    own = [name for name in kept if name.count(".") == 1 or name.endswith(suffix)]
    return {name.removesuffix(suffix): kept[name] for name in own}


def _rows_of_classes(found: Sequence[Dynamics]) -> Iterator[tuple[str, str, NDArray[Any], tuple[str, ...]]]:
    """Yield the rows of one epoch; what is of no class once, though every class has it."""
    for target, one in enumerate(found):
        for name, kind, values, words in _rows(one):
            of_class = len(found) > 1 and name.endswith(_OF_A_CLASS)
            if of_class or not target:
                yield f"{name}.{target}" if of_class else name, kind, values, words


def _rows(one: Dynamics) -> Iterator[tuple[str, str, NDArray[Any], tuple[str, ...]]]:
    """Yield name, type, numbers and words of each array."""
    space = one.space
    yield "space.mean", "f4", space.mean, ()
    yield "space.axes", "f4", space.axes, ()
    yield "space.shares", "f4", space.shares, ()
    yield "space.of", "f4", np.array([space.fitted, space.reviews]), ()
    yield "space.ends", "f2", space.ends, ()
    yield "space.scores", "f2", space.scores, ()
    yield "space.labels", "i1", space.labels, ()
    for slow in one.slow:
        about = [slow.state_size, slow.step, slow.spread, slow.cosine]
        yield f"{slow.input}.about", "f4", np.array(about), ()
        yield f"{slow.input}.speeds", "f4", slow.speeds, ()
        yield f"{slow.input}.places", "f2", slow.places, ()
        yield f"{slow.input}.scores", "f4", slow.scores, ()
        # a time constant of a thousand words is an eigenvalue of 0.999: half precision would not tell it from 1
        parts = np.stack([slow.eigenvalues.real, slow.eigenvalues.imag])
        yield f"{slow.input}.eigenvalues", "f4", parts, ()
        yield f"{slow.input}.lasting", "f4", slow.lasting, ()
        yield f"{slow.input}.unstable", "f4", slow.unstable, ()
        yield f"{slow.input}.shares", "f4", slow.shares, ()
    if one.contexts is not None:
        yield "contexts.states", "f2", one.contexts.states, ()
        yield "contexts.scores", "f4", one.contexts.scores, ()
    if one.modifiers is not None:
        yield "modifiers.plain", "f4", one.modifiers.plain, one.modifiers.words
        yield "modifiers.modified", "f2", one.modifiers.modified, one.modifiers.modifiers
        yield "modifiers.null", "f2", one.modifiers.null, ()


def _array(row: Mapping[str, Any]) -> NDArray[Any]:
    """Return the numbers of a row, those in 16 bits in 32."""
    values = np.frombuffer(row["values"], dtype=_TYPES[row["type"]]).reshape(row["shape"])
    return values.astype(np.int8 if row["type"] == "i1" else np.float32)


def _read(name: str, epoch: int, arrays: Mapping[str, NDArray[Any]], words: Mapping[str, tuple[str, ...]]) -> Dynamics:
    fitted, reviews = arrays["space.of"]
    space = StateSpace(
        run=name,
        epoch=epoch,
        fitted=int(fitted),
        reviews=int(reviews),
        **{part: arrays[f"space.{part}"] for part in ("mean", "axes", "shares", "ends", "scores", "labels")},
    )
    slow = tuple(_slow(name, epoch, which, arrays) for which in _INPUTS if f"{which}.about" in arrays)
    contexts = modifiers = None
    if "contexts.states" in arrays:
        contexts = Contexts(arrays["contexts.states"], arrays["contexts.scores"])
    if "modifiers.plain" in arrays and contexts is not None:
        modifiers = ModifierEffects(
            run=name,
            epoch=epoch,
            words=words["modifiers.plain"],
            modifiers=words["modifiers.modified"],
            contexts=len(contexts.scores),
            **{part: arrays[f"modifiers.{part}"] for part in ("plain", "modified", "null")},
        )
    return Dynamics(space, slow, contexts, modifiers)


def _slow(name: str, epoch: int, which: str, arrays: Mapping[str, NDArray[Any]]) -> SlowPoints:
    size, step, spread, cosine = (float(value) for value in arrays[f"{which}.about"])
    real, imaginary = arrays[f"{which}.eigenvalues"]
    return SlowPoints(
        run=name,
        epoch=epoch,
        input=which,
        state_size=round(size),
        step=step,
        spread=spread,
        cosine=cosine,
        eigenvalues=(real + 1j * imaginary).astype(np.complex64),
        lasting=arrays[f"{which}.lasting"].astype(np.int64),
        unstable=arrays[f"{which}.unstable"].astype(np.int64),
        **{part: arrays[f"{which}.{part}"] for part in ("speeds", "places", "scores", "shares")},
    )
