"""Remove and retrain: what a classifier's network reaches without the words that methods call most important.

Results are kept in a folder next to the runs, so that a stopped command resumes from them: the texts that were
drawn, each method's order of their words, each training's answers.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.roar import RANDOM, WHOLE, WORD_LIST, Retraining, Roar, cells
from nlpviz.runs import Run
from nlpviz.runs.files import write_text, write_whole
from nlpviz.runs.own_corpora import UNFINISHED
from nlpviz.runs.roar import write_roar
from nlpviz.runs.weights import weights_file
from nlpviz.text.vocabulary import SENTENCE
from nlpviz.training import Options, TrainingError

if TYPE_CHECKING:
    from nlpviz.training.roar import Retrainer
    from nlpviz.training.sampled import Shortened, ShortTexts

_AT_ONCE = 500  # texts whose orders are kept together
_ANY = ("saliency", "gradient-input", "integrated-gradients")
_OWN = ("regions", "attention", "occlusion")


def usual_methods(run: Run) -> tuple[str, ...]:
    """Return the names of four methods: three that explain any classifier, and the network's own account.

    That is regions, where it pools over them, attention where it attends; of others, occlusion.
    """
    from nlpviz.analysis.attribution import methods_for

    there = methods_for(run)
    return (*_ANY, next(name for name in _OWN if name in there))


def retrain_without(
    run: Run, methods: Sequence[str], seeds: tuple[int, int], short: Shortened, options: Options
) -> Roar:
    """Train a run's network on masked texts, once for each order, share and seed; write what it reaches into the run.

    Args:
        run: of a classifier that a recipe trains.
        methods: whose orders are tried, besides random ones and a word list's.
        seeds: of each order's trainings, and of those on random masks, which may be more.
        short: how short they are.
        options: the device and the callback for each step.

    Raises:
        OutOfTimeError: where the time is over; the same call goes on from there.
        TrainingError: if the folder holds what other settings left, or no recipe trains the run.
        DataError: if the run's corpus is not on this machine.
    """
    from nlpviz.training.bounds import check_time
    from nlpviz.training.roar import Retrainer

    folder = run.folder.parent / UNFINISHED / f"{run.name}-roar"
    retrainer, sample = Retrainer(run, short, options.device), _sample(run, short, folder, options)
    asked, answers, lasted = cells((*methods, WORD_LIST), seeds[0], random_seeds=seeds[1]), list[_Answered](), 0.0
    for done, cell in enumerate(asked):
        kept = folder / f"{cell.order}-{cell.share:g}-{cell.seed}.npz"
        if not kept.exists():
            ranks = _ranks(run, sample, cell, folder, options)
            check_time(lasted)
            options.say(f"Training {done + 1} of {len(asked)}: {cell.order}, {cell.share:.0%} masked, seed {cell.seed}")
            lasted = max(lasted, _train(retrainer, sample, cell, ranks, kept))
        with np.load(kept) as stored:
            answers.append(_Answered(stored["right"], float(stored["seconds"])))
    found = _put_together(run, sample, short, asked, answers, options.device)
    write_roar(run, found)
    shutil.rmtree(folder)
    return found


class _Answered(NamedTuple):
    """Whether a training classifies each test text rightly, (N,), and the seconds that it took."""

    right: NDArray[np.bool_]
    seconds: float


def _put_together(
    run: Run,
    sample: ShortTexts,
    short: Shortened,
    asked: tuple[Retraining, ...],
    answers: Sequence[_Answered],
    device: str,
) -> Roar:
    from nlpviz.training import accelerator_for
    from nlpviz.training.provenance import describe
    from nlpviz.training.sampled import HELD_OUT, TRAINED

    return Roar(
        run=run.name,
        epoch=run.best_epoch,
        ids=sample.ids,
        cells=asked,
        right=np.stack([one.right for one in answers]),
        texts=sample.count(TRAINED),
        validation=sample.count(HELD_OUT),
        tokens=short.tokens,
        epochs=short.epochs,
        seconds=sum(one.seconds for one in answers),
        device=describe(accelerator_for(device).device),
    )


def _sample(run: Run, short: Shortened, folder: Path, options: Options) -> ShortTexts:
    """Return the texts of the trainings, drawn once; refuse a folder in which other ones lie."""
    from nlpviz.training.sampled import ShortTexts, drawn

    path, about = folder / "sample.npz", folder / "about.txt"
    said = f"{run.files[weights_file(run.best_epoch)]} {short}"
    if path.exists():
        if not about.exists() or about.read_text(encoding="utf-8") != said:
            raise TrainingError(f"{folder} was created with different settings. Delete it to start over.")
        return ShortTexts.load(path)
    options.say("Reading texts")
    sample = drawn(run, short)
    folder.mkdir(parents=True, exist_ok=True)
    write_text(about, said)
    sample.save(path)
    return sample


def _ranks(run: Run, sample: ShortTexts, cell: Retraining, folder: Path, options: Options) -> list[NDArray[np.uint16]]:
    """Return how many words of each text are masked before each one, in the order of a training."""
    from nlpviz.analysis.attribution import methods, orders
    from nlpviz.training.bounds import check_time
    from nlpviz.training.masking import log_count_ratios
    from nlpviz.training.sampled import TRAINED

    drawn = [np.random.default_rng([at, cell.seed]) for at in range(len(sample.rows))]
    if cell.order in (WHOLE, RANDOM):
        return [rng.permutation(len(row)).astype(np.uint16) for rng, row in zip(drawn, sample.rows, strict=True)]
    if cell.order == WORD_LIST:
        trained_on = np.flatnonzero(sample.parts == TRAINED).tolist()
        rows, labels = [sample.rows[at] for at in trained_on], sample.labels[trained_on]
        ratios = log_count_ratios(rows, labels, len(run.vocabulary), len(run.class_names))
        of_texts = [ratios[row % SENTENCE] for row in sample.rows]
        return [orders.ranks(scores, rng) for scores, rng in zip(of_texts, drawn, strict=True)]
    trained, found = run.load(), list[NDArray[np.uint16]]()
    for start in range(0, len(sample.rows), _AT_ONCE):
        path, some = folder / f"order-{cell.order}-{start:06}.npy", sample.rows[start : start + _AT_ONCE]
        if not path.exists():
            check_time()
            options.say(f"{methods()[cell.order].title}: text {start + 1:,} of {len(sample.rows):,}")
            _keep(path, np.concatenate([orders.magnitudes(trained, row, cell.order) for row in some]))
        scores = np.split(np.load(path), np.cumsum([len(row) for row in some])[:-1])
        found += [orders.ranks(one, rng) for one, rng in zip(scores, drawn[start : start + _AT_ONCE], strict=True)]
    return found


def _train(
    retrainer: Retrainer, sample: ShortTexts, cell: Retraining, ranks: Sequence[NDArray[np.uint16]], kept: Path
) -> float:
    """Make one training, keep its answers, and return how many seconds it took."""
    from nlpviz.training.masking import masked

    started = perf_counter()
    rows = [masked(row, rank, cell.share) for row, rank in zip(sample.rows, ranks, strict=True)]
    right = retrainer.right(sample, rows, cell.seed)
    seconds = perf_counter() - started

    def save(partial: Path) -> None:
        with partial.open("wb") as stream:
            np.savez(stream, right=right, seconds=seconds)

    write_whole(kept, save)
    return seconds


def _keep(path: Path, values: NDArray[np.float32]) -> None:
    def save(partial: Path) -> None:
        with partial.open("wb") as stream:
            np.save(stream, values)

    write_whole(path, save)
