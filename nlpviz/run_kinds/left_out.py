"""Do predictions move when the documents that are said to have made them are left out of the training?

The test by which Yeh et al. (2022), section 5, and Pruthi et al. (2020) judge an influence: retrain without the top k.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.left_out import LeftOut
from nlpviz.run_kinds import Say
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import documents_of
from nlpviz.runs.left_out import write_left_out
from nlpviz.runs.run import VOCABULARY

if TYPE_CHECKING:
    from nlpviz.networks.architectures import Classifier
    from nlpviz.training.batches import Labelled
    from nlpviz.training.fit import FitSettings
    from nlpviz.training.left_out import SmallTraining


@dataclass(frozen=True)
class LeavingOut:
    """What is left out, of how many texts.

    Attributes:
        count: k, documents at a time.
        texts: test texts, of all that the run keeps.
        draws: of random documents: as many of all, and as many of each class.
        seeds: other seeds, for the noise of a training.
        seed: draws texts and random documents.
    """

    count: int = 50
    texts: int = 24
    draws: int = 3
    seeds: int = 2
    seed: int = 0


class _Training(NamedTuple):
    """One training: its name, the documents that are left out, and by how much its seed is another one."""

    name: str
    left_out: NDArray[np.integer]
    seed: int = 0


class _Texts(NamedTuple):
    """Test texts: ids, what the network reads, the predicted classes, and the k documents of most influence, (R, k)."""

    ids: tuple[str, ...]
    rows: Sequence[NDArray[np.integer]]
    classes: NDArray[np.int64]
    tops: NDArray[np.int64]


def leave_out(
    run: Run,
    asked: LeavingOut,
    short: SmallTraining,
    folder: Path,
    say: Say,
    in_time: Callable[[], bool] = lambda: True,
) -> Run | None:
    """Train dozens of times without some documents, write how predictions moved, and return the run as it is now.

    What a training said is kept in ``folder``, so that a test that was stopped goes on.

    Args:
        run: whose recipe is trained.
        asked: what is left out.
        short: how a training is made short.
        folder: for what is not finished.
        say: called with a line of text about each step.
        in_time: is asked before each training whether there is time for one; where there is none, None is returned.

    Raises:
        RunError: if the run does not train its word vectors, or has too few documents.
        DataError: if its corpus is not on this machine.
    """
    from nlpviz.analysis.attribution.influence import checkpoints
    from nlpviz.training.batches import Labelled
    from nlpviz.training.left_out import log_odds, retrained, settings_of
    from nlpviz.training.trained_on import trained_on

    checkpoints(run)
    settings, (train, _) = settings_of(run, short), trained_on(run)
    among = np.arange(0, len(train), short.every)
    if asked.count * 2 * len(run.class_names) > len(among):
        raise RunError(
            f"{run.name!r} would be retrained on {len(among):,} documents, too few to leave out {asked.count}."
        )
    cut = Labelled([train.ids[one][: short.words] for one in among.tolist()], train.labels[among])
    texts = _texts(run, asked, cut, settings, short)
    told = _Told(folder, json.dumps([run.files[VOCABULARY], asdict(asked), asdict(short), asdict(settings), texts.ids]))
    for one in _trainings(asked, cut.labels, len(run.class_names), texts):
        if one.name in told.known:
            continue
        if not in_time():
            return None
        started, counted = perf_counter(), np.ones(len(cut), dtype=bool)
        counted[one.left_out] = False
        *_, model = retrained(run, cut, counted, replace(settings, seed=settings.seed + one.seed))
        told.keep(one.name, log_odds(model, texts.rows, texts.classes), perf_counter() - started)
        say(f"{one.name}: {perf_counter() - started:.0f} s")
    found = _found(run, told, texts)
    return write_left_out(run, replace(found, count=asked.count, documents=len(cut), training=short.said(run)))


def _texts(run: Run, asked: LeavingOut, train: Labelled, settings: FitSettings, short: SmallTraining) -> _Texts:
    """Return test texts that the run keeps, drawn at random, and the documents that most lowered each one's loss.

    Both the predicted classes and the influences are those of the short training on all documents, at each epoch.
    """
    from nlpviz.analysis.attribution.influence import Checkpoints, LabelledRows, between
    from nlpviz.networks.architectures import architectures, class_probabilities, padded
    from nlpviz.training.left_out import retrained
    from nlpviz.training.texts import encoded, labelled_texts

    drawn = np.random.default_rng(asked.seed).permutation(len(documents_of(run).ids))[: asked.texts]
    ids, test = tuple(documents_of(run).ids[one] for one in drawn), labelled_texts(run.corpus["name"], "test")
    place = {name: position for position, name in enumerate(test.ids)}
    sentences = architectures()[run.architecture].reads_sentences
    whole = encoded(run.vocabulary, [test.texts[place[name]] for name in ids], sentences=sentences)
    rows = [row[: short.words] for row in whole]
    everything = np.ones(len(train), dtype=bool)
    networks = [deepcopy(network) for network in retrained(run, train, everything, settings)]
    classes = np.array([int(class_probabilities(networks[-1](padded([row]))).argmax()) for row in rows])
    epochs = tuple(range(len(networks)))
    opened = cast("list[Classifier]", networks).__getitem__
    at = Checkpoints(epochs, (1.0,) * len(epochs))
    found = between(opened, at, LabelledRows(rows, classes), LabelledRows(train.ids, train.labels))
    return _Texts(ids, rows, classes, np.argsort(-found, axis=1, kind="stable")[:, : asked.count])


def _trainings(asked: LeavingOut, labels: NDArray[np.integer], classes: int, texts: _Texts) -> Iterator[_Training]:
    """Yield all trainings, those that the others are compared with first."""
    rng = np.random.default_rng([asked.seed, 1])
    yield _Training("whole", np.zeros(0, dtype=np.int64))
    for draw in range(asked.draws):
        yield _Training(f"random.{draw}", rng.choice(len(labels), asked.count, replace=False))
    for one in range(classes):
        own = np.flatnonzero(labels == one)
        for draw in range(asked.draws):
            left = rng.choice(own, min(asked.count, len(own)), replace=False)
            if one in texts.classes:
                yield _Training(f"same.{one}.{draw}", left)
    for seed in range(1, asked.seeds + 1):
        yield _Training(f"seed.{seed}", np.zeros(0, dtype=np.int64), seed)
    for place, top in enumerate(texts.tops):
        yield _Training(f"top.{place}", top)


def _found(run: Run, told: _Told, texts: _Texts) -> LeftOut:
    """Return what all trainings said, still without what was asked."""
    of = told.known
    draws, seeds = (sum(name.startswith(prefix) for name in of) for prefix in ("random.", "seed."))
    same = [[of[f"same.{one}.{draw}"][place] for draw in range(draws)] for place, one in enumerate(texts.classes)]
    return LeftOut(
        run=run.name,
        count=0,
        documents=0,
        training="",
        seconds=float(np.median(told.seconds)),
        ids=texts.ids,
        classes=tuple(run.class_names[one] for one in texts.classes),
        whole=np.array(of["whole"], dtype=np.float32),
        top=np.array([of[f"top.{place}"][place] for place in range(len(texts.ids))], dtype=np.float32),
        random=np.array([of[f"random.{draw}"] for draw in range(draws)], dtype=np.float32).T,
        same=np.array(same, dtype=np.float32),
        seeds=np.array([of[f"seed.{seed}"] for seed in range(1, seeds + 1)], dtype=np.float32).reshape(seeds, -1).T,
    )


class _Told:
    """What trainings have said, kept line by line in a folder; what another question left there is not read."""

    def __init__(self, folder: Path, question: str) -> None:
        """Read what is there already."""
        self.known: dict[str, list[float]] = {}
        self.seconds: list[float] = []
        self._path, self._question = folder / "left-out.jsonl", question
        folder.mkdir(parents=True, exist_ok=True)
        for line in self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else ():
            said = json.loads(line)
            if said["question"] == question:
                self._take(said)

    def keep(self, name: str, log_odds: NDArray[np.float32], seconds: float) -> None:
        """Keep what a training says of all texts."""
        said = {"name": name, "log_odds": log_odds.tolist(), "seconds": seconds, "question": self._question}
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(said) + "\n")
        self._take(said)

    def _take(self, said: dict[str, Any]) -> None:
        self.known[said["name"]] = said["log_odds"]
        self.seconds.append(said["seconds"])
